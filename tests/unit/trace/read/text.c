// SPDX-License-Identifier: Apache-2.0
// Text traces: what is read, and that every kind of bad line is refused with its position.
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static tarn_status read_text(const char *text, struct tn_trace *trace) {
    return tn_trace_read_memory("file", text, strlen(text), NULL, trace);
}

static void assert_refused(const char *text, const char *message) {
    struct tn_trace trace = {.event_count = 77};
    tarn_error error;
    assert_int_equal(read_text(text, &trace), TARN_CORRUPT);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, message);
    assert_int_equal(trace.event_count, 77);
}

static void text_keeps_order_sizes_and_marks(void **state) {
    (void)state;
    struct tn_trace trace;
    assert_int_equal(read_text("m 1 begin here\na 2 0 100\na 3 7 200\nf 4 0\nf 5 7\n", &trace),
                     TARN_OK);
    assert_int_equal(trace.format, TN_TRACE_TEXT);
    assert_int_equal(trace.event_count, 5);
    assert_int_equal(trace.block_count, 2);
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(trace.stream_count, 1);
    assert_int_equal(trace.devices[0].event_count, 5);
    assert_int_equal(trace.devices[0].starting_count, 0);
    assert_false(trace.devices[0].says_reserved);
    assert_string_equal(trace.texts[trace.events[0].item], "begin here");
    assert_int_equal(trace.blocks[1].id, 7);
    assert_int_equal(trace.blocks[1].size, 200);
    assert_int_equal(trace.events[2].kind, TN_EVENT_ALLOC);
    assert_int_equal(trace.events[2].time_us, 3);
    assert_int_equal(trace.events[2].where, 3);
    assert_int_equal(trace.events[4].kind, TN_EVENT_FREE);
    assert_int_equal(trace.events[4].item, 1);
    tn_trace_release(&trace);
    assert_int_equal(trace.event_count, 0);
}

static void text_finds_blocks_among_ids_with_gaps(void **state) {
    (void)state;
    struct tn_trace trace;
    assert_int_equal(
        read_text("a 0 3 1\na 0 10 2\na 0 11 3\na 0 500 4\nf 0 10\nf 0 500\nf 0 3\n", &trace),
        TARN_OK);
    assert_int_equal(trace.events[4].item, 1);
    assert_int_equal(trace.events[5].item, 3);
    assert_int_equal(trace.events[6].item, 0);
    tn_trace_release(&trace);
}

static void text_finds_every_block_whatever_the_gaps(void **state) {
    (void)state;
    enum { COUNT = 100 };
    char text[COUNT * 64] = "";
    size_t size = 0;
    struct tn_trace trace;
    for (int i = 0; i < COUNT; i++) size += (size_t)sprintf(text + size, "a 0 %d 1\n", 5 + 3 * i);
    for (int i = 0; i < COUNT; i++)
        size += (size_t)sprintf(text + size, "f 0 %d\n", 5 + 3 * (i * 37 % COUNT));
    assert_int_equal(read_text(text, &trace), TARN_OK);
    for (int i = 0; i < COUNT; i++) assert_int_equal(trace.events[COUNT + i].item, i * 37 % COUNT);
    tn_trace_release(&trace);
}

static void text_refuses_a_free_before_its_allocation(void **state) {
    (void)state;
    assert_refused("f 1 0\na 2 0 100\n", "file:1: id 0 is freed before it is allocated");
    assert_refused("a 2 5 100\nf 1 4\n", "file:2: id 4 is freed before it is allocated");
    assert_refused("a 2 5 100\nf 1 6\n", "file:2: id 6 is freed before it is allocated");
}

static void text_refuses_a_second_free(void **state) {
    (void)state;
    assert_refused("a 1 0 100\nf 2 0\nf 3 0\n", "file:3: id 0 is freed twice");
}

static void text_refuses_an_id_that_does_not_count_up(void **state) {
    (void)state;
    assert_refused("a 1 4 100\nf 2 4\na 3 4 100\n",
                   "file:3: id 4 was used before: ids count up and are never reused");
    assert_refused("a 1 4 100\na 3 2 100\n",
                   "file:2: id 2 is below an earlier one: ids count up and are never reused");
}

static void text_refuses_an_allocation_of_nothing(void **state) {
    (void)state;
    assert_refused("a 1 0 0\n", "file:1: an allocation of 0 bytes");
}

static void text_refuses_numbers_beyond_64_bits(void **state) {
    (void)state;
    struct tn_trace trace;
    assert_int_equal(read_text("a 1 0 9223372036854775807\n", &trace), TARN_OK);
    assert_true(trace.blocks[0].size == INT64_MAX);
    tn_trace_release(&trace);
    assert_refused("a 1 0 18446744073709551616\n",
                   "file:1: expected \"a TIME ID BYTES\", found \"a 1 0 184467440737095516...\"");
    assert_refused("a 1 0 99999999999999999999\n",
                   "file:1: expected \"a TIME ID BYTES\", found \"a 1 0 999999999999999999...\"");
}

static void text_refuses_malformed_lines(void **state) {
    (void)state;
    static const char *const lines[] = {
        "a\n",        "a 1\n",       "a 1 2\n",  "a 1 2 3 4\n", "a 1 2 3 \n",  "a  1 2 3\n",
        "a 1 2 -3\n", "a 1 2 3x\n",  "a1 2 3\n", "f 1\n",       "f 1 2 3\n",   "m 1\n",
        "m 1 \n",     "q 1 2\n",     "\n",       " a 1 2 3\n",  "a 1 2 3\r\n", "A 1 2 3\n",
        "# note\n",   "a 0x1 2 3\n", "a 1 2 3"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[64] = "a 0 0 8\n";
        struct tn_trace trace;
        tarn_error error;
        strcat(text, lines[i]);
        assert_int_equal(read_text(text, &trace), TARN_CORRUPT);
        (void)tarn_last_error(&error);
        assert_memory_equal(error.message, "file:2: ", 8);
    }
}

static void text_shows_noise_in_a_printable_form(void **state) {
    (void)state;
    assert_refused("a \x01\x02 hello\n", "file:1: expected \"a TIME ID BYTES\", \"f TIME ID\" or "
                                         "\"m TIME LABEL\", found \"a \\x01\\x02 hello\"");
}

static void text_refuses_an_empty_file(void **state) {
    (void)state;
    assert_refused("", "file:1: the file is empty");
}

static void text_refuses_endless_lines(void **state) {
    (void)state;
    static char text[200000];
    memset(text, '1', sizeof text - 1);
    memcpy(text, "m 1 ", 4);
    struct tn_trace trace;
    assert_int_equal(read_text(text, &trace), TARN_CORRUPT);
}

static void text_keeps_to_the_limit_of_events(void **state) {
    (void)state;
    const char *text = "a 0 0 1\na 0 1 1\nf 0 0\n";
    struct tn_trace_limits limits = {.events = 2};
    struct tn_trace trace;
    assert_int_equal(tn_trace_read_memory("file", text, strlen(text), &limits, &trace),
                     TARN_NO_HOST_MEMORY);
    limits.events = 3;
    assert_int_equal(tn_trace_read_memory("file", text, strlen(text), &limits, &trace), TARN_OK);
    tn_trace_release(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_keeps_order_sizes_and_marks),
        cmocka_unit_test(text_finds_blocks_among_ids_with_gaps),
        cmocka_unit_test(text_finds_every_block_whatever_the_gaps),
        cmocka_unit_test(text_refuses_a_free_before_its_allocation),
        cmocka_unit_test(text_refuses_a_second_free),
        cmocka_unit_test(text_refuses_an_id_that_does_not_count_up),
        cmocka_unit_test(text_refuses_an_allocation_of_nothing),
        cmocka_unit_test(text_refuses_numbers_beyond_64_bits),
        cmocka_unit_test(text_refuses_malformed_lines),
        cmocka_unit_test(text_shows_noise_in_a_printable_form),
        cmocka_unit_test(text_refuses_an_empty_file),
        cmocka_unit_test(text_refuses_endless_lines),
        cmocka_unit_test(text_keeps_to_the_limit_of_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
