// SPDX-License-Identifier: Apache-2.0
// Placement rules. Pure functions; the public ones are in tarn/rule.h.
#pragma once

#include <stdbool.h>

#include <tarn/rule.h>

// Returns true if start and rounding are powers of two within bounds, and the padding is a multiple
// of the rounding.
bool tn_rule_is_valid(const tarn_rule *rule);

// Returns the bytes that a block for `bytes` occupies, where the sum does not overflow. The rule is
// valid, and bytes is not 0.
static inline uint64_t tn_rule_occupied_by(const tarn_rule *rule, uint64_t bytes) {
    uint64_t mask = rule->rounding - 1;
    return ((bytes + mask) & ~mask) + rule->padding;
}

// The same for any `bytes`: 0 if the sum overflows.
static inline uint64_t tn_rule_occupied(const tarn_rule *rule, uint64_t bytes) {
    bool overflows = bytes > UINT64_MAX - (rule->rounding - 1) - rule->padding;
    return overflows ? 0 : tn_rule_occupied_by(rule, bytes);
}
