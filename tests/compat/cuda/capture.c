// SPDX-License-Identifier: Apache-2.0
// Captures, and the memory that a captured graph allocates.
#include <pthread.h>

#include "support/cuda.h"

#define MIB ((size_t)1 << 20)

static cudaStream_t stream;

static void begin_capture(enum cudaStreamCaptureMode mode) {
    assert_cuda_ok(cudaStreamBeginCapture(stream, mode));
}

static cudaGraph_t end_capture(void) {
    cudaGraph_t graph = NULL;
    assert_cuda_ok(cudaStreamEndCapture(stream, &graph));
    assert_non_null(graph);
    return graph;
}

static void end_with(int error) {
    cudaGraph_t graph = (cudaGraph_t)(uintptr_t)1;
    assert_cuda(cudaStreamEndCapture(stream, &graph), error);
    assert_null(graph);
    assert_cuda(cudaGetLastError(), error);
}

static void *alloc_elsewhere(void *result) {
    void *memory = NULL;
    *(cudaError_t *)result = cudaMalloc(&memory, MIB);
    return NULL;
}

// 74
static void the_legacy_stream_captures_nothing(void **state) {
    (void)state;
    assert_cuda(cudaStreamBeginCapture(NULL, cudaStreamCaptureModeGlobal), 900);
    assert_cuda(cudaGetLastError(), 900);
}

// 75
static void an_allocation_of_any_thread_invalidates_a_global_capture(void **state) {
    pthread_t other;
    cudaError_t result = cudaSuccess;
    (void)state;
    begin_capture(cudaStreamCaptureModeGlobal);
    assert_int_equal(pthread_create(&other, NULL, alloc_elsewhere, &result), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(result, 900);
    end_with(901);
}

// 76
static void a_relaxed_capture_forbids_no_allocation(void **state) {
    void *memory = NULL;
    (void)state;
    begin_capture(cudaStreamCaptureModeRelaxed);
    assert_cuda_ok(cudaMalloc(&memory, MIB));
    assert_cuda_ok(cudaGraphDestroy(end_capture()));
    assert_cuda_ok(cudaFree(memory));
}

// 77
static void waits_for_a_capturing_stream_invalidate_its_capture(void **state) {
    (void)state;
    begin_capture(cudaStreamCaptureModeGlobal);
    assert_cuda(cudaStreamSynchronize(stream), 900);
    end_with(901);
    begin_capture(cudaStreamCaptureModeGlobal);
    assert_cuda(cudaDeviceSynchronize(), 900);
    end_with(901);
}

// 78
static void a_captured_event_cannot_be_queried(void **state) {
    cudaEvent_t event = NULL;
    (void)state;
    assert_cuda_ok(cudaEventCreate(&event));
    begin_capture(cudaStreamCaptureModeGlobal);
    assert_cuda_ok(cudaEventRecord(event, stream));
    assert_cuda(cudaEventQuery(event), 907);
    end_with(901);
    assert_cuda(cudaEventQuery(event), 1);
    assert_cuda(cudaStreamWaitEvent(stream, event, 0), 1);
    assert_cuda_ok(cudaEventDestroy(event));
    (void)cudaGetLastError();
}

static void synchronous_work_invalidates_captures_of_blocking_streams_only(void **state) {
    cudaStream_t blocking = stream;
    void *memory = NULL;
    char byte = 0;
    (void)state;
    assert_cuda_ok(cudaMalloc(&memory, 64));
    assert_cuda_ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    begin_capture(cudaStreamCaptureModeGlobal);
    assert_cuda_ok(cudaMemset(memory, 7, 64));
    assert_cuda_ok(cudaMemcpy(&byte, memory, 1, cudaMemcpyDeviceToHost));
    assert_int_equal(byte, 7);
    assert_cuda_ok(cudaGraphDestroy(end_capture()));
    assert_cuda_ok(cudaStreamDestroy(stream));
    stream = blocking;
    begin_capture(cudaStreamCaptureModeRelaxed);
    assert_cuda(cudaMemcpy(&byte, memory, 1, cudaMemcpyDeviceToHost), 906);
    end_with(901);
    begin_capture(cudaStreamCaptureModeRelaxed);
    assert_cuda(cudaMemset(memory, 7, 64), 906);
    end_with(901);
    assert_cuda_ok(cudaFree(memory));
}

static void a_capture_launches_no_graph(void **state) {
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    (void)state;
    assert_cuda_ok(cudaGraphCreate(&graph, 0));
    assert_cuda_ok(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    begin_capture(cudaStreamCaptureModeGlobal);
    assert_cuda(cudaGraphLaunch(exec, stream), 900);
    end_with(901);
    assert_cuda_ok(cudaGraphExecDestroy(exec));
    assert_cuda_ok(cudaGraphDestroy(graph));
}

static void *end_elsewhere(void *result) {
    cudaGraph_t graph = NULL;
    *(cudaError_t *)result = cudaStreamEndCapture(stream, &graph);
    return NULL;
}

// 79
static void a_capture_ends_in_its_thread_with_all_forks_joined(void **state) {
    pthread_t other;
    cudaError_t result = cudaSuccess;
    cudaGraph_t graph = (cudaGraph_t)(uintptr_t)1;
    cudaStream_t fork = NULL;
    cudaEvent_t event = NULL;
    void *memory = NULL;
    (void)state;
    assert_cuda_ok(cudaMalloc(&memory, 64));
    begin_capture(cudaStreamCaptureModeGlobal);
    assert_int_equal(pthread_create(&other, NULL, end_elsewhere, &result), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(result, 908);
    assert_cuda(cudaStreamEndCapture(stream, &graph), 401); // that ended it
    assert_null(graph);
    assert_cuda_ok(cudaStreamCreate(&fork));
    assert_cuda_ok(cudaEventCreate(&event));
    begin_capture(cudaStreamCaptureModeGlobal);
    assert_cuda_ok(cudaEventRecord(event, stream));
    assert_cuda_ok(cudaStreamWaitEvent(fork, event, 0));
    assert_cuda_ok(cudaMemsetAsync(memory, 1, 64, fork));
    end_with(904);
    begin_capture(cudaStreamCaptureModeGlobal);
    assert_cuda_ok(cudaEventRecord(event, stream));
    assert_cuda_ok(cudaStreamWaitEvent(fork, event, 0));
    assert_cuda(cudaStreamEndCapture(fork, &graph), 903);
    end_with(901);
    assert_cuda_ok(cudaFree(memory));
    assert_cuda_ok(cudaEventDestroy(event));
    assert_cuda_ok(cudaStreamDestroy(fork));
}

static uint64_t used_bytes(void) {
    uint64_t used = 1;
    assert_cuda_ok(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    return used;
}

// A graph that allocates, fills and, with `frees`, frees a block.
static cudaGraphExec_t exec_new(bool frees, unsigned flags, void **block) {
    cudaGraphExec_t exec = NULL;
    begin_capture(cudaStreamCaptureModeGlobal);
    assert_cuda_ok(cudaMallocAsync(block, MIB, stream));
    assert_cuda_ok(cudaMemsetAsync(*block, 3, MIB, stream));
    if (frees) assert_cuda_ok(cudaFreeAsync(*block, stream));
    cudaGraph_t graph = end_capture();
    assert_cuda_ok(cudaGraphInstantiateWithFlags(&exec, graph, flags));
    assert_cuda_ok(cudaGraphDestroy(graph));
    return exec;
}

// 80
static void a_graph_that_frees_its_memory_is_launched_again(void **state) {
    void *block = NULL;
    cudaGraphExec_t exec = exec_new(true, 0, &block);
    (void)state;
    assert_non_null(block);
    for (int i = 0; i < 2; i++) assert_cuda_ok(cudaGraphLaunch(exec, stream));
    assert_cuda_ok(cudaStreamSynchronize(stream));
    assert_int_equal(used_bytes(), 0);
    assert_cuda_ok(cudaGraphExecDestroy(exec));
}

// 81
static void memory_that_a_graph_leaves_forbids_the_next_launch(void **state) {
    void *block = NULL;
    unsigned char byte = 0;
    cudaGraphExec_t exec = exec_new(false, 0, &block);
    (void)state;
    assert_cuda_ok(cudaGraphLaunch(exec, stream));
    assert_cuda(cudaGraphLaunch(exec, stream), 1);
    assert_cuda_ok(cudaStreamSynchronize(stream));
    assert_cuda_ok(cudaMemcpy(&byte, block, 1, cudaMemcpyDeviceToHost));
    assert_int_equal(byte, 3);
    assert_cuda_ok(cudaFree(block));
    assert_int_equal(used_bytes(), 0);
    assert_cuda_ok(cudaGraphExecDestroy(exec));

    exec = exec_new(false, cudaGraphInstantiateFlagAutoFreeOnLaunch, &block);
    for (int i = 0; i < 2; i++) assert_cuda_ok(cudaGraphLaunch(exec, stream));
    assert_cuda_ok(cudaStreamSynchronize(stream));
    assert_cuda_ok(cudaFree(block));
    assert_cuda_ok(cudaGraphExecDestroy(exec));
    (void)cudaGetLastError();
}

// 82
static void a_capture_frees_memory_of_graphs_only(void **state) {
    void *memory = NULL;
    (void)state;
    assert_cuda_ok(cudaMalloc(&memory, MIB));
    begin_capture(cudaStreamCaptureModeRelaxed);
    assert_cuda(cudaFreeAsync(memory, stream), 1);
    assert_cuda_ok(cudaGraphDestroy(end_capture()));
    assert_cuda_ok(cudaFree(memory));
    (void)cudaGetLastError();
}

static int begin(void **state) {
    if (cuda_group_setup(state) != 0) return -1;
    cuda_begin();
    assert_cuda_ok(cudaStreamCreate(&stream));
    return 0;
}

static int end(void **state) {
    assert_cuda_ok(cudaStreamDestroy(stream));
    return cuda_group_end(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_legacy_stream_captures_nothing),
        cmocka_unit_test(an_allocation_of_any_thread_invalidates_a_global_capture),
        cmocka_unit_test(a_relaxed_capture_forbids_no_allocation),
        cmocka_unit_test(waits_for_a_capturing_stream_invalidate_its_capture),
        cmocka_unit_test(a_captured_event_cannot_be_queried),
        cmocka_unit_test(synchronous_work_invalidates_captures_of_blocking_streams_only),
        cmocka_unit_test(a_capture_launches_no_graph),
        cmocka_unit_test(a_capture_ends_in_its_thread_with_all_forks_joined),
        cmocka_unit_test(a_graph_that_frees_its_memory_is_launched_again),
        cmocka_unit_test(memory_that_a_graph_leaves_forbids_the_next_launch),
        cmocka_unit_test(a_capture_frees_memory_of_graphs_only),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
