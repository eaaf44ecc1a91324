// SPDX-License-Identifier: Apache-2.0
// Interval maps, one for each space of addresses. Part of check/order/order.c, which serialises every call.
#pragma once

#include "algo/interval.h"

struct tn_check_space_map;

// Zeroed is empty.
struct tn_check_maps {
    struct tn_check_space_map *first;
};

void tn_check_maps_fini(struct tn_check_maps *maps);

// Returns the map of a space, or NULL if there is none.
struct tn_interval *tn_check_maps_find(const struct tn_check_maps *maps, uint32_t space);

// The same, but makes the map if there is none. NULL: out of memory.
struct tn_interval *tn_check_maps_get(struct tn_check_maps *maps, uint32_t space);
