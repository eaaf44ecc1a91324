// SPDX-License-Identifier: Apache-2.0
// A table from a teller's handle to a number of ours. Handles of different images may be equal, so
// the image is part of the name. The caller serialises.
#ifndef TARN_CHECK_HANDLE_MAP_H
#define TARN_CHECK_HANDLE_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct tn_check_handle_entry {
    uint64_t handle;
    uint32_t image;
    uint32_t value;
    bool used;
};

// Zeroed is empty.
struct tn_check_handle_map {
    struct tn_check_handle_entry *slots;
    uint32_t capacity; // a power of two, or 0
    uint32_t count;
};

void tn_check_handle_map_fini(struct tn_check_handle_map *names);

// False: there is none.
bool tn_check_handle_map_find(const struct tn_check_handle_map *names, uint32_t image,
                              uint64_t handle, uint32_t *value);

// Adds or replaces. False: no memory, nothing changed.
bool tn_check_handle_map_set(struct tn_check_handle_map *names, uint32_t image, uint64_t handle,
                             uint32_t value);

// `value` may be NULL. False: there was none.
bool tn_check_handle_map_remove(struct tn_check_handle_map *names, uint32_t image, uint64_t handle,
                                uint32_t *value);

#endif
