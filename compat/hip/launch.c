// SPDX-License-Identifier: Apache-2.0
// Launches of kernels by the address of their host stub or by a hipFunction_t, and queries about
// them. A kernel that was compiled for the host and registered itself runs; one that hipcc compiled
// is refused by its name. See compat/runtime/host_kernel.h.
#include <stddef.h>

#include <hip/detail/kernel.h>

#include "compat/hip/face.h"
#include "compat/hip/launch.h"
#include "compat/runtime/event.h"
#include "compat/runtime/kernel_node.h"
#include "compat/runtime/stream.h"

_Static_assert(sizeof(hipLaunchAttribute) == 72 && sizeof(hipLaunchConfig_t) == 56 &&
                   sizeof(HIP_LAUNCH_CONFIG) == 56,
               "programs compiled for HIP 7 pass these sizes");
_Static_assert(sizeof(hipExtHostKernelInfo) == sizeof(struct tn_rt_host_kernel) &&
                   offsetof(hipExtHostKernelInfo, list) ==
                       offsetof(struct tn_rt_host_kernel, list) &&
                   sizeof(hipExtHostParameter) == sizeof(struct tn_rt_parameter),
               "a kernel has one layout");

// HIP fixes the parameters; some of these functions ignore a few.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// ---- kernels

// Programs call these before main() and after it; they open no device.
void hipExtRegisterHostKernel(hipExtHostKernelInfo *kernel) {
    tn_rt_host_kernel_register((struct tn_rt_host_kernel *)kernel);
}

void hipExtUnregisterHostKernel(hipExtHostKernelInfo *kernel) {
    tn_rt_host_kernel_unregister((struct tn_rt_host_kernel *)kernel);
}

tn_rt_error tn_hip_find_kernel(const void *function, const struct tn_rt_host_kernel **kernel) {
    *kernel = function != NULL ? tn_rt_host_kernel_find(function) : NULL;
    if (*kernel != NULL) return TN_RT_OK;
    const char *name = tn_rt_code_kernel(function);
    TN_RT_REFUSE(name != NULL, TN_RT_INVALID_DEVICE_FUNCTION,
                 "kernel %.100s is device code, and no device can run it", name);
    return tn_rt_fail(TN_RT_INVALID_DEVICE_FUNCTION,
                      "%p is not a kernel that can be launched by its address", function);
}

static tn_rt_error get_function(hipFunction_t *out, const void *symbol) {
    const struct tn_rt_host_kernel *kernel = NULL;
    TN_RT_TRY(tn_hip_find_kernel(symbol, &kernel));
    TN_RT_REFUSE(out == NULL, TN_RT_INVALID_DEVICE_FUNCTION, "functionPtr is NULL");
    *out = (hipFunction_t)(uintptr_t)kernel;
    return TN_RT_OK;
}

hipError_t hipGetFuncBySymbol(hipFunction_t *functionPtr, const void *symbolPtr) {
    return TN_HIP_CALL(get_function(functionPtr, symbolPtr));
}

static const char *name_of(const void *function) {
    const struct tn_rt_host_kernel *kernel =
        function != NULL ? tn_rt_host_kernel_find(function) : NULL;
    return kernel != NULL ? kernel->name : tn_rt_code_kernel(function);
}

const char *hipKernelNameRef(const hipFunction_t f) { return f != NULL ? name_of(f) : NULL; }

const char *hipKernelNameRefByPtr(const void *hostFunction, hipStream_t stream) {
    return name_of(hostFunction);
}

// ---- launches

// A launch without its kernel and arguments.
static struct tn_rt_kernel_params shape(dim3 grid, dim3 block, size_t shared) {
    return (struct tn_rt_kernel_params){.grid = {grid.x, grid.y, grid.z},
                                        .block = {block.x, block.y, block.z},
                                        .shared_bytes = shared};
}

static tn_rt_error launch(const void *function, struct tn_rt_kernel_params params,
                          void *const *arguments, void *const *extra, hipStream_t stream) {
    const struct tn_rt_host_kernel *kernel = NULL;
    TN_RT_TRY(tn_hip_find_kernel(function, &kernel));
    params.function = function;
    params.arguments = arguments;
    params.extra = extra;
    return tn_rt_kernel_call(kernel, &params, tn_hip_run_block, stream);
}

// In a capture the records become nodes, so that each launch of the graph records the events.
static tn_rt_error launch_timed(const void *function, struct tn_rt_kernel_params shape,
                                void *const *arguments, void *const *extra, hipStream_t stream,
                                hipEvent_t start, hipEvent_t stop) {
    const struct tn_rt_host_kernel *kernel = NULL;
    TN_RT_TRY(tn_hip_find_kernel(function, &kernel));
    if (start != NULL) TN_RT_TRY(tn_rt_event_record(start, stream, true));
    TN_RT_TRY(launch(function, shape, arguments, extra, stream));
    return stop != NULL ? tn_rt_event_record(stop, stream, true) : TN_RT_OK;
}

static tn_rt_error launch_cooperative(const void *function, struct tn_rt_kernel_params shape,
                                      void *const *arguments, hipStream_t stream) {
    shape.cooperative = true;
    return launch(function, shape, arguments, NULL, stream);
}

hipError_t hipLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                           void **args, size_t sharedMemBytes, hipStream_t stream) {
    return TN_HIP_CALL(
        launch(function_address, shape(numBlocks, dimBlocks, sharedMemBytes), args, NULL, stream));
}

hipError_t hipLaunchKernel_spt(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                               void **args, size_t sharedMemBytes, hipStream_t stream) {
    return TN_HIP_CALL(launch(function_address, shape(numBlocks, dimBlocks, sharedMemBytes), args,
                              NULL, stream != NULL ? stream : hipStreamPerThread));
}

hipError_t hipExtLaunchKernel(const void *function_address, dim3 numBlocks, dim3 dimBlocks,
                              void **args, size_t sharedMemBytes, hipStream_t stream,
                              hipEvent_t startEvent, hipEvent_t stopEvent, int flags) {
    return TN_HIP_CALL(launch_timed(function_address, shape(numBlocks, dimBlocks, sharedMemBytes),
                                    args, NULL, stream, startEvent, stopEvent));
}

hipError_t hipLaunchCooperativeKernel(const void *f, dim3 gridDim, dim3 blockDimX,
                                      void **kernelParams, unsigned int sharedMemBytes,
                                      hipStream_t stream) {
    return TN_HIP_CALL(
        launch_cooperative(f, shape(gridDim, blockDimX, sharedMemBytes), kernelParams, stream));
}

hipError_t hipLaunchCooperativeKernel_spt(const void *f, dim3 gridDim, dim3 blockDim,
                                          void **kernelParams, uint32_t sharedMemBytes,
                                          hipStream_t stream) {
    return TN_HIP_CALL(launch_cooperative(f, shape(gridDim, blockDim, sharedMemBytes), kernelParams,
                                          stream != NULL ? stream : hipStreamPerThread));
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                 unsigned int gridDimZ, unsigned int blockDimX,
                                 unsigned int blockDimY, unsigned int blockDimZ,
                                 unsigned int sharedMemBytes, hipStream_t stream,
                                 void **kernelParams, void **extra) {
    return TN_HIP_CALL(launch(f,
                              shape((dim3){gridDimX, gridDimY, gridDimZ},
                                    (dim3){blockDimX, blockDimY, blockDimZ}, sharedMemBytes),
                              kernelParams, extra, stream));
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX,
                                            unsigned int gridDimY, unsigned int gridDimZ,
                                            unsigned int blockDimX, unsigned int blockDimY,
                                            unsigned int blockDimZ, unsigned int sharedMemBytes,
                                            hipStream_t stream, void **kernelParams) {
    return TN_HIP_CALL(
        launch_cooperative(f,
                           shape((dim3){gridDimX, gridDimY, gridDimZ},
                                 (dim3){blockDimX, blockDimY, blockDimZ}, sharedMemBytes),
                           kernelParams, stream));
}

// Grids whose last blocks are smaller are refused: all blocks of a kernel have one size here.
static tn_rt_error launch_threads(hipFunction_t f, dim3 threads, dim3 block, size_t shared,
                                  hipStream_t stream, void **arguments, void **extra,
                                  hipEvent_t start, hipEvent_t stop) {
    const struct tn_rt_host_kernel *kernel = NULL;
    TN_RT_TRY(tn_hip_find_kernel(f, &kernel));
    TN_RT_REFUSE(block.x == 0 || block.y == 0 || block.z == 0 || threads.x % block.x != 0 ||
                     threads.y % block.y != 0 || threads.z % block.z != 0,
                 TN_RT_INVALID_VALUE, "%u x %u x %u threads in blocks of %u x %u x %u", threads.x,
                 threads.y, threads.z, block.x, block.y, block.z);
    dim3 grid = {threads.x / block.x, threads.y / block.y, threads.z / block.z};
    return launch_timed(f, shape(grid, block, shared), arguments, extra, stream, start, stop);
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX,
                                    uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ,
                                    uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes,
                                    hipStream_t hStream, void **kernelParams, void **extra,
                                    hipEvent_t startEvent, hipEvent_t stopEvent, uint32_t flags) {
    return TN_HIP_CALL(launch_threads(f, (dim3){globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ},
                                      (dim3){localWorkSizeX, localWorkSizeY, localWorkSizeZ},
                                      sharedMemBytes, hStream, kernelParams, extra, startEvent,
                                      stopEvent));
}

// ---- launches with a configuration

// A cooperative launch ignores the attributes behind that one.
static tn_rt_error read_attributes(const hipLaunchAttribute *attributes, unsigned count,
                                   struct tn_rt_kernel_params *launch) {
    for (unsigned i = 0; i < count && !launch->cooperative; i++) {
        TN_RT_TRY(tn_rt_check_pointer(attributes, "the list of attributes"));
        TN_RT_REFUSE(attributes[i].id != hipLaunchAttributeCooperative, TN_RT_INVALID_VALUE,
                     "attribute %d of a launch is not supported", (int)attributes[i].id);
        launch->cooperative = attributes[i].val.cooperative != 0;
    }
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipLaunchKernelExC, const hipLaunchConfig_t *, config, const void *, fPtr, void **,
                args) {
    TN_RT_REFUSE(fPtr == NULL, TN_RT_INVALID_DEVICE_FUNCTION, "fPtr is NULL");
    TN_RT_REFUSE(config == NULL, TN_RT_INVALID_CONFIGURATION, "config is NULL");
    struct tn_rt_kernel_params own =
        shape(config->gridDim, config->blockDim, config->dynamicSmemBytes);
    TN_RT_TRY(read_attributes(config->attrs, config->numAttrs, &own));
    return launch(fPtr, own, args, NULL, config->stream);
}

TN_HIP_FUNCTION(hipDrvLaunchKernelEx, const HIP_LAUNCH_CONFIG *, config, hipFunction_t, f, void **,
                kernelParams, void **, extra) {
    TN_RT_REFUSE(f == NULL, TN_RT_INVALID_HANDLE, "f is NULL");
    TN_RT_TRY(tn_rt_check_pointer(config, "config"));
    TN_RT_TRY(tn_rt_stream_check(config->hStream));
    struct tn_rt_kernel_params own = shape(
        (dim3){config->gridDimX, config->gridDimY, config->gridDimZ},
        (dim3){config->blockDimX, config->blockDimY, config->blockDimZ}, config->sharedMemBytes);
    TN_RT_TRY(read_attributes(config->attrs, config->numAttrs, &own));
    return launch(f, own, kernelParams, NULL, config->hStream); // HIP ignores `extra`
}

// ---- attributes: a kernel of the host uses no registers, and its static memory is not known

static void fill_attributes(hipFuncAttributes *out) {
    *out = (hipFuncAttributes){.maxDynamicSharedSizeBytes = TN_RT_SHARED_BYTES,
                               .maxThreadsPerBlock = TN_RT_THREADS_PER_BLOCK};
}

static tn_rt_error get_attributes(hipFuncAttributes *attributes, const void *function) {
    const struct tn_rt_host_kernel *kernel = NULL;
    TN_RT_TRY(tn_rt_check_pointer(attributes, "attr"));
    TN_RT_TRY(tn_hip_find_kernel(function, &kernel));
    fill_attributes(attributes);
    return TN_RT_OK;
}

hipError_t hipFuncGetAttributes(hipFuncAttributes *attr, const void *func) {
    return TN_HIP_CALL(get_attributes(attr, func));
}

static tn_rt_error get_attribute(int *value, hipFunction_attribute attribute,
                                 const void *function) {
    hipFuncAttributes all;
    TN_RT_TRY(tn_rt_check_pointer(value, "value"));
    TN_RT_TRY(get_attributes(&all, function));
    switch (attribute) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = all.maxThreadsPerBlock; break;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = all.maxDynamicSharedSizeBytes;
        break;
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    case HIP_FUNC_ATTRIBUTE_NUM_REGS:
    case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
    case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
    case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = 0; break;
    default: return tn_rt_fail(TN_RT_INVALID_VALUE, "attribute %d of a kernel", (int)attribute);
    }
    return TN_RT_OK;
}

hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attrib, hipFunction_t hfunc) {
    return TN_HIP_CALL(get_attribute(value, attrib, hfunc));
}

static tn_rt_error set_attribute(const void *function, hipFuncAttribute attribute, int value) {
    const struct tn_rt_host_kernel *kernel = NULL;
    TN_RT_TRY(tn_hip_find_kernel(function, &kernel));
    TN_RT_REFUSE(attribute != hipFuncAttributeMaxDynamicSharedMemorySize &&
                     attribute != hipFuncAttributePreferredSharedMemoryCarveout,
                 TN_RT_INVALID_VALUE, "attribute %d of a kernel", (int)attribute);
    TN_RT_REFUSE(attribute == hipFuncAttributeMaxDynamicSharedMemorySize &&
                     (value < 0 || value > TN_RT_SHARED_BYTES),
                 TN_RT_INVALID_VALUE, "%d bytes of shared memory, %d at most", value,
                 TN_RT_SHARED_BYTES);
    return TN_RT_OK; // every kernel may have all of it
}

hipError_t hipFuncSetAttribute(const void *func, hipFuncAttribute attr, int value) {
    return TN_HIP_CALL(set_attribute(func, attr, value));
}

static tn_rt_error check_kernel(const void *function) {
    const struct tn_rt_host_kernel *kernel = NULL;
    return tn_hip_find_kernel(function, &kernel);
}

hipError_t hipFuncSetCacheConfig(const void *func, hipFuncCache_t config) {
    return TN_HIP_CALL(check_kernel(func)); // a preference, which may be ignored
}

hipError_t hipFuncSetSharedMemConfig(const void *func, hipSharedMemConfig config) {
    return TN_HIP_CALL(check_kernel(func));
}

// ---- occupancy: a unit runs one block of a kernel at once

static tn_rt_error count_blocks(int *blocks, const void *function, int threads, size_t shared) {
    TN_RT_TRY(tn_rt_check_pointer(blocks, "numBlocks"));
    TN_RT_TRY(check_kernel(function));
    return tn_rt_kernel_blocks(blocks, true, threads, shared);
}

static tn_rt_error fit_grid(int *grid, int *block, const void *function, size_t shared, int limit) {
    TN_RT_TRY(tn_rt_check_pointer(grid, "gridSize"));
    TN_RT_TRY(tn_rt_check_pointer(block, "blockSize"));
    TN_RT_TRY(check_kernel(function));
    return tn_rt_kernel_grid(grid, block, true, shared, limit);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *f,
                                                        int blockSize, size_t dynSharedMemPerBlk) {
    return TN_HIP_CALL(count_blocks(numBlocks, f, blockSize, dynSharedMemPerBlk));
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *f,
                                                                 int blockSize,
                                                                 size_t dynSharedMemPerBlk,
                                                                 unsigned int flags) {
    return TN_HIP_CALL(count_blocks(numBlocks, f, blockSize, dynSharedMemPerBlk));
}

hipError_t hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, const void *f,
                                             size_t dynSharedMemPerBlk, int blockSizeLimit) {
    return TN_HIP_CALL(fit_grid(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit));
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, hipFunction_t f,
                                                              int blockSize,
                                                              size_t dynSharedMemPerBlk) {
    return TN_HIP_CALL(count_blocks(numBlocks, f, blockSize, dynSharedMemPerBlk));
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, hipFunction_t f, int blockSize, size_t dynSharedMemPerBlk, unsigned int flags) {
    return TN_HIP_CALL(count_blocks(numBlocks, f, blockSize, dynSharedMemPerBlk));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, hipFunction_t f,
                                                   size_t dynSharedMemPerBlk, int blockSizeLimit) {
    return TN_HIP_CALL(fit_grid(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize,
                                                            hipFunction_t f,
                                                            size_t dynSharedMemPerBlk,
                                                            int blockSizeLimit,
                                                            unsigned int flags) {
    return TN_HIP_CALL(fit_grid(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit));
}

// One block runs on a unit, so more of them fit none.
TN_HIP_FUNCTION(hipOccupancyAvailableDynamicSMemPerBlock, size_t *, dynamicSmemSize, const void *,
                f, int, numBlocks, int, blockSize) {
    TN_RT_TRY(tn_rt_check_pointer(dynamicSmemSize, "dynamicSmemSize"));
    TN_RT_REFUSE(numBlocks <= 0 || blockSize <= 0, TN_RT_INVALID_VALUE, "%d blocks of %d threads",
                 numBlocks, blockSize);
    TN_RT_TRY(check_kernel(f));
    TN_RT_REFUSE(blockSize > TN_RT_THREADS_PER_BLOCK, TN_RT_INVALID_VALUE,
                 "blocks of %d threads, %d at most", blockSize, TN_RT_THREADS_PER_BLOCK);
    *dynamicSmemSize = numBlocks == 1 ? TN_RT_SHARED_BYTES : 0;
    return TN_RT_OK;
}
