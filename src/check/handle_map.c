// SPDX-License-Identifier: Apache-2.0
// Open addressing with linear probing; a removal moves later entries up, so there are no
// tombstones.
#include "check/handle_map.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 64 };

void tn_check_handle_map_fini(struct tn_check_handle_map *names) {
    free(names->slots);
    *names = (struct tn_check_handle_map){0};
}

static uint32_t home_of(const struct tn_check_handle_map *names, uint32_t image, uint64_t handle) {
    uint64_t mixed = (handle ^ (uint64_t)image << 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) & (names->capacity - 1);
}

// The slot of the name, or the free one where it would go. There is always a free slot.
static uint32_t slot_of(const struct tn_check_handle_map *names, uint32_t image, uint64_t handle) {
    uint32_t at = home_of(names, image, handle);
    while (names->slots[at].used &&
           (names->slots[at].handle != handle || names->slots[at].image != image)) {
        at = (at + 1) & (names->capacity - 1);
    }
    return at;
}

bool tn_check_handle_map_find(const struct tn_check_handle_map *names, uint32_t image,
                              uint64_t handle, uint32_t *value) {
    if (names->count == 0) {
        return false;
    }
    const struct tn_check_handle_entry *slot = &names->slots[slot_of(names, image, handle)];
    if (slot->used) {
        *value = slot->value;
    }
    return slot->used;
}

static bool grow_map(struct tn_check_handle_map *names) {
    struct tn_check_handle_map more = {.capacity = names->capacity != 0 ? 2 * names->capacity
                                                                        : FIRST_CAPACITY};
    more.slots = (struct tn_check_handle_entry *)calloc(more.capacity, sizeof *more.slots);
    if (more.slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < names->capacity; i++) {
        const struct tn_check_handle_entry *old = &names->slots[i];
        if (old->used) {
            more.slots[slot_of(&more, old->image, old->handle)] = *old;
        }
    }
    more.count = names->count;
    free(names->slots);
    *names = more;
    return true;
}

bool tn_check_handle_map_set(struct tn_check_handle_map *names, uint32_t image, uint64_t handle,
                             uint32_t value) {
    if (2 * (names->count + 1) > names->capacity && !grow_map(names)) {
        return false;
    }
    struct tn_check_handle_entry *slot = &names->slots[slot_of(names, image, handle)];
    names->count += slot->used ? 0 : 1;
    *slot = (struct tn_check_handle_entry){handle, image, value, true};
    return true;
}

// Closes the gap at `at`: an entry further on moves into it if its home is not between the two.
static void close_gap(struct tn_check_handle_map *names, uint32_t at) {
    const uint32_t mask = names->capacity - 1;
    uint32_t gap = at;
    for (uint32_t next = (gap + 1) & mask; names->slots[next].used; next = (next + 1) & mask) {
        uint32_t home = home_of(names, names->slots[next].image, names->slots[next].handle);
        if (((next - home) & mask) >= ((next - gap) & mask)) {
            names->slots[gap] = names->slots[next];
            gap = next;
        }
    }
    names->slots[gap].used = false;
}

bool tn_check_handle_map_remove(struct tn_check_handle_map *names, uint32_t image, uint64_t handle,
                                uint32_t *value) {
    if (names->count == 0) {
        return false;
    }
    uint32_t at = slot_of(names, image, handle);
    if (!names->slots[at].used) {
        return false;
    }
    if (value != NULL) {
        *value = names->slots[at].value;
    }
    close_gap(names, at);
    names->count--;
    return true;
}
