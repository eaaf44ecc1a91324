// SPDX-License-Identifier: Apache-2.0
// Points: the specs of TARN_FAIL reach Tarn's functions, back-end calls and the functions of other
// libraries.
#include "fail/point.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tarn/face.h>
#include <tarn/tarn.h>

static tarn_device *device;

static void a_function_fails_before_it_looks_at_its_arguments(void **state) {
    tarn_error error;
    (void)state;
    assert_int_equal(tarn_map(1, 0, 0), TARN_NO_MAPPINGS);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, "tarn_map: call 1 was made to fail, as \"tarn_map:1\" asks");
    assert_int_equal(tarn_map(1, 0, 0), TARN_BAD_ARGUMENT);
}

static void the_status_is_that_of_the_spec(void **state) {
    tarn_stream stream = 0;
    (void)state;
    assert_int_equal(tarn_stream_create(device, &stream), TARN_BUSY);
    assert_int_equal(stream, 0);
    assert_int_equal(tarn_stream_create(device, &stream), TARN_OK);
    assert_int_equal(tarn_stream_destroy(stream), TARN_OK);
}

// The sizes of a public call select it.
static void a_large_allocation_fails(void **state) {
    tarn_addr small = 0, large = 0;
    (void)state;
    assert_int_equal(tarn_memory_alloc(device, 1 << 20, &small), TARN_OK);
    assert_int_equal(tarn_memory_alloc(device, 2 << 20, &large), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_memory_alloc(device, 2 << 20, &large), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_memory_free(small, 0), TARN_OK);
}

// Platforms share the counts of the process.
static void backend_calls_of_all_platforms_count(void **state) {
    tarn_device *other = NULL;
    tarn_addr addr[3] = {0};
    (void)state;
    assert_int_equal(tarn_device_open("sim:0,devices=1", &other), TARN_OK);
    assert_int_equal(tarn_space_reserve(device, 2 << 20, 0, 0, &addr[0]), TARN_OK);
    assert_int_equal(tarn_space_reserve(other, 2 << 20, 0, 0, &addr[1]), TARN_NO_ADDRESS_SPACE);
    assert_int_equal(tarn_space_reserve(other, 2 << 20, 0, 0, &addr[1]), TARN_OK);
    assert_int_equal(tarn_space_release(addr[0]), TARN_OK);
    assert_int_equal(tarn_space_release(addr[1]), TARN_OK);
    assert_int_equal(tarn_device_close(other), TARN_OK);
}

static void other_libraries_have_points(void **state) {
    const char *as = "unchanged";
    (void)state;
    assert_true(tarn_fail_asked());
    assert_int_equal(tarn_fail_point(NULL, &as), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_fail_point("hipPaint", &as), TARN_OK);
    assert_string_equal(as, "unchanged");
    assert_int_equal(tarn_fail_point("hipPaint", &as), TARN_NO_DEVICE_MEMORY);
    assert_string_equal(as, "42");
    assert_int_equal(tarn_fail_point("hipPaint", &as), TARN_BUSY);
    assert_null(as);
    assert_int_equal(tarn_fail_point("hipPrint", NULL), TARN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_fails_before_it_looks_at_its_arguments),
        cmocka_unit_test(the_status_is_that_of_the_spec),
        cmocka_unit_test(a_large_allocation_fails),
        cmocka_unit_test(backend_calls_of_all_platforms_count),
        cmocka_unit_test(other_libraries_have_points),
    };
    (void)setenv("TARN_FAIL",
                 "tarn_map:1;tarn_stream_create:1:as=BUSY;tarn_memory_alloc:size=2M-;reserve:2;"
                 "hipPaint:2:as=42;hipPaint:3:as=BUSY",
                 1);
    if (tarn_device_open("host:0,devices=1,memory=64M", &device) != TARN_OK) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tarn_device_close(device) == TARN_OK ? failed : 1;
}
