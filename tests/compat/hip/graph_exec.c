// SPDX-License-Identifier: Apache-2.0
// Executable graphs: how they are made, their flags, and their nodes that are disabled.
#include "support/graph.h"

static hipGraphNode_t add_fill(hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                               void *dst, unsigned value) {
    const hipMemsetParams params = {dst, 4, 1, 0, value, 1};
    hipGraphNode_t node = NULL;
    assert_hip_ok(hipGraphAddMemsetNode(&node, graph, before, count, &params));
    return node;
}

static void launch(hipGraphExec_t exec) {
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
}

// ---- making

// As ROCm 6.3 answered.
static void parameters_are_checked_and_answered(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphExec_t exec = NULL;
    hipGraphExec_t kept = (hipGraphExec_t)9;
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    for (unsigned long long flags = 0; flags < 40; flags++) {
        hipGraphInstantiateParams params = {(hipGraphNode_t)9, flags,
                                            hipGraphInstantiateInvalidStructure, stream};
        bool fits = flags == 0 || flags == 1 || flags == 2 || flags == 8;
        if (fits) {
            assert_hip_ok(hipGraphInstantiateWithParams(&exec, graph, &params));
            unsigned long long kept_flags = 99;
            assert_hip_ok(hipGraphExecGetFlags(exec, &kept_flags));
            assert_int_equal(kept_flags, flags);
            assert_hip_ok(hipGraphExecDestroy(exec));
            assert_int_equal(params.result_out, hipGraphInstantiateSuccess);
            assert_null(params.errNode_out);
        } else {
            assert_hip(hipGraphInstantiateWithParams(&kept, graph, &params),
                       flags == hipGraphInstantiateFlagDeviceLaunch ? hipErrorNotSupported
                                                                    : hipErrorInvalidValue);
            assert_int_equal(params.result_out, hipGraphInstantiateError);
            assert_ptr_equal(params.errNode_out, (hipGraphNode_t)9);
        }
    }
    hipGraphInstantiateParams params = {.result_out = hipGraphInstantiateInvalidStructure};
    assert_hip(hipGraphInstantiateWithParams(NULL, graph, &params), hipErrorInvalidValue);
    assert_hip(hipGraphInstantiateWithParams(&kept, NULL, &params), hipErrorInvalidValue);
    assert_hip(hipGraphInstantiateWithParams(&kept, graph, NULL), hipErrorInvalidValue);
    assert_int_equal(params.result_out, hipGraphInstantiateInvalidStructure);
    assert_hip_ok(hipStreamDestroy(stream));
    params = (hipGraphInstantiateParams){NULL, hipGraphInstantiateFlagUpload,
                                         hipGraphInstantiateSuccess, stream};
    assert_hip(hipGraphInstantiateWithParams(&kept, graph, &params), hipErrorContextIsDestroyed);
    assert_int_equal(params.result_out, hipGraphInstantiateError);
    assert_ptr_equal(kept, (hipGraphExec_t)9);
    assert_hip_ok(hipGraphDestroy(graph));
}

static void a_destroyed_graph_fills_the_log(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphExec_t exec = (hipGraphExec_t)9;
    hipGraphNode_t node = (hipGraphNode_t)9;
    char log[12];
    (void)state;
    memset(log, 'x', sizeof log);
    assert_hip_ok(hipGraphInstantiate(&exec, graph, &node, log, sizeof log));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_int_equal(log[0], 'x');
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip(hipGraphInstantiate(&exec, graph, &node, log, sizeof log), hipErrorInvalidValue);
    assert_int_equal(strlen(log), sizeof log - 1); // cut
    assert_ptr_equal(node, (hipGraphNode_t)9);
}

// As ROCm 6.3 answered, group gh_cycle2.
static void a_cycle_has_no_executable(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t parent = new_graph();
    hipGraphExec_t exec = (hipGraphExec_t)9;
    hipGraphNode_t child = NULL;
    hipGraphInstantiateParams params = {.errNode_out = (hipGraphNode_t)9};
    char log[64] = "";
    (void)state;
    hipGraphNode_t a = add_empty(graph, NULL, 0);
    hipGraphNode_t b = add_empty(graph, &a, 1);
    assert_hip_ok(hipGraphAddDependencies(graph, &b, &a, 1));
    assert_hip_ok(hipGraphAddChildGraphNode(&child, parent, NULL, 0, graph));
    hipGraph_t graphs[] = {graph, parent};
    for (int i = 0; i < 2; i++) {
        log[0] = '\0';
        assert_hip(hipGraphInstantiate(&exec, graphs[i], NULL, log, sizeof log),
                   hipErrorInvalidValue);
        assert_non_null(strstr(log, "cycle"));
        assert_hip(hipGraphInstantiateWithFlags(&exec, graphs[i], 0), hipErrorInvalidValue);
        params.result_out = hipGraphInstantiateSuccess;
        assert_hip(hipGraphInstantiateWithParams(&exec, graphs[i], &params), hipErrorInvalidValue);
        assert_int_equal(params.result_out, hipGraphInstantiateError);
        assert_ptr_equal(params.errNode_out, (hipGraphNode_t)9);
        assert_ptr_equal(exec, (hipGraphExec_t)9);
    }
    assert_hip_ok(hipGraphDestroy(parent));
    assert_hip_ok(hipGraphDestroy(graph));
}

// AMD's answers; the last error stays as it was.
static void instantiation_of_null_is_not_the_last_error(void **state) {
    hipGraphExec_t exec = NULL;
    (void)state;
    (void)hipGetLastError();
    assert_hip(hipGraphInstantiate(&exec, NULL, NULL, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipGraphInstantiate(NULL, NULL, NULL, NULL, 0), hipErrorInvalidValue);
    assert_hip_ok(hipGetLastError());
    assert_hip(hipGraphLaunch(NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipGetLastError(), hipErrorInvalidValue);
}

static void flags_and_uploads_check_their_arguments(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphExec_t exec = make_exec(graph);
    hipStream_t stream = NULL;
    unsigned long long flags = 9;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipGraphUpload(exec, stream));
    assert_hip_ok(hipGraphUpload(exec, NULL));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip(hipGraphUpload(exec, stream), hipErrorContextIsDestroyed);
    assert_hip(hipGraphUpload(NULL, stream), hipErrorInvalidValue);
    assert_hip(hipGraphLaunch(exec, stream), hipErrorContextIsDestroyed);
    assert_hip(hipGraphLaunch(NULL, stream), hipErrorInvalidValue);
    assert_hip(hipGraphExecGetFlags(exec, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphExecGetFlags(NULL, &flags), hipErrorInvalidValue);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip(hipGraphUpload(exec, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphLaunch(exec, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphExecGetFlags(exec, &flags), hipErrorInvalidValue);
    assert_int_equal(flags, 9);
    assert_hip_ok(hipGraphDestroy(graph));
}

// ---- enabling

// As ROCm 6.3 answered.
static void a_disabled_node_is_passed_over(void **state) {
    char *memory = new_zeros(64);
    hipGraph_t graph = new_graph();
    unsigned enabled = 9;
    (void)state;
    hipGraphNode_t first = add_fill(graph, NULL, 0, memory, 5);
    (void)add_fill(graph, &first, 1, memory + 4, 6);
    (void)add_fill(graph, &first, 1, memory + 8, 7); // a branch
    hipGraphExec_t exec = make_exec(graph);
    hipGraphExec_t other = make_exec(graph);
    assert_hip_ok(hipGraphNodeGetEnabled(exec, first, &enabled));
    assert_int_equal(enabled, 1);
    assert_hip_ok(hipGraphNodeSetEnabled(exec, first, 0));
    launch(exec);
    assert_int_equal(word_at(memory, 0), 0);
    assert_int_equal(word_at(memory, 4), 6);
    assert_int_equal(word_at(memory, 8), 7);
    assert_hip_ok(hipGraphNodeGetEnabled(other, first, &enabled)); // each has its own
    assert_int_equal(enabled, 1);
    assert_hip_ok(hipGraphNodeSetEnabled(exec, first, 7));
    assert_hip_ok(hipGraphNodeGetEnabled(exec, first, &enabled));
    assert_int_equal(enabled, 7);
    launch(exec);
    assert_int_equal(word_at(memory, 0), 5);
    assert_hip_ok(hipGraphExecDestroy(other));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(memory));
}

static void enabling_is_for_nodes_with_memory_and_of_the_graph(void **state) {
    char *memory = new_zeros(64);
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    unsigned enabled = 9;
    (void)state;
    hipGraphNode_t fill = add_fill(graph, NULL, 0, memory, 5);
    hipGraphNode_t foreign = add_fill(other, NULL, 0, memory, 6);
    hipGraphExec_t exec = make_exec(graph);
    hipGraphNode_t late = add_fill(graph, NULL, 0, memory, 5);
    hipGraphNode_t bad[] = {NULL, foreign, late, add_empty(graph, NULL, 0), (hipGraphNode_t)exec};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_hip(hipGraphNodeSetEnabled(exec, bad[i], 0), hipErrorInvalidValue);
        assert_hip(hipGraphNodeGetEnabled(exec, bad[i], &enabled), hipErrorInvalidValue);
    }
    hipGraphExec_t with_empty = make_exec(graph);
    assert_hip(hipGraphNodeSetEnabled(with_empty, bad[3], 0), hipErrorInvalidValue);
    assert_hip(hipGraphNodeSetEnabled(NULL, fill, 0), hipErrorInvalidValue);
    assert_hip(hipGraphNodeGetEnabled(exec, fill, NULL), hipErrorInvalidValue);
    assert_int_equal(enabled, 9);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip(hipGraphNodeSetEnabled(exec, fill, 0), hipErrorInvalidValue); // the node is gone
    assert_hip_ok(hipGraphExecDestroy(with_empty));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(other));
    assert_hip_ok(hipFree(memory));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_checked_and_answered),
        cmocka_unit_test(a_destroyed_graph_fills_the_log),
        cmocka_unit_test(a_cycle_has_no_executable),
        cmocka_unit_test(instantiation_of_null_is_not_the_last_error),
        cmocka_unit_test(flags_and_uploads_check_their_arguments),
        cmocka_unit_test(a_disabled_node_is_passed_over),
        cmocka_unit_test(enabling_is_for_nodes_with_memory_and_of_the_graph),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
