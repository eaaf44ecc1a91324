// SPDX-License-Identifier: Apache-2.0
// Canaries and fill: known bytes beside live regions and in dead ones, looked at when something
// happens there and at the end. Only where the checker may write: memory that tellers say this
// process reaches, or, when the option host_ranges says so, what the process maps writable. The
// bytes are read and written by the kernel's calls, which refuse where an instruction would fault.
// With the model's lock held, in a call.
#ifndef TARN_CHECK_CANARY_H
#define TARN_CHECK_CANARY_H

#include "check/model.h"

bool tn_check_canary_enabled(void);

// Looks at and forgets the marks beneath the new region, then marks what is beside it.
void tn_check_canary_region_begin(struct tn_check_call *call, struct tn_check_region *region);

// Looks at the marks beside the region, still live, and, when it ended alone, marks its bytes.
void tn_check_canary_region_end(struct tn_check_call *call, struct tn_check_region *region,
                                enum tn_check_end why);

// Looks at the marks beside the region, which is to become larger or smaller, and takes them off.
void tn_check_canary_remove(struct tn_check_call *call, struct tn_check_region *region);

// Bytes that are about to go, or went: what is marked there is looked at where it still can be.
void tn_check_canary_forget(struct tn_check_call *call, uint32_t space, uint64_t lo, uint64_t hi);

// Looks at everything.
void tn_check_canary_end(struct tn_check_call *call);

// Forgets everything, for tests.
void tn_check_canary_reset(void);

#endif
