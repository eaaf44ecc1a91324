// SPDX-License-Identifier: Apache-2.0
// The passes and steps of a training program: by what is announced, and by stacks alone.
#include "trace/study/training.h"

#include <stdlib.h>

#include "unit/trace/script.h"

struct found {
    struct tn_trace trace;
    struct tn_phases phases;
    struct tn_training work;
};

static void find_work(struct trace_script *script, struct found *found) {
    script_end(script, &found->trace);
    const struct tn_trace_device *device = &found->trace.devices[0];
    assert_int_equal(tn_phases_make(&found->trace, device, &found->phases), TARN_OK);
    assert_int_equal(tn_training_make(&found->trace, device, &found->phases, &found->work),
                     TARN_OK);
}

static void end_found(struct found *found) {
    tn_training_release(&found->work);
    tn_phases_release(&found->phases);
    tn_trace_release(&found->trace);
}

// Allocates a block and frees it, from a function of a file.
static void touch(struct trace_script *script, const char *function, const char *file) {
    (void)script_call(script, 0, function, file, 1);
    script_free(script, script_alloc(script, 0x1000, 512));
}

static void assert_span(const struct tn_training_span *span, uint32_t begin, uint32_t end) {
    assert_non_null(span);
    assert_int_equal(span->begin, begin);
    assert_int_equal(span->end, end);
    assert_true(span->complete);
}

static void pass_lasts_to_the_next_call_of_the_program(void **state) {
    (void)state;
    struct trace_script script;
    struct found found;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    touch(&script, "forward", "model.py");
    touch(&script, "AddmmBackward0::apply(...)", "??");
    touch(&script, "at::detail::empty_cuda", "??"); // its stack is cut
    touch(&script, "AddmmBackward0::apply(...)", "??");
    touch(&script, "forward", "model.py");
    touch(&script, "_make_grads", "torch/autograd/__init__.py");
    script_mark(&script, TN_EVENT_MARK, "next");
    find_work(&script, &found);
    assert_int_equal(found.work.passes.count, 2);
    assert_span(&found.work.passes.list[0], 2, 8);
    assert_int_equal(found.work.passes.list[0].last, 7);
    assert_int_equal(found.work.passes.list[0].forward, 1);
    assert_span(&found.work.passes.list[1], 10, 12);
    assert_int_equal(found.work.passes.list[1].forward, 9);
    assert_null(tn_training_around(&found.work.passes, 2));
    assert_ptr_equal(tn_training_around(&found.work.passes, 3), &found.work.passes.list[0]);
    assert_ptr_equal(tn_training_around(&found.work.passes, 8), &found.work.passes.list[0]);
    assert_null(tn_training_around(&found.work.passes, 9));
    assert_ptr_equal(tn_training_after(&found.work.passes, 3), &found.work.passes.list[1]);
    assert_null(tn_training_after(&found.work.passes, 11));
    end_found(&found);
}

static void steps_are_the_announced_ones(void **state) {
    (void)state;
    struct trace_script script;
    struct found found;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    script_mark(&script, TN_EVENT_MARK, "Optimizer.step#Wrapper.step");
    script_mark(&script, TN_EVENT_MARK, "Optimizer.step#AdamW.step");
    touch(&script, "step", "adamw.py");
    script_mark(&script, TN_EVENT_MARK_END, "Optimizer.step#AdamW.step");
    script_mark(&script, TN_EVENT_MARK_END, "Optimizer.step#Wrapper.step");
    script_mark(&script, TN_EVENT_MARK, "Optimizer.zero_grad#SGD.zero_grad");
    script_mark(&script, TN_EVENT_MARK_END, "Optimizer.zero_grad#SGD.zero_grad");
    script_mark(&script, TN_EVENT_MARK, "Optimizer.step#SGD.step");
    touch(&script, "forward", "model.py");
    script_mark(&script, TN_EVENT_MARK_END, "Optimizer.step#SGD.step");
    script_mark(&script, TN_EVENT_MARK, "Optimizer.step#SGD.step");
    find_work(&script, &found);
    assert_int_equal(found.work.steps.count, 3);
    assert_span(&found.work.steps.list[0], 1, 6);
    assert_true(found.work.steps.list[0].adam && found.work.steps.list[0].pure);
    assert_span(&found.work.steps.list[1], 9, 12);
    assert_false(found.work.steps.list[1].adam || found.work.steps.list[1].pure);
    assert_false(found.work.steps.list[2].complete);
    assert_int_equal(found.work.zeros.count, 1);
    assert_span(&found.work.zeros.list[0], 7, 8);
    end_found(&found);
}

static void steps_without_announcements_are_those_of_stacks(void **state) {
    (void)state;
    struct trace_script script;
    struct found found;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    touch(&script, "step", "train.py");
    touch(&script, "step", "torch/optim/lr_scheduler.py");
    (void)script_call(&script, script_call(&script, 0, "wrapper", "optimizer.py", 1), "step",
                      "own.py", 1);
    script_free(&script, script_alloc(&script, 0x1000, 512));
    touch(&script, "step", "C:\\torch\\optim\\adam.py");
    touch(&script, "forward", "model.py");
    touch(&script, "step", "torch/optim/adam.py");
    find_work(&script, &found);
    assert_int_equal(found.work.steps.count, 2);
    assert_span(&found.work.steps.list[0], 4, 8);
    assert_int_equal(found.work.steps.list[1].begin, 10);
    assert_false(found.work.steps.list[1].complete);
    end_found(&found);
}

// Returns the signs of a stack of one or two calls.
static unsigned signs_of(const char *outer, const char *inner) {
    struct trace_script script;
    struct found found;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    uint32_t stack = script_call(&script, 0, outer, "??", 0);
    if (inner != NULL) stack = script_call(&script, stack, inner, "??", 0);
    find_work(&script, &found);
    unsigned signs = found.work.signs[stack];
    end_found(&found);
    return signs;
}

static void outermost_operator_tells_whether_it_computes(void **state) {
    (void)state;
    unsigned source = TN_TRAINING_OPERATOR | TN_TRAINING_SOURCE;
    assert_int_equal(signs_of("at::_ops::zeros::call(...)", NULL), source);
    assert_int_equal(signs_of("at::_ops::zeros::call(...)", "at::_ops::empty::call(...)"), source);
    assert_int_equal(signs_of("at::_ops::add::call(...)", "at::_ops::empty::call(...)"),
                     TN_TRAINING_OPERATOR);
    assert_int_equal(signs_of("at::_ops::topk::call(...)", NULL), TN_TRAINING_OPERATOR);
    assert_int_equal(signs_of("aten::to", NULL), source);
    assert_int_equal(signs_of("aten::topk", NULL), TN_TRAINING_OPERATOR);
}

static void signs_of_callers_hold_for_a_stack(void **state) {
    (void)state;
    assert_int_equal(signs_of("_call_impl", "at::cuda::getNewWorkspace()"),
                     TN_TRAINING_MODULE | TN_TRAINING_WORKSPACE);
    assert_int_equal(signs_of("torch::autograd::PyNode::apply(...)", "forward"),
                     TN_TRAINING_BACKWARD | TN_TRAINING_HOOK | TN_TRAINING_MODULE);
    assert_int_equal(signs_of("backward_pass_helper", NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pass_lasts_to_the_next_call_of_the_program),
        cmocka_unit_test(steps_are_the_announced_ones),
        cmocka_unit_test(steps_without_announcements_are_those_of_stacks),
        cmocka_unit_test(outermost_operator_tells_whether_it_computes),
        cmocka_unit_test(signs_of_callers_hold_for_a_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
