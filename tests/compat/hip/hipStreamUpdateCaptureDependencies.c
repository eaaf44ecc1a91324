// SPDX-License-Identifier: Apache-2.0
// A program changes the nodes that the next node of a capture depends on, as RCCL does.
#include "support/work.h"

static void nothing(void *data) { (void)data; }

static hipStream_t capturing_stream(void) {
    hipStream_t stream = NULL;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    return stream;
}

// Captures a node. Returns it, which is then the stream's only dependency.
static hipGraphNode_t capture_node(hipStream_t stream) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    const hipGraphNode_t *nodes = NULL;
    size_t count = 0;
    assert_hip_ok(hipLaunchHostFunc(stream, nothing, NULL));
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, &nodes, &count));
    assert_int_equal(count, 1);
    return nodes[0];
}

static size_t count_dependencies(hipStream_t stream) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    size_t count = 99;
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, NULL, &count));
    return count;
}

static void end_capture(hipStream_t stream, size_t want_nodes) {
    hipGraph_t graph = NULL;
    size_t count = 0;
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, want_nodes);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void assert_depends_on(hipGraphNode_t node, const hipGraphNode_t *want, size_t want_count) {
    hipGraphNode_t got[8];
    size_t count = 8;
    assert_hip_ok(hipGraphNodeGetDependencies(node, got, &count));
    assert_int_equal(count, want_count);
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t k = 0; k < want_count; k++) found = found || got[i] == want[k];
        assert_true(found);
    }
}

static void added_nodes_join_those_so_far(void **state) {
    hipStream_t stream = capturing_stream();
    hipGraphNode_t nodes[3];
    (void)state;
    nodes[0] = capture_node(stream);
    nodes[1] = capture_node(stream);
    assert_hip_ok(
        hipStreamUpdateCaptureDependencies(stream, nodes, 1, hipStreamAddCaptureDependencies));
    assert_int_equal(count_dependencies(stream), 2);
    assert_hip_ok(hipStreamUpdateCaptureDependencies(stream, nodes, 2, 0)); // known already
    assert_int_equal(count_dependencies(stream), 2);
    nodes[2] = capture_node(stream);
    assert_depends_on(nodes[2], nodes, 2);
    end_capture(stream, 3);
}

static void nodes_that_are_set_replace_those_so_far(void **state) {
    hipStream_t stream = capturing_stream();
    hipGraphNode_t nodes[3];
    (void)state;
    nodes[0] = capture_node(stream);
    nodes[1] = capture_node(stream);
    assert_hip_ok(
        hipStreamUpdateCaptureDependencies(stream, nodes, 1, hipStreamSetCaptureDependencies));
    nodes[2] = capture_node(stream);
    assert_depends_on(nodes[2], nodes, 1);
    end_capture(stream, 3); // the node that was dropped needs no join
}

static void without_dependencies_the_next_node_is_a_root(void **state) {
    hipStream_t stream = capturing_stream();
    (void)state;
    (void)capture_node(stream);
    assert_hip_ok(
        hipStreamUpdateCaptureDependencies(stream, NULL, 0, hipStreamSetCaptureDependencies));
    assert_int_equal(count_dependencies(stream), 0);
    assert_depends_on(capture_node(stream), NULL, 0);
    end_capture(stream, 2);
}

static void a_fork_still_needs_its_join(void **state) {
    hipStream_t stream = capturing_stream();
    hipStream_t fork = NULL;
    hipEvent_t event = NULL;
    hipGraph_t graph = NULL;
    hipGraphNode_t node = capture_node(stream);
    (void)state;
    assert_hip_ok(hipStreamCreate(&fork));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipEventRecord(event, stream));
    assert_hip_ok(hipStreamWaitEvent(fork, event, 0));
    (void)capture_node(fork);
    assert_hip_ok(
        hipStreamUpdateCaptureDependencies(stream, &node, 1, hipStreamSetCaptureDependencies));
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureUnjoined);
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(fork));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void bad_arguments_are_refused_and_change_nothing(void **state) {
    hipStream_t stream = capturing_stream();
    hipStream_t other = capturing_stream();
    hipGraphNode_t nodes[2] = {capture_node(stream), capture_node(other)};
    (void)state;
    assert_hip(hipStreamUpdateCaptureDependencies(stream, nodes, 2, 1), hipErrorInvalidValue);
    (void)capture_node(stream);
    assert_hip(hipStreamUpdateCaptureDependencies(stream, nodes, 2, 1), hipErrorInvalidValue);
    assert_hip(hipStreamUpdateCaptureDependencies(stream, &nodes[1], 1, 0), hipErrorInvalidValue);
    assert_hip(hipStreamUpdateCaptureDependencies(stream, NULL, 1, 0), hipErrorInvalidValue);
    assert_hip(hipStreamUpdateCaptureDependencies(stream, nodes, 1, 2), hipErrorInvalidValue);
    nodes[1] = NULL;
    assert_hip(hipStreamUpdateCaptureDependencies(stream, nodes, 2, 1), hipErrorInvalidValue);
    assert_int_equal(count_dependencies(stream), 1);
    end_capture(stream, 2);
    end_capture(other, 1);
}

static void the_stream_must_capture(void **state) {
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip(hipStreamUpdateCaptureDependencies(stream, NULL, 0, 0), hipErrorIllegalState);
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
    assert_hip(hipStreamUpdateCaptureDependencies(stream, NULL, 0, 0),
               hipErrorStreamCaptureInvalidated);
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
    assert_hip_ok(hipStreamDestroy(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(added_nodes_join_those_so_far),
        cmocka_unit_test(nodes_that_are_set_replace_those_so_far),
        cmocka_unit_test(without_dependencies_the_next_node_is_a_root),
        cmocka_unit_test(a_fork_still_needs_its_join),
        cmocka_unit_test(bad_arguments_are_refused_and_change_nothing),
        cmocka_unit_test(the_stream_must_capture),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
