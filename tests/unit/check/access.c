// SPDX-License-Identifier: Apache-2.0
// Verdicts about accesses: each kind with a bug and with the clean program beside it.
#include "world.h"

#include "check/access.h"
#include "check/model.h"

#define POOL  BASE
#define BYTES UINT64_C(0x10000)

enum { OBJECT = 77 };

// A pool as Tarn tells of one, and a block that takes more than was asked for.
static void tell_pool(void) {
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .flags = TN_MEM_WHOLE, .addr = POOL, .bytes = BYTES,
         .object = OBJECT, .domain = "tarn", .name = "weights");
}

static void tell_block(uint64_t address, uint64_t bytes, uint64_t taken) {
    EMIT(.kind = TN_MEM_REGION_BEGIN, .flags = TN_MEM_SEEN, .addr = address, .bytes = bytes,
         .other = taken, .object = OBJECT, .domain = "tarn", .name = "kv_block");
}

static void tell_end(uint64_t address) {
    EMIT(.kind = TN_MEM_REGION_END, .addr = address, .object = OBJECT, .domain = "tarn");
}

static void an_access_past_the_end_is_an_overflow(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL + 0x1000, 100, 256);
    do_write(POOL + 0x1000, 100);
    expect_none();
    do_write(POOL + 0x1000 + 100, 8);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_HEAP_OVERFLOW);
    assert_says(report, "write of 8 byte(s) at 0x7f0000001064");
    assert_null(strstr(report->what, "wrong from")); // the first byte is wrong
    assert_int_equal(report->region.side, TN_CHECK_SIDE_AFTER);
    assert_int_equal(report->region.distance, 0);
    assert_string_equal(report->region.name, "kv_block");
    assert_string_equal(report->heap.name, "weights");
    assert_string_equal(report->heap.domain, "tarn");
    do_read(POOL + 0x1000 + 96, 16);
    report = expect_only(TN_CHECK_KIND_HEAP_OVERFLOW);
    assert_says(report, "wrong from 0x7f0000001064 on");
    assert_int_equal(report->region.distance, 0);
    do_read(POOL + 0x1000 + 250, 1); // far, but in what the block takes
    assert_int_equal(expect_only(TN_CHECK_KIND_HEAP_OVERFLOW)->region.distance, 150);
}

static void an_access_past_the_last_block_leaves_the_heap(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL + BYTES - 256, 256, 256);
    do_write(POOL + BYTES - 256, 264);
    assert_int_equal(expect_only(TN_CHECK_KIND_HEAP_OVERFLOW)->region.serial, 1);
    do_write(POOL + BYTES, 8); // ordinary memory
    do_write(POOL - 8, 8);
    expect_none();
}

// The checker does not know the memory in which such an access begins.
static void an_access_that_begins_outside_may_leave_a_block(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, BYTES, BYTES);
    do_write(POOL - 8, BYTES + 16);
    expect_none();
    do_write(POOL, BYTES + 8);
    (void)expect_only(TN_CHECK_KIND_HEAP_OVERFLOW);
}

static void an_access_before_the_start_is_an_underflow(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL + 0x1000, 100, 100);
    do_write(POOL + 0xffc, 4);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_HEAP_UNDERFLOW);
    assert_int_equal(report->region.side, TN_CHECK_SIDE_BEFORE);
    assert_int_equal(report->region.distance, 4);
    do_write(POOL + 0xff0, 0x20); // runs into it
    assert_int_equal(expect_only(TN_CHECK_KIND_HEAP_UNDERFLOW)->region.distance, 16);
}

static void an_access_far_from_all_blocks_is_unallocated(void **state) {
    (void)state;
    tell_pool();
    do_write(POOL + 0x8000, 16);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_UNALLOCATED_ACCESS);
    assert_int_equal(report->heap.serial, 1);
    assert_int_equal(report->region.serial, 0);
    tell_block(POOL + 0x1000, 256, 256);
    tell_block(POOL + 0xa000, 256, 256);
    do_write(POOL + 0x8000, 16);
    report = expect_only(TN_CHECK_KIND_UNALLOCATED_ACCESS);
    assert_int_equal(report->region.distance, 0x6f00);
    assert_int_equal(report->second.distance, 0x2000);
}

static void an_access_to_a_dead_block_is_use_after_free(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL + 0x1000, 100, 100);
    tell_block(POOL + 0x2000, 100, 100);
    tell_end(POOL + 0x1000);
    do_read(POOL + 0x1005, 1);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_USE_AFTER_FREE);
    assert_true(report->region.ended);
    assert_int_equal(report->region.distance, 5);
    assert_int_equal(report->region.age, 1);
    assert_int_equal(report->second.serial, 2); // the nearest that lives
    do_write(POOL + 0x2000, 100);
    expect_none();
}

static void an_overflow_into_a_dead_block_names_both(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 128, 128);
    tell_block(POOL + 128, 128, 128);
    tell_end(POOL + 128);
    do_write(POOL, 136);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_HEAP_OVERFLOW);
    assert_int_equal(report->region.serial, 1);
    assert_int_equal(report->second.serial, 2);
    assert_true(report->second.ended);
}

static void a_block_reused_is_legal_again(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 128, 128);
    tell_end(POOL);
    tell_block(POOL, 64, 64);
    do_write(POOL, 64);
    expect_none();
    do_write(POOL + 64, 8);
    (void)expect_only(TN_CHECK_KIND_USE_AFTER_FREE);
}

static void a_copy_over_two_blocks_is_reported(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 256, 256);
    tell_block(POOL + 256, 1024, 1024);
    do_write(POOL, 256);
    do_write(POOL + 256, 1024);
    expect_none();
    do_write(POOL + 128, 512);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_CROSS_REGION_COPY);
    assert_says(report, "runs from R1 (size 256) into R2 (size 1024)");
    assert_int_equal(report->second.serial, 2);
}

static void bytes_never_written_are_not_to_be_read(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 64, 64);
    do_write(POOL, 32);
    do_read(POOL, 32);
    expect_none();
    do_read(POOL, 64);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_UNINITIALISED_READ);
    assert_says(report, "32 of 64 byte(s)");
    assert_int_equal(report->addr, POOL + 32);
    EMIT(.kind = TN_MEM_INITIALISED, .addr = POOL + 40, .bytes = 24);
    do_read(POOL, 64);
    assert_says(expect_only(TN_CHECK_KIND_UNINITIALISED_READ), "8 of 64 byte(s)");
    do_write(POOL + 32, 8);
    do_read(POOL, 64);
    expect_none();
    options.uninitialised = false;
    tell_block(POOL + 128, 64, 64);
    do_read(POOL + 128, 64);
    expect_none();
}

static void memory_that_others_write_unseen_counts_as_written(void **state) {
    (void)state;
    tell_pool();
    EMIT(.kind = TN_MEM_REGION_BEGIN, .addr = POOL, .bytes = 64, .object = OBJECT);
    do_read(POOL, 64);
    EMIT(.kind = TN_MEM_REGION_BEGIN, .flags = TN_MEM_SEEN | TN_MEM_ZEROED, .addr = POOL + 64,
         .bytes = 64, .object = OBJECT);
    do_read(POOL + 64, 64);
    expect_none();
}

// In bytes that instructions reach, only reads of certainly unwritten bytes are reported.
static void unseen_writes_are_noticed(void **state) {
    (void)state;
    char *memory = calloc(1, 4096);
    uint64_t address = (uint64_t)(uintptr_t)memory;
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .flags = TN_MEM_WHOLE | TN_MEM_HOST_CAN, .addr = address,
         .bytes = 4096, .object = OBJECT);
    EMIT(.kind = TN_MEM_REGION_BEGIN, .flags = TN_MEM_HOST_CAN, .addr = address, .bytes = 1000,
         .object = OBJECT);
    do_read(address, 1000);
    (void)expect_only(TN_CHECK_KIND_UNINITIALISED_READ);
    memset(memory, 1, 1000);
    do_read(address, 1000);
    expect_none();
    memory[1024] = 'x';
    EMIT(.kind = TN_MEM_REGION_BEGIN, .flags = TN_MEM_HOST_CAN, .addr = address + 1024,
         .bytes = 1000, .stream = 5, .object = OBJECT);
    assert_int_equal(memory[1024], 'x'); // work before it may still read that
    do_read(address + 1024, 1000);
    expect_none();
    free(memory);
}

static void rights_are_kept(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 64, 64);
    do_write(POOL, 64);
    EMIT(.kind = TN_MEM_PERMISSION, .flags = TN_MEM_READ, .addr = POOL, .object = OBJECT,
         .domain = "tarn");
    do_read(POOL, 64);
    expect_none();
    do_write(POOL, 4);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_PERMISSION_VIOLATION);
    assert_says(report, "R1 which is READ only");
    assert_int_equal(report->region.serial, 1);
    assert_string_equal(report->access, "write");
    assert_int_equal(report->addr, POOL);
    assert_int_equal(report->bytes, 4);
    EMIT(.kind = TN_MEM_PERMISSION, .addr = POOL, .object = OBJECT, .domain = "tarn");
    do_read(POOL, 4);
    assert_says(expect_only(TN_CHECK_KIND_PERMISSION_VIOLATION), "neither");
}

static void alignment_is_asked_for_by_option(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 256, 256);
    do_write(POOL + 6, 32);
    expect_none();
    options.alignment = 32;
    do_write(POOL + 32, 32);
    expect_none();
    do_write(POOL + 6, 32);
    assert_says(expect_only(TN_CHECK_KIND_MISALIGNED_ACCESS),
                "(needs 32-byte alignment) in R1+0x6");
}

static void each_row_of_a_box_is_looked_at(void **state) {
    (void)state;
    tell_pool();
    for (uint64_t y = 0; y < 4; y++) tell_block(POOL + y * 256, 100, 100);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = POOL, .bytes = 100, .height = 4,
         .pitch = 256);
    do_read(POOL + 256 + 50, 50);
    expect_none();
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_READ, .addr = POOL, .bytes = 100, .height = 2,
         .pitch = 256, .depth = 3, .slice_pitch = 512);
    (void)expect_only(TN_CHECK_KIND_UNALLOCATED_ACCESS); // the third slice
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = 0x1000, .bytes = 100,
         .height = UINT64_C(1) << 36, .pitch = 256); // of no heap: no row is walked
    expect_none();
}

// ---- boxes beside their rows

enum { BLOCKS = 4, BOX_BYTES = 160 };

static unsigned rolled = 1;

static unsigned roll(unsigned below) {
    rolled = rolled * 1664525u + 1013904223u;
    return (rolled >> 8) % below;
}

// Emits the box at once, or each of its rows until one is wrong.
static void access_rows(bool at_once, const struct tn_mem_event *box) {
    if (at_once) {
        tn_check_event_receive(box);
        return;
    }
    unsigned before = findings;
    for (uint64_t i = 0; i < box->height * box->depth && findings == before; i++) {
        struct tn_mem_event row = *box;
        row.addr += i / box->height * box->slice_pitch + i % box->height * box->pitch;
        row.height = row.depth = 1;
        tn_check_event_receive(&row);
    }
}

// Two pools with the same blocks, far apart: one gets boxes, the other one their rows.
static void a_box_is_judged_like_its_rows(void **state) {
    (void)state;
    static const uint64_t apart = 0x8000;
    for (unsigned round = 0; round < 3000; round++) {
        reset();
        tell_pool();
        for (unsigned b = 0; b < BLOCKS; b++) {
            uint64_t at = b * 60;
            uint64_t bytes = 20 + roll(41);
            tell_block(POOL + at, bytes, 0);
            tell_block(POOL + apart + at, bytes, 0);
        }
        for (unsigned i = 0; i < 6; i++) {
            struct tn_mem_event box = {.size = sizeof box, .kind = TN_MEM_ACCESS};
            box.flags = roll(3) == 0 ? TN_MEM_READ : TN_MEM_WRITE;
            box.addr = POOL + 60 * roll(BLOCKS) + roll(20);
            box.bytes = 1 + roll(6);
            box.height = 1 + roll(5);
            box.pitch = roll(4) == 0 ? box.bytes : roll(9); // rows may also overlap
            box.depth = 1 + roll(2);
            box.slice_pitch = roll(30);
            unsigned before = findings;
            access_rows(true, &box);
            bool wrong = findings != before;
            uint64_t addr = wrong ? finding[before].addr : 0;
            box.addr += apart;
            access_rows(false, &box);
            assert_int_equal(findings - before, wrong ? 2 : 0);
            if (wrong) {
                assert_int_equal(finding[before].kind, finding[before + 1].kind);
                assert_int_equal(addr + apart, finding[before + 1].addr);
            }
        }
        for (uint64_t at = 0; at < BOX_BYTES; at++) { // the same bytes count as written
            findings = 0;
            do_read(POOL + at, 1);
            unsigned here = findings;
            do_read(POOL + apart + at, 1);
            assert_int_equal(findings, 2 * here);
        }
        findings = looked_at = 0;
    }
}

static void a_box_of_many_rows_is_remembered(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 4096, 4096);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = POOL, .bytes = 8, .height = 64,
         .pitch = 64);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_READ, .addr = POOL + 64, .bytes = 4, .height = 63,
         .pitch = 64);
    expect_none();
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_READ, .addr = POOL + 2, .bytes = 8, .height = 64,
         .pitch = 64);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_UNINITIALISED_READ);
    assert_says(report, "2 of 8 byte(s)");
    assert_int_equal(report->addr, POOL + 8);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = POOL, .bytes = 8, .height = 65,
         .pitch = 64);
    (void)expect_only(TN_CHECK_KIND_HEAP_OVERFLOW); // the last row
}

static void devices_and_spaces_are_distinct(void **state) {
    (void)state;
    mstxMemVirtualRangeDesc_t range = {.deviceId = 1, .ptr = at(POOL), .size = BYTES};
    mstxMemHeapDesc_t desc = {0, 0, &range};
    heap_register(NULL, &desc);
    heap_at(POOL, BYTES); // of device 0, at the same numbers
    expect_none();
    region_at(NULL, POOL, 64);
    do_write(POOL, 64);
    expect_none();
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .device = 1, .addr = POOL, .bytes = 64);
    (void)expect_only(TN_CHECK_KIND_UNALLOCATED_ACCESS);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .device = 0, .space = 9, .addr = POOL + 64,
         .bytes = 64);
    expect_none();
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .device = 5, .addr = POOL + 256,
         .bytes = 64);
    (void)expect_only(TN_CHECK_KIND_UNALLOCATED_ACCESS); // any heap that contains it
}

static void writes_inside_an_inner_pool_count_for_the_outer_block(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 4096, 4096);
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .addr = POOL, .bytes = 4096, .object = 5, .domain = "tarn");
    EMIT(.kind = TN_MEM_REGION_BEGIN, .flags = TN_MEM_SEEN, .addr = POOL, .bytes = 4096,
         .object = 5, .domain = "tarn");
    do_write(POOL, 4096);
    EMIT(.kind = TN_MEM_REGION_END, .addr = POOL, .object = 5, .domain = "tarn");
    EMIT(.kind = TN_MEM_HEAP_END, .addr = POOL, .bytes = 4096, .object = 5, .domain = "tarn");
    do_read(POOL, 4096);
    expect_none();
    tell_end(POOL);
    do_read(POOL, 8);
    (void)expect_only(TN_CHECK_KIND_USE_AFTER_FREE);
}

static void tell_inner(uint64_t address, uint64_t object) {
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .addr = address, .bytes = 256, .object = object,
         .domain = "tarn");
    EMIT(.kind = TN_MEM_REGION_BEGIN, .flags = TN_MEM_SEEN, .addr = address, .bytes = 256,
         .object = object, .domain = "tarn");
}

static void the_outer_block_may_be_written_over_inner_pools_that_touch(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 4096, 4096);
    tell_inner(POOL + 256, 5);
    tell_inner(POOL + 512, 6);
    do_write(POOL, 1024);
    expect_none();
    do_write(POOL + 256, 512); // from the block of one into that of the other
    (void)expect_only(TN_CHECK_KIND_CROSS_REGION_COPY);
}

static void a_resized_block_ends_elsewhere(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 64, 256);
    do_write(POOL, 64);
    EMIT(.kind = TN_MEM_REGION_RESIZE, .addr = POOL, .bytes = 128, .object = OBJECT,
         .domain = "tarn");
    do_write(POOL + 64, 64);
    do_read(POOL, 128);
    expect_none();
    do_write(POOL + 128, 1);
    (void)expect_only(TN_CHECK_KIND_HEAP_OVERFLOW);
    assert_int_equal(tn_check_region_counts().live_bytes, 128);
}

// The end of a block states the bytes that it occupied; its size is that of its beginning, or of
// the last resize.
static void the_order_of_work_knows_the_size_of_a_block(void **state) {
    (void)state;
    options.order = true;
    for (uint64_t bytes = 64; bytes <= 128; bytes += 64) {
        reset();
        tell_pool();
        tell_block(POOL, 64, 256);
        if (bytes != 64) {
            EMIT(.kind = TN_MEM_REGION_RESIZE, .addr = POOL, .bytes = bytes, .object = OBJECT,
                 .stream = 5, .domain = "tarn");
        }
        EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = POOL, .bytes = 8, .stream = 5);
        EMIT(.kind = TN_MEM_REGION_END, .addr = POOL, .bytes = 256, .object = OBJECT, .stream = 5,
             .domain = "tarn");
        EMIT(.kind = TN_MEM_REGION_BEGIN, .addr = POOL + bytes, .bytes = 8, .object = OBJECT,
             .stream = 6, .domain = "tarn");
        expect_none();
        EMIT(.kind = TN_MEM_REGION_BEGIN, .addr = POOL + bytes - 8, .bytes = 8, .object = OBJECT,
             .stream = 6, .domain = "tarn");
        (void)expect_only(TN_CHECK_KIND_REUSE_BEFORE_EVENT);
    }
}

static void a_heap_over_a_rounded_block_is_noted(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 1000, 1024);
    mstxMemHeapHandle_t heap = heap_at(POOL, 1024);
    assert_int_equal(expect_only(TN_CHECK_KIND_API_SIZE_SLACK)->severity, TN_CHECK_SEVERITY_NOTE);
    heap_unregister(NULL, heap);
    heap_at(POOL, 1000);
    expect_none();
}

// ---- frees that a pool refused

static void refuse(uint64_t address, uint64_t pool) {
    EMIT(.kind = TN_MEM_REFUSED, .device = -1, .addr = address, .object = pool,
         .name = "tarn_pool_free");
}

static void refused_frees_are_explained(void **state) {
    (void)state;
    tell_pool();
    tell_block(POOL, 64, 64);
    refuse(POOL, OBJECT + 1);
    assert_says(expect_only(TN_CHECK_KIND_MISMATCHED_POOL_FREE),
                "R1 belongs to heap H1 \"weights\"");
    refuse(POOL + 16, OBJECT);
    assert_says(expect_only(TN_CHECK_KIND_INVALID_FREE), "16 byte(s) inside region R1");
    refuse(POOL + 4096, OBJECT);
    (void)expect_only(TN_CHECK_KIND_INVALID_FREE);
    tell_end(POOL);
    refuse(POOL, OBJECT);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_DOUBLE_FREE);
    assert_says(report, "given to tarn_pool_free");
    assert_int_equal(report->region.serial, 1);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_access_past_the_end_is_an_overflow),
        TEST(an_access_past_the_last_block_leaves_the_heap),
        TEST(an_access_that_begins_outside_may_leave_a_block),
        TEST(an_access_before_the_start_is_an_underflow),
        TEST(an_access_far_from_all_blocks_is_unallocated),
        TEST(an_access_to_a_dead_block_is_use_after_free),
        TEST(an_overflow_into_a_dead_block_names_both),
        TEST(a_block_reused_is_legal_again),
        TEST(a_copy_over_two_blocks_is_reported),
        TEST(bytes_never_written_are_not_to_be_read),
        TEST(memory_that_others_write_unseen_counts_as_written),
        TEST(unseen_writes_are_noticed),
        TEST(rights_are_kept),
        TEST(alignment_is_asked_for_by_option),
        TEST(each_row_of_a_box_is_looked_at),
        TEST(a_box_is_judged_like_its_rows),
        TEST(a_box_of_many_rows_is_remembered),
        TEST(devices_and_spaces_are_distinct),
        TEST(writes_inside_an_inner_pool_count_for_the_outer_block),
        TEST(the_outer_block_may_be_written_over_inner_pools_that_touch),
        TEST(a_resized_block_ends_elsewhere),
        TEST(the_order_of_work_knows_the_size_of_a_block),
        TEST(a_heap_over_a_rounded_block_is_noted),
        TEST(refused_frees_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
