// SPDX-License-Identifier: Apache-2.0
// HIP's functions for kernels that were compiled for the host. See compat/runtime/kernel/kernel.h.
#include <hip/detail/kernel.h>

#include "compat/hip/face.h"
#include "compat/runtime/entries.h"

unsigned hipExtHostBlockWait(const hipExtHostBlock *block, const hipExtHostPlace *place, int vote,
                             int grid) {
    return tn_rt_block_wait((const struct tn_rt_host_block *)block,
                            (const struct tn_rt_kernel_place *)place, vote != 0, grid != 0);
}

void hipExtHostWarpWait(const hipExtHostBlock *block, const hipExtHostPlace *place,
                        hipExtHostLanes *lanes) {
    tn_rt_warp_wait((const struct tn_rt_host_block *)block,
                    (const struct tn_rt_kernel_place *)place, (struct tn_rt_lanes *)lanes);
}

void hipExtHostYield(const hipExtHostBlock *block, unsigned thread) {
    tn_rt_block_yield((const struct tn_rt_host_block *)block, thread);
}

void hipExtHostFail(const hipExtHostBlock *block, hipError_t error, const char *why) {
    tn_rt_block_fail((const struct tn_rt_host_block *)block, (tn_rt_error)error, why);
}

void hipExtHostAccess(const volatile void *address, size_t bytes, unsigned kind,
                      const void *frame) {
    tn_rt_races_access((uintptr_t)address, bytes, kind, (const uintptr_t *)frame);
}

void hipExtHostFence(void) { tn_rt_races_fence(); }

TN_HIP_ROW(hipExtLaunchHost, launch_host, const hipExtHostLaunch *, launch)
TN_HIP_ROW(hipExtLaunchHostKernel,
           TN_FACE_EXPRESSION(launch_host(&(const hipExtHostLaunch){.kernel = kernel,
                                                                    .gridDim = gridDim,
                                                                    .blockDim = blockDim,
                                                                    .sharedBytes = sharedBytes,
                                                                    .stream = stream,
                                                                    .closure = closure,
                                                                    .closureBytes = closureBytes})),
           hipExtHostKernel_t, kernel, dim3, gridDim, dim3, blockDim, size_t, sharedBytes,
           hipStream_t, stream, const void *, closure, size_t, closureBytes)
TN_HIP_ROW(hipExtOccupancyHostKernel,
           TN_FACE_EXPRESSION(tn_rt_kernel_blocks(numBlocks, most_threads(kernel), blockSize,
                                                  sharedBytes)),
           int *, numBlocks, const void *, kernel, int, blockSize, size_t, sharedBytes)
TN_HIP_ROW(hipExtOccupancyHostGrid,
           TN_FACE_EXPRESSION(tn_rt_kernel_grid(gridSize, blockSize, most_threads(kernel),
                                                sharedBytes, limit)),
           int *, gridSize, int *, blockSize, const void *, kernel, size_t, sharedBytes, int, limit)

// Programs call these before main() and after it; they open no device.
void hipExtRegisterHostKernel(hipExtHostKernelInfo *kernel) {
    tn_rt_host_kernel_register((struct tn_rt_host_kernel *)kernel);
}

void hipExtUnregisterHostKernel(hipExtHostKernelInfo *kernel) {
    tn_rt_host_kernel_unregister((struct tn_rt_host_kernel *)kernel);
}
