// SPDX-License-Identifier: Apache-2.0
// Placement rules. Pure functions; the public ones are in tarn/rule.h.
#pragma once

#include <stdbool.h>

#include <tarn/rule.h>

// Returns true if start and rounding are powers of two within bounds, and the padding is a multiple
// of the rounding.
bool tn_rule_is_valid(const tarn_rule *rule);

// Returns the bytes that a block for `bytes` occupies, or 0 if the sum overflows. The rule is
// valid, and bytes is not 0.
static inline uint64_t tn_rule_occupied(const tarn_rule *rule, uint64_t bytes) {
    uint64_t mask = rule->rounding - 1;
    if (bytes > UINT64_MAX - mask - rule->padding) return 0;
    return ((bytes + mask) & ~mask) + rule->padding;
}
