// SPDX-License-Identifier: Apache-2.0
// The verdict on leaks, of loops whose steps do what a test asks.
#include "trace/study/leak.h"

#include <stdlib.h>

#include "unit/trace/script.h"

enum { WORK = 20 }; // blocks that each step allocates and frees

// A loop. Each step allocates WORK blocks of its own sizes, then what `leave` does, and frees them.
struct loop {
    uint32_t steps;
    const char *label; // of the mark at the begin of each step, or NULL
    bool trains;       // the stacks show forward, backward and optimizer
    uint32_t idle;     // blocks that are allocated and freed after the last step
    bool ends;         // what the steps left is freed at the end
    struct {
        uint64_t bytes;        // that a step leaves; 0 for none
        uint64_t more;         // and so many more in each step than in the one before
        uint32_t first, every; // the first such step, and the distance of the next; 0: every step
        uint32_t last;         // the first step that leaves nothing again; 0: none
        uint64_t also;         // bytes that each step leaves besides
        bool given;            // its free is requested, but does not complete
        uint32_t after;        // steps after which it is freed; 0: never
        const char *function;  // that allocates it, or NULL
        const char *file;
    } leaves;
};

struct judged {
    struct trace_script script;
    struct tn_trace trace;
    struct tn_life *lives;
    struct tn_levels levels;
    struct tn_owners owners;
    struct tn_steps steps;
    struct tn_leak leak;
};

static void judge(struct judged *judged) {
    const struct tn_trace_device *device;
    script_end(&judged->script, &judged->trace);
    device = &judged->trace.devices[0];
    judged->lives = tn_lives_make(&judged->trace);
    assert_int_equal(tn_levels_make(&judged->trace, device, &judged->levels), TARN_OK);
    assert_int_equal(tn_owners_make_by(&judged->trace, false, &judged->owners), TARN_OK);
    assert_int_equal(tn_steps_make(&judged->trace, device, &judged->levels, &judged->steps),
                     TARN_OK);
    struct tn_tables tables = {.trace = &judged->trace,
                               .device = device,
                               .lives = judged->lives,
                               .owners = &judged->owners,
                               .levels = &judged->levels,
                               .steps = &judged->steps};
    assert_int_equal(tn_leak_judge(&tables, &judged->leak), TARN_OK);
}

static void end_judged(struct judged *judged) {
    tn_leak_release(&judged->leak);
    tn_steps_release(&judged->steps);
    tn_owners_release(&judged->owners);
    tn_levels_release(&judged->levels);
    free(judged->lives);
    tn_trace_release(&judged->trace);
}

static bool leaves_block(const struct loop *loop, uint32_t step) {
    uint32_t every = loop->leaves.every > 0 ? loop->leaves.every : 1;
    return loop->leaves.bytes > 0 && step >= loop->leaves.first &&
           (loop->leaves.last == 0 || step < loop->leaves.last) &&
           (step - loop->leaves.first) % every == 0;
}

static uint32_t allocate_work(struct trace_script *script, const struct loop *loop, uint32_t i) {
    static const char *const functions[] = {"forward", "AddmmBackward0::apply", "step"};
    script->stack = 0;
    if (loop->trains) (void)script_call(script, 0, functions[i * 3 / WORK], "train.py", i);
    return script_alloc(script, i + 1, 100 + 10 * i);
}

static void run_loop(const struct loop *loop, struct judged *judged) {
    struct trace_script *script = &judged->script;
    uint32_t left[64] = {0}, blocks[WORK];
    script_begin(script, TN_TRACE_SNAPSHOT);
    for (uint32_t step = 0; step < loop->steps; step++) {
        if (loop->label != NULL) script_mark(script, TN_EVENT_MARK, loop->label);
        for (uint32_t i = 0; i < WORK; i++) blocks[i] = allocate_work(script, loop, i);
        script->stack = 0;
        if (loop->leaves.function != NULL)
            (void)script_call(script, 0, loop->leaves.function, loop->leaves.file, 9);
        if (loop->leaves.also > 0) (void)script_alloc(script, 2000 + step, loop->leaves.also);
        if (leaves_block(loop, step))
            left[step] = 1 + script_alloc(script, 1000 + step,
                                          loop->leaves.bytes + step * loop->leaves.more);
        for (uint32_t i = 0; i < WORK; i++) script_free(script, blocks[i]);
        if (loop->leaves.given && left[step] > 0)
            script_event(script, TN_EVENT_FREE_REQUEST, left[step] - 1);
        uint32_t after = loop->leaves.after;
        if (after > 0 && step >= after && left[step - after] > 0)
            script_free(script, left[step - after] - 1);
    }
    for (uint32_t i = 0; i < loop->idle; i++) script_free(script, script_alloc(script, 1, 7));
    for (uint32_t step = 0; step < loop->steps && loop->ends; step++)
        if (left[step] > 0) script_free(script, left[step] - 1);
    judge(judged);
}

// The verdict, its reason, and the steps and bytes of it.
static void assert_judged(const struct loop *loop, enum tn_leak_verdict verdict,
                          enum tn_leak_reason reason, size_t steps, uint64_t bytes) {
    struct judged judged;
    run_loop(loop, &judged);
    assert_int_equal(judged.leak.verdict, verdict);
    assert_int_equal(judged.leak.reason, reason);
    assert_int_equal(judged.leak.steps, steps);
    assert_int_equal(judged.leak.bytes, bytes);
    for (size_t i = 0; i < judged.leak.block_count; i++)
        assert_int_equal(judged.trace.blocks[judged.leak.blocks[i]].size, bytes);
    assert_int_equal(judged.leak.block_count, bytes > 0 ? steps : 0);
    end_judged(&judged);
}

// Of ten steps, nine are complete. The first and the last of these do not count.
static void steps_that_leave_the_same_leak(void **state) {
    (void)state;
    struct loop loop = {.steps = 10, .label = "step 1", .leaves = {.bytes = 777}};
    assert_judged(&loop, TN_LEAK_YES, TN_LEAK_STEADY, 7, 777);
    loop.leaves.first = 3;
    assert_judged(&loop, TN_LEAK_YES, TN_LEAK_STEADY, 5, 777);
    loop.leaves.first = 5;
    assert_judged(&loop, TN_LEAK_UNKNOWN, TN_LEAK_UNEVEN, 0, 0);
    loop.steps = 16;
    loop.leaves.first = 8; // six of the 14 steps that count
    assert_judged(&loop, TN_LEAK_UNKNOWN, TN_LEAK_UNEVEN, 0, 0);
    loop.leaves.first = 7;
    assert_judged(&loop, TN_LEAK_YES, TN_LEAK_STEADY, 7, 777);
}

static void growth_is_that_of_the_steps(void **state) {
    (void)state;
    struct loop loop = {.steps = 10, .label = "step 1", .leaves = {.bytes = 777}};
    struct judged judged;
    run_loop(&loop, &judged);
    assert_int_equal(judged.leak.growth, 777);
    end_judged(&judged);
}

// A sequence that recurs may be a layer. It is a step only if its stacks show a forward pass, a
// backward pass and an optimizer.
static void repetitions_leak_if_they_train(void **state) {
    (void)state;
    struct loop loop = {.steps = 12, .leaves = {.bytes = 777}};
    struct judged judged;
    run_loop(&loop, &judged);
    assert_int_equal(judged.steps.kind, TN_STEPS_BY_PERIOD);
    assert_int_equal(judged.leak.verdict, TN_LEAK_UNKNOWN);
    assert_int_equal(judged.leak.reason, TN_LEAK_UNSURE);
    assert_int_equal(judged.leak.bytes, 777);
    end_judged(&judged);
    loop.trains = true;
    run_loop(&loop, &judged);
    assert_int_equal(judged.steps.kind, TN_STEPS_BY_PERIOD);
    assert_int_equal(judged.leak.verdict, TN_LEAK_YES);
    assert_int_equal(judged.leak.bytes, 777);
    end_judged(&judged);
}

static void few_steps_do_not_tell(void **state) {
    (void)state;
    struct loop loop = {.steps = 3, .label = "step 1", .leaves = {.bytes = 777}};
    assert_judged(&loop, TN_LEAK_UNKNOWN, TN_LEAK_FEW, 2, 0);
    loop.steps = 6;
    assert_judged(&loop, TN_LEAK_UNKNOWN, TN_LEAK_FEW, 0, 0);
    loop.steps = 7;
    assert_judged(&loop, TN_LEAK_YES, TN_LEAK_STEADY, 4, 777);
}

static void growth_by_other_bytes_does_not_tell(void **state) {
    (void)state;
    struct loop loop = {.steps = 16, .label = "step 1", .leaves = {.bytes = 777, .more = 1}};
    assert_judged(&loop, TN_LEAK_UNKNOWN, TN_LEAK_UNEVEN, 0, 0);
    loop.leaves.more = 0;
    for (uint32_t every = 2; every <= 6; every++) {
        loop.leaves.every = every;
        assert_judged(&loop, TN_LEAK_UNKNOWN, TN_LEAK_UNEVEN, 0, 0);
    }
    // Beside the same 777 bytes, each step leaves others: 200 to 213.
    loop.leaves.every = 1;
    loop.leaves.bytes = 200;
    loop.leaves.more = 1;
    loop.leaves.also = 777;
    assert_judged(&loop, TN_LEAK_UNKNOWN, TN_LEAK_UNEVEN, 13, 777);
}

static void growth_that_ends_is_no_leak(void **state) {
    (void)state;
    struct loop loop = {.steps = 16, .label = "step 1", .leaves = {.bytes = 777, .last = 5}};
    assert_judged(&loop, TN_LEAK_NO, TN_LEAK_LEVEL, 10, 0);
    loop.leaves.last = 9; // in less than half of the steps
    assert_judged(&loop, TN_LEAK_UNKNOWN, TN_LEAK_UNEVEN, 0, 0);
}

static void what_is_freed_is_no_leak(void **state) {
    (void)state;
    struct loop loop = {.steps = 16, .label = "step 1", .leaves = {.bytes = 777, .after = 2}};
    assert_judged(&loop, TN_LEAK_NO, TN_LEAK_LEVEL, 13, 0);
    loop.leaves.more = 5; // which hides the level, but nothing stays
    assert_judged(&loop, TN_LEAK_NO, TN_LEAK_CLEAN, 14, 0);
    loop.leaves.after = 0;
    loop.ends = true;
    assert_judged(&loop, TN_LEAK_NO, TN_LEAK_FREED, 0, 0);
    loop.ends = false;
    loop.leaves.given = true; // streams still use it
    assert_judged(&loop, TN_LEAK_NO, TN_LEAK_FREED, 0, 0);
}

// A sequence that recurs may be a layer, so the steps must agree from the second one on.
static void repetitions_that_return_do_not_leak(void **state) {
    (void)state;
    struct loop loop = {.steps = 16, .leaves = {.bytes = 777, .last = 1}};
    struct judged judged;
    run_loop(&loop, &judged);
    assert_int_equal(judged.steps.kind, TN_STEPS_BY_PERIOD);
    assert_int_equal(judged.leak.verdict, TN_LEAK_NO);
    end_judged(&judged);
    loop.leaves.last = 5;
    run_loop(&loop, &judged);
    assert_int_equal(judged.steps.kind, TN_STEPS_BY_PERIOD);
    assert_int_equal(judged.leak.verdict, TN_LEAK_UNKNOWN);
    assert_int_equal(judged.leak.reason, TN_LEAK_UNSURE);
    end_judged(&judged);
}

// The first three are freed in the fifth step: the program may release the others too.
static void what_is_released_now_and_then_is_no_leak(void **state) {
    (void)state;
    for (uint32_t released = 0; released < 2; released++) {
        struct judged judged;
        uint32_t left[14];
        script_begin(&judged.script, TN_TRACE_SNAPSHOT);
        for (uint32_t step = 0; step < 14; step++) {
            script_mark(&judged.script, TN_EVENT_MARK, "step");
            left[step] = script_alloc(&judged.script, 200 + step, 777);
            script_free(&judged.script, script_alloc(&judged.script, 100, 5000));
            for (uint32_t i = 0; i < 3 && released == 1 && step == 4; i++)
                script_free(&judged.script, left[i]);
        }
        judge(&judged);
        assert_int_equal(judged.leak.verdict, released == 1 ? TN_LEAK_UNKNOWN : TN_LEAK_YES);
        end_judged(&judged);
    }
}

static void most_of_what_a_step_allocates_is_no_leak(void **state) {
    (void)state;
    struct loop loop = {.steps = 10, .label = "step 1", .leaves = {.bytes = 3900}};
    assert_judged(&loop, TN_LEAK_YES, TN_LEAK_STEADY, 7, 3900); // of 7,800
    loop.leaves.bytes = 3901;
    assert_judged(&loop, TN_LEAK_UNKNOWN, TN_LEAK_BUILDS, 7, 3901);
}

// Seven steps leave 7,000 bytes.
static void slight_growth_does_not_tell(void **state) {
    (void)state;
    for (int slight = 0; slight < 2; slight++) {
        struct judged judged;
        script_begin(&judged.script, TN_TRACE_SNAPSHOT);
        (void)script_starting(&judged.script, 1, slight == 1 ? 7000000 : 6900000);
        for (uint32_t step = 0; step < 10; step++) {
            script_mark(&judged.script, TN_EVENT_MARK, "step");
            (void)script_alloc(&judged.script, 200 + step, 1000);
            script_free(&judged.script, script_alloc(&judged.script, 100, 5000));
        }
        judge(&judged);
        assert_int_equal(judged.leak.verdict, slight == 1 ? TN_LEAK_UNKNOWN : TN_LEAK_YES);
        assert_int_equal(judged.leak.reason, slight == 1 ? TN_LEAK_SLIGHT : TN_LEAK_STEADY);
        assert_int_equal(judged.leak.bytes, 1000);
        end_judged(&judged);
    }
}

static void state_and_caches_are_no_leaks(void **state) {
    (void)state;
    static const struct {
        const char *function, *file;
        bool leaks;
    } owners[] = {{"append", "metrics.py", true},
                  {"update", "cache_utils.py", false},
                  {"write_kv_page", "serve.py", false},
                  {"DynamicCache::update", "serve.cc", false},
                  {"_init_group", "torch/optim/adamw.py", false},
                  {"step", "adamw.py", false},
                  {"torch::autograd::AccumulateGrad::apply", "??", false}};
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) {
        struct loop loop = {
            .steps = 10,
            .label = "step 1",
            .leaves = {.bytes = 777, .function = owners[i].function, .file = owners[i].file}};
        assert_judged(&loop, owners[i].leaks ? TN_LEAK_YES : TN_LEAK_UNKNOWN,
                      owners[i].leaks ? TN_LEAK_STEADY : TN_LEAK_STATE, 7, 777);
    }
}

// Blocks that were live before are freed, one in each step that leaves one.
static void what_takes_the_place_of_others_is_no_leak(void **state) {
    (void)state;
    struct judged judged;
    uint32_t old[10];
    script_begin(&judged.script, TN_TRACE_SNAPSHOT);
    for (uint32_t i = 0; i < 10; i++) old[i] = script_starting(&judged.script, i + 1, 778 + i);
    for (uint32_t step = 0; step < 10; step++) {
        script_mark(&judged.script, TN_EVENT_MARK, "step");
        script_free(&judged.script, script_alloc(&judged.script, 100, 5000));
        (void)script_alloc(&judged.script, 200 + step, 777);
        script_free(&judged.script, old[step]);
    }
    judge(&judged);
    assert_int_equal(judged.leak.verdict, TN_LEAK_UNKNOWN);
    assert_int_equal(judged.leak.reason, TN_LEAK_UNEVEN);
    end_judged(&judged);
}

static void steps_in_a_part_of_a_recording_do_not_tell(void **state) {
    (void)state;
    struct loop loop = {.steps = 10, .label = "step 1", .idle = 40, .leaves = {.bytes = 777}};
    assert_judged(&loop, TN_LEAK_YES, TN_LEAK_STEADY, 7, 777);
    loop.idle = 120;
    assert_judged(&loop, TN_LEAK_UNKNOWN, TN_LEAK_PART, 9, 0);
}

static void live_bytes_that_return_are_no_leak(void **state) {
    (void)state;
    struct judged judged;
    script_begin(&judged.script, TN_TRACE_SNAPSHOT);
    uint32_t old = script_starting(&judged.script, 1, 500);
    (void)script_alloc(&judged.script, 2, 500);
    script_free(&judged.script, old);
    judge(&judged);
    assert_int_equal(judged.leak.verdict, TN_LEAK_NO);
    assert_int_equal(judged.leak.reason, TN_LEAK_RETURNS);
    end_judged(&judged);
}

static void without_events_nothing_is_told(void **state) {
    (void)state;
    struct judged judged;
    script_begin(&judged.script, TN_TRACE_SNAPSHOT);
    (void)script_starting(&judged.script, 1, 500);
    script_mark(&judged.script, TN_EVENT_MARK, "snapshot");
    judge(&judged);
    assert_int_equal(judged.leak.verdict, TN_LEAK_UNKNOWN);
    end_judged(&judged);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_that_leave_the_same_leak),
        cmocka_unit_test(growth_is_that_of_the_steps),
        cmocka_unit_test(repetitions_leak_if_they_train),
        cmocka_unit_test(few_steps_do_not_tell),
        cmocka_unit_test(growth_by_other_bytes_does_not_tell),
        cmocka_unit_test(growth_that_ends_is_no_leak),
        cmocka_unit_test(what_is_freed_is_no_leak),
        cmocka_unit_test(repetitions_that_return_do_not_leak),
        cmocka_unit_test(what_is_released_now_and_then_is_no_leak),
        cmocka_unit_test(most_of_what_a_step_allocates_is_no_leak),
        cmocka_unit_test(slight_growth_does_not_tell),
        cmocka_unit_test(state_and_caches_are_no_leaks),
        cmocka_unit_test(what_takes_the_place_of_others_is_no_leak),
        cmocka_unit_test(steps_in_a_part_of_a_recording_do_not_tell),
        cmocka_unit_test(live_bytes_that_return_are_no_leak),
        cmocka_unit_test(without_events_nothing_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
