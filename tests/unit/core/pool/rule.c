// SPDX-License-Identifier: Apache-2.0
// Claims about placement rules.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "algo/rule.h"

static uint64_t occupied(tarn_rule_name name, uint64_t bytes) {
    tarn_rule rule;
    uint64_t total = 0;
    assert_int_equal(tarn_rule_get(name, &rule), TARN_OK);
    assert_int_equal(tarn_rule_occupied(&rule, bytes, &total), TARN_OK);
    return total;
}

static void ascend_blocks_occupy_what_its_table_says(void **state) {
    (void)state;
    static const uint64_t table[][2] = {
        {1, 64},      {31, 64},           {32, 64},          {33, 96},  {63, 96},
        {64, 96},     {65, 128},          {96, 128},         {97, 160}, {1000, 1056},
        {4096, 4128}, {2097120, 2097152}, {2097152, 2097184}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_int_equal(occupied(TARN_RULE_ACL, table[i][0]), table[i][1]);
        assert_int_equal(occupied(TARN_RULE_ACL_MEDIA, table[i][0]), table[i][1]);
        assert_int_equal(occupied(TARN_RULE_ACL_950, table[i][0]), table[i][1] - 32);
    }
}

static void rules_are_found_by_name(void **state) {
    (void)state;
    tarn_rule rule;
    assert_int_equal(tarn_rule_find("acl", &rule), TARN_OK);
    assert_int_equal(rule.start, 64);
    assert_int_equal(rule.rounding, 32);
    assert_int_equal(rule.padding, 32);
    assert_int_equal(tarn_rule_find("ACL", &rule), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_rule_find(NULL, &rule), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_rule_get(TARN_RULE_COUNT, &rule), TARN_BAD_ARGUMENT);
}

static void bad_rules_and_sizes_are_refused(void **state) {
    (void)state;
    static const tarn_rule bad[] = {{0, 1, 0},  {1, 0, 0},    {3, 1, 0},
                                    {1, 24, 0}, {8192, 1, 0}, {64, 32, 16}};
    const tarn_rule good = {64, 32, 32};
    uint64_t total = 7;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(tarn_rule_occupied(&bad[i], 1, &total), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_rule_occupied(&good, 0, &total), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_rule_occupied(&good, UINT64_MAX - 32, &total), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_rule_occupied(NULL, 1, &total), TARN_BAD_ARGUMENT);
    assert_int_equal(total, 7);
    assert_int_equal(tarn_rule_occupied(&good, UINT64_MAX - 95, &total), TARN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascend_blocks_occupy_what_its_table_says),
        cmocka_unit_test(rules_are_found_by_name),
        cmocka_unit_test(bad_rules_and_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
