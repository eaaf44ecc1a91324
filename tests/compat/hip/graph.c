// SPDX-License-Identifier: Apache-2.0
// Graphs: their nodes, and running them.
#include <pthread.h>

#include "support/work.h"

// ---- making

static hipGraph_t capture_functions(hipStream_t stream, int functions, hipHostFn_t fn, void *arg) {
    hipGraph_t graph = NULL;
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    for (int i = 0; i < functions; i++) assert_hip_ok(hipLaunchHostFunc(stream, fn, arg));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    return graph;
}

static hipGraphExec_t instantiate(hipGraph_t graph) {
    hipGraphExec_t exec = NULL;
    assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    return exec;
}

static void handles_that_are_none_are_refused(void **state) {
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNodeType type = hipGraphNodeTypeCount;
    size_t num = 0;
    (void)state;
    assert_hip_ok(hipGraphCreate(&graph, 0));
    assert_hip_ok(hipGraphDestroy(graph));
    hipGraph_t dead[] = {graph, NULL, (hipGraph_t)&exec};
    for (int i = 0; i < 3; i++) {
        assert_hip(hipGraphDestroy(dead[i]),
                   dead[i] == NULL ? hipErrorInvalidValue : hipErrorIllegalState);
        assert_hip(hipGraphInstantiate(&exec, dead[i], NULL, NULL, 0), hipErrorInvalidValue);
        assert_hip(hipGraphGetNodes(dead[i], NULL, &num), hipErrorInvalidValue);
        assert_hip(hipGraphGetRootNodes(dead[i], NULL, &num), hipErrorInvalidValue);
        assert_hip(hipGraphClone(&graph, dead[i]), hipErrorInvalidValue);
        assert_hip(hipGraphNodeGetType((hipGraphNode_t)dead[i], &type), hipErrorInvalidValue);
        assert_hip(hipGraphNodeGetDependencies((hipGraphNode_t)dead[i], NULL, &num),
                   hipErrorInvalidValue);
        assert_hip(hipGraphLaunch((hipGraphExec_t)dead[i], NULL), hipErrorInvalidValue);
        assert_hip(hipGraphExecDestroy((hipGraphExec_t)dead[i]), hipErrorInvalidValue);
    }
    assert_null(exec);
}

static void outputs_that_are_null_are_refused(void **state) {
    hipStream_t stream = hipStreamPerThread;
    _Atomic(int) counter = 0;
    (void)state;
    hipGraph_t graph = capture_functions(stream, 1, count, &counter);
    hipGraph_t fresh = NULL;
    hipGraphNode_t node = NULL;
    size_t num = 1;
    assert_hip(hipGraphCreate(NULL, 0), hipErrorInvalidValue);
    assert_hip(hipGraphCreate(&fresh, 1), hipErrorInvalidValue);
    assert_null(fresh);
    assert_hip(hipGraphClone(NULL, graph), hipErrorInvalidValue);
    assert_hip(hipGraphInstantiate(NULL, graph, NULL, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipGraphGetNodes(graph, &node, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphGetRootNodes(graph, &node, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipGraphGetNodes(graph, &node, &num));
    assert_hip(hipGraphNodeGetType(node, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphNodeGetDependencies(node, &node, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipGraphDestroy(graph));
    hipGraphNodeType type = hipGraphNodeTypeCount;
    assert_hip(hipGraphNodeGetType(node, &type), hipErrorInvalidValue); // gone with its graph
}

static void flags_are_checked(void **state) {
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    (void)state;
    assert_hip_ok(hipGraphCreate(&graph, 0));
    for (unsigned long long flags = 0; flags < 64; flags++) {
        exec = NULL;
        if (flags == 0 || flags == hipGraphInstantiateFlagAutoFreeOnLaunch ||
            flags == hipGraphInstantiateFlagUseNodePriority) {
            assert_hip_ok(hipGraphInstantiateWithFlags(&exec, graph, flags));
            assert_hip_ok(hipGraphExecDestroy(exec));
        } else {
            assert_hip(hipGraphInstantiateWithFlags(&exec, graph, flags), hipErrorInvalidValue);
            assert_null(exec);
        }
    }
    assert_hip_ok(hipGraphDestroy(graph));
}

// ---- nodes

static void lists_of_nodes_fill_what_room_there_is(void **state) {
    _Atomic(int) counter = 0;
    hipGraphNode_t all[5];
    hipGraphNode_t some[2] = {NULL};
    size_t num = 0;
    (void)state;
    hipGraph_t graph = capture_functions(hipStreamPerThread, 3, count, &counter);
    assert_hip_ok(hipGraphGetNodes(graph, NULL, &num));
    assert_int_equal(num, 3);
    num = 5;
    memset(all, 0xff, sizeof all);
    assert_hip_ok(hipGraphGetNodes(graph, all, &num));
    assert_int_equal(num, 3);
    assert_null(all[3]);
    assert_null(all[4]);
    assert_ptr_not_equal(all[0], all[1]);
    num = 2;
    assert_hip_ok(hipGraphGetNodes(graph, some, &num));
    assert_int_equal(num, 2);
    assert_ptr_equal(some[1], all[1]);
    num = 2;
    assert_hip_ok(hipGraphGetRootNodes(graph, some, &num));
    assert_int_equal(num, 1);
    assert_ptr_equal(some[0], all[0]);
    assert_null(some[1]);
    hipGraphNodeType type = hipGraphNodeTypeCount;
    assert_hip_ok(hipGraphNodeGetType(all[2], &type));
    assert_int_equal(type, hipGraphNodeTypeHost);
    assert_hip_ok(hipGraphDestroy(graph));
}

// ---- running

static void an_executable_graph_runs_as_often_as_launched(void **state) {
    hipStream_t stream = NULL;
    _Atomic(int) counter = 0;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    hipGraph_t graph = capture_functions(stream, 3, count, &counter);
    hipGraphExec_t exec = instantiate(graph);
    assert_hip_ok(hipGraphDestroy(graph)); // no longer needed
    hipStream_t streams[] = {stream, NULL, hipStreamPerThread};
    for (int i = 0; i < 9; i++) assert_hip_ok(hipGraphLaunch(exec, streams[i % 3]));
    assert_hip(hipGraphLaunch(exec, (hipStream_t)&counter), hipErrorContextIsDestroyed);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(counter, 27);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void an_empty_graph_does_nothing(void **state) {
    hipGraph_t graph = NULL;
    (void)state;
    assert_hip_ok(hipGraphCreate(&graph, 0));
    hipGraphExec_t exec = instantiate(graph);
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

static void a_clone_outlives_its_original(void **state) {
    _Atomic(int) counter = 0;
    hipGraph_t copy = NULL;
    size_t num = 0;
    (void)state;
    hipGraph_t graph = capture_functions(hipStreamPerThread, 2, count, &counter);
    assert_hip_ok(hipGraphClone(&copy, graph));
    assert_ptr_not_equal(copy, graph);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphGetNodes(copy, NULL, &num));
    assert_int_equal(num, 2);
    hipGraphExec_t exec = instantiate(copy);
    assert_hip_ok(hipGraphDestroy(copy));
    assert_hip_ok(hipGraphLaunch(exec, hipStreamPerThread));
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    assert_int_equal(counter, 2);
    assert_hip_ok(hipGraphExecDestroy(exec));
}

static void a_graph_may_be_destroyed_while_it_runs(void **state) {
    struct gate gate = {false, 0};
    (void)state;
    hipGraph_t graph = capture_functions(hipStreamPerThread, 3, pass_gate, &gate);
    hipGraphExec_t exec = instantiate(graph);
    assert_hip_ok(hipGraphLaunch(exec, hipStreamPerThread));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_int_equal(gate.passed, 0);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    assert_int_equal(gate.passed, 3);
}

// Writes down in which order functions came.
struct trace {
    int at;
    int order[8];
};
struct step {
    struct trace *trace;
    int number;
};

static void take_step(void *arg) {
    struct step *step = arg;
    step->trace->order[step->trace->at++] = step->number;
}

static void a_launch_keeps_the_order_of_its_dependencies(void **state) {
    struct trace trace = {0, {0}};
    struct step steps[4];
    hipStream_t first = NULL;
    hipStream_t second = NULL;
    hipEvent_t event = NULL;
    hipGraph_t graph = NULL;
    (void)state;
    for (int i = 0; i < 4; i++) steps[i] = (struct step){&trace, i};
    assert_hip_ok(hipStreamCreate(&first));
    assert_hip_ok(hipStreamCreate(&second));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
    assert_hip_ok(hipLaunchHostFunc(first, take_step, &steps[0]));
    assert_hip_ok(hipEventRecord(event, first));
    assert_hip_ok(hipStreamWaitEvent(second, event, 0));
    assert_hip_ok(hipLaunchHostFunc(second, take_step, &steps[1]));
    assert_hip_ok(hipLaunchHostFunc(second, take_step, &steps[2]));
    assert_hip_ok(hipEventRecord(event, second));
    assert_hip_ok(hipStreamWaitEvent(first, event, 0));
    assert_hip_ok(hipLaunchHostFunc(first, take_step, &steps[3]));
    assert_hip_ok(hipStreamEndCapture(first, &graph));
    hipGraphExec_t exec = instantiate(graph);
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
    for (int i = 0; i < 4; i++) assert_int_equal(trace.order[i], i);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(second));
    assert_hip_ok(hipStreamDestroy(first));
}

// A gate, and how many have been at it at once.
struct doorway {
    struct gate gate;
    atomic_count_t inside;
    atomic_count_t most;
};

static void pass_doorway(void *arg) {
    struct doorway *doorway = arg;
    int now = ++doorway->inside;
    if (now > doorway->most) doorway->most = now;
    pass_gate(&doorway->gate);
    doorway->inside--;
}

// AMD's answers. The second round launches while the first one's lanes are free again.
static void launches_of_one_graph_follow_their_streams_only(void **state) {
    hipStream_t streams[2];
    struct doorway doorway = {{false, 0}, 0, 0};
    (void)state;
    need_functions_at_once();
    for (int i = 0; i < 2; i++) assert_hip_ok(hipStreamCreate(&streams[i]));
    hipGraph_t graph = capture_functions(streams[0], 1, pass_doorway, &doorway);
    hipGraphExec_t exec = instantiate(graph);
    for (int same = 0; same < 2; same++) {
        doorway = (struct doorway){{false, 0}, 0, 0};
        assert_hip_ok(hipGraphLaunch(exec, streams[0]));
        assert_hip_ok(hipGraphLaunch(exec, streams[same == 0 ? 1 : 0]));
        while (doorway.inside < (same == 0 ? 2 : 1)) let_others_begin();
        let_others_begin();
        assert_hip(hipStreamQuery(streams[0]), hipErrorNotReady);
        assert_int_equal(doorway.most, same == 0 ? 2 : 1);
        doorway.gate.open = true;
        assert_hip_ok(hipDeviceSynchronize());
        assert_int_equal(doorway.gate.passed, 2);
        assert_int_equal(doorway.most, same == 0 ? 2 : 1);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    for (int i = 0; i < 2; i++) assert_hip_ok(hipStreamDestroy(streams[i]));
}

// Level 7 refuses it; see capture.c.
static void a_launch_on_the_null_stream_runs_beside_a_capture(void **state) {
    _Atomic(int) counter = 0;
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip_ok(hipLaunchHostFunc(stream, count, &counter));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    hipGraphExec_t exec = instantiate(graph);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(counter, 1);
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void a_graph_launched_into_a_capture_becomes_a_node(void **state) {
    hipStream_t stream = NULL;
    _Atomic(int) counter = 0;
    hipGraph_t outer = NULL;
    hipGraphNode_t node = NULL;
    hipGraphNodeType type = hipGraphNodeTypeCount;
    size_t num = 1;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    hipGraph_t inner = capture_functions(stream, 5, count, &counter);
    hipGraphExec_t exec = instantiate(inner);
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipStreamEndCapture(stream, &outer));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(inner));
    assert_hip_ok(hipGraphGetNodes(outer, &node, &num));
    assert_int_equal(num, 1);
    assert_hip_ok(hipGraphNodeGetType(node, &type));
    assert_int_equal(type, hipGraphNodeTypeGraph);
    exec = instantiate(outer);
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(counter, 10);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(outer));
    assert_hip_ok(hipStreamDestroy(stream));
}

// AMD's answers. Work of the stream, which is of another device, comes before and behind.
static void a_stream_of_another_device_launches_a_graph_in_its_order(void **state) {
    struct gate gate = {false, 0};
    _Atomic(int) counter = 0;
    (void)state;
    hipGraph_t graph = capture_functions(hipStreamPerThread, 1, count, &counter);
    hipGraphExec_t exec = instantiate(graph);
    hipStream_t stream = NULL;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    for (int i = 0; i < 2; i++) assert_hip_ok(hipGraphLaunch(exec, stream));
    let_others_begin();
    assert_int_equal(counter, 0);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(counter, 2);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

static void copies_and_fills_are_captured_and_run(void **state) {
    unsigned char from[256];
    unsigned char to[256] = {0};
    void *memory = NULL;
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    hipGraphNode_t nodes[3];
    size_t num = 3;
    (void)state;
    memset(from, 1, sizeof from);
    assert_hip_ok(hipMalloc(&memory, sizeof from));
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip_ok(hipMemcpyAsync(memory, from, sizeof from, hipMemcpyHostToDevice, stream));
    assert_hip_ok(hipMemsetAsync(memory, 7, 16, stream));
    assert_hip_ok(hipMemcpyAsync(to, memory, sizeof to, hipMemcpyDeviceToHost, stream));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    const hipGraphNodeType want[] = {hipGraphNodeTypeMemcpy, hipGraphNodeTypeMemset,
                                     hipGraphNodeTypeMemcpy};
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &num));
    for (int i = 0; i < 3; i++) {
        hipGraphNodeType type = hipGraphNodeTypeCount;
        assert_hip_ok(hipGraphNodeGetType(nodes[i], &type));
        assert_int_equal(type, want[i]);
    }
    hipGraphExec_t exec = instantiate(graph);
    for (unsigned char round = 1; round < 4; round++) {
        memset(from, round, sizeof from); // a launch copies what is there then
        assert_hip_ok(hipGraphLaunch(exec, stream));
        assert_hip_ok(hipStreamSynchronize(stream));
        for (size_t i = 0; i < sizeof to; i++) assert_int_equal(to[i], i < 16 ? 7 : round);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(memory));
}

// ---- threads

static void *launch_often(void *arg) {
    for (int i = 0; i < 100; i++) assert_hip_ok(hipGraphLaunch(arg, hipStreamPerThread));
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    return NULL;
}

static void threads_may_launch_one_graph_at_once(void **state) {
    atomic_count_t sum = 0;
    pthread_t threads[4];
    (void)state;
    hipGraph_t graph = capture_functions(hipStreamPerThread, 2, count, &sum);
    hipGraphExec_t exec = instantiate(graph);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_often, exec), 0);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(sum, 800);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_that_are_none_are_refused),
        cmocka_unit_test(outputs_that_are_null_are_refused),
        cmocka_unit_test(flags_are_checked),
        cmocka_unit_test(lists_of_nodes_fill_what_room_there_is),
        cmocka_unit_test(an_executable_graph_runs_as_often_as_launched),
        cmocka_unit_test(an_empty_graph_does_nothing),
        cmocka_unit_test(a_clone_outlives_its_original),
        cmocka_unit_test(a_graph_may_be_destroyed_while_it_runs),
        cmocka_unit_test(a_launch_keeps_the_order_of_its_dependencies),
        cmocka_unit_test(launches_of_one_graph_follow_their_streams_only),
        cmocka_unit_test(a_launch_on_the_null_stream_runs_beside_a_capture),
        cmocka_unit_test(a_graph_launched_into_a_capture_becomes_a_node),
        cmocka_unit_test(a_stream_of_another_device_launches_a_graph_in_its_order),
        cmocka_unit_test(copies_and_fills_are_captured_and_run),
        cmocka_unit_test(threads_may_launch_one_graph_at_once),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
