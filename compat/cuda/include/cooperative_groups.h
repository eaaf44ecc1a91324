/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cooperative_groups.h - groups of threads of a kernel that `tarn nvcc` compiles; see
 * kernel/cooperative_groups.h.
 */
#ifndef COOPERATIVE_GROUPS_H
#define COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

#ifdef __CUDACC__
#include <kernel/cooperative_groups.h>
#endif

#endif
