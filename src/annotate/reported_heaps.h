// SPDX-License-Identifier: Apache-2.0
// The heaps that a listener knows, by address: what it was given for each of them, so that a region
// is told in its heap and a heap's end ends what its beginning began. One table for each listener.
// Any thread; a table's lock is the last of all.
#ifndef TARN_ANNOTATE_REPORTED_HEAPS_H
#define TARN_ANNOTATE_REPORTED_HEAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lock.h"

struct tn_reported_heap {
    uint64_t addr;
    uint64_t bytes;
    void *handle; // the listener's own
};

struct tn_reported_heaps {
    struct tn_rwlock lock;
    struct tn_reported_heap *list; // by address; a heap within another lies behind it
    size_t count;
    size_t capacity;
};

#define TN_REPORTED_HEAPS                                                                          \
    { .lock = TN_RWLOCK(ANNOTATE, "heaps"), .list = NULL }

// False: no memory, and the heap is not known.
bool tn_reported_heaps_add(struct tn_reported_heaps *heaps, const struct tn_reported_heap *heap);

// Takes out the innermost heap that begins at addr. False: there is none.
bool tn_reported_heaps_remove(struct tn_reported_heaps *heaps, uint64_t addr,
                              struct tn_reported_heap *heap);

// Takes out a heap that lies in [addr, addr + bytes), whose memory goes. False: there is none left.
bool tn_reported_heaps_remove_within(struct tn_reported_heaps *heaps, uint64_t addr, uint64_t bytes,
                                     struct tn_reported_heap *heap);

// The innermost heap that holds addr. False: none does.
bool tn_reported_heaps_find(struct tn_reported_heaps *heaps, uint64_t addr,
                            struct tn_reported_heap *heap);

// Around fork().
void tn_reported_heaps_fork_prepare(struct tn_reported_heaps *heaps);
void tn_reported_heaps_fork_done(struct tn_reported_heaps *heaps);

#endif
