// SPDX-License-Identifier: Apache-2.0
// The arithmetic of placement rules. Pure functions; the public ones are in tarn/rule.h.
#pragma once

#include <stdbool.h>

#include <tarn/rule.h>

#include "base/assert.h"

#define TN_RULE_MAX 4096u // of start and rounding

// Returns true if start and rounding are powers of two within bounds, and the padding is a multiple
// of the rounding.
static inline bool tn_rule_is_valid(const tarn_rule *rule) {
    const uint32_t start = rule->start;
    const uint32_t rounding = rule->rounding;
    return start != 0 && start <= TN_RULE_MAX && (start & (start - 1)) == 0 && rounding != 0 &&
           rounding <= TN_RULE_MAX && (rounding & (rounding - 1)) == 0 &&
           rule->padding % rounding == 0;
}

// Returns the bytes that a block for `bytes` occupies, where the sum does not overflow. The rule is
// valid, and bytes is not 0.
static inline uint64_t tn_rule_occupied_by(const tarn_rule *rule, uint64_t bytes) {
    uint64_t mask = rule->rounding - 1;
    TARN_ASSERT(tn_rule_is_valid(rule) && bytes <= UINT64_MAX - mask - rule->padding);
    return ((bytes + mask) & ~mask) + rule->padding;
}

// The same for any `bytes`: 0 if the sum overflows.
static inline uint64_t tn_rule_occupied(const tarn_rule *rule, uint64_t bytes) {
    bool overflows = bytes > UINT64_MAX - (rule->rounding - 1) - rule->padding;
    return overflows ? 0 : tn_rule_occupied_by(rule, bytes);
}
