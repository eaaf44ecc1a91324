// SPDX-License-Identifier: Apache-2.0
// A table from a teller's handle to a number of ours. Handles of different images may be equal, so
// the image is part of the name. The caller serialises.
#ifndef TARN_CHECK_NAMES_H
#define TARN_CHECK_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct tn_name {
    uint64_t handle;
    uint32_t image;
    uint32_t value;
    bool used;
};

// Zeroed is empty.
struct tn_names {
    struct tn_name *slots;
    uint32_t capacity; // a power of two, or 0
    uint32_t count;
};

void tn_names_fini(struct tn_names *names);

// False: there is none.
bool tn_names_find(const struct tn_names *names, uint32_t image, uint64_t handle, uint32_t *value);

// Adds or replaces. False: no memory, nothing changed.
bool tn_names_set(struct tn_names *names, uint32_t image, uint64_t handle, uint32_t value);

// `value` may be NULL. False: there was none.
bool tn_names_remove(struct tn_names *names, uint32_t image, uint64_t handle, uint32_t *value);

#endif
