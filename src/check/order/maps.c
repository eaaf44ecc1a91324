// SPDX-License-Identifier: Apache-2.0
// See maps.h. A process has few spaces, so a list serves.
#include "check/order/maps.h"

#include <stdlib.h>

#include "base/list.h"

struct tn_check_space_map {
    struct tn_check_space_map *next;
    uint32_t space;
    struct tn_interval map;
};

void tn_check_maps_fini(struct tn_check_maps *maps) {
    TN_CHAIN_DRAIN(struct tn_check_space_map, gone, maps->first, next) {
        tn_interval_fini(&gone->map);
        free(gone);
    }
}

struct tn_interval *tn_check_maps_find(const struct tn_check_maps *maps, uint32_t space) {
    struct tn_check_space_map *at = maps->first;
    while (at != NULL && at->space != space) at = at->next;
    return at != NULL ? &at->map : NULL;
}

struct tn_interval *tn_check_maps_get(struct tn_check_maps *maps, uint32_t space) {
    struct tn_interval *map = tn_check_maps_find(maps, space);
    if (map != NULL) return map;
    struct tn_check_space_map *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->space = space;
    tn_interval_init(&made->map);
    made->next = maps->first;
    maps->first = made;
    return &made->map;
}
