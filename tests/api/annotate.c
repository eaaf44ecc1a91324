// SPDX-License-Identifier: Apache-2.0
// Telling tools of one's own memory: what is refused, and that nothing depends on who listens.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <tarn/tarn.h>

#include "support/api.h"

static void ranges_that_are_none_are_refused(void **state) {
    (void)state;
    const tarn_addr last = UINT64_MAX;
    assert_status(tarn_annotate_heap_begin(0, 1, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_heap_begin(16, 0, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_heap_begin(last, 2, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_heap_end(0), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_begin(0, 1, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_begin(16, 0, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_begin(last, 2, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_heap_reset(0), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_begin_with(REGION_OF(0, 1, 1, TARN_STREAM_NONE, NULL)),
                  TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_begin_with(REGION_OF(16, 0, 1, TARN_STREAM_NONE, NULL)),
                  TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_begin_with(REGION_OF(16, 2, 1, TARN_STREAM_NONE, NULL)),
                  TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_begin_with(REGION_OF(last, 1, 2, TARN_STREAM_NONE, NULL)),
                  TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_resize(0, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_resize(16, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_end(0, TARN_STREAM_NONE), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_begin_with(NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_begin_with(&(tarn_region_desc){.addr = 16, .bytes = 1}),
                  TARN_BAD_STRUCT);
    assert_status(tarn_annotate_region_begin_with(REGION_OF(16, 1, 1, 4711, NULL)),
                  TARN_BAD_HANDLE);
    assert_status(tarn_annotate_region_end(0, TARN_STREAM_NONE), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_region_end(16, 4711), TARN_BAD_HANDLE);
    assert_status(tarn_annotate_rule(0, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_rule(16, &(tarn_rule){48, 32, 32}), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_rule(16, &(tarn_rule){64, 32, 31}), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_rule(16, &(tarn_rule){0, 0, 0}), TARN_BAD_ARGUMENT);
    assert_ok(tarn_annotate_rule(16, NULL)); // nothing begins there
    assert_status(tarn_annotate_permission(0, 1, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_permission(16, 1, 8), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_name(0, "n"), TARN_BAD_ARGUMENT);
    assert_status(tarn_annotate_name(16, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_check_read(0, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_check_write(last, 2), TARN_BAD_ARGUMENT);
    assert_status(tarn_check_initialised(0, 0), TARN_BAD_ARGUMENT);
}

static void a_heap_of_the_program_lives_and_ends(void **state) {
    (void)state;
    enum { BYTES = 4096 };
    char *memory = malloc(BYTES);
    assert_non_null(memory);
    tarn_addr addr = (tarn_addr)(uintptr_t)memory;
    assert_ok(tarn_annotate_heap_begin(addr, BYTES, "mine"));
    assert_ok(tarn_annotate_region_begin(addr, 100, "part"));
    assert_ok(tarn_annotate_name(addr, "renamed"));
    memory[99] = 1;
    assert_ok(tarn_check_initialised(addr, 100));
    assert_ok(tarn_check_read(addr, 100));
    assert_ok(tarn_check_write(addr, 0));
    assert_ok(tarn_annotate_permission(addr, 100, TARN_ANNOTATE_READ));
    assert_ok(tarn_annotate_permission(addr, 100, TARN_ANNOTATE_READ | TARN_ANNOTATE_WRITE));
    assert_ok(tarn_annotate_region_resize(addr, 200));
    memory[199] = 1;
    assert_ok(tarn_annotate_region_end(addr, TARN_STREAM_NONE));
    assert_ok(
        tarn_annotate_region_begin_with(REGION_OF(addr, 100, 128, TARN_STREAM_NONE, "rounded")));
    assert_ok(tarn_annotate_heap_reset(addr));
    tarn_annotate_step("done");
    tarn_annotate_step(NULL);
    assert_ok(tarn_annotate_heap_end(addr));
    memory[BYTES - 1] = 1;
    free(memory);
}

static void device_memory_can_be_a_heap(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 1 << 16, &addr));
    assert_ok(tarn_annotate_heap_begin(addr, 1 << 16, NULL));
    assert_ok(tarn_annotate_region_begin(addr + 256, 256, NULL));
    assert_ok(tarn_fill(api->device, addr + 256, 0, 1, 256, TARN_STREAM_NONE));
    assert_ok(tarn_annotate_region_end(addr + 256, TARN_STREAM_NONE));
    assert_ok(tarn_annotate_heap_end(addr));
    assert_ok(tarn_fill(api->device, addr, 0, 1, 1 << 16, TARN_STREAM_NONE));
    assert_ok(tarn_memory_free(addr, 0));
}

static void regions_begin_and_end_in_stream_order(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_stream stream = TARN_STREAM_NONE;
    assert_ok(tarn_memory_alloc(api->device, 1 << 16, &addr));
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_annotate_heap_begin(addr, 1 << 16, NULL));
    for (int i = 0; i < 3; i++) {
        assert_ok(tarn_annotate_region_begin_with(REGION_OF(addr, 100, 256, stream, "ordered")));
        assert_ok(tarn_fill(NULL, addr, 0, 1, 100, stream));
        assert_ok(tarn_annotate_region_end(addr, stream));
    }
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_annotate_region_begin_with(REGION_OF(addr, 100, 100, TARN_STREAM_NONE, NULL)));
    assert_ok(tarn_annotate_region_end(addr, TARN_STREAM_NONE));
    assert_ok(tarn_annotate_heap_end(addr));
    assert_ok(tarn_stream_destroy(stream));
    assert_status(tarn_annotate_region_end(addr, stream), TARN_BAD_HANDLE);
    assert_ok(tarn_memory_free(addr, 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(ranges_that_are_none_are_refused),
        TEST(a_heap_of_the_program_lives_and_ends),
        TEST(device_memory_can_be_a_heap),
        TEST(regions_begin_and_end_in_stream_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
