// SPDX-License-Identifier: Apache-2.0
// The roles of blocks, against sums by hand. tests/known/roles.py has whole programs.
#include "trace/study/roles.h"

#include <stdlib.h>

#include "unit/trace/script.h"

// Finds the roles at a moment of the first device.
static void find_roles(const struct tn_trace *trace, size_t at, struct tn_roles *roles) {
    const struct tn_trace_device *device = &trace->devices[0];
    struct tn_owners owners;
    struct tn_phases phases;
    struct tn_moment moment;
    struct tn_life *lives = tn_lives_make(trace);
    assert_non_null(lives);
    assert_int_equal(tn_owners_make_by(trace, false, &owners), TARN_OK);
    assert_int_equal(tn_phases_make(trace, device, &phases), TARN_OK);
    assert_int_equal(tn_moment_make(trace, device, lives, at, &moment), TARN_OK);
    struct tn_tables keys = {.trace = trace, .lives = lives, .owners = &owners, .phases = &phases};
    assert_int_equal(tn_roles_make(&keys, &moment, roles), TARN_OK);
    tn_moment_release(&moment);
    tn_phases_release(&phases);
    tn_owners_release(&owners);
    free(lives);
}

static uint32_t alloc_in(struct trace_script *script, const char *function, const char *file,
                         uint64_t address, uint64_t size) {
    uint32_t caller = script_call(script, 0, function, file, 1);
    (void)script_call(script, caller, "at::_ops::mm::call(...)", "??", 0);
    return script_alloc(script, address, size);
}

// A training step: a parameter of 20 bytes, an activation of 10 and a temporary block of 1 in the
// forward pass, a gradient of 20 in the backward pass, a state of 40 by the optimizer.
static void build_step(struct tn_trace *trace) {
    struct trace_script script;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    (void)script_starting(&script, 0x1000, 20);
    (void)script_starting(&script, 0x1100, 7);
    uint32_t activation = alloc_in(&script, "forward", "model.py", 0x2000, 10);
    uint32_t temporary = alloc_in(&script, "forward", "model.py", 0x3000, 1);
    script_free(&script, temporary);
    uint32_t gradient = alloc_in(&script, "MmBackward0::apply", "??", 0x4000, 20);
    script_free(&script, activation);
    script_mark(&script, TN_EVENT_MARK, "Optimizer.step#Adam.step");
    (void)alloc_in(&script, "step", "adam.py", 0x5000, 40);
    script_mark(&script, TN_EVENT_MARK_END, "Optimizer.step#Adam.step");
    script_free(&script, gradient);
    script_end(&script, trace);
}

static void one_role_is_told_and_several_are_grouped(void **state) {
    (void)state;
    const struct {
        size_t at;
        uint64_t activation, gradient, optimizer, open;
    } wanted[] = {{2, 10, 0, 0, 8}, {4, 10, 20, 0, 7}, {7, 0, 20, 40, 7}, {9, 0, 0, 40, 7}};
    struct tn_trace trace;
    build_step(&trace);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct tn_roles roles;
        uint64_t open = 0;
        find_roles(&trace, wanted[i].at, &roles);
        assert_true(roles.known && roles.inferred);
        assert_int_equal(roles.bytes[TN_CATEGORY_PARAMETER], 20);
        assert_int_equal(roles.bytes[TN_CATEGORY_ACTIVATION], wanted[i].activation);
        assert_int_equal(roles.bytes[TN_CATEGORY_GRADIENT], wanted[i].gradient);
        assert_int_equal(roles.bytes[TN_CATEGORY_OPTIMIZER_STATE], wanted[i].optimizer);
        for (size_t k = 0; k < roles.group_count; k++) open += roles.groups[k].bytes;
        assert_int_equal(open, wanted[i].open);
        assert_true((roles.open >> TN_CATEGORY_PARAMETER & 1) != 0);
    }
    tn_trace_release(&trace);
}

static void recorded_categories_are_the_roles(void **state) {
    (void)state;
    struct trace_script script;
    struct tn_trace trace;
    struct tn_roles roles;
    script_begin(&script, TN_TRACE_TIMELINE);
    struct tn_block block = script_block(&script, 0x1000, 100);
    uint32_t index;
    block.category = TN_CATEGORY_GRADIENT;
    assert_int_equal(tn_builder_block(&script.builder, &block, &index), TARN_OK);
    script_event(&script, TN_EVENT_ALLOC, index);
    script_end(&script, &trace);
    find_roles(&trace, 1, &roles);
    assert_true(roles.known && !roles.inferred);
    assert_int_equal(roles.bytes[TN_CATEGORY_GRADIENT], 100);
    assert_int_equal(roles.group_count, 0);
    tn_trace_release(&trace);
}

// Allocates one block with a stack, and returns why its role is not told.
static enum tn_role_lack find_lack(const char *first, const char *file, const char *second) {
    struct trace_script script;
    struct tn_trace trace;
    struct tn_roles roles;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    if (first != NULL) (void)alloc_in(&script, first, file, 0x1000, 100);
    if (second != NULL) (void)alloc_in(&script, second, "??", 0x2000, 100);
    if (first == NULL && second == NULL) (void)script_starting(&script, 0x1000, 100);
    script_end(&script, &trace);
    find_roles(&trace, trace.event_count, &roles);
    assert_false(roles.known);
    tn_trace_release(&trace);
    return roles.lack;
}

static void lack_says_why_roles_are_not_told(void **state) {
    (void)state;
    struct trace_script script;
    struct tn_trace trace;
    struct tn_roles roles;
    assert_int_equal(find_lack(NULL, NULL, NULL), TN_ROLES_NO_HISTORY);
    assert_int_equal(find_lack("forward", "model.py", NULL), TN_ROLES_NO_BACKWARD);
    assert_int_equal(find_lack("forward", "model.py", "MmBackward0::apply"), TN_ROLES_NO_STEP);
    assert_int_equal(
        find_lack("forward", "torch/distributed/fsdp/_flat_param.py", "MmBackward0::apply"),
        TN_ROLES_SHARDED);
    script_begin(&script, TN_TRACE_TEXT);
    (void)script_alloc(&script, 0x1000, 100);
    script_end(&script, &trace);
    find_roles(&trace, 1, &roles);
    assert_int_equal(roles.lack, TN_ROLES_NO_STACKS);
    tn_trace_release(&trace);
}

// ---- programs of several steps, whose sums are known at each moment

enum { MOMENTS = 64 };

// Bytes of each role behind each event.
struct program {
    struct trace_script script;
    struct {
        uint64_t parameter, state, activation, gradient;
    } now, at[MOMENTS];
    size_t count;
};

static void end_event(struct program *program) {
    assert_true(program->count < MOMENTS);
    program->at[program->count++] = program->now;
}

static uint32_t allocate(struct program *program, const char *function, const char *file,
                         uint64_t size, uint64_t *sum) {
    uint32_t block = alloc_in(&program->script, function, file,
                              UINT64_C(0x10000) + 0x1000 * program->count, size);
    *sum += size;
    end_event(program);
    return block;
}

static void release(struct program *program, uint32_t block, uint64_t size, uint64_t *sum) {
    script_free(&program->script, block);
    *sum -= size;
    end_event(program);
}

static void mark_step(struct program *program, enum tn_event_kind kind) {
    script_mark(&program->script, kind, "Optimizer.step#Adam.step");
    end_event(program);
}

// A training step with a gradient of each size. The optimizer makes a state for the last of them, or
// none.
static void run_step(struct program *program, const uint64_t *sizes, size_t count, bool state) {
    uint32_t gradients[2], activation;
    activation = allocate(program, "forward", "model.py", 10, &program->now.activation);
    for (size_t i = 0; i < count; i++)
        gradients[i] =
            allocate(program, "MmBackward0::apply", "??", sizes[i], &program->now.gradient);
    release(program, activation, 10, &program->now.activation);
    mark_step(program, TN_EVENT_MARK);
    if (state)
        (void)allocate(program, "step", "adam.py", 2 * sizes[count - 1], &program->now.state);
    mark_step(program, TN_EVENT_MARK_END);
    for (size_t i = 0; i < count; i++)
        release(program, gradients[i], sizes[i], &program->now.gradient);
}

static void check_program(struct program *program) {
    struct tn_trace trace;
    script_end(&program->script, &trace);
    for (size_t i = 0; i < program->count; i++) {
        struct tn_roles roles;
        find_roles(&trace, i + 1, &roles);
        assert_true(roles.known && roles.inferred);
        assert_int_equal(roles.bytes[TN_CATEGORY_PARAMETER], program->at[i].parameter);
        assert_int_equal(roles.bytes[TN_CATEGORY_OPTIMIZER_STATE], program->at[i].state);
        assert_int_equal(roles.bytes[TN_CATEGORY_ACTIVATION], program->at[i].activation);
        assert_int_equal(roles.bytes[TN_CATEGORY_GRADIENT], program->at[i].gradient);
        assert_int_equal(roles.group_count, 0);
    }
    tn_trace_release(&trace);
}

// The steps around the moment identify a parameter that the program adds between two steps, and its
// gradients: the first step of the recording has no gradient of that size.
static void steps_around_a_moment_tell_the_roles(void **state) {
    const uint64_t sizes[] = {20, 33};
    (void)state;
    for (int begins_with_a_step = 0; begins_with_a_step < 2; begins_with_a_step++) {
        struct program program = {.count = 0};
        script_begin(&program.script, TN_TRACE_SNAPSHOT);
        (void)script_starting(&program.script, 0x1000, 20);
        program.now.parameter = 20;
        if (begins_with_a_step) { // its pass was before the recording
            mark_step(&program, TN_EVENT_MARK);
            mark_step(&program, TN_EVENT_MARK_END);
        }
        run_step(&program, sizes, 1, true);
        (void)allocate(&program, "__init__", "model.py", 33, &program.now.parameter);
        run_step(&program, sizes, 2, true);
        run_step(&program, sizes, 2, false);
        check_program(&program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_role_is_told_and_several_are_grouped),
        cmocka_unit_test(recorded_categories_are_the_roles),
        cmocka_unit_test(lack_says_why_roles_are_not_told),
        cmocka_unit_test(steps_around_a_moment_tell_the_roles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
