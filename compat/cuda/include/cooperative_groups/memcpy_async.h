/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cooperative_groups/memcpy_async.h - copies by groups of groups of threads; see kernel/cooperative_groups.h.
 */
#ifndef COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

#endif
