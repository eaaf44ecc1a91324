// SPDX-License-Identifier: Apache-2.0
// A hash table from a 64-bit handle or address to a number. Handles of two images, or addresses of
// two spaces, may be equal, so the number of the image or space is part of the key. The owner
// serialises every call.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct tn_check_handle_entry {
    uint64_t handle;
    uint32_t image;
    uint32_t value; // plus 1; 0: the slot is free
};

// Zeroed is empty.
struct tn_check_handle_map {
    struct tn_check_handle_entry *slots;
    uint32_t capacity; // a power of two, or 0
    uint32_t count;
};

void tn_check_handle_map_fini(struct tn_check_handle_map *map);

// Returns false if the key is not in the map.
bool tn_check_handle_map_find(const struct tn_check_handle_map *map, uint32_t image,
                              uint64_t handle, uint32_t *value);

// Adds or replaces. `value` is not UINT32_MAX. Returns false, without a change, if out of memory.
bool tn_check_handle_map_set(struct tn_check_handle_map *map, uint32_t image, uint64_t handle,
                             uint32_t value);

// `value` may be NULL. Returns false if the key is not in the map.
bool tn_check_handle_map_remove(struct tn_check_handle_map *map, uint32_t image, uint64_t handle,
                                uint32_t *value);
