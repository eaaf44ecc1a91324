// SPDX-License-Identifier: Apache-2.0
// Reads by work on streams: their verdict comes when the host knows that they have run. Blocks in order
// of a stream are sealed if no work uses their bytes.
#include "world.h"

#include <sys/mman.h>

#include "check/report/report.h"
#include "check/unwritten.h"

enum { PAGE = 4096, OBJECT = 77, ONE = 1, TWO = 2, NUMBERS = 9 };

static char *memory; // a page that this process maps

static uint64_t start(void) { return (uint64_t)(uintptr_t)memory; }

static int begin(void **state) {
    (void)fresh(state);
    options.order = true;
    memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED;
}

static uint64_t unknown_reads(void) {
    char words[256] = "";
    char object[256] = "";
    struct tn_check_text text = TN_CHECK_TEXT(words), json = TN_CHECK_TEXT(object);
    tn_check_unknown_print(&text, &json);
    const char *number = strstr(words, "KNOWN: ");
    return number == NULL ? 0 : strtoull(number + 7, NULL, 10);
}

static void tell_pool(void) {
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .flags = TN_MEM_HOST_CAN, .addr = start(), .bytes = PAGE,
         .object = OBJECT, .domain = "tarn");
}

static void tell_block(uint64_t stream) {
    EMIT(.kind = TN_MEM_REGION_BEGIN, .flags = TN_MEM_HOST_CAN, .addr = start(), .bytes = PAGE,
         .object = OBJECT, .stream = stream, .domain = "tarn");
}

static void tell_free(uint64_t stream) {
    EMIT(.kind = TN_MEM_REGION_END, .addr = start(), .bytes = PAGE, .object = OBJECT,
         .stream = stream, .domain = "tarn");
}

static void tell_memory(void) {
    tell_pool();
    tell_block(0);
}

static void read_on(uint64_t stream) {
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_READ, .addr = start(), .bytes = PAGE,
         .stream = stream, .name = "copy");
}

static void synchronise(uint64_t stream) { EMIT(.kind = TN_MEM_STREAM_SYNC, .stream = stream); }

static void a_read_on_a_stream_is_judged_when_it_has_run(void **state) {
    (void)state;
    tell_memory();
    read_on(ONE);
    synchronise(TWO);
    expect_none();
    synchronise(ONE);
    assert_says(expect_only(TN_CHECK_KIND_UNINITIALISED_READ), "read by copy");
    synchronise(ONE);
    expect_none();
    tn_check_unwritten_finish();
    assert_int_equal(unknown_reads(), 0);
}

static void an_event_shows_that_a_read_has_run(void **state) {
    (void)state;
    tell_memory();
    read_on(ONE);
    EMIT(.kind = TN_MEM_EVENT_RECORD, .stream = ONE, .object = 5);
    EMIT(.kind = TN_MEM_EVENT_SYNC, .object = 5);
    (void)expect_only(TN_CHECK_KIND_UNINITIALISED_READ);
}

static void a_write_before_the_read_runs_is_in_time(void **state) {
    (void)state;
    tell_memory();
    read_on(ONE);
    memset(memory, 'x', PAGE); // a kernel before the read
    synchronise(ONE);
    expect_none();
    assert_int_equal(unknown_reads(), 0);
}

static void a_read_that_nobody_waits_for_is_not_known(void **state) {
    (void)state;
    tell_memory();
    read_on(ONE);
    tn_check_unwritten_finish();
    expect_none();
    assert_int_equal(unknown_reads(), 1);
}

static void a_read_of_memory_that_ends_is_not_known(void **state) {
    (void)state;
    tell_memory();
    read_on(ONE);
    tell_free(0);
    (void)expect_only(TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
    synchronise(ONE);
    expect_none();
    assert_int_equal(unknown_reads(), 1);
}

static void more_reads_than_can_wait_are_counted(void **state) {
    (void)state;
    tell_memory();
    for (unsigned i = 0; i < 70; i++) read_on(ONE);
    assert_int_equal(unknown_reads(), 6);
    synchronise(ONE);
    assert_int_equal(findings, 64);
    looked_at = findings;
}

static void bytes_between_the_seals_are_not_known(void **state) {
    (void)state;
    tell_memory();
    do_read(start() + 100, 100);
    do_read(start() + 100, 100);
    expect_none();
    assert_int_equal(unknown_reads(), 2);
}

static bool is_sealed(void) {
    bool sealed = memory[0] != 0;
    memset(memory, 0, PAGE);
    return sealed;
}

static void a_block_of_a_stream_is_sealed_when_no_work_uses_it(void **state) {
    (void)state;
    tell_pool();
    tell_block(ONE);
    assert_true(is_sealed());
    tell_free(ONE);
    tell_block(ONE); // earlier work of the stream may still use it
    assert_false(is_sealed());
    tell_free(ONE);
    synchronise(ONE);
    tell_block(ONE);
    assert_true(is_sealed());
    read_on(ONE);
    synchronise(ONE); // the store of is_sealed() was unseen
    expect_none();
}

static void a_block_that_other_streams_used_is_not_sealed(void **state) {
    (void)state;
    tell_pool();
    tell_block(ONE);
    assert_true(is_sealed());
    EMIT(.kind = TN_MEM_USED_ON, .addr = start(), .object = OBJECT, .stream = TWO,
         .domain = "tarn");
    tell_free(ONE);
    synchronise(ONE); // not the other stream
    tell_block(ONE);
    assert_false(is_sealed());
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_read_on_a_stream_is_judged_when_it_has_run),
        TEST(an_event_shows_that_a_read_has_run),
        TEST(a_write_before_the_read_runs_is_in_time),
        TEST(a_read_that_nobody_waits_for_is_not_known),
        TEST(a_read_of_memory_that_ends_is_not_known),
        TEST(more_reads_than_can_wait_are_counted),
        TEST(bytes_between_the_seals_are_not_known),
        TEST(a_block_of_a_stream_is_sealed_when_no_work_uses_it),
        TEST(a_block_that_other_streams_used_is_not_sealed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
