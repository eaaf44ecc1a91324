// SPDX-License-Identifier: Apache-2.0
// The block that an address is closest to, and the calls that began and ended it.
#include "annotate/block_log.h"

#include <search.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct tn_block_log block_log;
static struct tn_logged_block found;

static int setup(void **state) {
    (void)state;
    block_log = (struct tn_block_log)TN_BLOCK_LOG;
    return 0;
}

// Frees what the log has, as no part of Tarn ever does.
static int teardown(void **state) {
    (void)state;
    tdestroy(block_log.live, free);
    for (size_t i = 0; i < TN_BLOCKS_ENDED; i++) free(block_log.ended[i]);
    return 0;
}

static struct tn_mem_event event_of(unsigned what, uint64_t addr, uint64_t bytes,
                                    const char *call) {
    return (struct tn_mem_event){
        .what = (uint16_t)what, .addr = addr, .bytes = bytes, .name = call};
}

static void begin(unsigned what, uint64_t addr, uint64_t bytes) {
    const struct tn_mem_event event = event_of(what, addr, bytes, "begin");
    assert_true(tn_block_log_begin(&block_log, &event, "memory", 8));
}

static void end(unsigned what, uint64_t addr, const char *call) {
    const struct tn_mem_event event = event_of(what, addr, 0, call);
    assert_true(tn_block_log_end(&block_log, &event, &found));
    assert_int_equal(found.addr, addr);
    assert_int_equal(found.room, 8);
}

// The block of `addr` starts at `start`; 0: there is none within 100 bytes.
static void expect(uint64_t addr, uint64_t start, bool live) {
    assert_int_equal(tn_block_log_find(&block_log, addr, 100, &found), start != 0);
    if (start == 0) return;
    assert_int_equal(found.addr, start);
    assert_int_equal(found.live, live);
}

static void the_nearest_live_block_is_found(void **state) {
    (void)state;
    expect(1000, 0, false);
    begin(TN_MEM_MEMORY, 1000, 100);
    begin(TN_MEM_MEMORY, 1200, 100);
    expect(1000, 1000, true);
    expect(1099, 1000, true);
    expect(1149, 1000, true); // 50 bytes behind the one and 51 before the other
    expect(1151, 1200, true);
    expect(900, 1000, true);
    expect(899, 0, false);
    expect(1399, 1200, true);
    expect(1400, 0, false);
}

static void a_block_that_ended_explains_its_bytes(void **state) {
    (void)state;
    begin(TN_MEM_MEMORY, 1000, 100);
    end(TN_MEM_MEMORY, 1000, "first");
    begin(TN_MEM_MEMORY, 1000, 50);
    end(TN_MEM_MEMORY, 1000, "second");
    expect(1010, 1000, false);
    assert_string_equal(found.begun.function, "begin");
    assert_string_equal(found.ended.function, "second");
    expect(1060, 1000, false);
    assert_string_equal(found.ended.function, "first");
    begin(TN_MEM_MEMORY, 1000, 20);
    expect(1010, 1000, true);
}

static void a_region_that_ended_comes_before_the_memory_around_it(void **state) {
    (void)state;
    begin(TN_MEM_MAPPING, 1000, 1000);
    begin(0, 1000, 100);
    expect(1100, 1000, true);
    assert_int_equal(found.bytes, 100); // nearer than the start of the memory
    end(0, 1000, "end");
    expect(1050, 1000, false);
    assert_int_equal(found.bytes, 100);
    expect(1100, 1000, true);
    assert_int_equal(found.bytes, 1000);
    end(TN_MEM_MAPPING, 1000, "unmap");
    expect(1500, 1000, false);
}

static void a_resize_moves_the_end_alone(void **state) {
    (void)state;
    struct tn_mem_event event = event_of(0, 1000, 104, "resize");
    assert_false(tn_block_log_resize(&block_log, &event, &found));
    begin(0, 1000, 100);
    assert_true(tn_block_log_resize(&block_log, &event, &found));
    assert_int_equal(found.bytes, 100);
    expect(1103, 1000, true);
    assert_int_equal(found.bytes, 104);
    assert_int_equal(found.room, 4);
    assert_string_equal(found.begun.function, "begin");
}

static void a_range_ends_its_regions_only(void **state) {
    (void)state;
    begin(TN_MEM_MEMORY, 1000, 300);
    begin(0, 1000, 100);
    begin(0, 1200, 100);
    begin(0, 1300, 100);
    tn_block_log_forget(&block_log, 1000, 300);
    expect(1050, 1000, false);
    assert_null(found.ended.function);
    expect(1250, 1200, false);
    expect(1350, 1300, true);
    expect(1150, 1000, true);
}

static void the_oldest_of_those_that_ended_are_forgotten(void **state) {
    (void)state;
    for (uint64_t i = 0; i <= TN_BLOCKS_ENDED; i++) {
        begin(0, 1000 * (i + 1), 100);
        end(0, 1000 * (i + 1), "end");
    }
    expect(1000, 0, false);
    expect(2000, 2000, false);
}

static void the_stack_leads_to_the_caller(void **state) {
    (void)state;
    begin(0, 1000, 100);
    expect(1000, 1000, true);
    bool has_own = false;
    for (unsigned i = 0; i < found.begun.count; i++) {
        uintptr_t start = (uintptr_t)&the_stack_leads_to_the_caller;
        has_own = has_own || found.begun.frames[i] - start < 4096;
    }
    assert_true(has_own || found.begun.count == 0); // no unwinder is in this process
}

static void a_lock_that_is_held_ends_the_search(void **state) {
    (void)state;
    begin(0, 1000, 100);
    (void)pthread_mutex_lock(&block_log.lock.mutex);
    expect(1000, 0, false);
    (void)pthread_mutex_unlock(&block_log.lock.mutex);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_nearest_live_block_is_found),
        TEST(a_block_that_ended_explains_its_bytes),
        TEST(a_region_that_ended_comes_before_the_memory_around_it),
        TEST(a_resize_moves_the_end_alone),
        TEST(a_range_ends_its_regions_only),
        TEST(the_oldest_of_those_that_ended_are_forgotten),
        TEST(the_stack_leads_to_the_caller),
        TEST(a_lock_that_is_held_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
