// SPDX-License-Identifier: Apache-2.0
// Copies and fills in a stream that is captured: recorded, not run, and checked when the graph
// runs.
#include "support/chunks.h"

#define BYTES ((size_t)5000)

static unsigned char host[BYTES];
static unsigned char back[BYTES];
static unsigned char *device;
static hipStream_t stream;

static int setup(void **state) {
    (void)state;
    memset(host, 1, sizeof host);
    memset(back, 0, sizeof back);
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipMalloc((void **)&device, BYTES));
    assert_hip_ok(hipMemset(device, 0, BYTES));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    assert_hip_ok(hipStreamDestroy(stream));
    if (device != NULL) assert_hip_ok(hipFree(device));
    return 0;
}

static void begin(void) {
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
}

static hipGraphExec_t end(void) {
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    assert_hip_ok(hipGraphDestroy(graph));
    return exec;
}

static void run(hipGraphExec_t exec) {
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipStreamSynchronize(stream));
}

// Ordinary memory too: it is read when the graph runs, each time.
static void each_launch_copies_what_is_there_then(void **state) {
    (void)state;
    begin();
    assert_hip_ok(hipMemcpyAsync(device, host, BYTES, hipMemcpyHostToDevice, stream));
    assert_hip_ok(hipMemsetAsync(device + 10, 9, 5, stream));
    assert_hip_ok(hipMemcpy2DAsync(back, 50, device, 50, 40, 100, hipMemcpyDeviceToHost, stream));
    hipGraphExec_t exec = end();
    assert_int_equal(back[0], 0);
    for (int i = 2; i < 5; i++) {
        memset(host, i, sizeof host);
        run(exec);
        assert_int_equal(back[0], i);
        assert_int_equal(back[12], 9);
        assert_int_equal(back[15], i);
        assert_int_equal(back[45], 0);
        assert_int_equal(back[4989], i);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
}

static void nodes_are_copies_and_fills(void **state) {
    hipGraph_t graph = NULL;
    hipGraphNode_t nodes[3] = {NULL, NULL, NULL};
    static const hipGraphNodeType want[] = {hipGraphNodeTypeMemcpy, hipGraphNodeTypeMemset,
                                            hipGraphNodeTypeMemcpy};
    size_t count = 3;
    (void)state;
    begin();
    assert_hip_ok(hipMemcpyAsync(device, host, BYTES, hipMemcpyHostToDevice, stream));
    assert_hip_ok(hipMemset2DAsync(device, 10, 9, 5, 5, stream));
    assert_hip_ok(hipMemcpy2DAsync(back, 50, device, 50, 40, 2, hipMemcpyDeviceToHost, stream));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &count));
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        hipGraphNodeType type = hipGraphNodeTypeCount;
        assert_hip_ok(hipGraphNodeGetType(nodes[i], &type));
        assert_int_equal(type, want[i]);
    }
    assert_hip_ok(hipGraphDestroy(graph));
}

static void calls_that_wait_cannot_be_captured(void **state) {
    hipGraph_t graph = NULL;
    (void)state;
    begin();
    assert_hip(hipMemcpyWithStream(device, host, 1, hipMemcpyDefault, stream),
               hipErrorStreamCaptureUnsupported);
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
    begin();
    assert_hip(hipMemcpy(device, host, 1, hipMemcpyDefault), hipErrorStreamCaptureImplicit);
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
    begin();
    assert_hip(hipMemset(device, 1, 1), hipErrorStreamCaptureImplicit);
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
    assert_null(graph);
}

static void arguments_are_refused_at_the_call(void **state) {
    (void)state;
    begin();
    assert_hip(hipMemcpyAsync(NULL, host, 1, hipMemcpyDefault, stream), hipErrorInvalidValue);
    assert_hip(hipMemcpyAsync(device, host, 1, (hipMemcpyKind)5, stream),
               hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpy2DAsync(device, 4, host, 8, 8, 2, hipMemcpyDefault, stream),
               hipErrorInvalidPitchValue);
    assert_hip(hipMemsetAsync(host, 1, 1, stream), hipErrorInvalidValue);
    assert_hip_ok(hipMemsetAsync(device, 4, BYTES, stream));
    hipGraphExec_t exec = end(); // none of them spoilt the capture
    run(exec);
    assert_hip_ok(hipMemcpy(back, device, BYTES, hipMemcpyDefault));
    assert_int_equal(back[0], 4);
    assert_hip_ok(hipGraphExecDestroy(exec));
}

// Rights count at run time: Read-only when it was captured, writable at one launch, and not at the
// next.
static void memory_is_checked_when_the_graph_runs(void **state) {
    static const struct chunk each[] = {{0, 0, hipMemAccessFlagsProtRead}};
    hipMemAccessDesc grant = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
    (void)state;
    struct chunks range = chunks_make(1, each);
    begin();
    assert_hip_ok(hipMemcpyAsync(range.base, device, 16, hipMemcpyDefault, stream));
    assert_hip_ok(hipMemsetAsync(range.base + 16, 3, 16, stream));
    hipGraphExec_t exec = end();
    assert_hip(hipGraphLaunch(exec, stream), hipErrorInvalidValue);
    assert_hip_ok(hipMemSetAccess(range.base, CHUNK_BYTES, &grant, 1));
    run(exec);
    grant.flags = hipMemAccessFlagsProtNone;
    assert_hip_ok(hipMemSetAccess(range.base, CHUNK_BYTES, &grant, 1));
    assert_hip(hipGraphLaunch(exec, stream), hipErrorInvalidValue);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipGraphExecDestroy(exec));
    chunks_end(&range);
}

static void memory_that_is_gone_is_not_filled(void **state) {
    (void)state;
    begin();
    assert_hip_ok(hipMemsetAsync(device, 3, 16, stream));
    hipGraphExec_t exec = end();
    assert_hip_ok(hipFree(device));
    device = NULL;
    assert_hip(hipGraphLaunch(exec, stream), hipErrorInvalidValue);
    assert_hip_ok(hipGraphExecDestroy(exec));
}

static void arrays_are_named_not_kept(void **state) {
    hipChannelFormatDesc bytes = {8, 0, 0, 0, hipChannelFormatKindUnsigned};
    hipArray_t array = NULL;
    (void)state;
    assert_hip_ok(hipMallocArray(&array, &bytes, 100, 2, 0));
    begin();
    assert_hip_ok(
        hipMemcpy2DToArrayAsync(array, 0, 1, host, 100, 100, 1, hipMemcpyDefault, stream));
    assert_hip_ok(
        hipMemcpy2DFromArrayAsync(back, 100, array, 10, 1, 20, 1, hipMemcpyDefault, stream));
    hipGraphExec_t exec = end();
    memset(host, 8, sizeof host);
    run(exec);
    assert_int_equal(back[19], 8);
    assert_int_equal(back[20], 0);
    assert_hip_ok(hipFreeArray(array));
    assert_hip(hipGraphLaunch(exec, stream), hipErrorInvalidHandle);
    assert_hip_ok(hipGraphExecDestroy(exec));
}

static void arrays_are_neither_made_nor_freed_in_a_capture(void **state) {
    hipChannelFormatDesc bytes = {8, 0, 0, 0, hipChannelFormatKindUnsigned};
    hipArray_t array = NULL;
    hipArray_t other = NULL;
    hipMipmappedArray_t mipmap = NULL;
    hipMipmappedArray_t second = NULL;
    hipExtent extent = make_hipExtent(8, 8, 0);
    hipGraph_t graph = NULL;
    (void)state;
    assert_hip_ok(hipMallocArray(&array, &bytes, 100, 2, 0));
    assert_hip_ok(hipMallocMipmappedArray(&mipmap, &bytes, extent, 2, 0));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip(hipMallocArray(&other, &bytes, 100, 2, 0), hipErrorStreamCaptureUnsupported);
    assert_hip(hipFreeArray(array), hipErrorStreamCaptureUnsupported);
    assert_hip(hipMallocMipmappedArray(&second, &bytes, extent, 2, 0),
               hipErrorStreamCaptureUnsupported);
    assert_hip(hipFreeMipmappedArray(mipmap), hipErrorStreamCaptureUnsupported);
    (void)hipStreamEndCapture(stream, &graph);
    if (graph != NULL) assert_hip_ok(hipGraphDestroy(graph));
    assert_null(other);
    assert_null(second);
    assert_hip_ok(hipFreeArray(array)); // still there
    assert_hip_ok(hipFreeMipmappedArray(mipmap));
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static size_t count_captured(void) {
    hipGraph_t graph = NULL;
    size_t count = 99;
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, NULL, &count));
    assert_hip_ok(hipGraphDestroy(graph));
    return count;
}

// Release 6 makes a node of each.
static void capture_nothing(void *level) {
    bool drops = *(const char *)level == '7';
    hipError_t refused = drops ? hipErrorInvalidValue : hipSuccess;
    hipMemcpy3DParms box;
    const hipPitchedPtr pitched = {device, 64, 64, 1};
    (void)setup(NULL);
    memset(&box, 0, sizeof box);
    box.srcPtr = make_hipPitchedPtr(device, 64, 64, 1);
    box.dstPtr = make_hipPitchedPtr(device + 64, 64, 64, 1);
    box.kind = hipMemcpyDeviceToDevice;
    begin();
    assert_hip_ok(hipMemcpy3DAsync(&box, stream));
    assert_hip_ok(hipMemcpy2DAsync(device, 64, host, 64, 0, 2, hipMemcpyHostToDevice, stream));
    assert_hip_ok(hipMemsetAsync(device, 1, 0, stream));
    assert_hip_ok(hipMemset3DAsync(pitched, 1, make_hipExtent(0, 1, 1), stream));
    assert_int_equal(count_captured(), drops ? 0 : 4);
    begin();
    assert_hip(hipMemcpyAsync(device, host, 0, hipMemcpyHostToDevice, stream), refused);
    assert_hip(hipMemset2DAsync(device, 64, 1, 0, 2, stream), refused);
    assert_hip(hipMemset2DAsync(device, 64, 1, 4, 0, stream), refused);
    assert_int_equal(count_captured(), drops ? 0 : 3);
    assert_hip_ok(hipMemcpyAsync(device, host, 0, hipMemcpyHostToDevice, stream)); // outside
    (void)teardown(NULL);
}

static void work_without_bytes_makes_no_node_at_level_7(void **state) {
    (void)state;
    hip_in_child(capture_nothing, (void *)(uintptr_t) "7", "TARN_HIP_COMPAT", "7", NULL);
    hip_in_child(capture_nothing, (void *)(uintptr_t) "6", "TARN_HIP_COMPAT", "6", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_without_bytes_makes_no_node_at_level_7), // forks: first
        CLAIM(each_launch_copies_what_is_there_then),
        CLAIM(nodes_are_copies_and_fills),
        CLAIM(calls_that_wait_cannot_be_captured),
        CLAIM(arguments_are_refused_at_the_call),
        CLAIM(memory_is_checked_when_the_graph_runs),
        CLAIM(memory_that_is_gone_is_not_filled),
        CLAIM(arrays_are_named_not_kept),
        CLAIM(arrays_are_neither_made_nor_freed_in_a_capture),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
