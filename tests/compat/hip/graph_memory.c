// SPDX-License-Identifier: Apache-2.0
// Memory that is allocated and freed in captures.
#include "support/work.h"

#include <pthread.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static size_t free_bytes(void) {
    size_t left = 0;
    assert_hip_ok(hipMemGetInfo(&left, NULL));
    return left;
}

static hipStream_t begin_capture(void) {
    hipStream_t stream = NULL;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    return stream;
}

static hipGraph_t end_capture(hipStream_t stream) {
    hipGraph_t graph = NULL;
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    return graph;
}

static char *get(size_t size, hipStream_t stream) {
    void *ptr = NULL;
    assert_hip_ok(hipMallocAsync(&ptr, size, stream));
    return ptr;
}

// A graph that allocates `size` bytes, fills them with 7, copies the last to `*out`, which is pinned,
// and frees them if `frees`.
static hipGraph_t make_graph(hipStream_t *stream, char **ptr, size_t size, char *out, bool frees) {
    *stream = begin_capture();
    *ptr = get(size, *stream);
    assert_non_null(*ptr);
    assert_hip_ok(hipMemsetAsync(*ptr, 7, size, *stream));
    assert_hip_ok(hipMemcpyAsync(out, *ptr + size - 1, 1, hipMemcpyDeviceToHost, *stream));
    if (frees) assert_hip_ok(hipFreeAsync(*ptr, *stream));
    return end_capture(*stream);
}

static char *make_out(void) {
    void *out = NULL;
    assert_hip_ok(hipHostMalloc(&out, 4096, 0));
    return out;
}

static hipGraphExec_t instantiate(hipGraph_t graph, unsigned long long flags) {
    hipGraphExec_t exec = NULL;
    assert_hip_ok(hipGraphInstantiateWithFlags(&exec, graph, flags));
    return exec;
}

static void launch(hipGraphExec_t exec, hipStream_t stream) {
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipStreamSynchronize(stream));
}

static void a_capture_makes_nodes_and_a_launch_uses_the_memory(void **state) {
    static const hipGraphNodeType types[] = {hipGraphNodeTypeMemAlloc, hipGraphNodeTypeMemset,
                                             hipGraphNodeTypeMemcpy, hipGraphNodeTypeMemFree};
    hipGraphNode_t nodes[4];
    size_t count = 4;
    hipStream_t stream = NULL;
    char *ptr = NULL;
    char *out = make_out();
    size_t before = free_bytes();
    (void)state;
    hipGraph_t graph = make_graph(&stream, &ptr, MIB, out, true);
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &count));
    assert_int_equal(count, 4);
    for (size_t i = 0; i < 4; i++) {
        hipGraphNodeType type = hipGraphNodeTypeEmpty;
        assert_hip_ok(hipGraphNodeGetType(nodes[i], &type));
        assert_int_equal(type, types[i]);
    }
    hipGraphExec_t exec = instantiate(graph, 0);
    for (int i = 0; i < 10; i++) {
        out[0] = 0;
        launch(exec, stream);
        assert_int_equal(out[0], 7);
    }
    assert_hip_ok(hipGraphDestroy(graph));
    launch(exec, stream);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_true(free_bytes() == before);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipHostFree(out));
}

static void a_second_launch_without_a_free_is_refused(void **state) {
    hipStream_t stream = NULL;
    char *ptr = NULL;
    char *out = make_out();
    (void)state;
    hipGraph_t graph = make_graph(&stream, &ptr, MIB, out, false);
    hipGraphExec_t exec = instantiate(graph, 0);
    launch(exec, stream);
    out[0] = 0;
    assert_hip(hipGraphLaunch(exec, stream), hipErrorInvalidValue);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(out[0], 0); // nothing of it ran
    assert_hip_ok(hipFree(ptr));
    assert_hip(hipFree(ptr), hipErrorInvalidValue);
    launch(exec, stream);
    assert_int_equal(out[0], 7);
    assert_hip_ok(hipFreeAsync(ptr, stream));
    assert_hip(hipFreeAsync(ptr, stream), hipErrorInvalidValue);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipHostFree(out));
}

static void a_launch_frees_by_itself_if_told_so(void **state) {
    hipStream_t stream = NULL;
    char *ptr = NULL;
    char *out = make_out();
    size_t before = free_bytes();
    (void)state;
    hipGraph_t graph = make_graph(&stream, &ptr, MIB, out, false);
    hipGraphExec_t exec = instantiate(graph, hipGraphInstantiateFlagAutoFreeOnLaunch);
    for (int i = 0; i < 3; i++) {
        out[0] = 0;
        launch(exec, stream);
        assert_int_equal(out[0], 7);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_int_equal(ptr[0], 7); // the last launch's memory outlives its graph
    assert_hip_ok(hipFree(ptr));
    assert_true(free_bytes() == before);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipHostFree(out));
}

static void a_launch_keeps_the_memory_of_other_graphs(void **state) {
    hipStream_t streams[2];
    char *ptrs[2];
    char *out = make_out();
    hipGraphExec_t execs[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        hipGraph_t graph = make_graph(&streams[i], &ptrs[i], MIB, out, false);
        execs[i] = instantiate(graph, i == 0 ? 0 : hipGraphInstantiateFlagAutoFreeOnLaunch);
        assert_hip_ok(hipGraphDestroy(graph));
    }
    launch(execs[0], streams[0]);
    launch(execs[1], streams[1]);
    launch(execs[1], streams[1]);
    assert_int_equal(ptrs[0][MIB - 1], 7);
    for (int i = 0; i < 2; i++) {
        assert_hip_ok(hipFree(ptrs[i])); // not freed by a launch
        assert_hip_ok(hipGraphExecDestroy(execs[i]));
        assert_hip_ok(hipStreamDestroy(streams[i]));
    }
    assert_hip_ok(hipHostFree(out));
}

static void a_launch_runs_behind_a_free_of_another_stream(void **state) {
    struct gate gate = {false, 0};
    hipStream_t stream = NULL;
    hipStream_t other = NULL;
    char *ptr = NULL;
    char *out = make_out();
    (void)state;
    hipGraph_t graph = make_graph(&stream, &ptr, MIB, out, false);
    hipGraphExec_t exec = instantiate(graph, 0);
    assert_hip_ok(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    launch(exec, stream);
    out[0] = 0;
    assert_hip_ok(hipLaunchHostFunc(other, pass_gate, &gate));
    assert_hip_ok(hipFreeAsync(ptr, other));
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    assert_int_equal(out[0], 0);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(out[0], 7);
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipStreamDestroy(other));
    assert_hip_ok(hipHostFree(out));
}

// The free node is in another graph, which waits on another stream.
static void a_launch_runs_behind_a_free_of_another_graph(void **state) {
    struct gate gate = {false, 0};
    hipStream_t stream = NULL;
    char *ptr = NULL;
    char *out = make_out();
    (void)state;
    hipGraph_t graph = make_graph(&stream, &ptr, MIB, out, false);
    hipGraphExec_t exec = instantiate(graph, 0);
    assert_hip_ok(hipGraphDestroy(graph));
    hipStream_t other = begin_capture();
    assert_hip_ok(hipFreeAsync(ptr, other));
    graph = end_capture(other);
    hipGraphExec_t frees = instantiate(graph, 0);
    assert_hip_ok(hipGraphDestroy(graph));
    launch(exec, stream);
    out[0] = 0;
    assert_hip_ok(hipLaunchHostFunc(other, pass_gate, &gate)); // as if it used the memory
    assert_hip_ok(hipGraphLaunch(frees, other));
    assert_hip_ok(hipGraphLaunch(exec, stream));
    let_others_begin();
    assert_int_equal(out[0], 0);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(out[0], 7);
    assert_hip_ok(hipGraphLaunch(frees, other));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphExecDestroy(frees));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipStreamDestroy(other));
    assert_hip_ok(hipHostFree(out));
}

static void a_graph_may_end_before_its_launch(void **state) {
    struct gate gate = {false, 0};
    hipStream_t stream = NULL;
    char *ptr = NULL;
    char *out = make_out();
    size_t before = free_bytes();
    (void)state;
    hipGraph_t graph = make_graph(&stream, &ptr, MIB, out, true);
    hipGraphExec_t exec = instantiate(graph, 0);
    out[0] = 0;
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipGraphExecDestroy(exec)); // does not wait
    assert_int_equal(gate.passed, 0);
    assert_true(free_bytes() < before); // the launch still needs the pages
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(out[0], 7);
    assert_true(free_bytes() == before);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipHostFree(out));
}

static void frees_in_a_capture_are_checked(void **state) {
    hipStream_t stream = begin_capture();
    char *ptr = get(100, stream);
    hipStream_t plain = NULL;
    hipGraph_t graph = NULL;
    char here = 0;
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&plain, hipStreamNonBlocking));
    assert_hip(hipFreeAsync(&here, stream), hipErrorInvalidValue);
    assert_hip(hipFreeAsync(ptr + 1, stream), hipErrorInvalidValue);
    assert_hip(hipFreeAsync(ptr, plain), hipErrorInvalidValue); // not launched
    assert_hip_ok(hipFreeAsync(ptr, stream));
    assert_hip(hipFreeAsync(ptr, stream), hipErrorInvalidValue);
    graph = end_capture(stream);
    size_t count = 0;
    assert_hip_ok(hipGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 2);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip(hipFreeAsync(ptr, plain), hipErrorInvalidValue);
    assert_hip_ok(hipStreamDestroy(plain));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void allocations_in_a_capture_are_checked(void **state) {
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 1}};
    hipMemPool_t pool = NULL;
    hipPointerAttribute_t attributes;
    void *ptr = &ptr;
    hipStream_t stream = begin_capture();
    (void)state;
    assert_hip(hipMallocAsync(NULL, 16, stream), hipErrorInvalidValue);
    assert_hip(hipMallocAsync(&ptr, SIZE_MAX, stream), hipErrorOutOfMemory);
    size_t before = free_bytes();
    assert_ptr_equal(ptr, &ptr);
    assert_hip_ok(hipMallocAsync(&ptr, 0, stream));
    assert_null(ptr);
    assert_hip_ok(hipMemPoolCreate(&pool, &props));
    assert_hip_ok(hipMallocFromPoolAsync(&ptr, 1000, pool, stream));
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr));
    assert_int_equal(attributes.device, 1); // the pool's
    assert_hip_ok(hipMemPoolDestroy(pool));
    (void)get(3 * MIB, stream);
    hipGraph_t graph = end_capture(stream);
    size_t count = 0;
    assert_hip_ok(hipGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 2);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_true(free_bytes() == before);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void an_invalid_capture_returns_its_memory(void **state) {
    size_t before = free_bytes();
    hipStream_t stream = begin_capture();
    hipGraph_t graph = (hipGraph_t)(uintptr_t)7;
    void *ptr = &ptr;
    (void)state;
    (void)get(3 * MIB, stream);
    assert_hip(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
    assert_hip(hipMallocAsync(&ptr, 16, stream), hipErrorStreamCaptureInvalidated);
    assert_ptr_equal(ptr, &ptr);
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
    assert_true(free_bytes() == before);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void a_graph_with_memory_is_instantiated_once(void **state) {
    hipStream_t stream = NULL;
    char *ptr = NULL;
    char *out = make_out();
    hipGraphExec_t more = (hipGraphExec_t)(uintptr_t)7;
    hipGraph_t clone = (hipGraph_t)(uintptr_t)7;
    (void)state;
    hipGraph_t graph = make_graph(&stream, &ptr, 100, out, true);
    assert_hip(hipGraphClone(&clone, graph), hipErrorNotSupported);
    hipGraphExec_t exec = instantiate(graph, 0);
    assert_hip(hipGraphInstantiate(&more, graph, NULL, NULL, 0), hipErrorNotSupported);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip(hipGraphInstantiate(&more, graph, NULL, NULL, 0), hipErrorNotSupported);
    assert_true((uintptr_t)more == 7 && (uintptr_t)clone == 7);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipHostFree(out));
}

static void a_reset_leaves_the_memory_to_its_graph(void **state) {
    hipStream_t stream = NULL;
    char *ptr = NULL;
    char *out = make_out();
    (void)state;
    hipGraph_t graph = make_graph(&stream, &ptr, MIB, out, false);
    hipGraphExec_t exec = instantiate(graph, 0);
    launch(exec, stream);
    assert_hip_ok(hipDeviceReset());
    size_t before = free_bytes();
    assert_int_equal(ptr[0], 7);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipFree(ptr));
    assert_true(free_bytes() > before);
    assert_hip_ok(hipHostFree(out));
}

// `level` is "6" or "7".
static void allocate_beside_a_capture(void *level) {
    bool seven = *(const char *)level == '7';
    hipError_t wanted = seven ? hipErrorStreamCaptureUnsupported : hipSuccess;
    for (int blocking = 0; blocking <= 1; blocking++) {
        hipStream_t captures = NULL;
        hipStream_t other = NULL;
        hipGraph_t graph = NULL;
        void *ptr = &ptr;
        unsigned flags = blocking != 0 ? hipStreamDefault : hipStreamNonBlocking;
        assert_hip_ok(hipStreamCreateWithFlags(&captures, flags));
        assert_hip_ok(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
        char *own = get(100, other);
        assert_hip_ok(hipStreamBeginCapture(captures, hipStreamCaptureModeRelaxed));
        assert_hip(hipMallocAsync(&ptr, 100, other), blocking != 0 ? wanted : hipSuccess);
        assert_hip(hipFreeAsync(own, other), blocking != 0 ? wanted : hipSuccess);
        assert_hip_ok(hipGetLastError());                     // not kept
        assert_hip_ok(hipStreamEndCapture(captures, &graph)); // it stayed valid
        assert_hip_ok(hipGraphDestroy(graph));
        assert_hip_ok(hipStreamDestroy(captures));
        assert_hip_ok(hipStreamDestroy(other));
    }
}

static void only_level_7_refuses_allocations_beside_a_blocking_capture(void **state) {
    (void)state;
    hip_in_child(allocate_beside_a_capture, (void *)(uintptr_t) "6", "TARN_HIP_COMPAT", "6", NULL);
    hip_in_child(allocate_beside_a_capture, (void *)(uintptr_t) "7", "TARN_HIP_COMPAT", "7", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            only_level_7_refuses_allocations_beside_a_blocking_capture), // in children: first
        cmocka_unit_test(a_capture_makes_nodes_and_a_launch_uses_the_memory),
        cmocka_unit_test(a_second_launch_without_a_free_is_refused),
        cmocka_unit_test(a_launch_frees_by_itself_if_told_so),
        cmocka_unit_test(a_launch_keeps_the_memory_of_other_graphs),
        cmocka_unit_test(a_launch_runs_behind_a_free_of_another_stream),
        cmocka_unit_test(a_launch_runs_behind_a_free_of_another_graph),
        cmocka_unit_test(a_graph_may_end_before_its_launch),
        cmocka_unit_test(frees_in_a_capture_are_checked),
        cmocka_unit_test(allocations_in_a_capture_are_checked),
        cmocka_unit_test(an_invalid_capture_returns_its_memory),
        cmocka_unit_test(a_graph_with_memory_is_instantiated_once),
        cmocka_unit_test(a_reset_leaves_the_memory_to_its_graph),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
