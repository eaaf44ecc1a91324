// SPDX-License-Identifier: Apache-2.0
// Claims about placement rules and size classes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/pool/class.h"
#include "core/pool/rule.h"

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
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(tarn_rule_occupied(&bad[i], 1, &total), TARN_BAD_ARGUMENT);
    }
    assert_int_equal(tarn_rule_occupied(&good, 0, &total), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_rule_occupied(&good, UINT64_MAX - 32, &total), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_rule_occupied(NULL, 1, &total), TARN_BAD_ARGUMENT);
    assert_int_equal(total, 7);
    assert_int_equal(tarn_rule_occupied(&good, UINT64_MAX - 95, &total), TARN_OK);
}

// For every unit and every size.
static void a_class_is_the_smallest_that_holds_the_size(void **state) {
    (void)state;
    for (unsigned shift = 4; shift <= 12; shift++) {
        tn_pool_classes classes;
        tn_pool_classes_init(&classes, shift);
        assert_true(classes.count <= TN_CLASSES);
        for (uint64_t bytes = 1; bytes <= TN_SMALL_MAX; bytes++) {
            unsigned c = tn_pool_class_of(&classes, bytes);
            assert_true(c < classes.count && classes.stride[c] >= bytes);
            assert_true(c == 0 || classes.stride[c - 1] < bytes);
        }
    }
}

static void a_block_number_is_found_without_dividing(void **state) {
    (void)state;
    tn_pool_classes classes;
    tn_pool_classes_init(&classes, 4);
    for (unsigned c = 0; c < classes.count; c++) {
        for (uint64_t offset = 0; offset < classes.slab_bytes[c]; offset++) {
            uint64_t number = offset * classes.reciprocal[c] >> 32;
            assert_int_equal(number, offset / classes.stride[c]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascend_blocks_occupy_what_its_table_says),
        cmocka_unit_test(rules_are_found_by_name),
        cmocka_unit_test(bad_rules_and_sizes_are_refused),
        cmocka_unit_test(a_class_is_the_smallest_that_holds_the_size),
        cmocka_unit_test(a_block_number_is_found_without_dividing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
