// SPDX-License-Identifier: Apache-2.0
// The kinds of nodes: their parameters come back, may be changed in the graph and in the executable
// graph, and the launch does what they state.
#include "support/cuda.h"

enum { BYTES = 4096 };

static CUgraph graph;
static CUgraphNode node;
static CUcontext context;
static CUdeviceptr memory;
static unsigned char got[BYTES];

static void *pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

static void begin_graph(void) {
    node = NULL;
    assert_cu_ok(cuGraphCreate(&graph, 0));
    assert_cu_ok(cuMemsetD8(memory, 0, BYTES));
}

static CUgraphExec make_exec(void) {
    CUgraphExec exec = NULL;
    assert_cu_ok(cuGraphInstantiateWithFlags(&exec, graph, 0));
    return exec;
}

static void launch(CUgraphExec exec) {
    assert_cu_ok(cuGraphLaunch(exec, NULL));
    assert_cu_ok(cuCtxSynchronize());
    assert_cu_ok(cuMemcpyDtoH(got, memory, BYTES));
}

static void end_graph(CUgraphExec exec) {
    assert_cu_ok(cuGraphExecDestroy(exec));
    assert_cu_ok(cuGraphDestroy(graph));
    assert_cuda_ok(cudaGetLastError());
}

static void is_filled(unsigned char value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) assert_int_equal(got[i], value);
    assert_int_equal(got[bytes], 0);
}

static void the_driver_fills(void **state) {
    CUDA_MEMSET_NODE_PARAMS fill = {memory, 0, 7, 1, 100, 1}, read;
    (void)state;
    begin_graph();
    assert_cu_ok(cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, context));
    assert_cu_ok(cuGraphMemsetNodeGetParams(node, &read));
    assert_true(read.dst == memory && read.value == 7 && read.width == 100 && read.height == 1);
    fill.width = 50;
    assert_cu_ok(cuGraphMemsetNodeSetParams(node, &fill));
    CUgraphExec exec = make_exec();
    launch(exec);
    is_filled(7, 50);
    fill.value = 8;
    assert_cu_ok(cuGraphExecMemsetNodeSetParams(exec, node, &fill, context));
    launch(exec);
    is_filled(8, 50);
    fill.elementSize = 3;
    assert_cu(cuGraphMemsetNodeSetParams(node, &fill), 1);
    fill = (CUDA_MEMSET_NODE_PARAMS){memory + 1, 0, 7, 4, 1, 1};
    assert_cu(cuGraphMemsetNodeSetParams(node, &fill), 1);
    end_graph(exec);
}

static void the_runtime_fills(void **state) {
    struct cudaMemsetParams fill = {pointer(memory), 0, 7, 1, 100, 1}, read;
    (void)state;
    begin_graph();
    assert_cuda_ok(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &fill));
    assert_cuda_ok(cudaGraphMemsetNodeGetParams(node, &read));
    assert_true(read.dst == fill.dst && read.elementSize == 1 && read.width == 100);
    fill.width = 50;
    assert_cuda_ok(cudaGraphMemsetNodeSetParams(node, &fill));
    CUgraphExec exec = make_exec();
    launch(exec);
    is_filled(7, 50);
    fill.value = 8;
    assert_cuda_ok(cudaGraphExecMemsetNodeSetParams(exec, node, &fill));
    launch(exec);
    is_filled(8, 50);
    end_graph(exec);
}

static void the_driver_copies_boxes(void **state) {
    unsigned char from[2][100];
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = from[0],
                          .srcPitch = 100,
                          .srcHeight = 1,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = memory,
                          .dstPitch = 100,
                          .dstHeight = 1,
                          .WidthInBytes = 100,
                          .Height = 1,
                          .Depth = 1};
    CUDA_MEMCPY3D read;
    (void)state;
    memset(from[0], 1, 100);
    memset(from[1], 2, 100);
    begin_graph();
    assert_cu_ok(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, context));
    assert_cu_ok(cuGraphMemcpyNodeGetParams(node, &read));
    assert_true(read.dstDevice == memory && read.srcHost == from[0] && read.WidthInBytes == 100);
    copy.WidthInBytes = 60;
    assert_cu_ok(cuGraphMemcpyNodeSetParams(node, &copy));
    CUgraphExec exec = make_exec();
    launch(exec);
    is_filled(1, 60);
    copy.srcHost = from[1];
    assert_cu_ok(cuGraphExecMemcpyNodeSetParams(exec, node, &copy, context));
    launch(exec);
    is_filled(2, 60);
    copy.WidthInBytes = 101; // beyond the pitch
    assert_cu(cuGraphMemcpyNodeSetParams(node, &copy), 1);
    end_graph(exec);
}

static void the_runtime_copies_boxes_and_rows(void **state) {
    unsigned char from[100];
    struct cudaMemcpy3DParms copy = {.srcPtr = {from, 100, 100, 1},
                                     .dstPtr = {pointer(memory), 100, 100, 1},
                                     .extent = {100, 1, 1},
                                     .kind = cudaMemcpyHostToDevice};
    struct cudaMemcpy3DParms read;
    CUgraphNode row = NULL;
    (void)state;
    memset(from, 1, sizeof from);
    begin_graph();
    assert_cuda_ok(cudaGraphAddMemcpyNode(&node, graph, NULL, 0, &copy));
    assert_cuda_ok(cudaGraphMemcpyNodeGetParams(node, &read));
    assert_true(read.srcPtr.ptr == from && read.extent.width == 100);
    copy.extent.width = 60;
    assert_cuda_ok(cudaGraphMemcpyNodeSetParams(node, &copy));
    assert_cuda_ok(cudaGraphAddMemcpyNode1D(&row, graph, &node, 1, pointer(memory + 60), from, 10,
                                            cudaMemcpyHostToDevice));
    assert_cuda_ok(cudaGraphMemcpyNodeSetParams1D(row, pointer(memory + 60), from, 20,
                                                  cudaMemcpyHostToDevice));
    CUgraphExec exec = make_exec();
    launch(exec);
    is_filled(1, 80);
    assert_cu_ok(cuMemsetD8(memory, 0, BYTES));
    copy.extent.width = 50;
    assert_cuda_ok(cudaGraphExecMemcpyNodeSetParams(exec, node, &copy));
    assert_cuda_ok(cudaGraphExecMemcpyNodeSetParams1D(exec, row, pointer(memory + 50), from, 10,
                                                      cudaMemcpyHostToDevice));
    launch(exec);
    is_filled(1, 60);
    end_graph(exec);
}

static void add_one(void *number) { (*(int *)number)++; }
static void add_ten(void *number) { *(int *)number += 10; }

static void functions_of_the_host_are_called(void **state) {
    int number = 0;
    CUDA_HOST_NODE_PARAMS call = {add_one, &number}, read;
    (void)state;
    begin_graph();
    assert_cu_ok(cuGraphAddHostNode(&node, graph, NULL, 0, &call));
    assert_cu_ok(cuGraphHostNodeGetParams(node, &read));
    assert_true(read.fn == add_one && read.userData == &number);
    CUgraphExec exec = make_exec();
    launch(exec);
    assert_int_equal(number, 1);
    call.fn = add_ten;
    assert_cu_ok(cuGraphExecHostNodeSetParams(exec, node, &call));
    launch(exec);
    assert_int_equal(number, 11);
    assert_cu_ok(cuGraphHostNodeSetParams(node, &call));
    assert_cu_ok(cuGraphHostNodeGetParams(node, &read));
    assert_true(read.fn == add_ten);
    unsigned enabled = 0;
    assert_cu(cuGraphNodeGetEnabled(exec, node, &enabled), 1); // of copies, fills and kernels only
    end_graph(exec);
}

static void a_disabled_node_does_nothing(void **state) {
    CUDA_MEMSET_NODE_PARAMS fill = {memory, 0, 7, 1, 100, 1};
    unsigned enabled = 1;
    (void)state;
    begin_graph();
    assert_cu_ok(cuGraphAddMemsetNode(&node, graph, NULL, 0, &fill, context));
    CUgraphExec exec = make_exec();
    assert_cu_ok(cuGraphNodeSetEnabled(exec, node, 0));
    assert_cu_ok(cuGraphNodeGetEnabled(exec, node, &enabled));
    assert_int_equal(enabled, 0);
    launch(exec);
    is_filled(0, 100);
    assert_cu_ok(cuGraphNodeSetEnabled(exec, node, 1));
    launch(exec);
    is_filled(7, 100);
    end_graph(exec);
}

static void events_are_recorded_and_awaited(void **state) {
    CUevent first = NULL, second = NULL, read = NULL;
    CUgraphNode wait = NULL;
    (void)state;
    assert_cu_ok(cuEventCreate(&first, CU_EVENT_DEFAULT));
    assert_cu_ok(cuEventCreate(&second, CU_EVENT_DEFAULT));
    begin_graph();
    assert_cu_ok(cuGraphAddEventRecordNode(&node, graph, NULL, 0, first));
    assert_cu_ok(cuGraphAddEventWaitNode(&wait, graph, &node, 1, first));
    assert_cu_ok(cuGraphEventRecordNodeGetEvent(node, &read));
    assert_ptr_equal(read, first);
    assert_cu_ok(cuGraphEventWaitNodeGetEvent(wait, &read));
    assert_ptr_equal(read, first);
    CUgraphExec exec = make_exec();
    launch(exec);
    assert_cu_ok(cuGraphExecEventRecordNodeSetEvent(exec, node, second));
    assert_cu_ok(cuGraphExecEventWaitNodeSetEvent(exec, wait, second));
    launch(exec);
    assert_cu_ok(cuEventQuery(second));
    float time = -1;
    assert_cu_ok(cuEventElapsedTime(&time, first, second)); // both were recorded
    assert_true(time >= 0);
    assert_cu_ok(cuGraphEventRecordNodeSetEvent(node, second));
    assert_cu_ok(cuGraphEventWaitNodeSetEvent(wait, second));
    assert_cu_ok(cuGraphEventWaitNodeGetEvent(wait, &read));
    assert_ptr_equal(read, second);
    end_graph(exec);
    assert_cu_ok(cuEventDestroy(first));
    assert_cu_ok(cuEventDestroy(second));
}

static void a_child_is_a_copy_of_a_graph(void **state) {
    CUDA_MEMSET_NODE_PARAMS fill = {memory, 0, 7, 1, 100, 1};
    CUgraph child = NULL, copy = NULL;
    CUgraphNode inner = NULL;
    (void)state;
    assert_cu_ok(cuGraphCreate(&child, 0));
    assert_cu_ok(cuGraphAddMemsetNode(&inner, child, NULL, 0, &fill, context));
    begin_graph();
    assert_cu_ok(cuGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    assert_cu_ok(cuGraphChildGraphNodeGetGraph(node, &copy));
    assert_ptr_not_equal(copy, child);
    CUgraphExec exec = make_exec();
    launch(exec);
    is_filled(7, 100);
    fill.value = 8;
    assert_cu_ok(cuGraphMemsetNodeSetParams(inner, &fill));
    launch(exec);
    is_filled(7, 100);
    assert_cu_ok(cuGraphExecChildGraphNodeSetParams(exec, node, child));
    launch(exec);
    is_filled(8, 100);
    end_graph(exec);
    assert_cu_ok(cuGraphDestroy(child));
}

static void words_are_written_and_awaited(void **state) {
    CUstreamBatchMemOpParams ops[2];
    CUDA_BATCH_MEM_OP_NODE_PARAMS list = {context, 2, ops, 0}, read;
    (void)state;
    memset(ops, 0, sizeof ops);
    ops[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    ops[0].writeValue.address = memory;
    ops[0].writeValue.value = 0x07070707;
    ops[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    ops[1].waitValue.address = memory;
    ops[1].waitValue.value = 0x07070707;
    begin_graph();
    assert_cu_ok(cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &list));
    assert_cu_ok(cuGraphBatchMemOpNodeGetParams(node, &read));
    assert_int_equal(read.count, 2);
    assert_int_equal(read.paramArray[0].writeValue.address, memory);
    CUgraphExec exec = make_exec();
    launch(exec);
    is_filled(7, 4);
    ops[0].writeValue.value = ops[1].waitValue.value = 0x08080808;
    assert_cu_ok(cuGraphExecBatchMemOpNodeSetParams(exec, node, &list));
    launch(exec);
    is_filled(8, 4);
    assert_cu_ok(cuGraphBatchMemOpNodeSetParams(node, &list));
    list.count = 0;
    assert_cu(cuGraphBatchMemOpNodeSetParams(node, &list), 1);
    end_graph(exec);
}

static void memory_lives_from_one_node_to_another(void **state) {
    CUDA_MEM_ALLOC_NODE_PARAMS alloc = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}},
                                        .bytesize = BYTES};
    CUDA_MEM_ALLOC_NODE_PARAMS read;
    CUgraphNode last = NULL;
    CUdeviceptr freed = 0;
    cuuint64_t bytes = 1;
    (void)state;
    begin_graph();
    alloc.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    assert_cu(cuGraphAddMemAllocNode(&node, graph, NULL, 0, &alloc), 801);
    alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_MANAGED;
    assert_cu(cuGraphAddMemAllocNode(&node, graph, NULL, 0, &alloc), 1);
    alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    alloc.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
    assert_cu_ok(cuGraphAddMemAllocNode(&node, graph, NULL, 0, &alloc));
    assert_true(alloc.dptr != 0);
    assert_cu_ok(cuGraphMemAllocNodeGetParams(node, &read));
    assert_int_equal(read.dptr, alloc.dptr);
    assert_cu_ok(cuGraphAddMemFreeNode(&last, graph, &node, 1, alloc.dptr));
    assert_cu_ok(cuGraphMemFreeNodeGetParams(last, &freed));
    assert_int_equal(freed, alloc.dptr);
    assert_cu(cuGraphRemoveDependencies(graph, &node, &last, NULL, 1), 801);
    assert_cu(cuGraphAddMemFreeNode(&last, graph, &node, 1, alloc.dptr), 1); // a second time
    CUgraphExec exec = make_exec();
    launch(exec);
    launch(exec);
    assert_cu_ok(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &bytes));
    assert_int_equal(bytes, 0);
    end_graph(exec);
    bytes = 0;
    assert_cu_ok(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &bytes));
    bytes = 1;
    assert_cu(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &bytes), 1);
    assert_cu_ok(cuDeviceGraphMemTrim(0));
    assert_cu_ok(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &bytes));
    assert_int_equal(bytes, 0);
}

static int begin(void **state) {
    int failed = cuda_group_setup(state);
    cuda_begin();
    return failed != 0 || cuCtxGetCurrent(&context) != CUDA_SUCCESS ||
           cuMemAlloc(&memory, BYTES) != CUDA_SUCCESS;
}

static int end(void **state) {
    assert_cu_ok(cuMemFree(memory));
    return cuda_group_end(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_driver_fills),
        cmocka_unit_test(the_runtime_fills),
        cmocka_unit_test(the_driver_copies_boxes),
        cmocka_unit_test(the_runtime_copies_boxes_and_rows),
        cmocka_unit_test(functions_of_the_host_are_called),
        cmocka_unit_test(a_disabled_node_does_nothing),
        cmocka_unit_test(events_are_recorded_and_awaited),
        cmocka_unit_test(a_child_is_a_copy_of_a_graph),
        cmocka_unit_test(words_are_written_and_awaited),
        cmocka_unit_test(memory_lives_from_one_node_to_another),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
