// SPDX-License-Identifier: Apache-2.0
// Arrays by handle. The table holds one reference to each record, and each call that uses the
// record holds another. So a destroy during a call takes effect when that call ends. Only the
// backend knows what is mapped in an array, because streams map in their order.
#pragma once

#include "algo/tiles.h"
#include "core/address/range.h"
#include "core/platform/platform.h"

struct tn_array {
    struct tarn_device *device;
    void *backend; // its array
    tarn_array_desc desc;
    tarn_backend_array_info info;
    struct tn_tiles tiles;
    uint64_t number; // of its first element, for subscribers
    // Deferred: the latest call about its memory was a map. Relaxed: threads that call concurrently
    // must agree on the order themselves.
    _Atomic bool mapped;
    _Atomic unsigned refs; // acq_rel: the last reference destroys
};

// Gets the live array with one more reference. BAD_HANDLE, FORKED; recorded.
tarn_status tn_array_get(tarn_array id, struct tn_array **array);
void tn_array_put(struct tn_array *array);

static inline void tn_array_scope_put(struct tn_array *const *array) {
    if (*array != NULL) tn_array_put(*array);
}

// Stands before the declaration of a pointer to an array, or NULL. The end of the block drops a
// reference.
#define TN_ARRAY_HELD __attribute__((cleanup(tn_array_scope_put)))

// A declaration: a pointer to an array, held until the end of the block. `step` sets it, or returns
// the status with which the enclosing function returns.
#define TN_ARRAY_GET(name, step)                                                                   \
    TN_ARRAY_HELD struct tn_array *name = NULL;                                                    \
    TN_TRY(step)

// Returns the numbers of a box of elements, for subscribers: those of a linear array.
struct tn_box tn_array_numbers(const struct tn_array *array, const tarn_array_place *place,
                               uint64_t width, uint64_t height, uint64_t depth);

static inline bool tn_array_is(const struct tn_array *array, uint32_t flag) {
    return (array->desc.flags & flag) != 0;
}
