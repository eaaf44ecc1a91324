// SPDX-License-Identifier: Apache-2.0
// Launches of kernels by the address of their host stub or by a hipFunction_t, and queries about
// them. A kernel that was compiled for the host and registered itself runs; one that hipcc compiled
// is refused by its name. See compat/runtime/code/host_kernel.h.
#include <stddef.h>

#include <hip/detail/kernel.h>
#include <hip/detail/variable.h>

#define TN_RT_EXTENTS dim3
#include "compat/hip/face.h"
#include "compat/runtime/code/launch_rows.h"
#include "compat/runtime/code/variable.h"
#include "compat/runtime/stream/event.h"
#include "compat/runtime/stream/stream.h"

_Static_assert(sizeof(hipLaunchAttribute) == 72 && sizeof(hipLaunchConfig_t) == 56 &&
                   sizeof(HIP_LAUNCH_CONFIG) == 56,
               "programs compiled for HIP 7 pass these sizes");

// HIP fixes the parameters; some of these functions ignore a few.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// ---- kernels

static tn_rt_error get_function(hipFunction_t *out, const void *symbol) {
    const struct tn_rt_host_kernel *kernel = NULL;
    TN_RT_TRY(tn_rt_host_kernel_get(symbol, &kernel));
    TN_RT_REFUSE(out == NULL, TN_RT_INVALID_DEVICE_FUNCTION, "functionPtr is NULL");
    *out = (hipFunction_t)(uintptr_t)kernel;
    return TN_RT_OK;
}

TN_HIP_ROW(hipGetFuncBySymbol, get_function, hipFunction_t *, functionPtr, const void *, symbolPtr)

const char *hipKernelNameRef(const hipFunction_t f) { return tn_rt_kernel_name(f); }

const char *hipKernelNameRefByPtr(const void *hostFunction, hipStream_t stream) {
    return tn_rt_kernel_name(hostFunction);
}

// ---- launches

// In a capture the records become nodes, so that each launch of the graph records the events.
static tn_rt_error launch_timed(const void *function, struct tn_rt_dim grid, struct tn_rt_dim block,
                                size_t shared, void **arguments, void **extra, hipStream_t stream,
                                hipEvent_t start, hipEvent_t stop) {
    TN_RT_TRY(tn_rt_kernel_check(function));
    if (start != NULL) TN_RT_TRY(tn_rt_event_record_with(start, stream, TN_RT_EVENT_EXTERNAL));
    TN_RT_TRY(tn_rt_launch_listed(function, grid, block, shared, false, arguments, extra, stream));
    return stop != NULL ? tn_rt_event_record_with(stop, stream, TN_RT_EVENT_EXTERNAL) : TN_RT_OK;
}

// A launch of a hipFunction_t checks these first, and has errors of its own for them.
static tn_rt_error check_module_launch(const void *function, struct tn_rt_dim grid,
                                       struct tn_rt_dim block) {
    const uint64_t threads = (uint64_t)block.x * block.y;
    TN_RT_REFUSE(function == NULL, TN_RT_INVALID_HANDLE, "the function is NULL");
    TN_RT_REFUSE(grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0 || block.z == 0 ||
                     threads > TN_RT_THREADS_PER_BLOCK ||
                     threads * block.z > TN_RT_THREADS_PER_BLOCK,
                 TN_RT_INVALID_VALUE, "%u x %u x %u blocks of %u x %u x %u threads, %d at most",
                 grid.x, grid.y, grid.z, block.x, block.y, block.z, TN_RT_THREADS_PER_BLOCK);
    return TN_RT_OK;
}

// The checks, and then the launch.
#define CHECKED(launch)                                                                            \
    __extension__(check_module_launch(f, (struct tn_rt_dim){gridDimX, gridDimY, gridDimZ},         \
                                      (struct tn_rt_dim){blockDimX, blockDimY, blockDimZ})         \
                      ?: (launch))

#define DIMENSIONS                                                                                 \
    unsigned, gridDimX, unsigned, gridDimY, unsigned, gridDimZ, unsigned, blockDimX, unsigned,     \
        blockDimY, unsigned, blockDimZ
TN_HIP_ROW(hipLaunchCooperativeKernel, tn_rt_launch_stub_waiting, const void *, f, dim3, gridDim,
           dim3, blockDimX, void **, kernelParams, unsigned int, sharedMemBytes, hipStream_t,
           stream)
TN_HIP_ROW(hipModuleLaunchKernel,
           TN_FACE_EXPRESSION(CHECKED(tn_rt_launch_grid(f, gridDimX, gridDimY, gridDimZ, blockDimX,
                                                        blockDimY, blockDimZ, sharedMemBytes,
                                                        stream, kernelParams, extra))),
           hipFunction_t, f, DIMENSIONS, unsigned int, sharedMemBytes, hipStream_t, stream, void **,
           kernelParams, void **, extra)
TN_HIP_ROW(hipModuleLaunchCooperativeKernel,
           TN_FACE_EXPRESSION(CHECKED(
               tn_rt_launch_grid_waiting(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY,
                                         blockDimZ, sharedMemBytes, stream, kernelParams))),
           hipFunction_t, f, DIMENSIONS, unsigned int, sharedMemBytes, hipStream_t, stream, void **,
           kernelParams)

// For these, only NULL means the stream of the calling thread.
static hipStream_t or_of_thread(hipStream_t stream) {
    return stream != NULL ? stream : hipStreamPerThread;
}

TN_HIP_ROW(hipLaunchKernel_spt,
           TN_FACE_EXPRESSION(tn_rt_launch_stub(function_address, numBlocks, dimBlocks, args,
                                                sharedMemBytes, or_of_thread(stream))),
           const void *, function_address, dim3, numBlocks, dim3, dimBlocks, void **, args, size_t,
           sharedMemBytes, hipStream_t, stream)
TN_HIP_ROW(hipLaunchCooperativeKernel_spt,
           TN_FACE_EXPRESSION(tn_rt_launch_stub_waiting(f, gridDim, blockDim, kernelParams,
                                                        sharedMemBytes, or_of_thread(stream))),
           const void *, f, dim3, gridDim, dim3, blockDim, void **, kernelParams, uint32_t,
           sharedMemBytes, hipStream_t, stream)
TN_HIP_ROW(hipExtLaunchKernel,
           TN_FACE_EXPRESSION(launch_timed(function_address, TN_RT_DIM(numBlocks),
                                           TN_RT_DIM(dimBlocks), sharedMemBytes, args, NULL, stream,
                                           startEvent, stopEvent)),
           const void *, function_address, dim3, numBlocks, dim3, dimBlocks, void **, args, size_t,
           sharedMemBytes, hipStream_t, stream, hipEvent_t, startEvent, hipEvent_t, stopEvent, int,
           flags)

// Grids whose last blocks are smaller are refused: all blocks of a kernel have one size here.
static tn_rt_error launch_threads(hipFunction_t f, dim3 threads, dim3 block, size_t shared,
                                  hipStream_t stream, void **arguments, void **extra,
                                  hipEvent_t start, hipEvent_t stop) {
    TN_RT_TRY(tn_rt_kernel_check(f));
    TN_RT_REFUSE(block.x == 0 || block.y == 0 || block.z == 0 || threads.x % block.x != 0 ||
                     threads.y % block.y != 0 || threads.z % block.z != 0,
                 TN_RT_INVALID_VALUE, "%u x %u x %u threads in blocks of %u x %u x %u", threads.x,
                 threads.y, threads.z, block.x, block.y, block.z);
    const struct tn_rt_dim grid = {threads.x / block.x, threads.y / block.y, threads.z / block.z};
    return launch_timed(f, grid, TN_RT_DIM(block), shared, arguments, extra, stream, start, stop);
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX,
                                    uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
                                    uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes,
                                    hipStream_t hStream, void **kernelParams, void **extra,
                                    hipEvent_t startEvent, hipEvent_t stopEvent, uint32_t flags) {
    TN_FACE_GIVEN(0, 0, 0, 0, 0, 0, 0, 0, TN_FACE_WORD(hStream))
    return TN_HIP_CALL(launch_threads(f, (dim3){globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ},
                                      (dim3){localWorkSizeX, localWorkSizeY, localWorkSizeZ},
                                      sharedMemBytes, hStream, kernelParams, extra, startEvent,
                                      stopEvent));
}

// ---- launches with a configuration

// A cooperative launch ignores the attributes behind that one.
static tn_rt_error read_attributes(const hipLaunchAttribute *attributes, unsigned count,
                                   bool *cooperative) {
    *cooperative = false;
    for (unsigned i = 0; i < count && !*cooperative; i++) {
        TN_RT_TRY(tn_rt_check_pointer(attributes, "the list of attributes"));
        TN_RT_REFUSE(attributes[i].id != hipLaunchAttributeCooperative, TN_RT_INVALID_VALUE,
                     "attribute %d of a launch is not supported", (int)attributes[i].id);
        *cooperative = attributes[i].val.cooperative != 0;
    }
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipLaunchKernelExC, const hipLaunchConfig_t *, config, const void *, fPtr, void **,
                args) {
    TN_RT_REFUSE(fPtr == NULL, TN_RT_INVALID_DEVICE_FUNCTION, "fPtr is NULL");
    TN_RT_REFUSE(config == NULL, TN_RT_INVALID_CONFIGURATION, "config is NULL");
    bool cooperative;
    TN_RT_TRY(read_attributes(config->attrs, config->numAttrs, &cooperative));
    return tn_rt_launch_listed(fPtr, TN_RT_DIM(config->gridDim), TN_RT_DIM(config->blockDim),
                               config->dynamicSmemBytes, cooperative, args, NULL, config->stream);
}

TN_HIP_FUNCTION(hipDrvLaunchKernelEx, const HIP_LAUNCH_CONFIG *, config, hipFunction_t, f, void **,
                kernelParams, void **, extra) {
    TN_RT_REFUSE(f == NULL, TN_RT_INVALID_HANDLE, "f is NULL");
    TN_RT_TRY(tn_rt_check_pointer(config, "config"));
    TN_RT_TRY(tn_rt_stream_check(config->hStream));
    bool cooperative;
    TN_RT_TRY(read_attributes(config->attrs, config->numAttrs, &cooperative));
    (void)extra; // HIP ignores it
    return tn_rt_launch_listed(
        f, (struct tn_rt_dim){config->gridDimX, config->gridDimY, config->gridDimZ},
        (struct tn_rt_dim){config->blockDimX, config->blockDimY, config->blockDimZ},
        config->sharedMemBytes, cooperative, kernelParams, NULL, config->hStream);
}

// ---- attributes

_Static_assert(
    (int)HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK == TN_RT_KERNEL_MAX_THREADS &&
        (int)HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES == TN_RT_KERNEL_MAX_DYNAMIC_SHARED &&
        (int)HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT == TN_RT_KERNEL_CARVEOUT &&
        (int)hipFuncAttributeMaxDynamicSharedMemorySize == TN_RT_KERNEL_MAX_DYNAMIC_SHARED &&
        (int)hipFuncAttributePreferredSharedMemoryCarveout == TN_RT_KERNEL_CARVEOUT,
    "attributes have the same numbers");

TN_HIP_ROW(hipFuncGetAttribute, tn_rt_kernel_get_attribute, int *, value, hipFunction_attribute,
           attrib, hipFunction_t, hfunc)

TN_HIP_ROW(hipFuncSetCacheConfig, tn_rt_prefer, const void *, func, hipFuncCache_t, config)

// ---- occupancy

TN_HIP_ROW(hipOccupancyMaxPotentialBlockSize, tn_rt_kernel_fit, int *, gridSize, int *, blockSize,
           const void *, f, size_t, dynSharedMemPerBlk, int, blockSizeLimit)
TN_HIP_ROW(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, tn_rt_kernel_occupancy, int *,
           numBlocks, hipFunction_t, f, int, blockSize, size_t, dynSharedMemPerBlk)
TN_HIP_ROW(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, tn_rt_count_blocks, int *,
           numBlocks, hipFunction_t, f, int, blockSize, size_t, dynSharedMemPerBlk, unsigned int,
           flags)
TN_HIP_ROW(hipModuleOccupancyMaxPotentialBlockSize, tn_rt_kernel_fit, int *, gridSize, int *,
           blockSize, hipFunction_t, f, size_t, dynSharedMemPerBlk, int, blockSizeLimit)
TN_HIP_ROW(hipModuleOccupancyMaxPotentialBlockSizeWithFlags,
           TN_FACE_EXPRESSION(tn_rt_kernel_fit(gridSize, blockSize, f, dynSharedMemPerBlk,
                                               blockSizeLimit)),
           int *, gridSize, int *, blockSize, hipFunction_t, f, size_t, dynSharedMemPerBlk, int,
           blockSizeLimit, unsigned int, flags)

// ---- variables

TN_HIP_ROW(hipExtRegisterHostVariable, tn_rt_variable_register, const void *, symbol, size_t,
           sizeBytes)
