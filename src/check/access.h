// SPDX-License-Identifier: Apache-2.0
// Verdicts about accesses: is every byte covered by a live region, with the rights for it, written
// before it is read, and all in one region? With the model's lock held, in a call.
#ifndef TARN_CHECK_ACCESS_H
#define TARN_CHECK_ACCESS_H

#include "check/model.h"

// A box of rows, `bytes` wide; one row has height and depth 1.
struct tn_check_access {
    uint32_t space;
    int32_t device;
    uint64_t lo;
    uint64_t bytes;
    uint64_t height;
    uint64_t pitch;
    uint64_t depth;
    uint64_t slice_pitch;
    const char *name; // of the call; NULL: not told
    bool write;
};

// At most one finding: of the first row that is wrong.
void tn_check_access_judge(struct tn_check_call *call, const struct tn_check_access *access);

// Counts as written, whatever it is.
void tn_check_access_initialised(uint32_t space, int32_t device, uint64_t lo, uint64_t bytes);

// What a byte is, for reports and tests.
enum tn_check_byte_state {
    TN_CHECK_BYTE_OUTSIDE,
    TN_CHECK_BYTE_UNUSED,
    TN_CHECK_BYTE_LIVE,
    TN_CHECK_BYTE_FREED
};
enum tn_check_byte_state tn_check_byte_state(uint32_t space, int32_t device, uint64_t address);

#endif
