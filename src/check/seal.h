// SPDX-License-Identifier: Apache-2.0
// Seals: a few bytes that are written into a new region which instructions of the process can reach
// unseen. While one holds, nobody has written there, so that "never written" can be said of memory
// whose accesses are not all told. Nothing is sealed that work on streams may still use. With the
// model's lock held.
#ifndef TARN_CHECK_SEAL_H
#define TARN_CHECK_SEAL_H

#include "check/model.h"

// Writes them. False: the bytes cannot be written.
bool tn_check_seal_write(const struct tn_check_region *region);

// Is there a seal in [lo, hi) of a sealed region that was not written over, by nobody told either?
bool tn_check_seal_intact(const struct tn_check_region *region, uint64_t lo, uint64_t hi);

#endif
