// SPDX-License-Identifier: Apache-2.0
// The functions by which kernels that were compiled for the host reach the library, and variables
// that they use. The driver library exports them. See kernel/launch.h.
#include "compat/cuda/face.h"
#include "compat/runtime/code/kernel_query.h"
#include "compat/runtime/code/variable.h"

#pragma GCC visibility push(default)
#include <cuda/detail/host_kernel.h>
#pragma GCC visibility pop

#include "compat/runtime/entries.h"

#define KERNEL_ROW(name, work, ...) TN_FACE_ROW(cudaError_t, KERNEL_CALL, name, work, __VA_ARGS__)
#define KERNEL_CALL(work)           TN_FACE_CALL(tn_cudart, work)

unsigned cudaExtHostBlockWait(const cudaExtHostBlock *block, const cudaExtHostPlace *place,
                              int vote, int grid) {
    return tn_rt_block_wait((const struct tn_rt_host_block *)block,
                            (const struct tn_rt_kernel_place *)place, vote != 0, grid != 0);
}

void cudaExtHostWarpWait(const cudaExtHostBlock *block, const cudaExtHostPlace *place,
                         cudaExtHostLanes *lanes) {
    tn_rt_warp_wait((const struct tn_rt_host_block *)block,
                    (const struct tn_rt_kernel_place *)place, (struct tn_rt_lanes *)lanes);
}

void cudaExtHostYield(const cudaExtHostBlock *block, unsigned thread) {
    tn_rt_block_yield((const struct tn_rt_host_block *)block, thread);
}

void cudaExtHostFail(const cudaExtHostBlock *block, cudaError_t error, const char *why) {
    tn_rt_block_fail((const struct tn_rt_host_block *)block, (tn_rt_error)error, why);
}

void cudaExtHostAccess(const volatile void *address, size_t bytes, unsigned kind,
                       const void *frame) {
    tn_rt_races_access((uintptr_t)address, bytes, kind, (const uintptr_t *)frame);
}

void cudaExtHostFence(void) { tn_rt_races_fence(); }

KERNEL_ROW(cudaExtLaunchHost, launch_host, const cudaExtHostLaunch *, launch)
KERNEL_ROW(cudaExtLaunchHostKernel,
           TN_FACE_EXPRESSION(launch_host(&(const cudaExtHostLaunch){
               .kernel = kernel,
               .gridDim = gridDim,
               .blockDim = blockDim,
               .sharedBytes = sharedBytes,
               .stream = stream,
               .closure = closure,
               .closureBytes = closureBytes})),
           cudaExtHostKernel_t, kernel, dim3, gridDim, dim3, blockDim, size_t, sharedBytes,
           cudaStream_t, stream, const void *, closure, size_t, closureBytes)
KERNEL_ROW(cudaExtOccupancyHostKernel,
           TN_FACE_EXPRESSION(tn_rt_kernel_blocks(numBlocks, most_threads(kernel), blockSize,
                                                  sharedBytes)),
           int *, numBlocks, const void *, kernel, int, blockSize, size_t, sharedBytes)
KERNEL_ROW(cudaExtOccupancyHostGrid,
           TN_FACE_EXPRESSION(tn_rt_kernel_grid(gridSize, blockSize, most_threads(kernel),
                                                sharedBytes, limit)),
           int *, gridSize, int *, blockSize, const void *, kernel, size_t, sharedBytes, int, limit)

// Programs call these before main() and after it; they open no device.
void cudaExtRegisterHostKernel(cudaExtHostKernelInfo *kernel) {
    tn_rt_host_kernel_register((struct tn_rt_host_kernel *)kernel);
}

void cudaExtUnregisterHostKernel(cudaExtHostKernelInfo *kernel) {
    tn_rt_host_kernel_unregister((struct tn_rt_host_kernel *)kernel);
}

const char *cudaExtKernelName(const void *function) { return tn_rt_kernel_name(function); }

KERNEL_ROW(cudaExtRegisterHostVariable, tn_rt_variable_register, const void *, symbol, size_t,
           bytes)
