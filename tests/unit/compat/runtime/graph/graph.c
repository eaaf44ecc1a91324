// SPDX-License-Identifier: Apache-2.0
// Graphs whose plans are changed by hand: what an executable graph and a clone have of them.
#include "compat/runtime/exec/graph_exec.h"

#include <stdlib.h>
#include <string.h>

#include "compat/runtime/policy.h"
#include "compat/runtime/stream/order.h"
#include "support/api.h"
#include "support/exhaust.h"

static const struct tn_face_code codes[] = {{"unknown", TN_RT_UNKNOWN, NULL}};

static void fill_policy(struct tn_rt_policy *policy) {
    policy->code.no_code_error = policy->code.device_code_error =
        policy->kernel.configuration_error = policy->kernel.bounds_error =
            policy->base.dead_handle = policy->device.own_peer_error = policy->memory.range_error =
                policy->memory.phys_device_error = policy->memory.import_error =
                    policy->memory.pool_import_error = policy->memory.pool_device_error =
                        TN_RT_INVALID_VALUE;
    policy->base.codes = codes;
    policy->base.code_count = 1;
    policy->memory.memory_name = "memory";
    policy->device.device_variable = "TEST_RUNTIME_DEVICE";
}

static int open_runtime(void **state) {
    (void)state;
    tn_rt_set_policy(fill_policy);
    return setenv("TEST_RUNTIME_DEVICE", "host:0,memory=64M,workers=4", 1) == 0 && tn_rt_open()
               ? 0
               : -1;
}

// ---- nodes that write down that they ran

static char ran[32]; // the letters of the nodes

static tn_rt_error run_letter(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    char letter[2] = {(char)(uintptr_t)op->function.arg, '\0'};
    (void)where; // it runs while the launch is submitted
    strcat(ran, letter);
    return TN_RT_OK;
}

static struct tn_rt_op op_of(char letter) {
    return (struct tn_rt_op){
        .work = TN_RT_WORK_HOST, .run = run_letter, .function = {NULL, (void *)(uintptr_t)letter}};
}

static uint32_t add(struct tn_rt_graph *graph, char letter, const uint32_t *before,
                    uint32_t count) {
    struct tn_rt_op op = op_of(letter);
    uint32_t id = UINT32_MAX;
    assert_int_equal(tn_rt_plan_add(graph->plan, tn_rt_current(), &op, false, before, count, &id),
                     TN_RT_OK);
    return id;
}

static struct tn_rt_graph *new_graph(void) {
    struct tn_rt_graph *graph = NULL;
    assert_int_equal(tn_rt_graph_new(tn_rt_plan_new(), &graph), TN_RT_OK);
    return graph;
}

static void *instantiate(const struct tn_rt_graph *graph) {
    void *exec = NULL;
    assert_int_equal(tn_rt_graph_instantiate(&exec, (void *)graph->object.handle, 0), TN_RT_OK);
    return exec;
}

static const char *launch(void *exec) {
    ran[0] = '\0';
    assert_int_equal(tn_rt_graph_launch(exec, TN_RT_STREAM_PER_THREAD), TN_RT_OK);
    assert_int_equal(tn_rt_synchronize(TN_RT_STREAM_PER_THREAD), TN_RT_OK);
    return ran;
}

// ---- tests

static void an_executable_stays_as_its_graph_was(void **state) {
    struct tn_rt_graph *graph = new_graph();
    (void)state;
    uint32_t a = add(graph, 'a', NULL, 0);
    uint32_t b = add(graph, 'b', &a, 1);
    void *before = instantiate(graph);
    tn_rt_plan_node_free(tn_rt_plan_remove(graph->plan, a));
    uint32_t c = add(graph, 'c', NULL, 0);
    assert_int_equal(tn_rt_plan_link(graph->plan, c, b), TN_RT_OK);
    tn_rt_plan_find(graph->plan, b)->op.function.arg = (void *)(uintptr_t)'B';
    void *after = instantiate(graph);
    assert_string_equal(launch(before), "ab");
    assert_string_equal(launch(after), "cB");
    tn_rt_graph_close(graph);
    assert_string_equal(launch(before), "ab");
    assert_int_equal(tn_rt_graph_exec_end(before), TN_RT_OK);
    assert_int_equal(tn_rt_graph_exec_end(after), TN_RT_OK);
}

static void a_clone_stays_as_its_original_was(void **state) {
    struct tn_rt_graph *graph = new_graph();
    uintptr_t handle = 0;
    struct tn_rt_graph *clone = NULL;
    (void)state;
    uint32_t a = add(graph, 'a', NULL, 0);
    assert_int_equal(tn_rt_graph_clone(&handle, (void *)graph->object.handle), TN_RT_OK);
    tn_rt_plan_node_free(tn_rt_plan_remove(graph->plan, a));
    assert_int_equal(tn_rt_graph_get((void *)handle, true, &clone), TN_RT_OK);
    assert_int_equal(tn_rt_plan_find(clone->plan, a)->id, a);
    (void)add(clone, 'b', &a, 1);
    assert_int_equal(graph->plan->count, 0);
    void *exec = instantiate(clone);
    assert_string_equal(launch(exec), "ab");
    assert_int_equal(tn_rt_graph_exec_end(exec), TN_RT_OK);
    tn_rt_graph_close(clone);
    tn_face_object_put(&clone->object);
    tn_rt_graph_close(graph);
}

static void a_graph_with_a_cycle_has_no_executable(void **state) {
    struct tn_rt_graph *graph = new_graph();
    uintptr_t handle = 7;
    (void)state;
    uint32_t a = add(graph, 'a', NULL, 0);
    uint32_t b = add(graph, 'b', &a, 1);
    assert_int_equal(tn_rt_plan_link(graph->plan, b, a), TN_RT_OK);
    assert_int_equal(tn_rt_graph_instantiate(&handle, (void *)graph->object.handle, 0),
                     TN_RT_INVALID_VALUE);
    assert_non_null(strstr(tn_rt_text(), "cycle"));
    assert_int_equal(handle, 7);
    assert_int_equal(tn_rt_plan_unlink(graph->plan, b, a), TN_RT_OK);
    void *exec = instantiate(graph);
    assert_string_equal(launch(exec), "ab");
    assert_int_equal(tn_rt_graph_exec_end(exec), TN_RT_OK);
    tn_rt_graph_close(graph);
}

#if CAN_REPLACE_MALLOC

// Fails each allocation in turn, with branches and without.
static void an_executable_without_memory_leaves_nothing(void **state) {
    (void)state;
    for (uint32_t sides = 0; sides <= 3; sides += 3) {
        struct tn_rt_graph *graph = new_graph();
        tn_rt_error error = TN_RT_OUT_OF_MEMORY;
        uintptr_t handle = 7;
        unsigned n = 0;
        uint32_t a = add(graph, 'a', NULL, 0);
        for (uint32_t i = 0; i < sides; i++) (void)add(graph, 'b', &a, 1);
        while (error == TN_RT_OUT_OF_MEMORY) {
            assert_int_equal(handle, 7);
            fails_at = ++n;
            error = tn_rt_graph_instantiate(&handle, (void *)graph->object.handle, 0);
        }
        fails_at = 0;
        assert_int_equal(error, TN_RT_OK);
        assert_true(n > 8 + sides);
        assert_string_equal(launch((void *)handle), sides == 0 ? "a" : "abbb");
        assert_int_equal(tn_rt_graph_exec_end((void *)handle), TN_RT_OK);
        tn_rt_graph_close(graph);
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_executable_stays_as_its_graph_was),
        cmocka_unit_test(a_clone_stays_as_its_original_was),
        cmocka_unit_test(a_graph_with_a_cycle_has_no_executable),
#if CAN_REPLACE_MALLOC
        cmocka_unit_test(an_executable_without_memory_leaves_nothing),
#endif
    };
    return cmocka_run_group_tests(tests, open_runtime, NULL);
}
