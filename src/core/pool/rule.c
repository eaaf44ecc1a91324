// SPDX-License-Identifier: Apache-2.0
// Placement rules: the named rules, the rules of allocators, and the bytes that a block occupies.
// Pure functions.
#include "algo/rule.h"

#include <string.h>

#include "base/error.h"

static const struct {
    const char *name;
    tarn_rule rule;
} rules[] = {
#define RULE_ROW(NAME, name, start, rounding, padding, text) {name, {start, rounding, padding}},
    TARN_RULE_LIST(RULE_ROW)
#undef RULE_ROW
};

tarn_status tarn_rule_get(tarn_rule_name name, tarn_rule *rule) {
    TN_REFUSE(rule == NULL, TARN_BAD_ARGUMENT, "rule is NULL");
    TN_REFUSE((unsigned)name >= TARN_RULE_COUNT, TARN_BAD_ARGUMENT, "name %d is not a rule",
              (int)name);
    *rule = rules[name].rule;
    return TARN_OK;
}

static const struct {
    const char *name;
    tarn_rule_name rule;
} allocators[] = {
#define ALLOCATOR_ROW(name, RULE) {name, TARN_RULE_##RULE},
    TARN_ALLOCATOR_LIST(ALLOCATOR_ROW)
#undef ALLOCATOR_ROW
};

tarn_status tarn_rule_find(const char *name, tarn_rule *rule) {
    for (size_t i = 0; name != NULL && i < TARN_RULE_COUNT; i++)
        if (strcmp(rules[i].name, name) == 0)
            return TN_DONE(tarn_rule_get((tarn_rule_name)i, rule));
    for (size_t i = 0; name != NULL && i < sizeof allocators / sizeof allocators[0]; i++)
        if (strcmp(allocators[i].name, name) == 0)
            return TN_DONE(tarn_rule_get(allocators[i].rule, rule));
    return TN_DONE(tn_fail(TARN_BAD_ARGUMENT, "\"%s\" is neither a rule nor an allocator with one",
                           name != NULL ? name : "(null)"));
}

// ---- the bytes that a block occupies

tarn_status tarn_rule_occupied(const tarn_rule *rule, uint64_t bytes, uint64_t *occupied) {
    TN_REFUSE(rule == NULL || occupied == NULL || bytes == 0, TARN_BAD_ARGUMENT, "%s",
              rule == NULL ? "rule is NULL"
              : bytes == 0 ? "bytes is 0"
                           : "occupied is NULL");
    TN_REFUSE(!tn_rule_is_valid(rule), TARN_BAD_ARGUMENT,
              "rule has start %u, rounding %u, padding %u", rule->start, rule->rounding,
              rule->padding);
    uint64_t total = tn_rule_occupied(rule, bytes);
    TN_REFUSE(total == 0, TARN_BAD_ARGUMENT, "bytes %llu and the padding exceed 64 bits",
              (unsigned long long)bytes);
    *occupied = total;
    return TARN_OK;
}
