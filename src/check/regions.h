// SPDX-License-Identifier: Apache-2.0
// Regions: the pieces that heaps are handed out in. All with the model's lock held, in a call.
#ifndef TARN_CHECK_REGIONS_H
#define TARN_CHECK_REGIONS_H

#include "check/model.h"

struct tn_check_region_desc {
    struct tn_check_domain *domain;
    struct tn_check_heap *heap; // NULL: heap-less
    uint32_t space;
    int32_t device;
    uint64_t lo;
    uint64_t bytes;   // 0: an empty region
    uint64_t taken;   // of the heap; less than bytes: the same
    const char *name; // NULL: none
    bool told;        // by a note
    bool host_can;    // this process may read and write its bytes
    bool seen;        // every access to it is told
    bool written;     // reads as written
    bool ordered;     // work that was given before on a stream may still use the bytes
};

struct tn_check_region *tn_check_region_begin(struct tn_check_call *call,
                                              const struct tn_check_region_desc *birth);

// Gives the region its handle.
uint64_t tn_check_region_handle(struct tn_check_region *region);

void tn_check_region_end(struct tn_check_call *call, struct tn_check_region *region,
                         enum tn_check_end why);

void tn_check_region_resize(struct tn_check_call *call, struct tn_check_region *region,
                            uint64_t bytes);

void tn_check_region_permit(struct tn_check_call *call, struct tn_check_region *region,
                            uint32_t flags);

// Live ones; NULL: none. By start: the newest of that domain, or (NULL) of any.
struct tn_check_region *tn_check_region_by_handle(uint64_t handle);
struct tn_check_region *tn_check_region_by_start(uint32_t space, uint64_t address,
                                                 const struct tn_check_domain *domain);

// A live region that contains the byte, on any device: the innermost, newest. NULL: none.
struct tn_check_region *tn_check_region_containing(uint32_t space, uint64_t address);

#endif
