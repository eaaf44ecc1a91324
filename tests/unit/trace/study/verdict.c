// SPDX-License-Identifier: Apache-2.0
// Verdicts on failed requests, each against a calculation by hand.
#include "trace/study/verdict.h"

#include <stdlib.h>

#include <tarn/pool.h>

#include "unit/trace/script.h"

#define MIB (UINT64_C(1) << 20)

static void judge(const struct tn_trace *trace, size_t at, struct tn_verdict *verdict) {
    struct tn_life *lives = tn_lives_make(trace);
    struct tn_moment moment;
    struct tn_fragments fragments = {0};
    assert_int_equal(tn_moment_make(trace, &trace->devices[0], lives, at, &moment), TARN_OK);
    if (moment.has_places) assert_int_equal(tn_fragments_make(&moment, &fragments), TARN_OK);
    tn_verdict_make(&moment, moment.has_places ? &fragments : NULL, verdict);
    tn_fragments_release(&fragments);
    tn_moment_release(&moment);
    free(lives);
}

// Two segments of 20 MiB. In each, 4 MiB are live at the end, so two holes of 16 MiB are free.
static struct tn_verdict judge_holes(uint64_t asked, uint64_t device_free, bool request_waits,
                                     bool other_stream) {
    struct trace_script script;
    struct tn_trace trace;
    struct tn_verdict verdict;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    script_segment(&script, TN_EVENT_SEGMENT, 100 * MIB, 20 * MIB, false);
    script_segment(&script, TN_EVENT_SEGMENT, 200 * MIB, 20 * MIB, false);
    uint32_t block = script_alloc(&script, 116 * MIB, 4 * MIB);
    (void)script_alloc(&script, 216 * MIB, 4 * MIB);
    if (request_waits) script_event(&script, TN_EVENT_FREE_REQUEST, block);
    script.stream = other_stream ? 7 : 0;
    script_failure(&script, asked, device_free);
    script.stream = 0;
    (void)script_alloc(&script, 300 * MIB, 64 * MIB);
    script_end(&script, &trace);
    judge(&trace, request_waits ? 5 : 4, &verdict);
    verdict.failure = NULL; // it ends with the trace
    tn_trace_release(&trace);
    return verdict;
}

// A refusal that Tarn explains, on a card of 1 GiB with 700 MiB live in one block, 100 MiB free.
static struct tn_verdict judge_stated(uint64_t asked, const struct tn_trace_refusal *why) {
    struct trace_script script;
    struct tn_trace trace;
    struct tn_verdict verdict;
    script_begin(&script, TN_TRACE_BINARY);
    script_segment(&script, TN_EVENT_SEGMENT, 100 * MIB, 700 * MIB, false);
    (void)script_alloc(&script, 100 * MIB, 600 * MIB);
    script_failure(&script, asked, 100 * MIB);
    script_end(&script, &trace);
    trace.devices[0].memory_bytes = 1024 * MIB;
    trace.failures[0].why = *why;
    judge(&trace, 2, &verdict);
    verdict.failure = NULL;
    tn_trace_release(&trace);
    return verdict;
}

static void verdict_is_what_the_refusal_states(void **state) {
    (void)state;
    static const struct {
        tarn_status status;
        tarn_pool_cause cause;
        enum tn_verdict_cause verdict;
        uint64_t missing;
    } rows[] = {{TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_FULL, TN_VERDICT_SHORTAGE, 200},
                {TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_FRAGMENTED, TN_VERDICT_FRAGMENTATION, 200},
                {TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_STREAMS, TN_VERDICT_WAITING, 200},
                {TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_LIMIT, TN_VERDICT_POOL_LIMIT, 250},
                {TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_OTHERS, TN_VERDICT_OTHERS, 200},
                {TARN_NO_HOST_MEMORY, TARN_POOL_CAUSE_RECORDS, TN_VERDICT_HOST, 200},
                {TARN_NO_HANDLES, TARN_POOL_CAUSE_RECORDS, TN_VERDICT_HANDLES, 200},
                {TARN_NO_MAPPINGS, TARN_POOL_CAUSE_RECORDS, TN_VERDICT_MAPPINGS, 200},
                {TARN_NO_ADDRESS_SPACE, TARN_POOL_CAUSE_SPACE, TN_VERDICT_SPACE, 200}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tn_trace_refusal why = {.failed = (uint64_t)-rows[i].status,
                                       .cause = (uint64_t)rows[i].cause,
                                       .held = 200 * MIB,
                                       .free = 50 * MIB,
                                       .largest = 20 * MIB};
        if (rows[i].cause == TARN_POOL_CAUSE_LIMIT) why.limit = 250 * MIB;
        struct tn_verdict verdict = judge_stated(350 * MIB, &why);
        assert_int_equal(verdict.cause, rows[i].verdict);
        assert_int_equal(verdict.missing, rows[i].missing * MIB);
        assert_int_equal(verdict.usable, 50 * MIB);
    }
}

static void plain_memory_has_nothing_of_pools(void **state) {
    (void)state;
    const struct tn_trace_refusal why = {.failed = (uint64_t)-TARN_NO_DEVICE_MEMORY};
    assert_int_equal(judge_stated(150 * MIB, &why).cause, TN_VERDICT_POOLS);
    assert_int_equal(judge_stated(150 * MIB, &why).pooled, 100 * MIB);
    assert_int_equal(judge_stated(300 * MIB, &why).cause, TN_VERDICT_OTHERS);
    assert_int_equal(judge_stated(300 * MIB, &why).others, 224 * MIB);
    assert_int_equal(judge_stated(400 * MIB, &why).cause, TN_VERDICT_SHORTAGE);
    assert_int_equal(judge_stated(90 * MIB, &why).cause, TN_VERDICT_LIMIT);
}

static void verdict_is_shortage_if_all_free_bytes_are_too_few(void **state) {
    (void)state;
    struct tn_verdict verdict = judge_holes(40 * MIB, 3 * MIB, false, false);
    assert_int_equal(verdict.cause, TN_VERDICT_SHORTAGE);
    assert_int_equal(verdict.usable, 32 * MIB);
    assert_int_equal(verdict.largest, 16 * MIB);
    assert_int_equal(verdict.missing, 5 * MIB);
    assert_int_equal(verdict.fits, 16 * MIB);
    assert_int_equal(verdict.where, 4);
    assert_int_equal(verdict.event, verdict.at + 1);
}

static void verdict_is_fragmentation_if_the_pieces_together_suffice(void **state) {
    (void)state;
    struct tn_verdict verdict = judge_holes(34 * MIB, 3 * MIB, false, false);
    assert_int_equal(verdict.cause, TN_VERDICT_FRAGMENTATION);
    assert_int_equal(verdict.missing, 0);
    assert_int_equal(judge_holes(20 * MIB, UINT64_MAX, false, false).cause,
                     TN_VERDICT_FRAGMENTATION);
}

static void verdict_is_unknown_without_the_free_bytes_of_the_device(void **state) {
    (void)state;
    assert_int_equal(judge_holes(33 * MIB, UINT64_MAX, false, false).cause, TN_VERDICT_UNKNOWN);
}

static void verdict_is_waiting_if_blocks_of_other_streams_would_suffice(void **state) {
    (void)state;
    assert_int_equal(judge_holes(38 * MIB, 3 * MIB, true, false).cause, TN_VERDICT_WAITING);
    assert_int_equal(judge_holes(40 * MIB, 3 * MIB, true, false).cause, TN_VERDICT_SHORTAGE);
}

static void verdict_is_a_limit_if_the_device_had_enough(void **state) {
    (void)state;
    assert_int_equal(judge_holes(40 * MIB, 40 * MIB, false, false).cause, TN_VERDICT_LIMIT);
}

static void verdict_is_a_setting_if_a_free_piece_was_large_enough(void **state) {
    (void)state;
    assert_int_equal(judge_holes(16 * MIB, 3 * MIB, false, false).cause, TN_VERDICT_SETTING);
}

static void free_bytes_of_another_stream_are_apart(void **state) {
    (void)state;
    struct tn_verdict verdict = judge_holes(16 * MIB, 3 * MIB, false, true);
    assert_int_equal(verdict.cause, TN_VERDICT_STREAMS);
    assert_int_equal(verdict.usable, 0);
    assert_int_equal(verdict.apart, 32 * MIB);
    assert_int_equal(verdict.missing, 13 * MIB);
    assert_int_equal(judge_holes(38 * MIB, 3 * MIB, true, true).cause, TN_VERDICT_TOGETHER);
    assert_int_equal(judge_holes(40 * MIB, 3 * MIB, true, true).cause, TN_VERDICT_SHORTAGE);
}

static void a_request_needs_a_segment_of_its_kind(void **state) {
    (void)state;
    static const uint64_t rows[][3] = {// asked, free on the device, and missing
                                       {1, 1 * MIB, 1 * MIB},
                                       {1 * MIB, 2 * MIB - 1, 1},
                                       {33 * MIB, 1 * MIB, 1 * MIB},
                                       {41 * MIB - 1, 3 * MIB, 7 * MIB}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tn_verdict verdict = judge_holes(rows[i][0], rows[i][1], false, false);
        assert_int_equal(verdict.cause, TN_VERDICT_SHORTAGE);
        assert_int_equal(verdict.missing, rows[i][2]);
    }
    assert_int_equal(judge_holes(1, 2 * MIB, false, false).cause, TN_VERDICT_LIMIT);
    assert_int_equal(judge_holes(41 * MIB, 42 * MIB, false, false).cause, TN_VERDICT_LIMIT);
}

// A range of 40 MiB with 30 MiB free. PyTorch maps whole pages of 20 MiB behind it, and others bytes.
static void an_expandable_segment_grows_by_what_it_lacks(void **state) {
    (void)state;
    static const struct {
        enum tn_trace_format origin;
        uint64_t missing;
    } rows[] = {{TN_TRACE_SNAPSHOT, 17}, {TN_TRACE_BINARY, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trace_script script;
        struct tn_trace trace;
        struct tn_verdict verdict;
        script_begin(&script, rows[i].origin);
        script_segment(&script, TN_EVENT_SEGMENT, 100 * MIB, 40 * MIB, true);
        (void)script_alloc(&script, 100 * MIB, 10 * MIB);
        script_failure(&script, 35 * MIB, 3 * MIB);
        script_end(&script, &trace);
        judge(&trace, 2, &verdict);
        assert_int_equal(verdict.cause, TN_VERDICT_SHORTAGE);
        assert_int_equal(verdict.missing, rows[i].missing * MIB);
        tn_trace_release(&trace);
    }
}

static void a_request_is_too_large_alone_if_all_reserved_bytes_are_too_few(void **state) {
    (void)state;
    assert_int_equal(judge_holes(42 * MIB, 2 * MIB, false, true).alone, 0);
    assert_int_equal(judge_holes(44 * MIB, 2 * MIB, false, true).alone, 2 * MIB);
}

static void a_later_allocation_of_the_same_size_is_a_retry(void **state) {
    (void)state;
    assert_int_equal(judge_holes(64 * MIB, 3 * MIB, false, false).retried, 6);
    assert_int_equal(judge_holes(63 * MIB, 3 * MIB, false, false).retried, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdict_is_what_the_refusal_states),
        cmocka_unit_test(plain_memory_has_nothing_of_pools),
        cmocka_unit_test(verdict_is_shortage_if_all_free_bytes_are_too_few),
        cmocka_unit_test(verdict_is_fragmentation_if_the_pieces_together_suffice),
        cmocka_unit_test(verdict_is_unknown_without_the_free_bytes_of_the_device),
        cmocka_unit_test(verdict_is_waiting_if_blocks_of_other_streams_would_suffice),
        cmocka_unit_test(verdict_is_a_limit_if_the_device_had_enough),
        cmocka_unit_test(verdict_is_a_setting_if_a_free_piece_was_large_enough),
        cmocka_unit_test(free_bytes_of_another_stream_are_apart),
        cmocka_unit_test(a_request_needs_a_segment_of_its_kind),
        cmocka_unit_test(an_expandable_segment_grows_by_what_it_lacks),
        cmocka_unit_test(a_request_is_too_large_alone_if_all_reserved_bytes_are_too_few),
        cmocka_unit_test(a_later_allocation_of_the_same_size_is_a_retry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
