// SPDX-License-Identifier: Apache-2.0
// hipMemcpyBatchAsync and hipMemcpy3DBatchAsync.
#include "support/work.h"

#define BYTES ((size_t)256)

static hipStream_t stream;
static char *device[2]; // one on each device
static char *pinned;
static char heap[BYTES];

static int setup(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_hip_ok(hipSetDevice(1 - i));
        assert_hip_ok(hipMalloc((void **)&device[1 - i], BYTES));
        assert_hip_ok(hipMemset(device[1 - i], 0, BYTES));
        assert_hip_ok(hipDeviceSynchronize()); // waits for the current device only
    }
    assert_hip_ok(hipHostMalloc((void **)&pinned, BYTES, 0));
    assert_hip_ok(hipStreamCreate(&stream));
    for (size_t i = 0; i < BYTES; i++) heap[i] = (char)(i + 1);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(device[0]));
    assert_hip_ok(hipFree(device[1]));
    assert_hip_ok(hipHostFree(pinned));
    return 0;
}

// ---- rows

static void each_copy_sees_those_before_it(void **state) {
    char back[BYTES];
    void *dsts[] = {device[0], device[1], pinned, back};
    void *srcs[] = {heap, device[0] + 8, device[1], pinned};
    size_t sizes[] = {BYTES, 32, 16, 8};
    size_t failed = 7;
    (void)state;
    assert_hip_ok(hipMemcpyBatchAsync(dsts, srcs, sizes, 4, NULL, NULL, 0, &failed, stream));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_true(failed == SIZE_MAX);
    assert_memory_equal(pinned, heap + 8, 16);
    assert_memory_equal(back, heap + 8, 8);
    assert_hip_ok(hipMemcpyBatchAsync(dsts, srcs, sizes, 1, NULL, NULL, 0, NULL, NULL));
}

static void they_are_work_of_their_stream(void **state) {
    struct gate gate = {false, 0};
    void *dsts[] = {device[0]};
    void *srcs[] = {pinned};
    size_t sizes[] = {BYTES};
    char back = 0;
    (void)state;
    memset(pinned, 1, BYTES);
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipMemcpyBatchAsync(dsts, srcs, sizes, 1, NULL, NULL, 0, NULL, stream));
    memset(pinned, 2, BYTES); // still unread
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipMemcpy(&back, device[0], 1, hipMemcpyDeviceToHost));
    assert_int_equal(back, 2);
}

static void a_source_for_the_call_alone_is_read_in_it(void **state) {
    hipMemcpyAttributes attributes[] = {{.srcAccessOrder = hipMemcpySrcAccessOrderStream},
                                        {.srcAccessOrder = hipMemcpySrcAccessOrderDuringApiCall}};
    size_t first[] = {0, 1};
    void *dsts[] = {device[0], device[0] + 64};
    void *srcs[] = {pinned, pinned};
    size_t sizes[] = {64, 64};
    char back = 0;
    (void)state;
    for (int i = 0; i < 50; i++) {
        memset(pinned, 1, BYTES);
        assert_hip_ok(
            hipMemcpyBatchAsync(dsts, srcs, sizes, 2, attributes, first, 2, NULL, stream));
        memset(pinned, 2, BYTES);
        assert_hip_ok(hipMemcpy(&back, device[0] + 64, 1, hipMemcpyDeviceToHost));
        assert_int_equal(back, 1);
    }
}

static void a_capture_records_them(void **state) {
    void *dsts[] = {device[0], device[0] + 8};
    void *srcs[] = {pinned, pinned};
    size_t sizes[] = {8, 8};
    size_t count = 0;
    hipGraph_t graph = NULL;
    (void)state;
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip_ok(hipMemcpyBatchAsync(dsts, srcs, sizes, 2, NULL, NULL, 0, NULL, stream));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 2);
    assert_hip_ok(hipGraphDestroy(graph));
}

static void bad_lists_are_refused(void **state) {
    hipMemcpyAttributes attributes[] = {{.srcAccessOrder = hipMemcpySrcAccessOrderStream},
                                        {.srcAccessOrder = hipMemcpySrcAccessOrderAny}};
    void *dsts[] = {device[0], device[0] + 64};
    void *srcs[] = {heap, heap};
    size_t sizes[] = {64, 64};
    size_t failed = 7;
    hipStream_t dead = NULL;
    char back = 1;
    (void)state;
    assert_hip_ok(hipStreamCreate(&dead));
    assert_hip_ok(hipStreamDestroy(dead));
    assert_hip(hipMemcpyBatchAsync(NULL, NULL, NULL, 0, NULL, NULL, 0, &failed, dead),
               hipErrorInvalidHandle);
    assert_hip(hipMemcpyBatchAsync(NULL, srcs, sizes, 2, NULL, NULL, 0, &failed, stream),
               hipErrorInvalidValue);
    assert_hip(hipMemcpyBatchAsync(dsts, NULL, sizes, 2, NULL, NULL, 0, &failed, stream),
               hipErrorInvalidValue);
    assert_hip(hipMemcpyBatchAsync(dsts, srcs, NULL, 2, NULL, NULL, 0, &failed, stream),
               hipErrorInvalidValue);
    assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, 0, NULL, NULL, 0, &failed, stream),
               hipErrorInvalidValue);
    const size_t firsts[][2] = {{1, 1}, {0, 0}, {0, 2}};
    for (int i = 0; i < 3; i++) {
        size_t first[] = {firsts[i][0], firsts[i][1]};
        assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, 2, attributes, first, 2, &failed, stream),
                   hipErrorInvalidValue);
    }
    size_t first[] = {0, 1};
    assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, 2, NULL, first, 2, &failed, stream),
               hipErrorInvalidValue);
    assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, 2, attributes, NULL, 2, &failed, stream),
               hipErrorInvalidValue);
    assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, 1, attributes, first, 2, &failed, stream),
               hipErrorInvalidValue);
    attributes[1].srcAccessOrder = hipMemcpySrcAccessOrderInvalid;
    assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, 2, attributes, first, 2, &failed, stream),
               hipErrorInvalidValue);
    assert_int_equal(failed, 7);
    sizes[1] = 0;
    assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, 2, NULL, NULL, 0, &failed, stream),
               hipErrorInvalidValue);
    assert_int_equal(failed, 1);
    sizes[1] = 64;
    srcs[1] = NULL;
    assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, 2, NULL, NULL, 0, &failed, stream),
               hipErrorInvalidValue);
    assert_true(failed == SIZE_MAX);
    assert_hip_ok(hipMemcpy(&back, device[0], 1, hipMemcpyDeviceToHost));
    assert_int_equal(back, 0); // nothing was copied
}

// The whole list is checked before the first copy: sizes first, then pointers.
static void each_copy_of_a_list_is_checked(void **state) {
    enum { COUNT = 3 };
    char back[COUNT];
    (void)state;
    for (size_t bad = 0; bad < COUNT; bad++) {
        void *dsts[] = {device[0], device[0] + 1, device[0] + 2};
        void *srcs[] = {heap, heap, heap};
        size_t sizes[] = {1, 1, 1};
        size_t failed = 7;
        assert_hip_ok(hipMemset(device[0], 0, COUNT));
        sizes[bad] = 0;
        srcs[COUNT - 1 - bad] = NULL;
        assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, COUNT, NULL, NULL, 0, &failed, stream),
                   hipErrorInvalidValue);
        assert_int_equal(failed, bad);
        sizes[bad] = 1;
        assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, COUNT, NULL, NULL, 0, &failed, stream),
                   hipErrorInvalidValue);
        assert_true(failed == SIZE_MAX);
        srcs[COUNT - 1 - bad] = heap;
        dsts[bad] = NULL;
        assert_hip(hipMemcpyBatchAsync(dsts, srcs, sizes, COUNT, NULL, NULL, 0, NULL, stream),
                   hipErrorInvalidValue);
        assert_hip_ok(hipStreamSynchronize(stream));
        assert_hip_ok(hipMemcpy(back, device[0], COUNT, hipMemcpyDeviceToHost));
        for (int i = 0; i < COUNT; i++) assert_int_equal(back[i], 0);
    }
}

// ---- boxes

static hipMemcpy3DOperand pointer_operand(void *ptr, size_t row, size_t rows) {
    hipMemcpy3DOperand operand = {.type = hipMemcpyOperandTypePointer};
    operand.op.ptr.ptr = ptr;
    operand.op.ptr.rowLength = row;
    operand.op.ptr.layerHeight = rows;
    return operand;
}

static hipMemcpy3DOperand array_operand(hipArray_t array, size_t x, size_t y) {
    hipMemcpy3DOperand operand = {.type = hipMemcpyOperandTypeArray};
    operand.op.array.array = array;
    operand.op.array.offset.x = x;
    operand.op.array.offset.y = y;
    return operand;
}

static void boxes_go_through_arrays(void **state) {
    hipChannelFormatDesc format = {32, 0, 0, 0, hipChannelFormatKindUnsigned};
    char back[4 * 2 * 4];
    hipArray_t array = NULL;
    size_t failed = 7;
    (void)state;
    assert_hip_ok(hipMallocArray(&array, &format, 8, 4, 0));
    // 4 x 2 elements of 4 bytes, from rows of 6 elements, to (1, 2) of the array, and back, tight.
    hipMemcpy3DBatchOp ops[] = {
        {pointer_operand(heap, 6, 0), array_operand(array, 1, 2), {4, 2, 1}, 1, 0},
        {array_operand(array, 1, 2), pointer_operand(back, 0, 0), {4, 2, 1}, 1, 0}};
    assert_hip_ok(hipMemcpy3DBatchAsync(2, ops, &failed, 0, stream));
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_true(failed == SIZE_MAX);
    assert_memory_equal(back, heap, 16);
    assert_memory_equal(back + 16, heap + 24, 16);
    assert_hip_ok(hipFreeArray(array));
}

static void rows_and_layers_have_their_lengths(void **state) {
    char back[2 * 3 * 2];
    (void)state;
    // 2 layers of 3 rows of 2 bytes: on the device rows of 5 bytes, layers of 4 rows.
    hipMemcpy3DBatchOp ops[] = {
        {pointer_operand(heap, 0, 0), pointer_operand(device[0], 5, 4), {2, 3, 2}, 1, 0},
        {pointer_operand(device[0], 5, 4), pointer_operand(back, 0, 0), {2, 3, 2}, 2, 0}};
    assert_hip_ok(hipMemcpy3DBatchAsync(2, ops, NULL, 0, stream));
    assert_memory_equal(back, heap, sizeof back); // the second waits by itself
    assert_hip_ok(hipMemcpy(back, device[0] + 5 * 4, 2, hipMemcpyDeviceToHost));
    assert_memory_equal(back, heap + 6, 2);
}

static void bad_boxes_are_refused(void **state) {
    hipMemcpy3DBatchOp ops[] = {
        {pointer_operand(heap, 0, 0), pointer_operand(device[0], 0, 0), {4, 1, 1}, 1, 0},
        {pointer_operand(NULL, 0, 0), pointer_operand(device[0], 0, 0), {4, 1, 1}, 1, 0}};
    size_t failed = 7;
    char back[4];
    (void)state;
    assert_hip(hipMemcpy3DBatchAsync(2, NULL, &failed, 0, stream), hipErrorInvalidValue);
    assert_hip(hipMemcpy3DBatchAsync(0, ops, &failed, 0, stream), hipErrorInvalidValue);
    assert_hip(hipMemcpy3DBatchAsync(1, ops, &failed, 1, stream), hipErrorInvalidValue);
    assert_hip(hipMemcpy3DBatchAsync(1, ops, &failed, 0, (hipStream_t)4711), hipErrorInvalidHandle);
    assert_int_equal(failed, 7);
    assert_hip(hipMemcpy3DBatchAsync(2, ops, &failed, 0, stream), hipErrorInvalidValue);
    assert_int_equal(failed, 1);
    assert_hip_ok(hipMemcpy(back, device[0], 4, hipMemcpyDeviceToHost));
    assert_memory_equal(back, heap, 4); // the first was submitted
    ops[0].dst.type = (hipMemcpy3DOperandType)3;
    assert_hip(hipMemcpy3DBatchAsync(1, ops, &failed, 0, stream), hipErrorInvalidValue);
    assert_int_equal(failed, 0);
    ops[0].dst = array_operand(NULL, 0, 0);
    assert_hip(hipMemcpy3DBatchAsync(1, ops, &failed, 0, stream), hipErrorInvalidHandle);
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CLAIM(each_copy_sees_those_before_it),
        CLAIM(they_are_work_of_their_stream),
        CLAIM(a_source_for_the_call_alone_is_read_in_it),
        CLAIM(a_capture_records_them),
        CLAIM(bad_lists_are_refused),
        CLAIM(each_copy_of_a_list_is_checked),
        CLAIM(boxes_go_through_arrays),
        CLAIM(rows_and_layers_have_their_lengths),
        CLAIM(bad_boxes_are_refused),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
