// SPDX-License-Identifier: Apache-2.0
// A tool that knows nothing of Tarn hears of its pools all the same, in MSTX's own words; and of a
// simulated device nothing, as there is no memory at its addresses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <tarn/tarn.h>

#include "support/tool.h"

static void must(tarn_status status) {
    tarn_error error;
    if (status != TARN_OK) {
        (void)tarn_last_error(&error);
        fail_msg("%s", error.message);
    }
}

static tarn_pool *make_pool(const char *uri, tarn_device **device) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    must(tarn_device_open(uri, device));
    desc.kind = TARN_POOL_SEGMENTS;
    desc.device = *device;
    must(tarn_pool_create(&desc, &pool));
    return pool;
}

static void end(tarn_pool *pool, tarn_device *device) {
    must(tarn_pool_destroy(pool));
    must(tarn_device_close(device));
}

static void blocks_are_regions_of_heaps(void **state) {
    tarn_device *device = NULL;
    tarn_addr addr = 0;
    (void)state;
    tarn_pool *pool = make_pool("host:0", &device);
    const struct tool_log *log = log_of_tool();
    must(tarn_pool_alloc(pool, 100, 0, &addr));
    assert_int_equal(log->inits, 1);
    assert_int_equal(log->domains, 1);
    assert_int_equal(log->heaps, 1);
    assert_int_equal(log->heap_bytes, 32 << 20);
    assert_int_equal(log->regions, 1);
    assert_int_equal(log->region_bytes, 100);
    assert_ptr_equal(log->region, (void *)(uintptr_t)addr);
    must(tarn_pool_free(pool, addr));
    assert_int_equal(log->regions_ended, 1);
    end(pool, device);
    assert_int_equal(log->heaps_ended, 1);
}

static void a_programs_own_regions_are_told_too(void **state) {
    static char memory[1024];
    tarn_addr addr = (tarn_addr)(uintptr_t)memory;
    const struct tool_log *log = log_of_tool();
    const struct tool_log before = *log;
    const tarn_region_desc region = {
        .struct_size = sizeof region, .addr = addr, .bytes = 100, .occupied = 128};
    (void)state;
    must(tarn_annotate_heap_begin(addr, sizeof memory, "mine"));
    must(tarn_annotate_region_begin(addr, 100, NULL));
    must(tarn_annotate_permission(addr, 100, TARN_ANNOTATE_READ));
    must(tarn_annotate_region_resize(addr, 200)); // an end and a beginning
    must(tarn_annotate_region_end(addr, TARN_STREAM_NONE));
    must(tarn_annotate_region_begin_with(&region));
    must(tarn_annotate_heap_reset(addr)); // an end and a beginning as well
    must(tarn_annotate_region_begin(addr, 50, NULL));
    must(tarn_annotate_region_end(addr, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(addr));
    tarn_annotate_step("step");
    assert_int_equal(log->heaps, before.heaps + 2);
    assert_int_equal(log->heap_bytes, sizeof memory);
    assert_int_equal(log->regions, before.regions + 4);
    assert_int_equal(log->permissions, before.permissions + 1);
    assert_int_equal(log->regions_ended, before.regions_ended + 3);
    assert_int_equal(log->heaps_ended, before.heaps_ended + 2);
    assert_int_equal(log->marks, before.marks + 1);
}

static void numbers_are_not_told(void **state) {
    tarn_device *device = NULL;
    tarn_addr addr = 0;
    const struct tool_log *log = log_of_tool();
    const struct tool_log before = *log;
    (void)state;
    tarn_pool *pool = make_pool("sim:0", &device);
    must(tarn_pool_alloc(pool, 100, 0, &addr));
    must(tarn_pool_free(pool, addr));
    end(pool, device);
    assert_int_equal(log->heaps, before.heaps);
    assert_int_equal(log->regions, before.regions);
}

int main(void) {
    if (setenv("MSTX_INJECTION_PATH", module_path("tool"), 1) != 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_regions_of_heaps),
        cmocka_unit_test(a_programs_own_regions_are_told_too),
        cmocka_unit_test(numbers_are_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
