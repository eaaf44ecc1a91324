// SPDX-License-Identifier: Apache-2.0
// The work of functions that <kernel/launch.h> declares, for the source file of a face that defines
// them. Without KERNEL_API_, a macro of its headers, this file is empty.
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

#endif
