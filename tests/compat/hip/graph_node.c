// SPDX-License-Identifier: Apache-2.0
// Nodes that are added by hand: what is refused, in which order, and what runs.
#include "support/graph.h"

static hipMemsetParams rows_of(void *dst, unsigned value, unsigned element, size_t width,
                               size_t height, size_t pitch) {
    const hipMemsetParams params = {dst, element, height, pitch, value, width};
    return params;
}

// ---- places

// As ROCm 6.3 answered.
static void the_place_of_a_node_is_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    hipGraphNode_t node = (hipGraphNode_t)9;
    (void)state;
    hipGraphNode_t a = add_empty(graph, NULL, 0);
    hipGraphNode_t foreign = add_empty(other, NULL, 0);
    hipGraphNode_t twice[] = {a, a};
    assert_hip(hipGraphAddEmptyNode(NULL, NULL, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipGraphAddEmptyNode(&node, NULL, NULL, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddEmptyNode(NULL, graph, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipGraphAddEmptyNode(&node, graph, NULL, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddEmptyNode(&node, graph, &foreign, 1), hipErrorInvalidValue);
    assert_hip(hipGraphAddEmptyNode(&node, graph, twice, 2), hipErrorInvalidValue);
    assert_hip(hipGraphAddEmptyNode(&node, graph, &a, 2), hipErrorInvalidValue);
    assert_ptr_equal(node, (hipGraphNode_t)9);
    assert_int_equal(count_nodes(graph), 1);
    assert_hip_ok(hipGraphAddEmptyNode(&node, graph, &a, 0)); // the list is ignored
    size_t count = 9;
    assert_hip_ok(hipGraphNodeGetDependencies(node, NULL, &count));
    assert_int_equal(count, 0);
    assert_int_equal(type_of(node), hipGraphNodeTypeEmpty);
    assert_hip_ok(hipGraphDestroy(other));
    assert_hip(hipGraphAddEmptyNode(&node, other, NULL, 0), hipErrorInvalidValue);
    assert_hip_ok(hipGraphDestroy(graph));
}

// ---- functions

static char written[8];
static int written_count;

static void write_letter(void *letter) { written[written_count++] = *(const char *)letter; }

static hipGraphNode_t add_letter(hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const char *letter) {
    const hipHostNodeParams params = {write_letter, (void *)(uintptr_t)letter};
    hipGraphNode_t node = NULL;
    assert_hip_ok(hipGraphAddHostNode(&node, graph, before, count, &params));
    return node;
}

static void functions_run_in_the_order_of_edges_at_each_launch(void **state) {
    hipGraph_t graph = new_graph();
    (void)state;
    hipGraphNode_t a = add_letter(graph, NULL, 0, "a");
    hipGraphNode_t sides[] = {add_empty(graph, &a, 1), add_letter(graph, &a, 1, "b")};
    (void)add_letter(graph, sides, 2, "c");
    hipGraphExec_t exec = make_exec(graph);
    written_count = 0;
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(written_count, 6);
    assert_memory_equal(written, "abcabc", 6);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

static void the_parameters_of_a_function_are_returned_and_changed(void **state) {
    hipGraph_t graph = new_graph();
    hipHostNodeParams params = {NULL, NULL};
    hipGraphNode_t node = NULL;
    (void)state;
    assert_hip(hipGraphAddHostNode(&node, graph, NULL, 0, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphAddHostNode(&node, graph, NULL, 0, &params), hipErrorInvalidValue);
    assert_null(node);
    node = add_letter(graph, NULL, 0, "a");
    hipGraphNode_t empty = add_empty(graph, NULL, 0);
    assert_hip(hipGraphHostNodeGetParams(NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphHostNodeGetParams(node, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphHostNodeGetParams(empty, &params), hipErrorInvalidValue);
    assert_hip_ok(hipGraphHostNodeGetParams(node, &params));
    assert_true(params.fn == write_letter && *(char *)params.userData == 'a');
    params.fn = NULL;
    assert_hip(hipGraphHostNodeSetParams(node, &params), hipErrorInvalidValue);
    assert_hip(hipGraphHostNodeSetParams(node, NULL), hipErrorInvalidValue);
    hipGraphExec_t before = make_exec(graph);
    params = (hipHostNodeParams){write_letter, (void *)(uintptr_t) "z"};
    assert_hip(hipGraphHostNodeSetParams(empty, &params), hipErrorInvalidValue);
    assert_hip_ok(hipGraphHostNodeSetParams(node, &params));
    written_count = 0;
    run_graph(graph);
    assert_hip_ok(hipGraphLaunch(before, NULL)); // does not change with its graph
    assert_hip_ok(hipDeviceSynchronize());
    assert_memory_equal(written, "za", 2);
    assert_hip_ok(hipGraphExecDestroy(before));
    assert_hip_ok(hipGraphDestroy(graph));
}

// ---- fills

// As ROCm 6.3 answered. Each is refused.
static void fills_are_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    char *d = (char *)new_zeros(64);
    int stack = 0;
    (void)state;
    const hipMemsetParams bad[] = {rows_of(d, 1, 3, 0, 1, 0),       rows_of(NULL, 1, 3, 1, 1, 0),
                                   rows_of(d, 1, 1, 0, 1, 0),       rows_of(d, 1, 1, 64, 0, 0),
                                   rows_of(d, 1, 1, 65, 1, 0),      rows_of(d + 8, 1, 1, 57, 1, 0),
                                   rows_of(d, 1, 1, 8, 2, 4),       rows_of(d, 1, 1, 8, 3, 32),
                                   rows_of(NULL, 1, 1, 8, 1, 0),    rows_of(&stack, 1, 1, 4, 1, 0),
                                   rows_of(d, 1, 1, 8, 1, 65),      rows_of(d, 1, 4, 4, 2, 8),
                                   rows_of(d, 1, 4, SIZE_MAX, 1, 0)};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_hip(hipGraphAddMemsetNode(&node, graph, NULL, 0, &bad[i]), hipErrorInvalidValue);
    assert_hip(hipGraphAddMemsetNode(&node, graph, NULL, 0, NULL), hipErrorInvalidValue);
    assert_null(node);
    assert_int_equal(count_nodes(graph), 0);
    const hipMemsetParams good[] = {rows_of(d, 1, 1, 8, 2, 32), rows_of(d, 1, 1, 64, 1, 0),
                                    rows_of(d, 1, 2, 8, 1, 4)}; // of one row, the pitch is ignored
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_hip_ok(hipGraphAddMemsetNode(&node, graph, NULL, 0, &good[i]));
    run_graph(graph);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
}

static void a_misaligned_fill_fails_at_the_launch(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    void *pinned = NULL;
    char *d = (char *)new_zeros(64);
    (void)state;
    assert_hip_ok(hipHostMalloc(&pinned, 64, hipHostMallocDefault));
    const hipMemsetParams host = rows_of(pinned, 9, 4, 4, 1, 0);
    const hipMemsetParams odd = rows_of(d + 1, 1, 2, 4, 1, 0);
    assert_hip_ok(hipGraphAddMemsetNode(&node, graph, NULL, 0, &host));
    run_graph(graph);
    assert_int_equal(((const unsigned *)pinned)[3], 9);
    assert_hip_ok(hipGraphAddMemsetNode(&node, graph, NULL, 0, &odd));
    hipGraphExec_t exec = make_exec(graph);
    assert_hip(hipGraphLaunch(exec, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(word_at(d, 0), 0);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipHostFree(pinned));
    assert_hip_ok(hipFree(d));
}

static void a_fill_writes_the_low_bytes_of_its_value(void **state) {
    hipGraph_t graph = new_graph();
    char *d = (char *)new_zeros(256);
    hipGraphNode_t last = NULL;
    (void)state;
    const hipMemsetParams fills[] = {
        rows_of(d, 0x01020304, 1, 4, 1, 0), rows_of(d + 16, 0x01020304, 2, 2, 1, 0),
        rows_of(d + 32, 0x01020304, 4, 1, 1, 0), rows_of(d + 64, 7, 4, 1, 3, 16)};
    for (int i = 0; i < 4; i++) {
        hipGraphNode_t node = NULL;
        assert_hip_ok(hipGraphAddMemsetNode(&node, graph, &last, i > 0 ? 1 : 0, &fills[i]));
        last = node;
    }
    run_graph(graph);
    assert_int_equal(word_at(d, 0), 0x04040404);
    assert_int_equal(word_at(d, 16), 0x03040304);
    assert_int_equal(word_at(d, 32), 0x01020304);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(word_at(d, (size_t)(64 + 16 * i)), 7);
        assert_int_equal(word_at(d, (size_t)(68 + 16 * i)), 0);
    }
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
}

static void the_parameters_of_a_fill_are_returned_and_changed(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    hipMemsetParams params;
    char *d = (char *)new_zeros(64);
    (void)state;
    hipGraphNode_t empty = add_empty(graph, NULL, 0);
    const hipMemsetParams first = rows_of(d, 0x1234, 1, 8, 1, 32);
    assert_hip_ok(hipGraphAddMemsetNode(&node, graph, NULL, 0, &first));
    assert_hip_ok(hipGraphMemsetNodeGetParams(node, &params));
    assert_memory_equal(&params.height, &first.height, 16);
    assert_true(params.dst == d && params.value == 0x1234 && params.elementSize == 1 &&
                params.width == 8);
    assert_hip(hipGraphMemsetNodeGetParams(node, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphMemsetNodeGetParams(empty, &params), hipErrorInvalidValue);
    assert_hip(hipGraphMemsetNodeSetParams(node, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphMemsetNodeSetParams(empty, &first), hipErrorInvalidValue);
    const hipMemsetParams bad[] = {rows_of(d, 1, 3, 8, 1, 0), rows_of(d, 1, 4, 17, 1, 0),
                                   rows_of(d, 1, 4, 4, 2, 8)};
    for (int i = 0; i < 3; i++)
        assert_hip(hipGraphMemsetNodeSetParams(node, &bad[i]), hipErrorInvalidValue);
    params = rows_of(d, 5, 4, 16, 1, 0);
    assert_hip_ok(hipGraphMemsetNodeSetParams(node, &params));
    assert_hip_ok(hipGraphMemsetNodeGetParams(node, &params));
    assert_true(params.elementSize == 4 && params.width == 16 && params.pitch == 0);
    run_graph(graph);
    assert_int_equal(word_at(d, 60), 5);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
}

// ---- copies of a row

// As ROCm 6.3 answered.
static void copies_of_a_row_are_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    hipGraphNode_t node = NULL;
    hipGraphNode_t foreign = add_empty(other, NULL, 0);
    char *d = (char *)new_zeros(64);
    char *e = (char *)new_zeros(64);
    char b[64];
    (void)state;
    const struct {
        void *dst;
        const void *src;
        size_t count;
        int kind;
        hipError_t error;
    } calls[] = {
        {d, b, 0, 1, hipErrorInvalidValue},
        {NULL, b, 8, 7, hipErrorInvalidValue},
        {d, NULL, 8, 7, hipErrorInvalidValue},
        {d, b, 8, 7, hipErrorInvalidMemcpyDirection},
        {d, b, 65, 7, hipErrorInvalidMemcpyDirection},
        {d, b, 65, 1, hipErrorInvalidValue},
        {b, d + 60, 8, 2, hipErrorInvalidValue},
        {d, b, 8, 2, hipErrorInvalidValue},
        {b, d, 8, 1, hipErrorInvalidValue},
        {d, b, 8, 1024, hipErrorInvalidValue},
        {b, b + 32, 8, 1, hipErrorInvalidValue},
        {d, e, 8, 1, hipSuccess},
        {d, b, 8, 4, hipSuccess},
        {b, b + 32, 8, 4, hipSuccess},
        {b, b + 32, 8, 0, hipSuccess},
        {d, d, 8, 3, hipSuccess},
        {d, e, 64, 3, hipSuccess},
    };
    size_t added = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        assert_hip(hipGraphAddMemcpyNode1D(&node, graph, NULL, 0, calls[i].dst, calls[i].src,
                                           calls[i].count, (hipMemcpyKind)calls[i].kind),
                   calls[i].error);
        added += calls[i].error == hipSuccess ? 1 : 0;
        assert_int_equal(count_nodes(graph), added);
    }
    assert_int_equal(type_of(node), hipGraphNodeTypeMemcpy);
    assert_hip(hipGraphAddMemcpyNode1D(&node, graph, &foreign, 1, d, b, 8, (hipMemcpyKind)7),
               hipErrorInvalidMemcpyDirection); // before the dependencies
    run_graph(graph);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipGraphDestroy(other));
    assert_hip_ok(hipFree(d));
    assert_hip_ok(hipFree(e));
}

static void a_chain_of_copies_reads_its_source_at_each_launch(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t nodes[3];
    char *d = (char *)new_zeros(64);
    char *e = (char *)new_zeros(64);
    static int in;
    static int out;
    (void)state;
    assert_hip_ok(
        hipGraphAddMemcpyNode1D(&nodes[0], graph, NULL, 0, d, &in, 4, hipMemcpyHostToDevice));
    assert_hip_ok(
        hipGraphAddMemcpyNode1D(&nodes[1], graph, &nodes[0], 1, e, d, 4, hipMemcpyDeviceToDevice));
    assert_hip_ok(
        hipGraphAddMemcpyNode1D(&nodes[2], graph, &nodes[1], 1, &out, e, 4, hipMemcpyDeviceToHost));
    hipGraphExec_t exec = make_exec(graph);
    for (in = 1; in <= 3; in++) {
        assert_hip_ok(hipGraphLaunch(exec, NULL));
        assert_hip_ok(hipDeviceSynchronize());
        assert_int_equal(out, in);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
    assert_hip_ok(hipFree(e));
}

static void the_row_of_a_copy_is_returned_as_a_box_and_changed(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    hipMemcpy3DParms params;
    char *d = (char *)new_zeros(64);
    static char b[64] = "a row of the host";
    (void)state;
    assert_hip_ok(hipGraphAddMemcpyNode1D(&node, graph, NULL, 0, d, b, 24, hipMemcpyHostToDevice));
    memset(&params, 0x55, sizeof params);
    assert_hip_ok(hipGraphMemcpyNodeGetParams(node, &params));
    assert_true(params.srcPtr.ptr == b && params.dstPtr.ptr == d && params.kind == 1);
    assert_true(params.srcPtr.pitch == 0 && params.dstPtr.pitch == 0 && params.srcArray == NULL);
    assert_true(params.extent.width == 24 && params.extent.height == 1 && params.extent.depth == 1);
    assert_hip(hipGraphMemcpyNodeSetParams1D(NULL, d, b, 8, hipMemcpyHostToDevice),
               hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeSetParams1D(node, d, b, 0, hipMemcpyHostToDevice),
               hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeSetParams1D(node, d, d, 8, hipMemcpyDeviceToDevice),
               hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeSetParams1D(node, d, b, 8, (hipMemcpyKind)7),
               hipErrorInvalidMemcpyDirection);
    assert_hip_ok(hipGraphMemcpyNodeSetParams1D(node, b, d, 8, hipMemcpyDeviceToHost));
    assert_hip_ok(hipGraphMemcpyNodeSetParams1D(node, d + 4, b, 16, hipMemcpyHostToDevice));
    run_graph(graph);
    assert_int_equal(word_at(d, 0), 0);
    assert_int_equal(word_at(d, 4), 0x6f722061); // "a ro"
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
}

// ---- copies of boxes

static hipMemcpy3DParms box_of(void *dst, void *src, hipMemcpyKind kind) {
    hipMemcpy3DParms params;
    memset(&params, 0, sizeof params);
    params.srcPtr = make_hipPitchedPtr(src, 64, 64, 4);
    params.dstPtr = make_hipPitchedPtr(dst, 64, 64, 4);
    params.extent = make_hipExtent(32, 2, 1);
    params.kind = kind;
    return params;
}

static void copies_of_boxes_are_checked(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    char *d = (char *)new_zeros(4096);
    char *e = (char *)new_zeros(4096);
    hipMemcpy3DParms ok = box_of(e, d, hipMemcpyDeviceToDevice);
    hipMemcpy3DParms p = ok;
    (void)state;
    assert_hip(hipGraphAddMemcpyNode(&node, graph, NULL, 0, NULL), hipErrorInvalidValue);
    p.kind = (hipMemcpyKind)7;
    assert_hip(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &p), hipErrorInvalidMemcpyDirection);
    p.srcPtr.pitch = 16; // before the kind
    assert_hip(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &p), hipErrorInvalidPitchValue);
    p = ok;
    p.extent.width = 65;
    assert_hip(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &p), hipErrorInvalidValue);
    p = ok;
    p.dstPos.x = 40;
    assert_hip(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &p), hipErrorInvalidValue);
    p = ok;
    p.srcPtr.ptr = NULL;
    assert_hip(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &p), hipErrorInvalidValue);
    p = ok;
    p.dstArray = (hipArray_t)d; // beside a pointer
    assert_hip(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &p), hipErrorInvalidValue);
    assert_int_equal(count_nodes(graph), 0);
    p = ok;
    p.kind = hipMemcpyHostToDevice; // the addresses determine the direction
    assert_hip_ok(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &p));
    p.extent.width = 0;
    assert_hip_ok(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &p));
    run_graph(graph);
    p = ok;
    p.extent.height = 100; // more than the memory
    assert_hip_ok(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &p));
    hipGraphExec_t exec = make_exec(graph);
    assert_hip(hipGraphLaunch(exec, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
    assert_hip_ok(hipFree(e));
}

static void the_box_of_a_copy_is_returned_and_changed(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    hipMemcpy3DParms got;
    char *d = (char *)new_zeros(4096);
    char *e = (char *)new_zeros(4096);
    (void)state;
    assert_hip_ok(hipMemset(d, 5, 4096));
    hipMemcpy3DParms p = box_of(e, d, hipMemcpyDeviceToDevice);
    p.dstPos.x = 8;
    hipGraphNode_t empty = add_empty(graph, NULL, 0);
    assert_hip_ok(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &p));
    assert_hip(hipGraphMemcpyNodeGetParams(node, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphMemcpyNodeGetParams(empty, &got), hipErrorInvalidValue);
    assert_hip_ok(hipGraphMemcpyNodeGetParams(node, &got));
    assert_memory_equal(&got, &p, offsetof(hipMemcpy3DParms, kind));
    assert_int_equal(got.kind, p.kind);
    assert_hip(hipGraphMemcpyNodeSetParams(node, NULL), hipErrorInvalidValue);
    p.extent.width = 4;
    assert_hip(hipGraphMemcpyNodeSetParams(empty, &p), hipErrorInvalidValue);
    assert_hip_ok(hipGraphMemcpyNodeSetParams(node, &p));
    run_graph(graph);
    assert_int_equal(word_at(e, 0), 0);
    assert_int_equal(word_at(e, 8), 0x05050505);
    assert_int_equal(word_at(e, 12), 0);
    assert_int_equal(word_at(e, 72), 0x05050505);
    assert_int_equal(word_at(e, 136), 0);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
    assert_hip_ok(hipFree(e));
}

// ---- captured nodes

static void nodes_of_a_capture_have_parameters(void **state) {
    hipStream_t stream = hipStreamPerThread;
    hipGraph_t graph = NULL;
    hipGraphNode_t nodes[3];
    hipMemcpy3DParms copy;
    hipMemsetParams fill;
    hipHostNodeParams function;
    size_t count = 3;
    char *d = (char *)new_zeros(256);
    static char b[64];
    (void)state;
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipMemcpy2DAsync(d, 64, b, 32, 16, 2, hipMemcpyHostToDevice, stream));
    assert_hip_ok(hipMemsetD32Async(d, 9, 4, stream));
    assert_hip_ok(hipLaunchHostFunc(stream, write_letter, b));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &count));
    assert_hip_ok(hipGraphMemcpyNodeGetParams(nodes[0], &copy));
    assert_true(copy.dstPtr.ptr == d && copy.dstPtr.pitch == 64 && copy.srcPtr.ptr == b);
    assert_true(copy.srcPtr.pitch == 32 && copy.extent.width == 16 && copy.extent.height == 2);
    assert_int_equal(copy.kind, hipMemcpyHostToDevice);
    assert_hip_ok(hipGraphMemsetNodeGetParams(nodes[1], &fill));
    assert_true(fill.dst == d && fill.value == 9 && fill.elementSize == 4 && fill.width == 4 &&
                fill.height == 1);
    assert_hip_ok(hipGraphHostNodeGetParams(nodes[2], &function));
    assert_true(function.fn == write_letter && function.userData == b);
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipFree(d));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_place_of_a_node_is_checked),
        cmocka_unit_test(functions_run_in_the_order_of_edges_at_each_launch),
        cmocka_unit_test(the_parameters_of_a_function_are_returned_and_changed),
        cmocka_unit_test(fills_are_checked),
        cmocka_unit_test(a_misaligned_fill_fails_at_the_launch),
        cmocka_unit_test(a_fill_writes_the_low_bytes_of_its_value),
        cmocka_unit_test(the_parameters_of_a_fill_are_returned_and_changed),
        cmocka_unit_test(copies_of_a_row_are_checked),
        cmocka_unit_test(a_chain_of_copies_reads_its_source_at_each_launch),
        cmocka_unit_test(the_row_of_a_copy_is_returned_as_a_box_and_changed),
        cmocka_unit_test(copies_of_boxes_are_checked),
        cmocka_unit_test(the_box_of_a_copy_is_returned_and_changed),
        cmocka_unit_test(nodes_of_a_capture_have_parameters),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
