// SPDX-License-Identifier: Apache-2.0
// Recordings of a program that is linked with CUDA's driver, and of Tarn on that driver.
#include <tarn/tarn.h>

#include "unit/record/cuda_program.h"

static void find_functions(void) {
#define FIND(name, symbol, version) cu.name = symbol;
    TN_CU_BASE_LIST(FIND)
    TN_CU_VMM_LIST(FIND) TN_CU_POOL_LIST(FIND) TN_CU_MORE_LIST(FIND)
#undef FIND
}

// Tarn gets memory from the driver for itself and for its pool.
static void run_tarn(void) {
    tarn_device *device = NULL;
    tarn_pool *pool = NULL;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_addr plain = 0, blocks[3];
    must_be(tarn_device_open("cuda:0", &device) == TARN_OK, "no device");
    desc.kind = TARN_POOL_SEGMENTS;
    desc.device = device;
    must_be(tarn_pool_create(&desc, &pool) == TARN_OK, "no pool");
    for (uint64_t i = 0; i < 3; i++) {
        must_be(tarn_pool_alloc(pool, (i + 1) * MIB, TARN_STREAM_NONE, &blocks[i]) == TARN_OK,
                "block");
        count_alloc((i + 1) * MIB);
    }
    must_be(tarn_memory_alloc(device, 7 * MIB, &plain) == TARN_OK, "memory");
    count_alloc(7 * MIB);
    must_be(tarn_memory_free(plain, 0) == TARN_OK, "memory");
    for (size_t i = 0; i < 3; i++) must_be(tarn_pool_free(pool, blocks[i]) == TARN_OK, "block");
    must_be(tarn_pool_destroy(pool) == TARN_OK && tarn_device_close(device) == TARN_OK, "the end");
    printf("%llu %llu\n", (unsigned long long)peak, (unsigned long long)allocs);
}

static void every_kind_of_memory_is_recorded(void **state) {
    (void)state;
    check_kinds("kinds");
}

static void refused_requests_are_failures(void **state) {
    (void)state;
    check_failures("failures");
}

static void memory_of_several_threads_is_recorded(void **state) {
    (void)state;
    check_threads("threads");
}

static void a_thread_ends_the_program_after_a_fork(void **state) {
    (void)state;
    check_fork("fork");
}

// Tarn introduces itself before it tries the driver by the mappings of a page, which it does not
// report. So the recording has its plain memory only.
static void memory_of_tarn_is_recorded_once(void **state) {
    (void)state;
    struct tn_trace trace = record_program(&recorded, "tarn", true);
    uint64_t reserved = 0, large = 0;
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, recorded.peak);
    for (size_t i = 0; i < trace.block_count; i++) large += trace.blocks[i].size >= MIB;
    assert_int_equal(large, recorded.allocs);
    for (size_t i = 0; i < trace.event_count; i++) {
        const struct tn_event *event = &trace.events[i];
        uint64_t bytes = trace.segments != NULL ? trace.segments[event->item].bytes : 0;
        reserved += event->kind == TN_EVENT_SEGMENT ? bytes : 0;
        reserved -= event->kind == TN_EVENT_SEGMENT_RETURN ? bytes : 0;
    }
    assert_int_equal(reserved, 0);
    assert_int_equal(trace.devices[0].calls.creates, 0);
    assert_int_equal(trace.devices[0].calls.releases, 0);
    tn_trace_release(&trace);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "tarn") == 0) {
        run_tarn();
        return 0;
    }
    if (argc == 2) {
        find_functions();
        return run_program(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_memory_is_recorded),
        cmocka_unit_test(refused_requests_are_failures),
        cmocka_unit_test(memory_of_several_threads_is_recorded),
        cmocka_unit_test(a_thread_ends_the_program_after_a_fork),
        cmocka_unit_test(memory_of_tarn_is_recorded_once),
    };
    return may_record(&recorded) ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
