// SPDX-License-Identifier: Apache-2.0
// Heaps: ranges that are handed out in pieces, one inside a region of another, or, wrongly, across
// each other. All with the model's lock held, in a call.
#ifndef TARN_CHECK_HEAPS_H
#define TARN_CHECK_HEAPS_H

#include "check/model.h"

struct tn_check_heap_range {
    uint32_t space;
    int32_t device;
    uint64_t lo;
    uint64_t hi; // lo: an empty heap, which has a handle and no bytes
};

// A new heap; or, for a client that does not say which pool it means (`object` 0), the live one
// that has just this range, once more.
struct tn_check_heap *tn_check_heap_begin(struct tn_check_call *call,
                                          struct tn_check_domain *domain,
                                          const struct tn_check_heap_range *range, uint64_t object);

// Gives the heap its handle.
uint64_t tn_check_heap_handle(struct tn_check_heap *heap);

// Ends it, with its regions and what is inside them. Of a heap that was registered several times,
// one registration (TN_CHECK_END_CALL).
void tn_check_heap_end(struct tn_check_call *call, struct tn_check_heap *heap,
                       enum tn_check_end why);

// Live ones. NULL: none.
struct tn_check_heap *tn_check_heap_by_handle(uint64_t handle);
struct tn_check_heap *tn_check_heap_at_start(const struct tn_check_heap_range *range,
                                             uint64_t object);

// The innermost one that contains the whole range, on this device or on any that matches. `object`:
// rather one of this pool; 0: any.
struct tn_check_heap *tn_check_heap_around(const struct tn_check_heap_range *range,
                                           uint64_t object);

// The innermost ones that contain the byte: `most` are stored at most, and counted.
unsigned tn_check_heaps_at(const struct tn_check_plane *plane, uint64_t address,
                           struct tn_check_heap **found, unsigned most);

// Does a number of the one device mean the same as on the other?
static inline bool tn_check_device_matches(int32_t a, int32_t b) {
    return a == b || a == TN_CHECK_ANY_DEVICE || b == TN_CHECK_ANY_DEVICE;
}

// Memory beneath heaps was given to somebody, or taken back: heaps in it are stale.
void tn_check_backing_begin(uint32_t space, uint64_t lo, uint64_t hi);
void tn_check_backing_end(struct tn_check_call *call, uint32_t space, uint64_t lo, uint64_t hi);

#endif
