// SPDX-License-Identifier: Apache-2.0
// The functions that <kernel/launch.h> declares, for a source file of a face. The face defines
// KERNEL_CALL_(work), the frame of a function that needs a device. Without KERNEL_API_, a macro
// of its headers, this file is empty.
#pragma once

#include <stddef.h>

#include "compat/runtime/code/host_kernel.h"
#include "compat/runtime/kernel/kernel.h"
#include "compat/runtime/kernel/races.h"

#ifdef KERNEL_API_

_Static_assert(sizeof(KERNEL_API_(ExtHostKernelInfo)) == sizeof(struct tn_rt_host_kernel) &&
                   offsetof(KERNEL_API_(ExtHostKernelInfo), list) ==
                       offsetof(struct tn_rt_host_kernel, list) &&
                   sizeof(KERNEL_API_(ExtHostParameter)) == sizeof(struct tn_rt_parameter),
               "a kernel has one layout");

_Static_assert(sizeof(KERNEL_API_(ExtHostBlock)) == sizeof(struct tn_rt_host_block) &&
                   offsetof(KERNEL_API_(ExtHostBlock), shared) ==
                       offsetof(struct tn_rt_host_block, shared) &&
                   offsetof(KERNEL_API_(ExtHostBlock), met) ==
                       offsetof(struct tn_rt_host_block, met),
               "a block has one layout");
_Static_assert(sizeof(KERNEL_API_(ExtHostPlace)) == sizeof(struct tn_rt_kernel_place) &&
                   sizeof(KERNEL_API_(ExtHostLanes)) == sizeof(struct tn_rt_lanes) &&
                   offsetof(KERNEL_API_(ExtHostLanes), lanes) ==
                       offsetof(struct tn_rt_lanes, lanes),
               "a place and lanes have one layout");

unsigned KERNEL_API_(ExtHostBlockWait)(const KERNEL_API_(ExtHostBlock) * block,
                                       const KERNEL_API_(ExtHostPlace) * place, int vote,
                                       int grid) {
    return tn_rt_block_wait((const struct tn_rt_host_block *)block,
                            (const struct tn_rt_kernel_place *)place, vote != 0, grid != 0);
}

void KERNEL_API_(ExtHostWarpWait)(const KERNEL_API_(ExtHostBlock) * block,
                                  const KERNEL_API_(ExtHostPlace) * place,
                                  KERNEL_API_(ExtHostLanes) * lanes) {
    tn_rt_warp_wait((const struct tn_rt_host_block *)block,
                    (const struct tn_rt_kernel_place *)place, (struct tn_rt_lanes *)lanes);
}

void KERNEL_API_(ExtHostYield)(const KERNEL_API_(ExtHostBlock) * block, unsigned thread) {
    tn_rt_block_yield((const struct tn_rt_host_block *)block, thread);
}

void KERNEL_API_(ExtHostFail)(const KERNEL_API_(ExtHostBlock) * block, KERNEL_API_(Error_t) error,
                              const char *why) {
    tn_rt_block_fail((const struct tn_rt_host_block *)block, (tn_rt_error)error, why);
}

void KERNEL_API_(ExtHostAccess)(const volatile void *address, size_t bytes, unsigned kind,
                                const void *frame) {
    tn_rt_races_access((uintptr_t)address, bytes, kind, (const uintptr_t *)frame);
}

void KERNEL_API_(ExtHostFence)(void) { tn_rt_races_fence(); }

static uint32_t most_threads(const void *function) {
    return function != NULL ? tn_rt_host_kernel_threads(function) : 0;
}

static tn_rt_error launch_host(const KERNEL_API_(ExtHostLaunch) * l) {
    TN_RT_TRY(tn_rt_check_pointer(l, "launch"));
    const struct tn_rt_launch launch = {.run = tn_rt_kernel_run,
                                        .kernel = (void (*)(void))l->kernel,
                                        .name = l->name,
                                        .grid = {l->gridDim.x, l->gridDim.y, l->gridDim.z},
                                        .block = {l->blockDim.x, l->blockDim.y, l->blockDim.z},
                                        .max_threads = most_threads(l->function),
                                        .shared_bytes = l->sharedBytes,
                                        .cooperative = l->cooperative != 0,
                                        .closure_bytes = l->closureBytes,
                                        .closure = l->closure,
                                        .function = l->function,
                                        .argument_count = l->argumentCount,
                                        .list = l->list};
    return tn_rt_kernel_launch(&launch, l->stream);
}

KERNEL_API_(Error_t) KERNEL_API_(ExtLaunchHost)(const KERNEL_API_(ExtHostLaunch) * launch) {
    return KERNEL_CALL_(launch_host(launch));
}

KERNEL_API_(Error_t)
KERNEL_API_(ExtLaunchHostKernel)
(KERNEL_API_(ExtHostKernel_t) kernel, dim3 gridDim, dim3 blockDim, size_t sharedBytes,
 KERNEL_API_(Stream_t) stream, const void *closure, size_t closureBytes) {
    const KERNEL_API_(ExtHostLaunch) launch = {.kernel = kernel,
                                               .gridDim = gridDim,
                                               .blockDim = blockDim,
                                               .sharedBytes = sharedBytes,
                                               .stream = stream,
                                               .closure = closure,
                                               .closureBytes = closureBytes};
    return KERNEL_CALL_(launch_host(&launch));
}

KERNEL_API_(Error_t)
KERNEL_API_(ExtOccupancyHostKernel)
(int *numBlocks, const void *kernel, int blockSize, size_t sharedBytes) {
    return KERNEL_CALL_(
        tn_rt_kernel_blocks(numBlocks, most_threads(kernel), blockSize, sharedBytes));
}

KERNEL_API_(Error_t)
KERNEL_API_(ExtOccupancyHostGrid)
(int *gridSize, int *blockSize, const void *kernel, size_t sharedBytes, int limit) {
    return KERNEL_CALL_(
        tn_rt_kernel_grid(gridSize, blockSize, most_threads(kernel), sharedBytes, limit));
}

// Programs call these before main() and after it; they open no device.
void KERNEL_API_(ExtRegisterHostKernel)(KERNEL_API_(ExtHostKernelInfo) * kernel) {
    tn_rt_host_kernel_register((struct tn_rt_host_kernel *)kernel);
}

void KERNEL_API_(ExtUnregisterHostKernel)(KERNEL_API_(ExtHostKernelInfo) * kernel) {
    tn_rt_host_kernel_unregister((struct tn_rt_host_kernel *)kernel);
}

#endif
