// SPDX-License-Identifier: Apache-2.0
// Structs that begin with their size.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/struct.h"

struct ours {
    size_t size;
    uint64_t a;
    uint64_t b;
};

static void an_older_struct_reads_as_zero_behind_its_end(void **state) {
    (void)state;
    struct ours given = {offsetof(struct ours, b), 7, 8};
    struct ours own = {1, 1, 1};
    assert_int_equal(tn_struct_read(&own, sizeof own, &given, "ours"), TARN_OK);
    assert_int_equal(own.a, 7);
    assert_int_equal(own.b, 0);
}

static void a_newer_struct_is_good_while_its_tail_is_zero(void **state) {
    (void)state;
    struct {
        struct ours ours;
        unsigned char tail[8]; // no padding behind it
    } given = {{0, 1, 2}, {0}};
    struct ours own;
    given.ours.size = sizeof given;
    assert_int_equal(tn_struct_read(&own, sizeof own, &given, "ours"), TARN_OK);
    given.tail[7] = 1;
    assert_int_equal(tn_struct_read(&own, sizeof own, &given, "ours"), TARN_BAD_STRUCT);
}

static void an_unset_size_is_refused_both_ways(void **state) {
    (void)state;
    struct ours given = {0, 1, 2};
    struct ours own = {sizeof own, 3, 4};
    assert_int_equal(tn_struct_read(&own, sizeof own, &given, "ours"), TARN_BAD_STRUCT);
    assert_int_equal(tn_struct_write(&given, &own, sizeof own, "ours"), TARN_BAD_STRUCT);
    assert_int_equal(tn_struct_write(NULL, &own, sizeof own, "ours"), TARN_BAD_ARGUMENT);
    assert_int_equal(given.a, 1);
}

static void writing_reaches_no_further_than_the_callers_struct(void **state) {
    (void)state;
    struct ours given = {offsetof(struct ours, b), 0, 99};
    struct ours own = {sizeof own, 5, 6};
    assert_int_equal(tn_struct_write(&given, &own, sizeof own, "ours"), TARN_OK);
    assert_int_equal(given.size, offsetof(struct ours, b));
    assert_int_equal(given.a, 5);
    assert_int_equal(given.b, 99);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_older_struct_reads_as_zero_behind_its_end),
        cmocka_unit_test(a_newer_struct_is_good_while_its_tail_is_zero),
        cmocka_unit_test(an_unset_size_is_refused_both_ways),
        cmocka_unit_test(writing_reaches_no_further_than_the_callers_struct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
