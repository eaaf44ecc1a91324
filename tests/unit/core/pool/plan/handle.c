// SPDX-License-Identifier: Apache-2.0
// Handles of plans: made from requests, from bytes and from files.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tarn/tarn.h>

#define MIB (UINT64_C(1) << 20)

static tarn_plan *make_plan(void) {
    static const tarn_plan_block blocks[] = {{4 * MIB, 0, 2, 0, 0}, {MIB, 1, 3, 0, 0}};
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    tarn_plan *plan = NULL;
    desc.blocks = blocks;
    desc.count = 2;
    assert_int_equal(tarn_plan_create(&desc, &plan), TARN_OK);
    return plan;
}

static tarn_plan_info info_of(const tarn_plan *plan) {
    tarn_plan_info info = TARN_INIT(tarn_plan_info);
    assert_int_equal(tarn_plan_query(plan, &info), TARN_OK);
    return info;
}

static void a_plan_is_the_same_through_bytes_and_files(void **state) {
    (void)state;
    char name[] = "/tmp/tarn-plan-XXXXXX";
    tarn_plan *plan = make_plan(), *parsed = NULL, *loaded = NULL;
    tarn_plan_info info = info_of(plan);
    assert_int_equal(info.blocks, 2);
    assert_int_equal(info.height, 5 * MIB);
    int file = mkstemp(name);
    assert_int_equal(write(file, info.bytes, info.byte_count), (ssize_t)info.byte_count);
    (void)close(file);
    assert_int_equal(tarn_plan_parse(info.bytes, info.byte_count, &parsed), TARN_OK);
    assert_int_equal(tarn_plan_load(name, &loaded), TARN_OK);
    (void)unlink(name);
    const tarn_plan *others[] = {parsed, loaded};
    for (int i = 0; i < 2; i++) {
        tarn_plan_info other = info_of(others[i]);
        assert_int_equal(other.byte_count, info.byte_count);
        assert_memory_equal(other.bytes, info.bytes, info.byte_count);
    }
    tarn_plan_destroy(plan);
    tarn_plan_destroy(parsed);
    tarn_plan_destroy(loaded);
}

static void a_pool_outlives_its_plan(void **state) {
    (void)state;
    tarn_plan *plan = make_plan();
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    tarn_pool *pool = NULL;
    tarn_addr addr = 0;
    desc.kind = TARN_POOL_FIXED;
    desc.base = UINT64_C(1) << 40;
    desc.bytes = 64 * MIB;
    desc.plan = plan;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    tarn_plan_destroy(plan);
    assert_int_equal(tarn_pool_alloc(pool, 4 * MIB, 0, &addr), TARN_OK);
    assert_int_equal(tarn_pool_query_stats(pool, &stats), TARN_OK);
    assert_int_equal(stats.planned, 1);
    assert_int_equal(tarn_pool_free(pool, addr), TARN_OK);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
}

static void wrong_arguments_leave_no_plan(void **state) {
    (void)state;
    tarn_plan *plan = NULL, *made = make_plan();
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    tarn_plan_info info = info_of(made), none = {.struct_size = 0};
    tarn_error error;
    assert_int_equal(tarn_plan_create(NULL, &plan), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_plan_create(&desc, NULL), TARN_BAD_ARGUMENT);
    desc.rule.start = 3;
    assert_int_equal(tarn_plan_create(&desc, &plan), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_plan_parse(NULL, 0, &plan), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_plan_parse(info.bytes, info.byte_count, NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_plan_parse(info.bytes, info.byte_count - 8, &plan), TARN_CORRUPT);
    assert_int_equal(tarn_plan_load(NULL, &plan), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_plan_load("/nowhere/at/all", NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_plan_load("/nowhere/at/all", &plan), TARN_SYSTEM);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "/nowhere/at/all"));
    assert_int_equal(tarn_plan_query(NULL, &info), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_plan_query(made, NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_plan_query(made, &none), TARN_BAD_STRUCT);
    assert_null(plan);
    tarn_plan_destroy(made);
    tarn_plan_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_the_same_through_bytes_and_files),
        cmocka_unit_test(a_pool_outlives_its_plan),
        cmocka_unit_test(wrong_arguments_leave_no_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
