// SPDX-License-Identifier: Apache-2.0
// Executable graphs that are changed: the parameters of a node, or those of all nodes.
#include <pthread.h>

#include "support/graph.h"

static hipMemsetParams rows_of(void *dst, unsigned value, unsigned element, size_t width,
                               size_t height, size_t pitch) {
    const hipMemsetParams params = {dst, element, height, pitch, value, width};
    return params;
}

static hipGraphNode_t add_fill(hipGraph_t graph, const hipGraphNode_t *before, void *dst,
                               unsigned value) {
    const hipMemsetParams params = rows_of(dst, value, 4, 1, 1, 0);
    hipGraphNode_t node = NULL;
    assert_hip_ok(hipGraphAddMemsetNode(&node, graph, before, before != NULL ? 1 : 0, &params));
    return node;
}

static char written[8];

static void write_letter(void *letter) { (void)strcat(written, (const char *)letter); }

static hipGraphNode_t add_letter(hipGraph_t graph, const hipGraphNode_t *before,
                                 const char *letter) {
    const hipHostNodeParams params = {write_letter, (void *)(uintptr_t)letter};
    hipGraphNode_t node = NULL;
    assert_hip_ok(hipGraphAddHostNode(&node, graph, before, before != NULL ? 1 : 0, &params));
    return node;
}

static void launch(hipGraphExec_t exec) {
    written[0] = '\0';
    assert_hip_ok(hipGraphLaunch(exec, NULL));
    assert_hip_ok(hipDeviceSynchronize());
}

static void end(hipGraphExec_t exec, hipGraph_t graph) {
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

// ---- one node

// AMD's answers, group gh_host_params.
static void a_function_changes_in_one_executable_only(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    hipHostNodeParams params = {write_letter, (void *)(uintptr_t) "b"};
    const hipHostNodeParams none = {NULL, NULL};
    (void)state;
    hipGraphNode_t node = add_letter(graph, NULL, "a");
    hipGraphNode_t foreign = add_letter(other, NULL, "f");
    hipGraphExec_t exec = make_exec(graph);
    hipGraphExec_t second = make_exec(graph);
    assert_hip_ok(hipGraphHostNodeSetParams(node, &params));
    launch(exec);
    assert_string_equal(written, "a");
    assert_hip_ok(hipGraphExecHostNodeSetParams(exec, node, &params));
    assert_hip(hipGraphExecHostNodeSetParams(exec, node, &none), hipErrorInvalidValue);
    assert_hip(hipGraphExecHostNodeSetParams(exec, node, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphExecHostNodeSetParams(exec, NULL, &params), hipErrorInvalidValue);
    assert_hip(hipGraphExecHostNodeSetParams(NULL, node, &params), hipErrorInvalidValue);
    assert_hip(hipGraphExecHostNodeSetParams(exec, foreign, &params), hipErrorInvalidValue);
    launch(exec);
    assert_string_equal(written, "b");
    launch(second);
    assert_string_equal(written, "a");
    assert_hip_ok(hipGraphExecDestroy(second));
    end(exec, graph);
    assert_hip_ok(hipGraphDestroy(other));
}

// AMD's answers, groups gh_twice and gh_destroynode_x.
static void a_fill_changes_its_address_and_width(void **state) {
    char *memory = new_zeros(64);
    hipGraph_t graph = new_graph();
    (void)state;
    hipGraphNode_t node = add_fill(graph, NULL, memory, 1);
    hipGraphNode_t function = add_letter(graph, &node, "a");
    hipGraphExec_t exec = make_exec(graph);
    hipMemsetParams good = rows_of(memory + 8, 7, 4, 2, 1, 0);
    assert_hip_ok(hipGraphExecMemsetNodeSetParams(exec, node, &good));
    launch(exec);
    assert_int_equal(word_at(memory, 0), 0);
    assert_int_equal(word_at(memory, 12), 7);
    void *other = NULL;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc(&other, 64));
    assert_hip_ok(hipSetDevice(0));
    const hipMemsetParams bad[] = {rows_of(memory, 1, 3, 4, 1, 0), rows_of(NULL, 1, 4, 1, 1, 0),
                                   rows_of(memory, 1, 4, 1, 2, 16), // of other rows
                                   rows_of(other, 1, 4, 1, 1, 0),   // of another device
                                   rows_of(memory, 1, 4, 17, 1, 0)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_hip(hipGraphExecMemsetNodeSetParams(exec, node, &bad[i]), hipErrorInvalidValue);
    assert_hip(hipGraphExecMemsetNodeSetParams(exec, function, &good), hipErrorInvalidValue);
    assert_hip_ok(hipMemset(memory, 0, 64));
    launch(exec);
    assert_int_equal(word_at(memory, 12), 7);
    assert_hip_ok(hipGraphDestroyNode(node));
    assert_hip(hipGraphExecMemsetNodeSetParams(exec, node, &good), hipErrorInvalidValue);
    end(exec, graph);
    assert_hip_ok(hipFree(other));
    assert_hip_ok(hipFree(memory));
}

static void a_fill_of_rows_keeps_their_size(void **state) {
    char *memory = new_zeros(256);
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    hipMemsetParams rows = rows_of(memory, 5, 2, 4, 3, 16);
    (void)state;
    assert_hip_ok(hipGraphAddMemsetNode(&node, graph, NULL, 0, &rows));
    hipGraphExec_t exec = make_exec(graph);
    hipMemsetParams same = rows_of(memory + 64, 6, 4, 2, 3, 32); // as many bytes
    assert_hip_ok(hipGraphExecMemsetNodeSetParams(exec, node, &same));
    hipMemsetParams wider = rows_of(memory, 6, 4, 3, 3, 16);
    assert_hip(hipGraphExecMemsetNodeSetParams(exec, node, &wider), hipErrorInvalidValue);
    hipMemsetParams more = rows_of(memory, 6, 4, 2, 4, 16);
    assert_hip(hipGraphExecMemsetNodeSetParams(exec, node, &more), hipErrorInvalidValue);
    launch(exec);
    assert_int_equal(word_at(memory, 0), 0);
    assert_int_equal(word_at(memory, 64 + 32 + 4), 6);
    end(exec, graph);
    assert_hip_ok(hipFree(memory));
}

// As ROCm 6.3 answered, group gh_memcpy_chain.
static void a_copy_keeps_its_direction(void **state) {
    char *memory = new_zeros(128);
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    hipGraphNode_t up = NULL, on = NULL;
    int *host = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc((void **)&host, sizeof *host, 0));
    hipGraphNode_t fill = add_fill(graph, NULL, memory, 1);
    char *d = memory, *e = memory + 64;
    assert_hip_ok(hipGraphAddMemcpyNode1D(&on, graph, &fill, 1, e, d, 4, hipMemcpyDeviceToDevice));
    assert_hip_ok(hipGraphAddMemcpyNode1D(&up, graph, &on, 1, host, e, 4, hipMemcpyDeviceToHost));
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipMemset(d + 8, 9, 4));
    assert_hip_ok(
        hipGraphExecMemcpyNodeSetParams1D(exec, up, host, d + 8, 4, hipMemcpyDeviceToHost));
    hipGraphNode_t foreign = add_empty(other, NULL, 0);
    const struct {
        hipGraphNode_t node;
        void *dst;
        void *src;
        size_t size;
        hipMemcpyKind kind;
    } bad[] = {
        {up, e, d, 4, hipMemcpyDeviceToDevice},      {up, d, d, 0, hipMemcpyDeviceToHost},
        {on, d, d, 4, hipMemcpyDeviceToDevice},      {on, e, d, 129, hipMemcpyDeviceToDevice},
        {foreign, e, d, 4, hipMemcpyDeviceToDevice}, {on, e, d, 4, (hipMemcpyKind)7},
        {on, NULL, d, 4, hipMemcpyDeviceToDevice},   {on, e, NULL, 4, hipMemcpyDeviceToDevice},
        {fill, e, d, 4, hipMemcpyDeviceToDevice}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_hip(hipGraphExecMemcpyNodeSetParams1D(exec, bad[i].node, bad[i].dst, bad[i].src,
                                                     bad[i].size, bad[i].kind),
                   hipErrorInvalidValue);
    launch(exec);
    assert_int_equal(*host, 0x09090909);
    end(exec, graph);
    assert_hip_ok(hipGraphDestroy(other));
    assert_hip_ok(hipHostFree(host));
    assert_hip_ok(hipFree(memory));
}

static void a_copied_box_changes(void **state) {
    char *memory = new_zeros(256);
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = NULL;
    hipMemcpy3DParms params = {.srcPtr = {memory, 32, 32, 1},
                               .dstPtr = {memory + 128, 32, 32, 1},
                               .extent = {4, 2, 1},
                               .kind = hipMemcpyDeviceToDevice};
    (void)state;
    assert_hip_ok(hipMemset(memory, 3, 64));
    assert_hip_ok(hipGraphAddMemcpyNode(&node, graph, NULL, 0, &params));
    hipGraphExec_t exec = make_exec(graph);
    hipMemcpy3DParms changed = params;
    changed.dstPos.x = 8;
    assert_hip_ok(hipGraphExecMemcpyNodeSetParams(exec, node, &changed));
    changed.kind = hipMemcpyDefault;
    assert_hip(hipGraphExecMemcpyNodeSetParams(exec, node, &changed), hipErrorInvalidValue);
    changed.kind = (hipMemcpyKind)7; // every failure of the box has one code
    assert_hip(hipGraphExecMemcpyNodeSetParams(exec, node, &changed), hipErrorInvalidValue);
    changed = params;
    changed.srcPtr.pitch = 16;
    assert_hip(hipGraphExecMemcpyNodeSetParams(exec, node, &changed), hipErrorInvalidValue);
    launch(exec);
    assert_int_equal(word_at(memory, 128), 0);
    assert_int_equal(word_at(memory, 128 + 8), 0x03030303);
    assert_int_equal(word_at(memory, 128 + 32 + 8), 0x03030303);
    end(exec, graph);
    assert_hip_ok(hipFree(memory));
}

// AMD's answers, group gh_running_set.
static void a_change_leaves_a_launch_before_it_alone(void **state) {
    struct gate gate = {false, 0};
    char *memory = new_zeros(64);
    hipGraph_t graph = new_graph();
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    hipGraphNode_t node = add_fill(graph, NULL, memory, 1);
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipGraphLaunch(exec, stream));
    hipMemsetParams other = rows_of(memory, 7, 4, 1, 1, 0);
    assert_hip_ok(hipGraphExecMemsetNodeSetParams(exec, node, &other));
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(word_at(memory, 0), 1);
    launch(exec);
    assert_int_equal(word_at(memory, 0), 7);
    end(exec, graph);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(memory));
}

// AMD's answers, group gh_event.
static void events_change(void **state) {
    hipGraph_t graph = new_graph();
    hipEvent_t events[2];
    hipGraphNode_t record = NULL, wait = NULL;
    float ms = -1;
    (void)state;
    for (int i = 0; i < 2; i++) assert_hip_ok(hipEventCreate(&events[i]));
    assert_hip_ok(hipGraphAddEventRecordNode(&record, graph, NULL, 0, events[0]));
    assert_hip_ok(hipGraphAddEventWaitNode(&wait, graph, &record, 1, events[1]));
    hipGraphExec_t exec = make_exec(graph);
    launch(exec);
    assert_hip_ok(hipGraphExecEventRecordNodeSetEvent(exec, record, events[1]));
    assert_hip_ok(hipGraphExecEventWaitNodeSetEvent(exec, wait, events[0]));
    assert_hip(hipGraphExecEventRecordNodeSetEvent(exec, record, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphExecEventRecordNodeSetEvent(exec, wait, events[0]), hipErrorInvalidValue);
    assert_hip(hipGraphExecEventWaitNodeSetEvent(exec, record, events[0]), hipErrorInvalidValue);
    assert_hip(hipGraphExecEventWaitNodeSetEvent(NULL, wait, events[0]), hipErrorInvalidValue);
    launch(exec);
    assert_hip_ok(hipEventElapsedTime(&ms, events[0], events[1])); // both are recorded
    assert_true(ms >= 0);
    end(exec, graph);
    for (int i = 0; i < 2; i++) assert_hip_ok(hipEventDestroy(events[i]));
}

static void an_event_of_another_device_is_refused_at_the_launch(void **state) {
    hipGraph_t graph = new_graph();
    hipEvent_t here = NULL, there = NULL;
    hipGraphNode_t record = NULL;
    (void)state;
    assert_hip_ok(hipEventCreate(&here));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipEventCreate(&there));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipGraphAddEventRecordNode(&record, graph, NULL, 0, here));
    hipGraphExec_t exec = make_exec(graph);
    assert_hip_ok(hipGraphExecEventRecordNodeSetEvent(exec, record, there));
    assert_hip(hipGraphLaunch(exec, NULL), hipErrorInvalidHandle);
    assert_hip_ok(hipGraphExecEventRecordNodeSetEvent(exec, record, here));
    launch(exec);
    end(exec, graph);
    assert_hip_ok(hipEventDestroy(there));
    assert_hip_ok(hipEventDestroy(here));
}

// AMD's answers, group gh_child_exec.
static void a_child_graph_keeps_its_shape(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t child = new_graph();
    hipGraph_t other = new_graph();
    hipGraphNode_t node = NULL;
    (void)state;
    (void)add_letter(child, NULL, "a");
    assert_hip_ok(hipGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    (void)add_letter(graph, &node, "z");
    hipGraphExec_t exec = make_exec(graph);
    hipGraphNode_t letter = add_letter(other, NULL, "b");
    assert_hip_ok(hipGraphExecChildGraphNodeSetParams(exec, node, other));
    launch(exec);
    assert_string_equal(written, "bz");
    (void)add_letter(other, &letter, "c");
    (void)hipGetLastError();
    assert_hip(hipGraphExecChildGraphNodeSetParams(exec, node, other), hipErrorUnknown); // more
    assert_hip_ok(hipGetLastError());
    assert_hip_ok(hipGraphDestroyNode(letter));
    (void)add_empty(child, NULL, 0);
    assert_hip(hipGraphExecChildGraphNodeSetParams(exec, node, child), hipErrorUnknown);
    assert_hip(hipGraphExecChildGraphNodeSetParams(exec, node, graph), hipErrorUnknown);
    assert_hip(hipGraphExecChildGraphNodeSetParams(exec, node, NULL), hipErrorInvalidValue);
    assert_hip(hipGraphExecChildGraphNodeSetParams(NULL, node, other), hipErrorInvalidValue);
    launch(exec);
    assert_string_equal(written, "bz");
    end(exec, graph);
    assert_hip_ok(hipGraphDestroy(child));
    assert_hip_ok(hipGraphDestroy(other));
}

static void a_list_of_values_changes(void **state) {
    hipGraph_t graph = new_graph();
    uint32_t *word = NULL;
    hipGraphNode_t node = NULL;
    hipStreamBatchMemOpParams op = {.writeValue = {.operation = hipStreamMemOpWriteValue32}};
    hipCtx_t context = NULL;
    (void)state;
    assert_hip_ok(hipCtxGetCurrent(&context));
    assert_hip_ok(hipHostMalloc((void **)&word, 2 * sizeof *word, 0));
    word[0] = word[1] = 0;
    op.writeValue.address = word;
    op.writeValue.value = 5;
    hipBatchMemOpNodeParams params = {context, 1, &op, 0};
    assert_hip_ok(hipGraphAddBatchMemOpNode(&node, graph, NULL, 0, &params));
    hipGraphExec_t exec = make_exec(graph);
    op.writeValue.address = word + 1;
    op.writeValue.value = 6;
    assert_hip_ok(hipGraphExecBatchMemOpNodeSetParams(exec, node, &params));
    params.count = 257;
    assert_hip(hipGraphExecBatchMemOpNodeSetParams(exec, node, &params), hipErrorInvalidValue);
    assert_hip(hipGraphExecBatchMemOpNodeSetParams(exec, node, NULL), hipErrorInvalidValue);
    launch(exec);
    assert_int_equal(word[0], 0);
    assert_int_equal(word[1], 6);
    end(exec, graph);
    assert_hip_ok(hipHostFree(word));
}

// AMD's answers, group gh_addnode_set.
static void parameters_of_any_kind_are_set(void **state) {
    char *memory = new_zeros(64);
    hipGraph_t graph = new_graph();
    (void)state;
    hipGraphNode_t fill = add_fill(graph, NULL, memory, 1);
    hipGraphNode_t letter = add_letter(graph, &fill, "a");
    hipGraphExec_t exec = make_exec(graph);
    hipGraphNodeParams params = {.type = hipGraphNodeTypeMemset};
    params.memset = rows_of(memory, 3, 4, 1, 1, 0);
    assert_hip_ok(hipGraphExecNodeSetParams(exec, fill, &params));
    assert_hip(hipGraphExecNodeSetParams(exec, letter, &params), hipErrorInvalidValue);
    assert_hip(hipGraphExecNodeSetParams(exec, fill, NULL), hipErrorInvalidValue);
    params = (hipGraphNodeParams){.type = hipGraphNodeTypeHost};
    params.host = (hipHostNodeParams){write_letter, NULL};
    assert_hip(hipGraphExecNodeSetParams(exec, letter, &params), hipErrorInvalidValue);
    params.host.userData = (void *)(uintptr_t) "b";
    assert_hip_ok(hipGraphExecNodeSetParams(exec, letter, &params));
    params.type = hipGraphNodeTypeMemAlloc;
    assert_hip(hipGraphExecNodeSetParams(exec, fill, &params), hipErrorNotSupported);
    assert_hip(hipGraphExecNodeSetParams(exec, NULL, &params), hipErrorInvalidValue);
    assert_hip(hipGraphExecNodeSetParams(NULL, fill, &params), hipErrorInvalidValue);
    params.type = (hipGraphNodeType)99;
    assert_hip(hipGraphExecNodeSetParams(exec, fill, &params), hipErrorInvalidValue);
    launch(exec);
    assert_int_equal(word_at(memory, 0), 3);
    assert_string_equal(written, "b");
    end(exec, graph);
    assert_hip_ok(hipFree(memory));
}

// ---- all nodes

static hipGraphNode_t unwritten(void) { return (hipGraphNode_t)9; }

// Expects a failure with the result, and as node NULL, or one of the kind.
static void expect_failure(hipGraphExec_t exec, hipGraph_t graph, hipGraphExecUpdateResult wanted,
                           bool has_node) {
    hipGraphExecUpdateResult result = (hipGraphExecUpdateResult)77;
    hipGraphNode_t node = unwritten();
    assert_hip(hipGraphExecUpdate(exec, graph, &node, &result), hipErrorGraphExecUpdateFailure);
    assert_int_equal(result, wanted);
    assert_int_equal(node != NULL, has_node);
    if (has_node) (void)type_of(node);
    assert_hip_ok(hipGraphDestroy(graph));
}

static void expect_success(hipGraphExec_t exec, hipGraph_t graph) {
    hipGraphExecUpdateResult result = (hipGraphExecUpdateResult)77;
    hipGraphNode_t node = unwritten();
    assert_hip_ok(hipGraphExecUpdate(exec, graph, &node, &result));
    assert_int_equal(result, hipGraphExecUpdateSuccess);
    assert_ptr_equal(node, unwritten());
    assert_hip_ok(hipGraphDestroy(graph));
}

// A fill, and a function behind it.
static hipGraph_t fill_and_letter(void *dst, unsigned value, const char *letter) {
    hipGraph_t graph = new_graph();
    hipGraphNode_t fill = add_fill(graph, NULL, dst, value);
    (void)add_letter(graph, &fill, letter);
    return graph;
}

// As ROCm 6.3 answered, group gh_update_codes.
static void an_update_takes_all_parameters_or_none(void **state) {
    char *memory = new_zeros(64);
    hipGraph_t graph = fill_and_letter(memory, 1, "a");
    hipGraph_t other = new_graph();
    (void)state;
    hipGraphExec_t exec = make_exec(graph);
    expect_success(exec, fill_and_letter(memory, 2, "b"));
    launch(exec);
    assert_int_equal(word_at(memory, 0), 2);
    assert_string_equal(written, "b");
    hipGraphNode_t node = add_letter(other, NULL, "c"); // kinds in the other order
    (void)add_fill(other, &node, memory, 3);
    expect_failure(exec, other, hipGraphExecUpdateErrorNodeTypeChanged, true);
    other = new_graph(); // no edge
    (void)add_fill(other, NULL, memory, 3);
    (void)add_letter(other, NULL, "c");
    expect_failure(exec, other, hipGraphExecUpdateErrorTopologyChanged, true);
    other = fill_and_letter(memory, 3, "c"); // more
    (void)add_letter(other, NULL, "c");
    expect_failure(exec, other, hipGraphExecUpdateErrorTopologyChanged, false);
    expect_failure(exec, new_graph(), hipGraphExecUpdateErrorTopologyChanged, false);
    other = new_graph(); // a cycle
    hipGraphNode_t first = add_fill(other, NULL, memory, 3);
    hipGraphNode_t second = add_letter(other, &first, "c");
    assert_hip_ok(hipGraphAddDependencies(other, &second, &first, 1));
    expect_failure(exec, other, hipGraphExecUpdateErrorTopologyChanged, false);
    launch(exec);
    assert_int_equal(word_at(memory, 0), 2);
    assert_string_equal(written, "b");
    end(exec, graph);
    assert_hip_ok(hipFree(memory));
}

static void an_update_checks_its_arguments(void **state) {
    hipGraph_t graph = new_graph();
    hipGraphExec_t exec = make_exec(graph);
    hipGraphExecUpdateResult result = (hipGraphExecUpdateResult)77;
    hipGraphNode_t node = unwritten();
    (void)state;
    assert_hip(hipGraphExecUpdate(NULL, graph, &node, &result), hipErrorInvalidValue);
    assert_hip(hipGraphExecUpdate(exec, NULL, &node, &result), hipErrorInvalidValue);
    assert_hip(hipGraphExecUpdate(exec, graph, NULL, &result), hipErrorInvalidValue);
    assert_hip(hipGraphExecUpdate(exec, graph, &node, NULL), hipErrorInvalidValue);
    assert_true(node == unwritten() && (int)result == 77);
    end(exec, graph);
    assert_hip(hipGraphExecUpdate(exec, graph, &node, &result), hipErrorInvalidValue);
}

// AMD's answers, group gh_update_size.
static void an_update_may_change_a_row_but_not_into_rows(void **state) {
    char *memory = new_zeros(64);
    hipGraph_t graph = new_graph();
    hipGraph_t wide = new_graph();
    hipGraph_t rows = new_graph();
    hipGraphNode_t node = NULL;
    (void)state;
    (void)add_fill(graph, NULL, memory, 1);
    hipGraphExec_t exec = make_exec(graph);
    hipMemsetParams params = rows_of(memory, 9, 1, 32, 1, 0);
    assert_hip_ok(hipGraphAddMemsetNode(&node, wide, NULL, 0, &params));
    expect_success(exec, wide);
    launch(exec);
    assert_int_equal(word_at(memory, 28), 0x09090909);
    params = rows_of(memory, 9, 1, 8, 2, 16);
    assert_hip_ok(hipGraphAddMemsetNode(&node, rows, NULL, 0, &params));
    expect_failure(exec, rows, hipGraphExecUpdateErrorParametersChanged, true);
    end(exec, graph);
    assert_hip_ok(hipFree(memory));
}

// AMD's answers, group gh_update_partial, except for the first node, which AMD's library changes.
static void an_update_that_fails_changes_no_node(void **state) {
    char *memory = new_zeros(64);
    int host[1] = {0};
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    hipGraphNode_t copy = NULL;
    (void)state;
    hipGraphNode_t fill = add_fill(graph, NULL, memory, 1);
    assert_hip_ok(hipGraphAddMemcpyNode1D(&copy, graph, &fill, 1, memory + 32, memory, 4,
                                          hipMemcpyDeviceToDevice));
    hipGraphExec_t exec = make_exec(graph);
    fill = add_fill(other, NULL, memory, 2);
    assert_hip_ok(hipGraphAddMemcpyNode1D(&copy, other, &fill, 1, memory + 32, host, 4,
                                          hipMemcpyHostToDevice));
    expect_failure(exec, other, hipGraphExecUpdateErrorParametersChanged, true);
    launch(exec);
    assert_int_equal(word_at(memory, 32), 1);
    end(exec, graph);
    assert_hip_ok(hipFree(memory));
}

// AMD's answers, group gh_update_edges: a chain takes the functions of a fan.
static void an_update_compares_numbers_of_edges_only(void **state) {
    hipGraph_t graph = new_graph();
    hipGraph_t other = new_graph();
    (void)state;
    hipGraphNode_t a = add_letter(graph, NULL, "a");
    hipGraphNode_t b = add_letter(graph, &a, "b");
    (void)add_letter(graph, &b, "c");
    hipGraphExec_t exec = make_exec(graph);
    hipGraphNode_t x = add_letter(other, NULL, "x");
    (void)add_letter(other, &x, "y");
    (void)add_letter(other, &x, "z");
    expect_success(exec, other);
    launch(exec);
    assert_string_equal(written, "xyz");
    end(exec, graph);
}

static void a_graph_of_another_device_may_have_functions_only(void **state) {
    hipGraph_t functions = new_graph();
    hipGraph_t fills = new_graph();
    char *memory = new_zeros(64);
    (void)state;
    (void)add_letter(functions, NULL, "a");
    (void)add_fill(fills, NULL, memory, 1);
    hipGraphExec_t exec = make_exec(functions);
    hipGraphExec_t second = make_exec(fills);
    assert_hip_ok(hipSetDevice(1));
    void *there = new_zeros(64);
    hipGraph_t other = new_graph();
    (void)add_letter(other, NULL, "o");
    hipGraph_t other_fill = new_graph();
    (void)add_fill(other_fill, NULL, there, 1);
    assert_hip_ok(hipSetDevice(0));
    expect_success(exec, other);
    launch(exec);
    assert_string_equal(written, "o");
    expect_failure(second, other_fill, hipGraphExecUpdateErrorUnsupportedFunctionChange, true);
    end(second, fills);
    end(exec, functions);
    assert_hip_ok(hipFree(memory));
    assert_hip_ok(hipFree(there));
}

// AMD's library accepts it and runs the old child.
static void an_update_reaches_into_child_graphs(void **state) {
    hipGraph_t graphs[3];
    hipGraph_t child = new_graph();
    (void)state;
    hipGraphNode_t letter = NULL;
    for (int i = 0; i < 3; i++) {
        static const char *const letters[] = {"a", "b", "c"};
        hipGraphNode_t node = NULL;
        graphs[i] = new_graph();
        letter = add_letter(child, i < 2 ? NULL : &letter, letters[i]);
        assert_hip_ok(hipGraphAddChildGraphNode(&node, graphs[i], NULL, 0, child));
        if (i == 0) assert_hip_ok(hipGraphDestroyNode(letter));
    }
    hipGraphExec_t exec = make_exec(graphs[0]);
    expect_success(exec, graphs[1]);
    launch(exec);
    assert_string_equal(written, "b");
    expect_failure(exec, graphs[2], hipGraphExecUpdateErrorTopologyChanged, true); // two nodes
    launch(exec);
    assert_string_equal(written, "b");
    end(exec, graphs[0]);
    assert_hip_ok(hipGraphDestroy(child));
}

// ---- threads

enum { THREADS = 4, ROUNDS = 60 };

struct crowd {
    hipGraph_t graph;
    hipGraphNode_t nodes[3]; // a fill, a function behind it, and a fill beside it
    hipGraphExec_t exec;
    hipStream_t stream; // one, because all launches fill the same memory
    char *memory;
    atomic_count_t calls;
};

static void *join_crowd(void *arg) {
    struct crowd *crowd = arg;
    hipGraphExecUpdateResult result;
    hipGraphNode_t bad = NULL;
    unsigned enabled = 0;
    const hipHostNodeParams call = {count, &crowd->calls};
    for (int round = 0; round < ROUNDS; round++) {
        const hipMemsetParams fill = rows_of(crowd->memory, (unsigned)round, 4, 1, 1, 0);
        assert_hip_ok(hipGraphLaunch(crowd->exec, crowd->stream));
        assert_hip_ok(hipGraphExecMemsetNodeSetParams(crowd->exec, crowd->nodes[0], &fill));
        assert_hip_ok(hipGraphExecHostNodeSetParams(crowd->exec, crowd->nodes[1], &call));
        assert_hip_ok(hipGraphNodeSetEnabled(crowd->exec, crowd->nodes[2], round % 2 == 0));
        assert_hip_ok(hipGraphNodeGetEnabled(crowd->exec, crowd->nodes[2], &enabled));
        assert_hip_ok(hipGraphExecUpdate(crowd->exec, crowd->graph, &bad, &result));
    }
    return NULL;
}

static void threads_may_launch_and_change_one_executable(void **state) {
    struct crowd crowd = {.graph = new_graph(), .memory = new_zeros(64)};
    const hipHostNodeParams call = {count, &crowd.calls};
    pthread_t threads[THREADS];
    (void)state;
    crowd.nodes[0] = add_fill(crowd.graph, NULL, crowd.memory, 1);
    assert_hip_ok(hipGraphAddHostNode(&crowd.nodes[1], crowd.graph, &crowd.nodes[0], 1, &call));
    crowd.nodes[2] = add_fill(crowd.graph, NULL, crowd.memory + 4, 2);
    crowd.exec = make_exec(crowd.graph);
    assert_hip_ok(hipStreamCreate(&crowd.stream));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, join_crowd, &crowd), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_hip_ok(hipStreamSynchronize(crowd.stream));
    assert_hip_ok(hipStreamDestroy(crowd.stream));
    assert_int_equal(crowd.calls, THREADS * ROUNDS);
    end(crowd.exec, crowd.graph);
    assert_hip_ok(hipFree(crowd.memory));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_changes_in_one_executable_only),
        cmocka_unit_test(a_fill_changes_its_address_and_width),
        cmocka_unit_test(a_fill_of_rows_keeps_their_size),
        cmocka_unit_test(a_copy_keeps_its_direction),
        cmocka_unit_test(a_copied_box_changes),
        cmocka_unit_test(a_change_leaves_a_launch_before_it_alone),
        cmocka_unit_test(events_change),
        cmocka_unit_test(an_event_of_another_device_is_refused_at_the_launch),
        cmocka_unit_test(a_child_graph_keeps_its_shape),
        cmocka_unit_test(a_list_of_values_changes),
        cmocka_unit_test(threads_may_launch_and_change_one_executable),
        cmocka_unit_test(parameters_of_any_kind_are_set),
        cmocka_unit_test(an_update_reaches_into_child_graphs),
        cmocka_unit_test(an_update_takes_all_parameters_or_none),
        cmocka_unit_test(an_update_checks_its_arguments),
        cmocka_unit_test(an_update_may_change_a_row_but_not_into_rows),
        cmocka_unit_test(an_update_that_fails_changes_no_node),
        cmocka_unit_test(an_update_compares_numbers_of_edges_only),
        cmocka_unit_test(a_graph_of_another_device_may_have_functions_only),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
