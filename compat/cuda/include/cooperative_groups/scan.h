/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cooperative_groups/scan.h - prefix sums of groups of threads; see kernel/cooperative_groups.h.
 */
#ifndef COOPERATIVE_GROUPS_SCAN_H
#define COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups.h>

#endif
