// SPDX-License-Identifier: Apache-2.0
// Plain memory: device memory with an address and pinned host memory, as the system or a vendor's
// call hands it out. The checker knows which of its bytes were written. A heap inside plain memory
// decides about its own bytes. Called with all locks of the model held.
#ifndef TARN_CHECK_PLAIN_H
#define TARN_CHECK_PLAIN_H

#include "check/model.h"

// The memory of one address space.
struct tn_check_plain {
    struct tn_check_plain *next;
    uint32_t space;
    struct tn_interval map; // to records of regions without a heap
};

struct tn_check_plain_desc {
    uint32_t space;
    int32_t device;
    uint64_t lo;
    uint64_t bytes;
    bool host_can; // see struct tn_check_region_desc
    bool seen;
    bool soft; // no kernel accesses it: only emitted work and instructions of CPUs
    bool written;
};

void tn_check_plain_begin(struct tn_check_call *call, const struct tn_check_plain_desc *desc);

// The program requested only `bytes` of the memory that begins at `lo`. The rest becomes padding.
void tn_check_plain_request(struct tn_check_call *call, uint32_t space, uint64_t lo,
                            uint64_t bytes);

// Ends the memory that begins at the address, if there is any.
void tn_check_plain_end(struct tn_check_call *call, uint32_t space, uint64_t lo);

// Returns the memory that contains the byte, or NULL. The byte may be in its padding.
struct tn_check_region *tn_check_plain_at(uint32_t space, uint64_t address);

// Counts the bytes as written, in whichever memory they lie.
void tn_check_plain_mark(uint32_t space, uint64_t lo, uint64_t hi);

#endif
