// SPDX-License-Identifier: Apache-2.0
// Heaps: ranges that are divided into regions. A heap may lie in a region of another heap; heaps
// that overlap in part are an error of the program. All functions are called with the model's lock
// held.
#ifndef TARN_CHECK_HEAPS_H
#define TARN_CHECK_HEAPS_H

#include "check/model.h"

struct tn_check_heap_range {
    uint32_t space;
    int32_t device;
    uint64_t lo;
    uint64_t hi; // equal to lo for an empty heap, which has a handle but no bytes
};

// Begins a heap. A client that does not name a pool (`object` 0) may register a range twice. The
// second call then returns the live heap of that range.
struct tn_check_heap *tn_check_heap_begin(struct tn_check_call *call,
                                          struct tn_check_domain *domain,
                                          const struct tn_check_heap_range *range, uint64_t object);

// Returns the heap's handle, which the first call makes.
uint64_t tn_check_heap_handle(struct tn_check_heap *heap);

// Ends the heap, its regions and the heaps inside them. TN_CHECK_END_CALL ends one registration of
// a heap that was registered several times.
void tn_check_heap_end(struct tn_check_call *call, struct tn_check_heap *heap,
                       enum tn_check_end why);

// Ends the regions of the heap, and the heaps inside them. They are not leaks.
void tn_check_heap_reset(struct tn_check_call *call, struct tn_check_heap *heap);

static inline bool tn_check_device_matches(int32_t a, int32_t b) {
    return a == b || a == TN_CHECK_ANY_DEVICE || b == TN_CHECK_ANY_DEVICE;
}

static inline bool tn_check_plane_matches(const struct tn_check_plane *plane,
                                          const struct tn_check_heap_range *range) {
    return plane->space == range->space && tn_check_device_matches(plane->device, range->device);
}

// Records that memory was freed. Heaps on it are stale.
void tn_check_backing_end(struct tn_check_call *call, uint32_t space, uint64_t lo, uint64_t hi);

#endif
