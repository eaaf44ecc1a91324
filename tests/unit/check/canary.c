// SPDX-License-Identifier: Apache-2.0
// Canaries beside regions and the fill of dead ones, in memory of the test's own.
#include "world.h"

#include "check/canary.h"

enum { BYTES = 65536, OBJECT = 3 };

static unsigned char *memory;

static uint64_t address(uint64_t offset) { return (uint64_t)(uintptr_t)memory + offset; }

static int with_marks(void **state) {
    (void)fresh(state);
    options.canary = 16;
    options.fill = true;
    options.host_ranges = true;
    options.uninitialised = false; // no seals in the bytes that are looked at
    memory = calloc(1, BYTES);
    return memory == NULL;
}

static int without_memory(void **state) {
    (void)state;
    free(memory);
    return 0;
}

static void end_program(void) {
    struct tn_check_call call;
    assert_true(tn_check_call_begin(&call, "", false));
    tn_check_canary_end(&call);
    tn_check_call_end(&call);
}

static void tell_pool(uint32_t flags) {
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .flags = TN_MEM_WHOLE | flags, .addr = address(0),
         .bytes = BYTES, .object = OBJECT);
}

static void tell_block(uint64_t offset, uint64_t bytes, uint64_t taken, uint64_t stream) {
    EMIT(.kind = TN_MEM_REGION_BEGIN, .addr = address(offset), .bytes = bytes, .other = taken,
         .object = OBJECT, .stream = stream);
}

static void tell_end(uint64_t offset, uint64_t stream) {
    EMIT(.kind = TN_MEM_REGION_END, .addr = address(offset), .object = OBJECT, .stream = stream);
}

static void bytes_behind_a_region_are_watched(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(address(0), BYTES);
    region_at(heap, address(1024), 100);
    memset(memory + 1024, 7, 100);
    end_pointer(address(1024));
    expect_none();
    region_at(heap, address(2048), 100);
    memcpy(memory + 2048 + 100, "ABC", 3);
    end_pointer(address(2048));
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_REDZONE_DAMAGE);
    assert_says(report, "3 byte(s) after region R2");
    assert_says(report, "+0: 41 42 43 (expected fb)");
    assert_int_equal(report->region.serial, 2);
}

static void bytes_before_a_region_are_watched(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(address(0), BYTES);
    region_at(heap, address(1024), 100);
    memory[1020] = 'x';
    end_pointer(address(1024));
    assert_says(expect_only(TN_CHECK_KIND_REDZONE_DAMAGE), "1 byte(s) before region R1");
}

static void neighbours_do_not_trip_over_canaries(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(address(0), BYTES);
    region_at(heap, address(1024), 100);
    region_at(heap, address(1124), 4);
    region_at(heap, address(1136), 64);
    region_at(heap, address(1000), 24);
    memset(memory + 1000, 1, 24);
    memset(memory + 1024, 2, 100);
    memset(memory + 1124, 3, 4);
    memset(memory + 1136, 4, 64);
    end_pointer(address(1124));
    end_pointer(address(1000));
    end_pointer(address(1136));
    end_pointer(address(1024));
    end_program();
    expect_none();
}

// The fill of a dead region is not overwritten by the canary of the region before it.
static void a_canary_ends_where_a_dead_region_begins(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(address(0), BYTES);
    region_at(heap, address(1032), 64);
    end_pointer(address(1032));
    assert_int_equal(memory[1032], 0xdd);
    region_at(heap, address(1000), 24);
    assert_int_equal(memory[1031], 0xfb);
    assert_int_equal(memory[1032], 0xdd);
    end_program();
    expect_none();
}

static void a_write_to_a_dead_region_shows_when_it_is_used_again(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(address(0), BYTES);
    region_at(heap, address(4096), 256);
    end_pointer(address(4096));
    assert_int_equal(memory[4096], 0xdd);
    memory[4096 + 16] = 1;
    region_at(heap, address(4096), 64);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_WRITE_AFTER_FREE);
    assert_says(report, "(expected dd, found 01)");
    assert_int_equal(report->addr, address(4096 + 16));
    assert_int_equal(report->region.serial, 1);
    memory[4096] = 9; // its own
    memory[4096 + 200] = 9;
    end_program();
    assert_says(expect_only(TN_CHECK_KIND_WRITE_AFTER_FREE), "region R1");
}

static void a_reused_region_is_quiet(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(address(0), BYTES);
    for (int i = 0; i < 100; i++) {
        uint64_t offset = (uint64_t)(i % 7) * 512;
        region_at(heap, address(offset), 100 + (uint64_t)i);
        memset(memory + offset, i, 100 + (size_t)i);
        end_pointer(address(offset));
    }
    heap_unregister(NULL, heap);
    memset(memory, 1, BYTES); // ordinary memory again
    end_program();
    expect_none();
}

static void nothing_is_written_without_leave(void **state) {
    (void)state;
    options.host_ranges = false;
    memset(memory, 0x55, BYTES);
    mstxMemHeapHandle_t heap = heap_at(address(0), 4096);
    region_at(heap, address(100), 100);
    end_pointer(address(100));
    heap_unregister(NULL, heap);
    tell_pool(0);
    tell_block(8192, 100, 256, 0);
    tell_end(8192, 0);
    for (size_t i = 0; i < BYTES; i++) assert_int_equal(memory[i], 0x55);
    expect_none();
}

static void an_event_states_where_the_checker_may_write(void **state) {
    (void)state;
    tell_pool(TN_MEM_HOST_CAN);
    tell_block(0, 100, 256, 0);
    assert_int_equal(memory[100], 0xfb);
    assert_int_equal(memory[116], 0);
    memory[115] = 0;
    tell_end(0, 0);
    assert_says(expect_only(TN_CHECK_KIND_REDZONE_DAMAGE), "+15: 00");
    assert_int_equal(memory[0], 0xdd);
}

static void a_block_may_grow_over_its_canary(void **state) {
    (void)state;
    tell_pool(TN_MEM_HOST_CAN);
    tell_block(0, 100, 256, 0);
    EMIT(.kind = TN_MEM_REGION_RESIZE, .addr = address(0), .bytes = 200, .object = OBJECT);
    memset(memory, 1, 200);
    tell_end(0, 0);
    expect_none();
}

static void what_work_may_still_use_is_left_alone(void **state) {
    (void)state;
    tell_pool(TN_MEM_HOST_CAN);
    memory[110] = 1;
    tell_block(0, 100, 256, 9);
    assert_int_equal(memory[110], 1);
    tell_end(0, 9);
    assert_int_equal(memory[0], 0);
    tell_block(4096, 100, 100, 0);
    EMIT(.kind = TN_MEM_USED_ON, .addr = address(4096), .object = OBJECT, .stream = 4);
    tell_end(4096, 0);
    assert_int_equal(memory[4096], 0);
    expect_none();
}

static void pages_that_went_are_not_looked_at(void **state) {
    (void)state;
    tell_pool(TN_MEM_HOST_CAN);
    tell_block(0, 100, 100, 0);
    tell_end(0, 0);
    EMIT(.kind = TN_MEM_UNBACKED, .addr = address(0), .bytes = 4096);
    memset(memory, 0, 4096);
    end_program();
    expect_none();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, with_marks, without_memory)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(bytes_behind_a_region_are_watched),
        TEST(bytes_before_a_region_are_watched),
        TEST(neighbours_do_not_trip_over_canaries),
        TEST(a_canary_ends_where_a_dead_region_begins),
        TEST(a_write_to_a_dead_region_shows_when_it_is_used_again),
        TEST(a_reused_region_is_quiet),
        TEST(nothing_is_written_without_leave),
        TEST(an_event_states_where_the_checker_may_write),
        TEST(a_block_may_grow_over_its_canary),
        TEST(what_work_may_still_use_is_left_alone),
        TEST(pages_that_went_are_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
