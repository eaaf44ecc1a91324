/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_cooperative_groups.h - groups of threads of a kernel; see kernel/cooperative_groups.h.
 */
#ifndef HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_HIP_COOPERATIVE_GROUPS_H

#include <hip/hip_runtime.h>
#include <kernel/cooperative_groups.h>

#endif
