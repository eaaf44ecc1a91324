// SPDX-License-Identifier: Apache-2.0
// Captures that add nodes to a graph of the program, and nodes added by hand during a capture.
#include "support/graph.h"

static hipStream_t new_stream(void) {
    hipStream_t stream = NULL;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    return stream;
}

// As ROCm 6.3 answered.
static void arguments_are_checked_in_their_order(void **state) {
    const hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
    hipStream_t stream = new_stream();
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    hipGraph_t out = NULL;
    hipGraphEdgeData data;
    (void)state;
    hipGraphNode_t a = add_empty(graph, NULL, 0);
    hipGraphNode_t foreign = add_empty(other, NULL, 0);
    memset(&data, 0, sizeof data);
    assert_hip(hipStreamBeginCaptureToGraph(stream, NULL, NULL, &data, 1, mode),
               hipErrorNotSupported);
    assert_hip(hipStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 1, mode),
               hipErrorInvalidValue);
    assert_hip(hipStreamBeginCaptureToGraph(stream, graph, &a, NULL, 0, mode),
               hipErrorInvalidValue);
    assert_hip(hipStreamBeginCaptureToGraph(stream, NULL, &a, NULL, 1, mode), hipErrorInvalidValue);
    assert_hip(hipStreamBeginCaptureToGraph(stream, graph, &a, NULL, 1, (hipStreamCaptureMode)9),
               hipErrorInvalidValue);
    assert_hip(hipStreamBeginCaptureToGraph(NULL, graph, &a, NULL, 1, mode),
               hipErrorStreamCaptureUnsupported);
    assert_hip(hipStreamBeginCaptureToGraph(stream, graph, &foreign, NULL, 1, mode),
               hipErrorInvalidValue);
    hipStreamCaptureStatus status = hipStreamCaptureStatusActive;
    assert_hip_ok(hipStreamIsCapturing(stream, &status));
    assert_int_equal(status, hipStreamCaptureStatusNone);
    assert_hip_ok(hipStreamBeginCaptureToGraph(stream, graph, &a, NULL, 1, mode));
    assert_hip(hipStreamBeginCaptureToGraph(stream, graph, &a, NULL, 1, mode),
               hipErrorIllegalState);
    hipStream_t second = hipStreamPerThread;
    assert_hip(hipStreamBeginCaptureToGraph(second, graph, NULL, NULL, 0, mode),
               hipErrorIllegalState);
    assert_hip(hipGraphDestroy(graph), hipErrorIllegalState);
    assert_hip_ok(hipStreamEndCapture(stream, &out));
    assert_ptr_equal(out, graph);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(other));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void captured_nodes_follow_those_that_are_named(void **state) {
    hipStream_t stream = new_stream();
    hipGraph_t graph = new_graph();
    hipGraph_t out = NULL;
    hipGraphNode_t nodes[4];
    hipGraphNode_t before[2];
    size_t count = 4;
    unsigned *d = (unsigned *)new_zeros(64);
    const hipMemsetParams fill = {d, 4, 1, 0, 3, 1};
    (void)state;
    assert_hip_ok(hipGraphAddMemsetNode(&nodes[0], graph, NULL, 0, &fill));
    (void)add_empty(graph, NULL, 0); // loose, which a capture does not ask for
    assert_hip_ok(
        hipStreamBeginCaptureToGraph(stream, graph, nodes, NULL, 1, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipMemcpyAsync(d + 1, d, 4, hipMemcpyDeviceToDevice, stream));
    assert_hip_ok(hipMemsetAsync(d, 0, 4, stream));
    assert_hip_ok(hipStreamEndCapture(stream, &out));
    assert_ptr_equal(out, graph);
    assert_int_equal(count_nodes(graph), 4);
    count = 3;
    assert_hip_ok(hipGraphNodeGetDependentNodes(nodes[0], &nodes[1], &count));
    assert_int_equal(count, 1);
    assert_int_equal(type_of(nodes[1]), hipGraphNodeTypeMemcpy);
    count = 2;
    assert_hip_ok(hipGraphNodeGetDependencies(nodes[1], before, &count));
    assert_true(count == 1 && before[0] == nodes[0]);
    run_graph(graph);
    assert_int_equal(word_at(d, 4), 3);
    assert_int_equal(word_at(d, 0), 0);
    assert_hip_ok(hipStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0,
                                               hipStreamCaptureModeRelaxed)); // again, and a root
    assert_hip_ok(hipMemsetAsync(d + 2, 1, 4, stream));
    assert_hip_ok(hipStreamEndCapture(stream, &out));
    count = 9;
    assert_hip_ok(hipGraphGetRootNodes(graph, NULL, &count));
    assert_int_equal(count, 3);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(d));
}

static void a_capture_that_fails_leaves_the_graph_to_the_program(void **state) {
    hipStream_t streams[2] = {new_stream(), new_stream()};
    hipGraph_t graph = new_graph();
    hipGraph_t out = (hipGraph_t)9;
    hipEvent_t event = NULL;
    void *d = new_zeros(64);
    (void)state;
    (void)add_empty(graph, NULL, 0);
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipStreamBeginCaptureToGraph(streams[0], graph, NULL, NULL, 0,
                                               hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipMemsetAsync(d, 1, 4, streams[0]));
    assert_hip_ok(hipEventRecord(event, streams[0]));
    assert_hip_ok(hipStreamWaitEvent(streams[1], event, 0));
    assert_hip_ok(hipMemsetAsync(d, 2, 4, streams[1]));
    assert_hip(hipStreamEndCapture(streams[0], &out), hipErrorStreamCaptureUnjoined);
    assert_null(out);
    assert_int_equal(count_nodes(graph), 3);
    run_graph(graph);
    assert_hip_ok(hipStreamBeginCaptureToGraph(streams[0], graph, NULL, NULL, 0,
                                               hipStreamCaptureModeRelaxed));
    assert_hip(hipStreamQuery(streams[0]), hipErrorStreamCaptureUnsupported);
    assert_hip_ok(hipStreamBeginCaptureToGraph(streams[0], graph, NULL, NULL, 0,
                                               hipStreamCaptureModeRelaxed)); // it was invalid
    assert_hip_ok(hipStreamDestroy(streams[0]));                              // ends the capture
    assert_int_equal(count_nodes(graph), 3);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(streams[1]));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipFree(d));
}

static void the_graph_may_belong_to_a_node(void **state) {
    hipStream_t stream = new_stream();
    hipGraph_t graph = new_graph();
    hipGraph_t child = NULL;
    hipGraph_t captured = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t node = NULL;
    unsigned char *d = NULL;
    unsigned char byte = 0;
    (void)state;
    assert_hip_ok(hipMalloc((void **)&d, 16));
    assert_hip_ok(hipMemset(d, 0, 16));
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, NULL, 0, graph));
    assert_hip_ok(hipGraphChildGraphNodeGetGraph(node, &child));
    assert_hip_ok(
        hipStreamBeginCaptureToGraph(stream, child, NULL, NULL, 0, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipMemsetAsync(d, 7, 16, stream));
    assert_hip_ok(hipStreamEndCapture(stream, &captured));
    assert_ptr_equal(captured, child);
    assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipMemcpy(&byte, d + 15, 1, hipMemcpyDeviceToHost));
    assert_int_equal(byte, 7);
    assert_hip_ok(hipGraphExecDestroy(exec));
    // The graph may end while the stream captures into its child.
    assert_hip_ok(
        hipStreamBeginCaptureToGraph(stream, child, NULL, NULL, 0, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipGraphDestroy(graph));
    (void)hipStreamEndCapture(stream, &captured);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(d));
}

static void graphs_of_other_devices_are_refused(void **state) {
    hipStream_t stream = new_stream();
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    hipGraph_t other = new_graph();
    (void)add_empty(other, NULL, 0);
    assert_hip_ok(hipSetDevice(0));
    assert_hip(
        hipStreamBeginCaptureToGraph(stream, other, NULL, NULL, 0, hipStreamCaptureModeRelaxed),
        hipErrorNotSupported);
    assert_hip_ok(hipGraphDestroy(other));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void a_graph_is_of_the_device_of_its_first_node(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t out = NULL;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    hipStream_t stream = new_stream();
    void *d = new_zeros(64);
    assert_hip_ok(
        hipStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipMemsetAsync(d, 3, 4, stream));
    assert_hip_ok(hipStreamEndCapture(stream, &out));
    assert_hip_ok(hipSetDevice(0));
    (void)add_empty(graph, NULL, 0); // does not make it one of device 0
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(word_at(d, 0), 0x03030303);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(d));
}

// AMD's answers.
static void a_stream_depends_on_a_node_that_was_added_by_hand(void **state) {
    hipStream_t stream = new_stream();
    hipStreamCaptureStatus status;
    hipGraph_t graph = NULL;
    hipGraph_t other = new_graph();
    hipGraph_t out = NULL;
    const hipGraphNode_t *list = NULL;
    size_t count = 9;
    void *d = new_zeros(64);
    (void)state;
    hipGraphNode_t foreign = add_empty(other, NULL, 0);
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip_ok(hipMemsetAsync(d, 1, 4, stream));
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, NULL, NULL));
    hipGraphNode_t x = add_empty(graph, NULL, 0);
    assert_hip_ok(hipStreamUpdateCaptureDependencies(stream, &x, 1, 0));
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, &list, &count));
    assert_true(count == 2 && list[1] == x);
    assert_hip_ok(
        hipStreamUpdateCaptureDependencies(stream, &x, 1, hipStreamSetCaptureDependencies));
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, &list, &count));
    assert_true(count == 1 && list[0] == x);
    assert_hip(hipStreamUpdateCaptureDependencies(stream, &x, 1, 2), hipErrorInvalidValue);
    assert_hip(hipStreamUpdateCaptureDependencies(stream, NULL, 1, 0), hipErrorInvalidValue);
    assert_hip(hipStreamUpdateCaptureDependencies(stream, &foreign, 1, 0), hipErrorInvalidValue);
    assert_hip_ok(
        hipStreamUpdateCaptureDependencies(stream, NULL, 0, hipStreamSetCaptureDependencies));
    assert_hip_ok(hipStreamEndCapture(stream, &out)); // what was added by hand need not be joined
    assert_ptr_equal(out, graph);
    assert_hip(hipStreamUpdateCaptureDependencies(stream, &x, 1, 0), hipErrorIllegalState);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(other));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(d));
}

static void graphs_are_built_and_launched_beside_a_capture(void **state) {
    hipStream_t stream = new_stream();
    hipGraph_t graph = new_graph();
    hipGraph_t out = NULL;
    (void)state;
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    (void)add_empty(graph, NULL, 0);
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamEndCapture(stream, &out));
    assert_hip_ok(hipGraphDestroy(out));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipStreamDestroy(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_checked_in_their_order),
        cmocka_unit_test(captured_nodes_follow_those_that_are_named),
        cmocka_unit_test(a_capture_that_fails_leaves_the_graph_to_the_program),
        cmocka_unit_test(the_graph_may_belong_to_a_node),
        cmocka_unit_test(graphs_of_other_devices_are_refused),
        cmocka_unit_test(a_graph_is_of_the_device_of_its_first_node),
        cmocka_unit_test(a_stream_depends_on_a_node_that_was_added_by_hand),
        cmocka_unit_test(graphs_are_built_and_launched_beside_a_capture),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
