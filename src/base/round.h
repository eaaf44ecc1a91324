// SPDX-License-Identifier: Apache-2.0
// Rounding sizes and addresses up.
#pragma once

#include <stdint.h>

// Returns the next multiple of `unit`, a power of two, at or above x. Wraps to 0 if there is none.
static inline uint64_t tn_round_up(uint64_t x, uint64_t unit) {
    return (x + unit - 1) & ~(unit - 1);
}
