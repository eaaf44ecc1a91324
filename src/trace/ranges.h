// SPDX-License-Identifier: Apache-2.0
// A map of the address ranges of segments. Mapped parts of one reservation may be removed in other
// pieces than they came in. The caller owns the map. One thread at a time.
#pragma once

#include "algo/interval.h"

// Adds a range. BUSY: it overlaps another or exceeds 64 bits. NO_HOST_MEMORY. Zero bytes are
// nothing to add.
tarn_status tn_ranges_add(struct tn_interval *ranges, uint64_t address, uint64_t bytes,
                          uint64_t value);

// Adds a range that is not empty, joined with those that it overlaps or touches. NO_HOST_MEMORY.
tarn_status tn_ranges_join(struct tn_interval *ranges, uint64_t start, uint64_t end,
                           uint64_t value);

// Removes a range that lies in one entry or in several that adjoin. BUSY: it does not.
// NO_HOST_MEMORY. A failure may have removed a part of it.
tarn_status tn_ranges_remove(struct tn_interval *ranges, uint64_t address, uint64_t bytes);
