// SPDX-License-Identifier: Apache-2.0
// Less used functions of streams: identity, attributes, callbacks, waits for 64-bit values and lists of
// them, and the state of captures.
#include "support/cuda.h"

static CUstream stream;

static void a_stream_knows_its_device_and_identity(void **state) {
    unsigned long long id = 0, other_id = 0;
    CUstream other = NULL;
    CUdevice device = 9;
    int least = -9, greatest = -9;
    (void)state;
    assert_cu_ok(cuStreamCreate(&other, CU_STREAM_DEFAULT));
    assert_cu_ok(cuStreamGetId(stream, &id));
    assert_cuda_ok(cudaStreamGetId(other, &other_id));
    assert_true(id != other_id);
    assert_cu_ok(cuStreamGetDevice(stream, &device));
    assert_int_equal(device, 0);
    assert_cu_ok(cuCtxGetStreamPriorityRange(&least, &greatest));
    assert_true(greatest <= least);
    assert_cu_ok(cuStreamDestroy(other));
    assert_cu(cuStreamGetId(other, &id), 400);
}

static void a_policy_is_kept_and_copied(void **state) {
    CUstreamAttrValue value;
    CUstream other = NULL;
    (void)state;
    memset(&value, 0, sizeof value);
    value.syncPolicy = CU_SYNC_POLICY_YIELD;
    assert_cu_ok(cuStreamCreate(&other, CU_STREAM_DEFAULT));
    assert_cu_ok(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    assert_cu_ok(cuStreamCopyAttributes(other, stream));
    memset(&value, 0, sizeof value);
    assert_cu_ok(cuStreamGetAttribute(other, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    assert_int_equal(value.syncPolicy, CU_SYNC_POLICY_YIELD);
    assert_cu(cuStreamGetAttribute(other, (CUstreamAttrID)99, &value), 1);
    assert_cu_ok(cuStreamDestroy(other));
}

static void note_status(CUstream from, CUresult status, void *seen) {
    *(int *)seen = from == stream ? (int)status : 77;
}

static void a_callback_receives_its_stream_and_status(void **state) {
    int seen = 99;
    (void)state;
    assert_cu_ok(cuStreamAddCallback(stream, note_status, &seen, 0));
    assert_cu_ok(cuStreamSynchronize(stream));
    assert_int_equal(seen, 0);
    assert_cu(cuStreamAddCallback(stream, note_status, &seen, 1), 1);
    assert_cu(cuStreamAddCallback(stream, NULL, &seen, 0), 1);
}

static void values_of_64_bits_order_streams(void **state) {
    CUstreamBatchMemOpParams ops[2];
    CUdeviceptr memory = 0;
    CUevent event = NULL;
    CUstream other = NULL;
    uint64_t value = 0;
    (void)state;
    assert_cu_ok(cuMemAlloc(&memory, 64));
    assert_cu_ok(cuMemsetD8(memory, 0, 64));
    assert_cu_ok(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    assert_cu_ok(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    assert_cu_ok(cuStreamWaitValue64(stream, memory, 1ull << 40, CU_STREAM_WAIT_VALUE_GEQ));
    assert_cu_ok(cuEventRecordWithFlags(event, stream, 0));
    assert_cu(cuEventQuery(event), 600);
    assert_cu_ok(cuStreamWriteValue64(other, memory, (1ull << 40) + 1, 0));
    assert_cu_ok(cuEventSynchronize(event));
    memset(ops, 0, sizeof ops);
    ops[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    ops[0].writeValue.address = memory + 8;
    ops[0].writeValue.value64 = 5;
    ops[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
    ops[1].waitValue.address = memory + 8;
    ops[1].waitValue.value64 = 5;
    ops[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    assert_cu_ok(cuStreamBatchMemOp(stream, 2, ops, 0));
    assert_cu_ok(cuStreamSynchronize(stream));
    assert_cu_ok(cuMemcpyDtoH(&value, memory + 8, sizeof value));
    assert_int_equal(value, 5);
    ops[1].operation = (CUstreamBatchMemOpType)99;
    assert_cu(cuStreamBatchMemOp(stream, 2, ops, 0), 1);
    ops[1].operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
    ops[1].waitValue.address = memory + 12; // addresses are aligned to the value
    assert_cu(cuStreamBatchMemOp(stream, 2, ops, 0), 1);
    assert_cu(cuStreamWaitValue64(stream, memory + 4, 0, CU_STREAM_WAIT_VALUE_GEQ), 1);
    assert_cu(cuStreamWriteValue64(stream, memory + 4, 0, 0), 1);
    assert_cu(cuStreamWriteValue32(stream, memory + 2, 0, 0), 1);
    assert_cu_ok(cuStreamWriteValue32(stream, memory + 4, 0, 0));
    assert_cu_ok(cuEventDestroy(event));
    assert_cu_ok(cuStreamDestroy(other));
    assert_cu_ok(cuMemFree(memory));
}

static void a_capture_continues_a_graph(void **state) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUgraph graph = NULL, ended = NULL;
    CUgraphNode first = NULL;
    CUdeviceptr memory = 0;
    size_t count = 0;
    (void)state;
    assert_cu_ok(cuMemAlloc(&memory, 64));
    assert_cu_ok(cuGraphCreate(&graph, 0));
    assert_cu_ok(cuGraphAddEmptyNode(&first, graph, NULL, 0));
    assert_cu_ok(cuStreamIsCapturing(stream, &status));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_NONE);
    assert_cu_ok(
        cuStreamBeginCaptureToGraph(stream, graph, &first, NULL, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
    assert_cuda_ok(cudaStreamIsCapturing(stream, (enum cudaStreamCaptureStatus *)&status));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    assert_cu_ok(cuMemsetD8Async(memory, 1, 64, stream));
    assert_cu_ok(cuStreamUpdateCaptureDependencies(stream, &first, NULL, 1,
                                                   CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    assert_cu_ok(cuMemsetD8Async(memory, 2, 32, stream));
    assert_cu_ok(cuStreamEndCapture(stream, &ended));
    assert_ptr_equal(ended, graph);
    assert_cu_ok(cuGraphNodeGetDependentNodes(first, NULL, NULL, &count));
    assert_int_equal(count, 2); // both fills follow it
    assert_cu_ok(cuThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
    assert_cuda_ok(cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)&mode));
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_RELAXED);
    assert_cu_ok(cuGraphDestroy(graph));
    assert_cu_ok(cuMemFree(memory));
}

static int begin(void **state) {
    int failed = cuda_group_setup(state);
    cuda_begin();
    return failed != 0 || cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_knows_its_device_and_identity),
        cmocka_unit_test(a_policy_is_kept_and_copied),
        cmocka_unit_test(a_callback_receives_its_stream_and_status),
        cmocka_unit_test(values_of_64_bits_order_streams),
        cmocka_unit_test(a_capture_continues_a_graph),
    };
    return cmocka_run_group_tests(tests, begin, cuda_group_end);
}
