// SPDX-License-Identifier: Apache-2.0
// Steps by marks and by period, against sums by hand.
#include "trace/study/steps.h"

#include <stdlib.h>

#include "trace/study/period.h"
#include "unit/trace/script.h"

struct found {
    struct tn_trace trace;
    struct tn_levels levels;
    struct tn_steps steps;
};

static void find_steps(struct found *found) {
    const struct tn_trace_device *device = &found->trace.devices[0];
    assert_int_equal(tn_levels_make(&found->trace, device, &found->levels), TARN_OK);
    assert_int_equal(tn_steps_make(&found->trace, device, &found->levels, &found->steps), TARN_OK);
}

static void end_found(struct found *found) {
    tn_steps_release(&found->steps);
    tn_levels_release(&found->levels);
    tn_trace_release(&found->trace);
}

// Six steps. Each allocates 20 blocks of its own sizes and frees them. The first keeps 5,000 bytes
// besides.
static void build_loop(struct tn_trace *trace, bool marked) {
    struct trace_script script;
    char label[32];
    script_begin(&script, TN_TRACE_TEXT);
    for (uint64_t step = 0; step < 6; step++) {
        uint32_t blocks[20];
        (void)snprintf(label, sizeof label, "step %u", (unsigned)step);
        if (marked) script_mark(&script, TN_EVENT_MARK, label);
        for (uint64_t i = 0; i < 20; i++) blocks[i] = script_alloc(&script, i, 100 + 10 * i);
        if (step == 0) (void)script_alloc(&script, 31, 5000);
        for (uint64_t i = 0; i < 20; i++) script_free(&script, blocks[i]);
    }
    script_end(&script, trace);
}

static void steps_are_found_by_marks_with_numbers(void **state) {
    (void)state;
    struct found found;
    build_loop(&found.trace, true);
    find_steps(&found);
    assert_int_equal(found.steps.kind, TN_STEPS_BY_MARKS);
    assert_int_equal(found.steps.begin_count, 6);
    assert_string_equal(found.trace.texts[found.steps.name], "step 0");
    assert_int_equal(found.levels.live[found.steps.begins[1]], 5000);
    end_found(&found);
}

static void steps_are_found_by_their_period(void **state) {
    (void)state;
    struct found found;
    build_loop(&found.trace, false);
    find_steps(&found);
    assert_int_equal(found.steps.kind, TN_STEPS_BY_PERIOD);
    assert_int_equal(found.steps.period, 20);
    assert_in_range(found.steps.begin_count, 5, 6);
    end_found(&found);
}

// Finds the steps of five marks of one label, each before a block.
static enum tn_steps_kind kind_of_label(const char *format, const char *other) {
    struct trace_script script;
    struct found found;
    char label[64];
    script_begin(&script, TN_TRACE_TEXT);
    for (unsigned i = 0; i < 5; i++) {
        (void)snprintf(label, sizeof label, "%s %u", format, i);
        script_mark(&script, TN_EVENT_MARK, label);
        (void)script_alloc(&script, i, 1000 + i * i);
        if (other != NULL && i == 3) script_mark(&script, TN_EVENT_MARK, other);
    }
    script_end(&script, &found.trace);
    find_steps(&found);
    enum tn_steps_kind kind = found.steps.kind;
    end_found(&found);
    return kind;
}

static void marks_are_steps_if_their_label_says_so(void **state) {
    (void)state;
    static const char *const steps[] = {
        "step",  "ProfilerStep#", "train_step", "iteration", "TrainingStep",
        "epoch", "Step",          "eval step",  "frame",     "Optimizer.step#BlockAdam.step"};
    static const char *const others[] = {"layer",
                                         "DecoderLayer.step",
                                         "autotune step",
                                         "tuning iteration",
                                         "micro-step",
                                         "microbatch",
                                         "accumulation step",
                                         "decode step",
                                         "forward step",
                                         "batch",
                                         "timestep",
                                         "warmup iter",
                                         "Optimizer.zero_grad#Adam.zero_grad",
                                         "enumerate(DataLoader)#_SingleProcessDataLoaderIter",
                                         "",
                                         "backward"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_int_equal(kind_of_label(steps[i], NULL), TN_STEPS_BY_MARKS);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(kind_of_label(others[i], NULL), TN_STEPS_BY_NONE);
    // There is an optimizer, so the others are parts of its steps.
    assert_int_equal(kind_of_label("step", "Optimizer.step#Adam.step"), TN_STEPS_BY_NONE);
}

// The marks of "epoch" are too few, those of "step" suffice, and those of "iter" are finer.
static void coarsest_marks_that_suffice_are_the_steps(void **state) {
    (void)state;
    struct trace_script script;
    struct found found;
    script_begin(&script, TN_TRACE_TEXT);
    for (uint32_t i = 0; i < 40; i++) {
        if (i % 10 == 0) script_mark(&script, TN_EVENT_MARK, "epoch");
        if (i % 4 == 0) script_mark(&script, TN_EVENT_MARK, "step");
        script_mark(&script, TN_EVENT_MARK, "iter");
        (void)script_alloc(&script, i, 1000 + i * i);
    }
    script_end(&script, &found.trace);
    find_steps(&found);
    assert_string_equal(found.trace.texts[found.steps.name], "step");
    assert_int_equal(found.steps.begin_count, 10);
    end_found(&found);
}

// A ring buffer keeps marks of events that it lost.
static void marks_without_events_between_them_are_one(void **state) {
    (void)state;
    struct trace_script script;
    struct found found;
    script_begin(&script, TN_TRACE_TEXT);
    for (uint32_t i = 0; i < 4; i++) script_mark(&script, TN_EVENT_MARK, "step");
    for (uint32_t i = 0; i < 4; i++) {
        (void)script_alloc(&script, i, 1000 + i * i);
        script_mark(&script, TN_EVENT_MARK, "step");
    }
    script_end(&script, &found.trace);
    find_steps(&found);
    assert_int_equal(found.steps.begin_count, 5);
    assert_int_equal(found.steps.begins[0], 4);
    assert_int_equal(found.steps.begins[1], 6);
    end_found(&found);
}

static void marks_in_a_small_part_are_no_steps(void **state) {
    (void)state;
    struct trace_script script;
    struct found found;
    script_begin(&script, TN_TRACE_TEXT);
    for (uint32_t i = 0; i < 40; i++) {
        if (i > 30) script_mark(&script, TN_EVENT_MARK, "step");
        (void)script_alloc(&script, i, 1000 + i * i);
    }
    script_end(&script, &found.trace);
    find_steps(&found);
    assert_int_equal(found.steps.kind, TN_STEPS_BY_NONE);
    end_found(&found);
}

static void no_steps_are_found_where_nothing_recurs(void **state) {
    (void)state;
    struct trace_script script;
    struct found found;
    script_begin(&script, TN_TRACE_TEXT);
    for (uint64_t i = 0; i < 200; i++) (void)script_alloc(&script, i, 1000 + i * i);
    script_mark(&script, TN_EVENT_MARK, "one");
    script_mark(&script, TN_EVENT_MARK, "two");
    script_end(&script, &found.trace);
    find_steps(&found);
    assert_int_equal(found.steps.kind, TN_STEPS_BY_NONE);
    end_found(&found);
}

// Layers recur in a step, but the longer period is the one that fits everywhere.
static void period_is_that_of_the_steps_not_of_their_layers(void **state) {
    (void)state;
    enum { LAYERS = 6, PARTS = 10, STEPS = 5, HEAD = 9, STEP = LAYERS * PARTS + HEAD };
    uint64_t keys[STEPS * STEP], levels[STEPS * STEP];
    struct tn_period period;
    for (size_t i = 0; i < STEPS * STEP; i++) {
        size_t at = i % STEP;
        keys[i] = at < LAYERS * PARTS ? at % PARTS : 100 + at;
        levels[i] = at == 0 ? 0 : 1000 + at;
    }
    assert_int_equal(tn_period_find(keys, levels, STEPS * STEP, &period), TARN_OK);
    assert_int_equal(period.length, STEP);
    for (size_t i = 1; i < period.begin_count; i++)
        assert_int_equal(period.begins[i] - period.begins[i - 1], STEP);
    tn_period_release(&period);
}

static void period_of_a_small_part_does_not_count(void **state) {
    (void)state;
    uint64_t keys[400], levels[400] = {0};
    struct tn_period period;
    for (size_t i = 0; i < 400; i++) keys[i] = i < 250 ? 1000 + i : i % 30;
    assert_int_equal(tn_period_find(keys, levels, 400, &period), TARN_OK);
    assert_int_equal(period.length, 0);
    assert_null(period.begins);
    assert_int_equal(tn_period_find(keys + 200, levels, 200, &period), TARN_OK);
    assert_int_equal(period.length, 30);
    tn_period_release(&period);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_found_by_marks_with_numbers),
        cmocka_unit_test(steps_are_found_by_their_period),
        cmocka_unit_test(marks_are_steps_if_their_label_says_so),
        cmocka_unit_test(coarsest_marks_that_suffice_are_the_steps),
        cmocka_unit_test(marks_without_events_between_them_are_one),
        cmocka_unit_test(marks_in_a_small_part_are_no_steps),
        cmocka_unit_test(no_steps_are_found_where_nothing_recurs),
        cmocka_unit_test(period_is_that_of_the_steps_not_of_their_layers),
        cmocka_unit_test(period_of_a_small_part_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
