// SPDX-License-Identifier: Apache-2.0
// Owners of stacks, phases, and the sums of blocks by them, against sums by hand.
#include "trace/study/holders.h"

#include <stdlib.h>

#include "unit/trace/script.h"

struct tables {
    struct tn_trace trace;
    struct tn_life *lives;
    struct tn_owners owners;
    struct tn_phases phases;
    struct tn_moment moment;
    struct tn_tables keys;
};

static void begin_tables(struct tables *tables, size_t at) {
    const struct tn_trace *trace = &tables->trace;
    tables->lives = tn_lives_make(trace);
    assert_int_equal(tn_owners_make_by(trace, false, &tables->owners), TARN_OK);
    assert_int_equal(tn_phases_make(trace, &trace->devices[0], &tables->phases), TARN_OK);
    assert_int_equal(tn_moment_make(trace, &trace->devices[0], tables->lives, at, &tables->moment),
                     TARN_OK);
    tables->keys = (struct tn_tables){.trace = trace,
                                      .lives = tables->lives,
                                      .owners = &tables->owners,
                                      .phases = &tables->phases};
}

static void end_tables(struct tables *tables) {
    tn_moment_release(&tables->moment);
    tn_phases_release(&tables->phases);
    tn_owners_release(&tables->owners);
    free(tables->lives);
    tn_trace_release(&tables->trace);
}

static const struct tn_trace_call *owner_of(const struct tables *tables, uint32_t block) {
    return &tables->trace.calls[tables->owners.calls[tables->trace.blocks[block].stack]];
}

// main.py calls a module, whose relu goes through functional.py and two operators.
static uint32_t push_model(struct trace_script *script, uint32_t line) {
    uint32_t call = script_call(script, 0, "_start", "", 0);
    call = script_call(script, call, "main", "/src/main.py", 5);
    call = script_call(script, call, "_call_impl", "/usr/lib/torch/nn/modules/module.py", 1784);
    call = script_call(script, call, "update", "/src/models.py", line);
    return call;
}

static uint32_t push_relu(struct trace_script *script, uint32_t call) {
    call = script_call(script, call, "relu", "/usr/lib/torch/nn/functional.py", 1701);
    call = script_call(script, call, "at::_ops::relu::call(at::Tensor const&)", "??", 0);
    call = script_call(script, call, "at::_ops::clamp_min::call(at::Tensor const&)", "??", 0);
    return script_call(script, call, "torch::unwind::unwind()", "??", 0);
}

static void build(struct tn_trace *trace) {
    struct trace_script script;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    (void)push_relu(&script, push_model(&script, 181));
    (void)script_alloc(&script, 0x1000, 1000);
    script_mark(&script, TN_EVENT_MARK, "forward");
    (void)script_alloc(&script, 0x2000, 600);
    (void)push_model(&script, 174);
    script.stream = 5;
    script_mark(&script, TN_EVENT_MARK, "layer");
    (void)script_alloc(&script, 0x3000, 2000);
    script_mark(&script, TN_EVENT_MARK_END, "layer");
    uint32_t call = script_call(&script, 0, "Engine::run()", "??", 0);
    call = script_call(&script, call, "torch::autograd::generated::MmBackward0::apply(x)", "??", 0);
    (void)script_call(&script, call, "c10::cuda::CUDACachingAllocator::malloc(x)", "a.cpp", 0);
    (void)script_alloc(&script, 0x4000, 300);
    script_mark(&script, TN_EVENT_MARK_END, "forward");
    script.stack = 0;
    (void)script_alloc(&script, 0x5000, 50);
    script_end(&script, trace);
}

static void owner_is_the_innermost_call_of_the_program(void **state) {
    (void)state;
    struct tables tables;
    build(&tables.trace);
    begin_tables(&tables, 9);
    assert_string_equal(tables.trace.texts[owner_of(&tables, 0)->function], "update");
    assert_int_equal(owner_of(&tables, 0)->line, 181);
    assert_int_equal(owner_of(&tables, 2)->line, 174);
    assert_string_equal(tables.trace.texts[owner_of(&tables, 3)->function],
                        "torch::autograd::generated::MmBackward0::apply(x)");
    assert_int_equal(tables.owners.calls[0], 0);
    assert_int_equal(tables.owners.own[tables.owners.calls[tables.trace.blocks[0].stack]], 1);
    assert_int_equal(tables.owners.own[tables.trace.blocks[0].stack], 0);
    end_tables(&tables);
}

static void operator_is_the_one_that_the_owner_called(void **state) {
    (void)state;
    struct tables tables;
    size_t length = 0;
    build(&tables.trace);
    begin_tables(&tables, 9);
    const char *name = tn_owner_operator(&tables.owners, tables.trace.blocks[0].stack, &length);
    assert_int_equal(length, 4);
    assert_memory_equal(name, "relu", 4);
    assert_null(tn_owner_operator(&tables.owners, tables.trace.blocks[2].stack, &length));
    end_tables(&tables);
}

static void base_names_alone_are_plumbing_too(void **state) {
    (void)state;
    struct trace_script script;
    struct tables tables;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    uint32_t call = script_call(&script, 0, "train", "train.py", 3);
    (void)script_call(&script, call, "relu", "functional.py", 1701);
    (void)script_alloc(&script, 0x1000, 1);
    (void)script_call(&script, call, "relu", "/src/functional.py", 1701);
    (void)script_alloc(&script, 0x2000, 1);
    script_end(&script, &tables.trace);
    begin_tables(&tables, 2);
    assert_int_equal(owner_of(&tables, 0)->line, 3);
    assert_int_equal(owner_of(&tables, 1)->line, 1701);
    end_tables(&tables);
}

static void phases_nest_and_end(void **state) {
    (void)state;
    struct tables tables;
    build(&tables.trace);
    begin_tables(&tables, 9);
    const struct tn_phases *phases = &tables.phases;
    assert_int_equal(phases->count, 2);
    assert_int_equal(phases->spans[0].begin, 2);
    assert_int_equal(phases->spans[0].end, 8);
    assert_int_equal(phases->spans[1].parent, 1);
    assert_int_equal(phases->at[1], 0);
    assert_int_equal(phases->at[3], 1);
    assert_int_equal(phases->at[5], 2);
    assert_int_equal(phases->at[7], 1);
    assert_int_equal(phases->at[8], 0);
    end_tables(&tables);
}

static void phase_without_an_end_lasts_unless_its_name_recurs(void **state) {
    (void)state;
    struct trace_script script;
    struct tables tables;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    script_mark(&script, TN_EVENT_MARK, "step");
    script_mark(&script, TN_EVENT_MARK, "step");
    script_mark(&script, TN_EVENT_MARK, "snapshot");
    script_end(&script, &tables.trace);
    begin_tables(&tables, 0);
    assert_int_equal(tables.phases.count, 1);
    assert_int_equal(tables.phases.spans[0].begin, 2);
    assert_int_equal(tables.phases.at[3], 1);
    end_tables(&tables);
}

static void marks_of_a_text_last_to_the_next(void **state) {
    (void)state;
    struct trace_script script;
    struct tables tables;
    script_begin(&script, TN_TRACE_TEXT);
    script_mark(&script, TN_EVENT_MARK, "one");
    (void)script_alloc(&script, 1, 1);
    script_mark(&script, TN_EVENT_MARK, "two");
    script_end(&script, &tables.trace);
    begin_tables(&tables, 0);
    assert_int_equal(tables.phases.spans[0].end, 3);
    assert_int_equal(tables.phases.spans[1].end, 4);
    assert_int_equal(tables.phases.at[2], 1);
    assert_int_equal(tables.phases.at[3], 2);
    end_tables(&tables);
}

static void check_holder(const struct tn_holders *holders, size_t index, uint64_t bytes,
                         uint64_t count) {
    assert_true(index < holders->count);
    assert_int_equal(holders->list[index].bytes, bytes);
    assert_int_equal(holders->list[index].count, count);
}

static void holders_are_sums_with_the_largest_first(void **state) {
    (void)state;
    struct tables tables;
    struct tn_holders holders;
    const uint32_t *blocks;
    build(&tables.trace);
    begin_tables(&tables, 9);
    blocks = tables.moment.blocks;
    assert_int_equal(tables.moment.block_count, 5);
    const struct {
        enum tn_holder_kind kind;
        size_t count;
        uint64_t bytes[4], blocks[4];
    } wanted[] = {
        {TN_HOLD_BY_FUNCTION, 3, {3600, 300, 50}, {3, 1, 1}},
        {TN_HOLD_BY_LINE, 4, {2000, 1600, 300, 50}, {1, 2, 1, 1}},
        {TN_HOLD_BY_STREAM, 2, {2350, 1600}, {3, 2}},
        {TN_HOLD_BY_PHASE, 3, {2000, 1050, 900}, {1, 2, 2}},
        {TN_HOLD_BY_TAG, 1, {3950}, {5}},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_int_equal(tn_holders_make(&tables.keys, wanted[i].kind, blocks, 5, &holders),
                         TARN_OK);
        assert_int_equal(holders.count, wanted[i].count);
        assert_int_equal(holders.bytes, 3950);
        for (size_t k = 0; k < holders.count; k++)
            check_holder(&holders, k, wanted[i].bytes[k], wanted[i].blocks[k]);
        tn_holders_release(&holders);
    }
    end_tables(&tables);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owner_is_the_innermost_call_of_the_program),
        cmocka_unit_test(operator_is_the_one_that_the_owner_called),
        cmocka_unit_test(base_names_alone_are_plumbing_too),
        cmocka_unit_test(phases_nest_and_end),
        cmocka_unit_test(phase_without_an_end_lasts_unless_its_name_recurs),
        cmocka_unit_test(marks_of_a_text_last_to_the_next),
        cmocka_unit_test(holders_are_sums_with_the_largest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
