// SPDX-License-Identifier: Apache-2.0
// Regions: the pieces that a heap is divided into. All functions are called with the model's lock
// held.
#ifndef TARN_CHECK_REGIONS_H
#define TARN_CHECK_REGIONS_H

#include "check/model.h"

struct tn_check_region_desc {
    struct tn_check_domain *domain;
    struct tn_check_heap *heap; // NULL if in no heap
    uint32_t space;
    int32_t device;
    uint64_t lo;
    uint64_t bytes;   // 0 for an empty region
    uint64_t taken;   // bytes of the heap that it occupies; a value below `bytes` means `bytes`
    const char *name; // or NULL
    bool from_event;  // of a memory event
    bool host_can;    // instructions of this process can access its bytes
    bool seen;        // every access to it is an event
    bool written;     // its bytes count as written
    bool ordered;     // work that was submitted earlier to a stream may still use its bytes
    bool idle;        // if ordered: it is known that no such work does
};

struct tn_check_region *tn_check_region_begin(struct tn_check_call *call,
                                              const struct tn_check_region_desc *desc);

// Returns the region's handle, which the first call makes.
uint64_t tn_check_region_handle(struct tn_check_region *region);

void tn_check_region_end(struct tn_check_call *call, struct tn_check_region *region,
                         enum tn_check_end why);

void tn_check_region_resize(struct tn_check_call *call, struct tn_check_region *region,
                            uint64_t bytes);

void tn_check_region_permit(struct tn_check_call *call, struct tn_check_region *region,
                            uint32_t flags);

// Removes the region from the cover of its heap or plane. Used by the end and by a resize.
void tn_check_region_leave(struct tn_check_region *region);

#endif
