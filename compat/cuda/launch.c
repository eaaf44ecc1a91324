// SPDX-License-Identifier: Apache-2.0
// Launches of kernels by the address of their host stub, and queries about them. A kernel that nvcc
// compiled is refused by its name, because no device can run it.
#include "compat/cuda/face.h"
#include "compat/runtime/kernel.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

// Names the kernel that cannot run. NO_BINARY: device code; INVALID_DEVICE_FUNCTION: no kernel.
static tn_rt_error refuse_kernel(const void *function) {
    const char *name = tn_rt_code_kernel(function);
    TN_RT_REFUSE(name != NULL, TN_RT_NO_BINARY,
                 "kernel %.100s is code for a GPU; `tarn nvcc` compiles it for the CPU", name);
    return tn_rt_fail(TN_RT_INVALID_DEVICE_FUNCTION, "%p is not a kernel", function);
}

static bool is_small(dim3 extent, unsigned x, unsigned y, unsigned z) {
    return extent.x > 0 && extent.y > 0 && extent.z > 0 && extent.x <= x && extent.y <= y &&
           extent.z <= z;
}

static tn_rt_error launch_stub(const void *function, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream) {
    TN_RT_REFUSE(!is_small(grid, TN_RT_GRID_X, TN_RT_GRID_YZ, TN_RT_GRID_YZ) ||
                     !is_small(block, TN_RT_THREADS_PER_BLOCK, TN_RT_THREADS_PER_BLOCK, 64) ||
                     (uint64_t)block.x * block.y * block.z > TN_RT_THREADS_PER_BLOCK ||
                     shared > TN_RT_SHARED_BYTES,
                 TN_RT_INVALID_CONFIGURATION,
                 "a grid of %u*%u*%u blocks of %u*%u*%u threads with %zu shared bytes", grid.x,
                 grid.y, grid.z, block.x, block.y, block.z, shared);
    return refuse_kernel(function);
}

static tn_rt_error launch_config(const cudaLaunchConfig_t *config, const void *function,
                                 void **arguments) {
    TN_RT_TRY(tn_rt_check_pointer(config, "config"));
    return launch_stub(function, config->gridDim, config->blockDim, arguments,
                       config->dynamicSmemBytes, config->stream);
}

TN_CUDART_STREAM(cudaLaunchKernel, launch_stub, const void *, dim3, dim3, void **, size_t,
                 cudaStream_t)
TN_CUDART_STREAM(cudaLaunchCooperativeKernel, launch_stub, const void *, dim3, dim3, void **,
                 size_t, cudaStream_t)
TN_CUDART_STREAM(cudaLaunchKernelExC, launch_config, const cudaLaunchConfig_t *, const void *,
                 void **)

// ---- the calls that nvcc makes of f<<<grid, block, shared, stream>>>(...). No header declares them.

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);

TN_CUDA_API unsigned tn_cudart___cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                           cudaStream_t stream);
unsigned tn_cudart___cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                               cudaStream_t stream) {
    return tn_rt_configuration_push(&(struct tn_rt_configuration){
               {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, stream}) != TN_RT_OK;
}

static tn_rt_error pop(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
    struct tn_rt_configuration top;
    TN_RT_TRY(tn_rt_configuration_pop(&top));
    *grid = (dim3){top.grid.x, top.grid.y, top.grid.z};
    *block = (dim3){top.block.x, top.block.y, top.block.z};
    *shared = top.shared;
    *(void **)stream = top.stream;
    return TN_RT_OK;
}

// The handle of a kernel is the address of its stub.
static tn_rt_error get_kernel(cudaKernel_t *kernel, const void *function) {
    TN_RT_TRY(tn_rt_check_pointer(kernel, "the output"));
    if (tn_rt_code_kernel(function) == NULL) return refuse_kernel(function);
    *kernel = (cudaKernel_t)(uintptr_t)function;
    return TN_RT_OK;
}

TN_CUDART(__cudaPopCallConfiguration, pop, dim3 *, dim3 *, size_t *, void *)
TN_CUDART(__cudaGetKernel, get_kernel, cudaKernel_t *, const void *)
TN_CUDART_STREAM(__cudaLaunchKernel, launch_stub, cudaKernel_t, dim3, dim3, void **, size_t,
                 cudaStream_t)
TN_CUDART(cudaGetKernel, get_kernel, cudaKernel_t *, const void *)

// ---- functions that need the kernel's code

#define REFUSED(name, ...)                                                                         \
    TN_CUDART_FUNCTION(name, __VA_ARGS__) { return refuse_kernel(function); }

REFUSED(cudaFuncGetAttributes, cudaFuncAttributes *, attributes, const void *, function)
REFUSED(cudaFuncSetAttribute, const void *, function, enum cudaFuncAttribute, attribute, int, value)
REFUSED(cudaFuncSetCacheConfig, const void *, function, enum cudaFuncCache, config)
REFUSED(cudaGetFuncBySymbol, cudaFunction_t *, handle, const void *, function)
REFUSED(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *, blocks, const void *, function, int,
        threads, size_t, shared)
REFUSED(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *, blocks, const void *,
        function, int, threads, size_t, shared, unsigned int, flags)
REFUSED(cudaOccupancyAvailableDynamicSMemPerBlock, size_t *, shared, const void *, function, int,
        blocks, int, threads)
REFUSED(cudaOccupancyMaxPotentialClusterSize, int *, size, const void *, function,
        const cudaLaunchConfig_t *, config)
REFUSED(cudaOccupancyMaxActiveClusters, int *, clusters, const void *, function,
        const cudaLaunchConfig_t *, config)
