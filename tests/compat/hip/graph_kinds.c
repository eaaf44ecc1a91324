// SPDX-License-Identifier: Apache-2.0
// Kinds of nodes beside copies, fills and functions: events, child graphs, values in memory.
#include "support/graph.h"

static hipGraphNode_t add_function(hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                   hipHostFn_t fn, void *arg) {
    const hipHostNodeParams params = {fn, arg};
    hipGraphNode_t node = NULL;
    assert_hip_ok(hipGraphAddHostNode(&node, graph, before, count, &params));
    return node;
}

static hipGraphNode_t add_word(hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                               void *dst, unsigned value) {
    const hipMemsetParams params = {dst, 4, 1, 0, value, 1};
    hipGraphNode_t node = NULL;
    assert_hip_ok(hipGraphAddMemsetNode(&node, graph, before, count, &params));
    return node;
}

// ---- events

static void nodes_of_events_are_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipEvent_t event = NULL;
    hipEvent_t dead = NULL;
    hipEvent_t got = NULL;
    hipGraphNode_t record = NULL;
    hipGraphNode_t wait = NULL;
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipEventCreate(&dead));
    assert_hip_ok(hipEventDestroy(dead));
    assert_hip(hipGraphAddEventRecordNode(&record, graph, NULL, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphAddEventWaitNode(&wait, graph, NULL, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphAddEventRecordNode(&record, graph, NULL, 0, dead), hipErrorInvalidHandle);
    assert_hip(hipGraphAddEventRecordNode(NULL, graph, NULL, 0, event), hipErrorInvalidValue);
    assert_int_equal(count_nodes(graph), 0);
    assert_hip_ok(hipGraphAddEventRecordNode(&record, graph, NULL, 0, event));
    assert_hip_ok(hipGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    assert_int_equal(type_of(record), hipGraphNodeTypeEventRecord);
    assert_int_equal(type_of(wait), hipGraphNodeTypeWaitEvent);
    assert_hip_ok(hipGraphEventRecordNodeGetEvent(record, &got));
    assert_ptr_equal(got, event);
    assert_hip_ok(hipGraphEventWaitNodeGetEvent(wait, &got));
    assert_hip(hipGraphEventRecordNodeGetEvent(record, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphEventWaitNodeGetEvent(record, &got), hipErrorInvalidValue);
    assert_hip(hipGraphEventRecordNodeGetEvent(wait, &got), hipErrorInvalidValue);
    assert_hip(hipGraphEventRecordNodeSetEvent(record, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphEventRecordNodeSetEvent(wait, event), hipErrorInvalidValue);
    assert_hip(hipGraphEventWaitNodeSetEvent(record, event), hipErrorInvalidValue);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipEventDestroy(event));
}

static void a_node_records_its_event_at_each_launch(void **state) {
    struct gate gate = {false, 0};
    hipGraph_t graph = new_graph();
    hipEvent_t first = NULL;
    hipEvent_t second = NULL;
    hipGraphNode_t record = NULL;
    float ms = -1;
    (void)state;
    assert_hip_ok(hipEventCreate(&first));
    assert_hip_ok(hipEventCreate(&second));
    hipGraphNode_t blocked = add_function(graph, NULL, 0, pass_gate, &gate);
    assert_hip_ok(hipGraphAddEventRecordNode(&record, graph, &blocked, 1, first));
    assert_hip_ok(hipEventQuery(first)); // never recorded
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip(hipEventQuery(first), hipErrorNotReady);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipEventSynchronize(first));
    assert_int_equal(atomic_load(&gate.passed), 1);
    assert_hip_ok(hipGraphEventRecordNodeSetEvent(record, second));
    assert_hip_ok(hipEventDestroy(first)); // the executable graph still uses it
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip(hipEventElapsedTime(&ms, second, second), hipErrorInvalidHandle);
    run_graph(graph);
    assert_hip_ok(hipEventElapsedTime(&ms, second, second));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipEventDestroy(second));
}

static void a_node_waits_for_a_record_of_another_stream(void **state) {
    struct gate gate = {false, 0};
    struct seen seen = {&gate, 9};
    hipGraph_t graph = new_graph();
    hipStream_t other = NULL;
    hipStream_t stream = NULL;
    hipEvent_t event = NULL;
    hipEvent_t never = NULL;
    hipGraphNode_t waits[2];
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipEventCreate(&never));
    assert_hip_ok(hipLaunchHostFunc(other, pass_gate, &gate));
    assert_hip_ok(hipEventRecord(event, other));
    assert_hip_ok(hipGraphAddEventWaitNode(&waits[0], graph, NULL, 0, never));
    assert_hip_ok(hipGraphAddEventWaitNode(&waits[1], graph, NULL, 0, event));
    (void)add_function(graph, waits, 2, see, &seen);
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphLaunch(exec, stream));
    let_others_begin();
    assert_int_equal(atomic_load(&seen.passed), 9);
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(atomic_load(&seen.passed), 1);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipEventDestroy(never));
    assert_hip_ok(hipStreamDestroy(other));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void a_record_on_another_device_fails_at_the_launch(void **state) {
    hipEvent_t event = NULL;
    hipGraphNode_t record = NULL;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipSetDevice(0));
    hipGraph_t graph = new_graph();
    assert_hip_ok(hipGraphAddEventRecordNode(&record, graph, NULL, 0, event));
    hipGraphExec_t exec = make_exec(graph);
    assert_hip(hipGraphLaunch(exec, NULL), hipErrorInvalidHandle);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipEventDestroy(event));
}

// ---- child graphs

static void children_are_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t child = new_graph();
    hipGraph_t got = NULL;
    hipGraphNode_t node = NULL;
    (void)state;
    hipGraphNode_t empty = add_empty(graph, NULL, 0);
    assert_hip(hipGraphAddChildGraphNode(&node, graph, NULL, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphAddChildGraphNode(NULL, graph, NULL, 0, child), hipErrorInvalidValue);
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, &empty, 1, child));
    assert_int_equal(type_of(node), hipGraphNodeTypeGraph);
    assert_hip(hipGraphChildGraphNodeGetGraph(NULL, &got), hipErrorInvalidValue);
    assert_hip(hipGraphChildGraphNodeGetGraph(node, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphChildGraphNodeGetGraph(empty, &got), hipErrorInvalidValue);
    assert_null(got);
    assert_hip_ok(hipGraphChildGraphNodeGetGraph(node, &got));
    assert_ptr_not_equal(got, child);
    assert_hip(hipGraphDestroy(got), hipErrorInvalidValue); // of the node
    assert_int_equal(count_nodes(got), 0);
    assert_hip_ok(hipGraphDestroy(child));
    assert_hip(hipGraphAddChildGraphNode(&node, graph, NULL, 0, child), hipErrorInvalidValue);
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, NULL, 0, graph)); // of itself
    assert_int_equal(count_nodes(graph), 3);
    run_graph(graph);
    assert_hip_ok(hipGraphDestroyNode(node));
    assert_hip_ok(hipGraphDestroy(graph));
    size_t count = 9;
    assert_hip(hipGraphGetNodes(got, NULL, &count), hipErrorInvalidValue); // gone with its node
}

// As ROCm 6.3 answered.
static void a_child_is_copied_when_it_is_added(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t child = new_graph();
    hipGraph_t copy = NULL;
    hipGraphNode_t node = NULL;
    hipGraphNode_t first = NULL;
    size_t count = 1;
    void *d = new_zeros(64);
    (void)state;
    hipGraphNode_t fill = add_word(child, NULL, 0, d, 5);
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    assert_hip_ok(hipGraphChildGraphNodeGetGraph(node, &copy));
    (void)add_word(child, &fill, 1, d, 6);
    assert_int_equal(count_nodes(copy), 1);
    assert_hip_ok(hipGraphDestroy(child));
    hipGraphExec_t exec = make_exec(graph);
    run_graph(graph);
    assert_int_equal(word_at(d, 0), 5);
    assert_hip_ok(hipGraphGetNodes(copy, &first, &count));
    (void)add_word(copy, &first, 1, d, 8); // the copy is the program's to change
    run_graph(graph);
    assert_int_equal(word_at(d, 0), 8);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_int_equal(word_at(d, 0), 5);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipFree(d));
}

static char order[8];
static atomic_count_t order_count;
static void note_letter(void *letter) {
    order[atomic_fetch_add(&order_count, 1)] = *(const char *)letter;
}

static void children_run_between_their_neighbours(void **state) {
    static char letters[] = "1234";
    hipGraph_t graphs[3] = {new_graph(), new_graph(), new_graph()};
    hipGraph_t clone = NULL;
    hipGraphNode_t nodes[2];
    (void)state;
    (void)add_function(graphs[0], NULL, 0, note_letter, &letters[0]);
    assert_hip_ok(hipGraphAddChildGraphNode(&nodes[0], graphs[1], NULL, 0, graphs[0]));
    (void)add_function(graphs[1], nodes, 1, note_letter, &letters[1]);
    hipGraphNode_t before = add_empty(graphs[2], NULL, 0);
    assert_hip_ok(hipGraphAddChildGraphNode(&nodes[0], graphs[2], &before, 1, graphs[1]));
    assert_hip_ok(hipGraphAddChildGraphNode(&nodes[1], graphs[2], &nodes[0], 1, graphs[1]));
    (void)add_function(graphs[2], nodes, 2, note_letter, &letters[2]);
    assert_hip_ok(hipGraphClone(&clone, graphs[2]));
    for (int i = 0; i < 3; i++) assert_hip_ok(hipGraphDestroy(graphs[i]));
    atomic_store(&order_count, 0);
    run_graph(clone);
    assert_int_equal(atomic_load(&order_count), 5);
    assert_memory_equal(order, "12123", 5);
    assert_hip_ok(hipGraphDestroy(clone));
}

static void branches_of_a_child_join_before_its_node_ends(void **state) {
    struct gate gates[2] = {{false, 0}, {false, 0}};
    struct seen seen = {&gates[1], 9};
    hipGraph_t graph = new_graph();
    hipGraph_t child = new_graph();
    hipGraphNode_t node = NULL;
    (void)state;
    need_functions_at_once();
    for (int i = 0; i < 2; i++) (void)add_function(child, NULL, 0, pass_gate, &gates[i]);
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    (void)add_function(graph, &node, 1, see, &seen);
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    atomic_store(&gates[0].open, true);
    while (atomic_load(&gates[0].passed) == 0) let_others_begin();
    let_others_begin();
    assert_int_equal(atomic_load(&seen.passed), 9);
    atomic_store(&gates[1].open, true);
    assert_hip_ok(hipGraphExecDestroy(exec)); // while it runs
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(atomic_load(&seen.passed), 1);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(child));
}

static void a_cycle_in_a_child_makes_no_executable_graph(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t child = new_graph();
    hipGraphNode_t node = NULL;
    hipGraphExec_t exec = NULL;
    (void)state;
    hipGraphNode_t a = add_empty(child, NULL, 0);
    hipGraphNode_t b = add_empty(child, &a, 1);
    assert_hip_ok(hipGraphAddDependencies(child, &b, &a, 1));
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    assert_hip(hipGraphInstantiate(&exec, graph, NULL, NULL, 0), hipErrorInvalidValue);
    assert_null(exec);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(child));
}

static void a_child_keeps_the_objects_of_its_graph(void **state) {
    static atomic_count_t ended;
    hipGraph_t graph = new_graph();
    hipGraph_t child = new_graph();
    hipUserObject_t object = NULL;
    hipGraphNode_t node = NULL;
    (void)state;
    assert_hip_ok(hipUserObjectCreate(&object, &ended, count, 1, hipUserObjectNoDestructorSync));
    assert_hip_ok(hipGraphRetainUserObject(child, object, 1, hipGraphUserObjectMove));
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    assert_hip_ok(hipGraphDestroy(child));
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_int_equal(atomic_load(&ended), 0);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_int_equal(atomic_load(&ended), 1);
}

// ---- values

static hipStreamBatchMemOpParams value_op(int operation, void *address, uint64_t value) {
    hipStreamBatchMemOpParams params;
    memset(&params, 0, sizeof params);
    params.operation = (hipStreamBatchMemOpType)operation;
    params.waitValue.address = address;
    params.waitValue.value64 = value;
    params.waitValue.flags = hipStreamWaitValueEq;
    return params;
}

static void nodes_of_values_are_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    uint32_t *word = (uint32_t *)new_zeros(64);
    uint32_t stack = 0;
    hipStreamBatchMemOpParams ops[2] = {value_op(hipStreamMemOpWriteValue32, word, 7),
                                        value_op(hipStreamMemOpWaitValue64, word, 7)};
    hipBatchMemOpNodeParams params = {(hipCtx_t)word, 2, ops, 0};
    hipBatchMemOpNodeParams got;
    (void)state;
    hipBatchMemOpNodeParams bad[] = {{NULL, 2, ops, 0},
                                     {params.ctx, 0, ops, 0},
                                     {params.ctx, 257, ops, 0},
                                     {params.ctx, 2, NULL, 0},
                                     {params.ctx, 2, ops, 1}};
    for (int i = 0; i < 5; i++)
        assert_hip(hipGraphAddBatchMemOpNode(&node, graph, NULL, 0, &bad[i]), hipErrorInvalidValue);
    assert_hip(hipGraphAddBatchMemOpNode(&node, graph, NULL, 0, NULL), hipErrorInvalidValue);
    ops[1].operation = hipStreamMemOpBarrier;
    assert_hip(hipGraphAddBatchMemOpNode(&node, graph, NULL, 0, &params), hipErrorInvalidValue);
    ops[1] = value_op(hipStreamMemOpWaitValue64, &stack, 7);
    assert_hip(hipGraphAddBatchMemOpNode(&node, graph, NULL, 0, &params), hipErrorInvalidValue);
    ops[1] = value_op(hipStreamMemOpWaitValue64, word, 7);
    assert_hip_ok(hipGraphAddBatchMemOpNode(&node, graph, NULL, 0, &params));
    assert_int_equal(type_of(node), hipGraphNodeTypeBatchMemOp);
    hipGraphNode_t empty = add_empty(graph, NULL, 0);
    memset(ops, 0, sizeof ops); // it was copied
    assert_hip(hipGraphBatchMemOpNodeGetParams(node, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphBatchMemOpNodeGetParams(empty, &got), hipErrorInvalidValue);
    assert_hip_ok(hipGraphBatchMemOpNodeGetParams(node, &got));
    assert_true(got.ctx == params.ctx && got.count == 2 && got.flags == 0);
    assert_int_equal(got.paramArray[0].operation, hipStreamMemOpWriteValue32);
    assert_int_equal(got.paramArray[1].operation, hipStreamMemOpWaitValue64);
    assert_ptr_equal(got.paramArray[1].waitValue.address, word);
    assert_int_equal(got.paramArray[1].waitValue.value64, 7);
    assert_int_equal(got.paramArray[1].waitValue.flags, hipStreamWaitValueEq);
    run_graph(graph);
    assert_int_equal(word_at(word, 0), 7);
    got.count = 1;
    got.paramArray[0].writeValue.value = 9; // the node's own list, given back
    assert_hip(hipGraphBatchMemOpNodeSetParams(empty, &got), hipErrorInvalidValue);
    assert_hip(hipGraphBatchMemOpNodeSetParams(node, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipGraphBatchMemOpNodeSetParams(node, &got));
    run_graph(graph);
    assert_int_equal(word_at(word, 0), 9);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(word));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_of_events_are_checked),
        cmocka_unit_test(a_node_records_its_event_at_each_launch),
        cmocka_unit_test(a_node_waits_for_a_record_of_another_stream),
        cmocka_unit_test(a_record_on_another_device_fails_at_the_launch),
        cmocka_unit_test(children_are_checked),
        cmocka_unit_test(a_child_is_copied_when_it_is_added),
        cmocka_unit_test(children_run_between_their_neighbours),
        cmocka_unit_test(branches_of_a_child_join_before_its_node_ends),
        cmocka_unit_test(a_cycle_in_a_child_makes_no_executable_graph),
        cmocka_unit_test(a_child_keeps_the_objects_of_its_graph),
        cmocka_unit_test(nodes_of_values_are_checked),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
