// SPDX-License-Identifier: Apache-2.0
// HIP's functions for kernels that were compiled for the host. See compat/runtime/kernel.h.
#include <stddef.h>
#include <string.h>

#include <hip/detail/kernel.h>

#include "compat/hip/face.h"
#include "compat/runtime/kernel.h"
#include "compat/runtime/races.h"

_Static_assert(sizeof(hipExtHostBlock) == sizeof(struct tn_rt_host_block) &&
                   offsetof(hipExtHostBlock, shared) == offsetof(struct tn_rt_host_block, shared) &&
                   offsetof(hipExtHostBlock, met) == offsetof(struct tn_rt_host_block, met),
               "a block has one layout");
_Static_assert(sizeof(hipExtHostPlace) == sizeof(struct tn_rt_kernel_place) &&
                   sizeof(hipExtHostLanes) == sizeof(struct tn_rt_lanes) &&
                   offsetof(hipExtHostLanes, lanes) == offsetof(struct tn_rt_lanes, lanes),
               "a place and lanes have one layout");

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

void hipExtHostAccess(const volatile void *address, size_t bytes, unsigned kind,
                      const void *frame) {
    tn_rt_races_access((uintptr_t)address, bytes, kind, (const uintptr_t *)frame);
}

void hipExtHostFence(void) { tn_rt_races_fence(); }

void hipExtHostFail(const hipExtHostBlock *block, hipError_t error, const char *why) {
    tn_rt_block_fail((const struct tn_rt_host_block *)block, (tn_rt_error)error, why);
}

static tn_rt_error launch_host(const hipExtHostLaunch *l) {
    TN_RT_TRY(tn_rt_check_pointer(l, "launch"));
    const struct tn_rt_launch launch = {.run = tn_rt_kernel_run,
                                        .kernel = (void (*)(void))l->kernel,
                                        .name = l->name,
                                        .grid = {l->gridDim.x, l->gridDim.y, l->gridDim.z},
                                        .block = {l->blockDim.x, l->blockDim.y, l->blockDim.z},
                                        .shared_bytes = l->sharedBytes,
                                        .cooperative = l->cooperative != 0,
                                        .closure_bytes = l->closureBytes,
                                        .closure = l->closure,
                                        .function = l->function,
                                        .argument_count = l->argumentCount,
                                        .list = l->list};
    return tn_rt_kernel_launch(&launch, l->stream);
}

hipError_t hipExtLaunchHost(const hipExtHostLaunch *launch) {
    return TN_HIP_CALL(launch_host(launch));
}

hipError_t hipExtLaunchHostKernel(hipExtHostKernel_t kernel, dim3 gridDim, dim3 blockDim,
                                  size_t sharedBytes, hipStream_t stream, const void *closure,
                                  size_t closureBytes) {
    const hipExtHostLaunch launch = {.kernel = kernel,
                                     .gridDim = gridDim,
                                     .blockDim = blockDim,
                                     .sharedBytes = sharedBytes,
                                     .stream = stream,
                                     .closure = closure,
                                     .closureBytes = closureBytes};
    return TN_HIP_CALL(launch_host(&launch));
}

hipError_t hipExtOccupancyHostKernel(int *numBlocks, int kernel, int blockSize,
                                     size_t sharedBytes) {
    return TN_HIP_CALL(tn_rt_kernel_blocks(numBlocks, kernel != 0, blockSize, sharedBytes));
}

hipError_t hipExtOccupancyHostGrid(int *gridSize, int *blockSize, int kernel, size_t sharedBytes,
                                   int limit) {
    return TN_HIP_CALL(tn_rt_kernel_grid(gridSize, blockSize, kernel != 0, sharedBytes, limit));
}
