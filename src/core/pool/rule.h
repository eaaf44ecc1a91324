// SPDX-License-Identifier: Apache-2.0
// Placement rules as data. Pure functions of their arguments; the public ones are in tarn/pool.h.
#ifndef TARN_CORE_POOL_RULE_H
#define TARN_CORE_POOL_RULE_H

#include <stdbool.h>

#include <tarn/pool.h>

// Powers of two within bounds, and a padding that is a multiple of the rounding.
bool tn_rule_is_good(const tarn_rule *rule);

// Bytes a block for `bytes` occupies; 0 when the sum overflows. The rule is good, bytes not 0.
static inline uint64_t tn_rule_occupied(const tarn_rule *rule, uint64_t bytes) {
    uint64_t mask = rule->rounding - 1;
    if (bytes > UINT64_MAX - mask - rule->padding) {
        return 0;
    }
    return ((bytes + mask) & ~mask) + rule->padding;
}

#endif
