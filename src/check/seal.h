// SPDX-License-Identifier: Apache-2.0
// Seals: a few bytes that are written into a new region whose accesses are not all events. While a
// seal is intact, no code has written there, so the bytes are known to be unwritten. A region that
// work on streams may still use is not sealed. Called with the model's lock held.
#ifndef TARN_CHECK_SEAL_H
#define TARN_CHECK_SEAL_H

#include "check/model.h"

// Seals the region. Returns false if its bytes cannot be written.
bool tn_check_seal_write(const struct tn_check_region *region);

// Returns true if [lo, hi) contains a seal of the region that is unchanged.
bool tn_check_seal_intact(const struct tn_check_region *region, uint64_t lo, uint64_t hi);

#endif
