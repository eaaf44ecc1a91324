/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cooperative_groups/reduce.h - reductions of groups of threads; see kernel/cooperative_groups.h.
 */
#ifndef COOPERATIVE_GROUPS_REDUCE_H
#define COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

#endif
