// SPDX-License-Identifier: Apache-2.0
// Open addressing with linear probing. A removal moves later entries forward, so there are no
// tombstones.
#include "check/handle_map.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 64 };

void tn_check_handle_map_fini(struct tn_check_handle_map *map) {
    free(map->slots);
    *map = (struct tn_check_handle_map){0};
}

static uint32_t home_of(const struct tn_check_handle_map *map, uint32_t image, uint64_t handle) {
    uint64_t mixed = (handle ^ (uint64_t)image << 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) & (map->capacity - 1);
}

// Returns the slot of the key, or the free slot where it belongs. At least half of the slots are
// free.
static uint32_t slot_of(const struct tn_check_handle_map *map, uint32_t image, uint64_t handle) {
    uint32_t at = home_of(map, image, handle);
    while (map->slots[at].used &&
           (map->slots[at].handle != handle || map->slots[at].image != image)) {
        at = (at + 1) & (map->capacity - 1);
    }
    return at;
}

bool tn_check_handle_map_find(const struct tn_check_handle_map *map, uint32_t image,
                              uint64_t handle, uint32_t *value) {
    if (map->count == 0) {
        return false;
    }
    const struct tn_check_handle_entry *slot = &map->slots[slot_of(map, image, handle)];
    if (slot->used) {
        *value = slot->value;
    }
    return slot->used;
}

static bool grow_map(struct tn_check_handle_map *map) {
    struct tn_check_handle_map more = {.capacity =
                                           map->capacity != 0 ? 2 * map->capacity : FIRST_CAPACITY};
    more.slots = calloc(more.capacity, sizeof *more.slots);
    if (more.slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->capacity; i++) {
        const struct tn_check_handle_entry *old = &map->slots[i];
        if (old->used) {
            more.slots[slot_of(&more, old->image, old->handle)] = *old;
        }
    }
    more.count = map->count;
    free(map->slots);
    *map = more;
    return true;
}

bool tn_check_handle_map_set(struct tn_check_handle_map *map, uint32_t image, uint64_t handle,
                             uint32_t value) {
    if (2 * (map->count + 1) > map->capacity && !grow_map(map)) {
        return false;
    }
    struct tn_check_handle_entry *slot = &map->slots[slot_of(map, image, handle)];
    map->count += slot->used ? 0 : 1;
    *slot = (struct tn_check_handle_entry){handle, image, value, true};
    return true;
}

bool tn_check_handle_map_remove(struct tn_check_handle_map *map, uint32_t image, uint64_t handle,
                                uint32_t *value) {
    if (map->count == 0) {
        return false;
    }
    uint32_t gap = slot_of(map, image, handle);
    if (!map->slots[gap].used) {
        return false;
    }
    if (value != NULL) {
        *value = map->slots[gap].value;
    }
    // A later entry moves into the gap unless its home slot lies behind the gap.
    const uint32_t mask = map->capacity - 1;
    for (uint32_t next = (gap + 1) & mask; map->slots[next].used; next = (next + 1) & mask) {
        uint32_t home = home_of(map, map->slots[next].image, map->slots[next].handle);
        if (((next - home) & mask) >= ((next - gap) & mask)) {
            map->slots[gap] = map->slots[next];
            gap = next;
        }
    }
    map->slots[gap].used = false;
    map->count--;
    return true;
}
