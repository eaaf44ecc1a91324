// SPDX-License-Identifier: Apache-2.0
// Canaries and fill: known bytes beside live regions and in ended ones. They are checked when
// something happens there and at the end of the program. The checker writes only to memory that
// this process can access according to its events or, with the option host_ranges, maps writable.
// It uses system calls, which fail where an instruction would fault. All functions except the reset
// are called with the model's lock held.
#pragma once

#include "check/model.h"
#include "check/options.h"

static inline bool tn_check_canary_enabled(void) {
    return tn_check_model.options->canary != 0 || tn_check_model.options->fill;
}

// Checks and removes the marks beneath the new region, then marks the bytes beside it.
void tn_check_canary_region_begin(struct tn_check_call *call, struct tn_check_region *region);

// Checks the marks beside the region, which is still live. If the region ended by a call of its
// own, fills its bytes.
void tn_check_canary_region_end(struct tn_check_call *call, struct tn_check_region *region,
                                enum tn_check_end why);

// Checks and removes the marks beside a region that is about to be resized.
void tn_check_canary_remove(struct tn_check_call *call, struct tn_check_region *region);

// Checks and removes the marks in bytes that are about to be unmapped, or already were. Marks that
// can no longer be read are not checked.
void tn_check_canary_forget(struct tn_check_call *call, uint32_t space, uint64_t lo, uint64_t hi);

// Checks all marks.
void tn_check_canary_end(struct tn_check_call *call);

// For tests: forgets all marks.
void tn_check_canary_reset(void);
