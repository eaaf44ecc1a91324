// SPDX-License-Identifier: Apache-2.0
// Judges accesses. Every byte must lie in a live region with the required permission, and must be
// written before it is read. All bytes must lie in one region. Called with the model's lock held.
#pragma once

#include "check/model.h"

// A box of rows of `bytes` bytes. A plain range has height and depth 1.
struct tn_check_access {
    uint32_t space;
    int32_t device;
    uint64_t lo;
    uint64_t bytes;
    uint64_t height;
    uint64_t pitch;
    uint64_t depth;
    uint64_t slice_pitch;
    const char *name; // of the call, or NULL
    uint64_t stream;  // performs it later, in order; 0: the calling thread performs it at once
    bool write;
    bool refused; // it does not happen: it writes nothing, and reads nothing unwritten
    bool inside;  // a copy inside devices, which passes on which bytes are unwritten: see carry.h
};

// Reports at most one finding, about the first wrong row.
void tn_check_access_judge(struct tn_check_call *call, const struct tn_check_access *access);

// Marks the bytes as written.
void tn_check_access_initialised(uint32_t space, int32_t device, uint64_t lo, uint64_t bytes);

// The contents of the bytes were lost, and count as unwritten.
void tn_check_access_discarded(struct tn_check_call *call, uint32_t space, uint64_t lo,
                               uint64_t bytes);

// Returns the live region or plain memory that decides about the byte, or NULL.
struct tn_check_region *tn_check_region_around(uint32_t space, int32_t device, uint64_t address);

// The state of a byte: outside all heaps, in a heap but never in a region, live, or freed.
enum tn_check_byte_state {
    TN_CHECK_BYTE_OUTSIDE,
    TN_CHECK_BYTE_UNUSED,
    TN_CHECK_BYTE_LIVE,
    TN_CHECK_BYTE_FREED
};
enum tn_check_byte_state tn_check_byte_state(uint32_t space, int32_t device, uint64_t address);
