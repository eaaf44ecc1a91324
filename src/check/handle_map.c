// SPDX-License-Identifier: Apache-2.0
// Open addressing with linear probing. A removal moves later entries forward, so there are no
// tombstones.
#include "check/handle_map.h"

#include <stdlib.h>

#include "base/pages.h"

enum { FIRST_CAPACITY = 64 };

static uint64_t table_bytes(uint32_t capacity) {
    return capacity * sizeof(struct tn_check_handle_entry);
}

static void free_table(struct tn_check_handle_entry *slots, uint32_t capacity) {
    if (table_bytes(capacity) < TN_HUGE_PAGE)
        free(slots);
    else
        tn_pages_unmap(slots, table_bytes(capacity));
}

void tn_check_handle_map_fini(struct tn_check_handle_map *map) {
    free_table(map->slots, map->capacity);
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
    while (map->slots[at].value != 0 &&
           (map->slots[at].handle != handle || map->slots[at].image != image))
        at = (at + 1) & (map->capacity - 1);
    return at;
}

bool tn_check_handle_map_find(const struct tn_check_handle_map *map, uint32_t image,
                              uint64_t handle, uint32_t *value) {
    if (map->count == 0) return false;
    const struct tn_check_handle_entry *slot = &map->slots[slot_of(map, image, handle)];
    if (slot->value != 0) *value = slot->value - 1;
    return slot->value != 0;
}

static bool grow_map(struct tn_check_handle_map *map) {
    struct tn_check_handle_map more = {.capacity =
                                           map->capacity != 0 ? 2 * map->capacity : FIRST_CAPACITY};
    uint64_t bytes = table_bytes(more.capacity);
    // A table is looked at in random places, so a large one lies in huge pages.
    more.slots = bytes < TN_HUGE_PAGE ? calloc(1, bytes) : tn_pages_map(bytes, true);
    if (more.slots == NULL) return false;
    for (uint32_t i = 0; i < map->capacity; i++) {
        const struct tn_check_handle_entry *old = &map->slots[i];
        if (old->value != 0) more.slots[slot_of(&more, old->image, old->handle)] = *old;
    }
    more.count = map->count;
    free_table(map->slots, map->capacity);
    *map = more;
    return true;
}

bool tn_check_handle_map_set(struct tn_check_handle_map *map, uint32_t image, uint64_t handle,
                             uint32_t value) {
    if (2 * (map->count + 1) > map->capacity && !grow_map(map)) return false;
    struct tn_check_handle_entry *slot = &map->slots[slot_of(map, image, handle)];
    map->count += slot->value != 0 ? 0 : 1;
    *slot = (struct tn_check_handle_entry){handle, image, value + 1};
    return true;
}

bool tn_check_handle_map_remove(struct tn_check_handle_map *map, uint32_t image, uint64_t handle,
                                uint32_t *value) {
    if (map->count == 0) return false;
    uint32_t gap = slot_of(map, image, handle);
    if (map->slots[gap].value == 0) return false;
    if (value != NULL) *value = map->slots[gap].value - 1;
    // A later entry moves into the gap unless its home slot lies behind the gap.
    const uint32_t mask = map->capacity - 1;
    for (uint32_t next = (gap + 1) & mask; map->slots[next].value != 0; next = (next + 1) & mask) {
        uint32_t home = home_of(map, map->slots[next].image, map->slots[next].handle);
        if (((next - home) & mask) >= ((next - gap) & mask)) {
            map->slots[gap] = map->slots[next];
            gap = next;
        }
    }
    map->slots[gap].value = 0;
    map->count--;
    return true;
}
