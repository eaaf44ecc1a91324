// SPDX-License-Identifier: Apache-2.0
// Fills: elements of one, two and four bytes, rows of them, and boxes, by both APIs.
#include "support/cuda.h"

enum { PITCH = 512, HEIGHT = 4, BYTES = PITCH * HEIGHT };

static CUdeviceptr memory;
static unsigned char bytes[BYTES];

// The memory begins with bytes of 0xee, which a fill must leave outside its range.
static void begin_fill(void) { assert_cu_ok(cuMemsetD8(memory, 0xee, BYTES)); }

static const unsigned char *end_fill(void) {
    assert_cu_ok(cuCtxSynchronize());
    assert_cu_ok(cuMemcpyDtoH(bytes, memory, BYTES));
    return bytes;
}

static void is_row(const unsigned char *row, const void *element, size_t size, size_t count) {
    for (size_t i = 0; i < count; i++) assert_memory_equal(row + i * size, element, size);
    assert_int_equal(row[count * size], 0xee);
}

static const unsigned short two = 0x1234;
static const unsigned four = 0x12345678;
static const unsigned char one = 0x12;

static void the_driver_fills_elements_of_three_sizes(void **state) {
    (void)state;
    for (int async = 0; async < 2; async++) {
        begin_fill();
        assert_cu_ok(async ? cuMemsetD8Async(memory, one, 7, NULL) : cuMemsetD8(memory, one, 7));
        is_row(end_fill(), &one, 1, 7);
        begin_fill();
        assert_cu_ok(async ? cuMemsetD16Async(memory, two, 7, NULL) : cuMemsetD16(memory, two, 7));
        is_row(end_fill(), &two, 2, 7);
        begin_fill();
        assert_cu_ok(async ? cuMemsetD32Async(memory, four, 7, NULL)
                           : cuMemsetD32(memory, four, 7));
        is_row(end_fill(), &four, 4, 7);
    }
}

static void are_rows(const void *element, size_t size) {
    (void)end_fill();
    for (size_t row = 0; row < 3; row++) is_row(bytes + row * PITCH, element, size, 5);
    assert_int_equal(bytes[3 * (size_t)PITCH], 0xee);
}

static void the_driver_fills_rows(void **state) {
    (void)state;
    for (int async = 0; async < 2; async++) {
        begin_fill();
        assert_cu_ok(async ? cuMemsetD2D8Async(memory, PITCH, one, 5, 3, NULL)
                           : cuMemsetD2D8(memory, PITCH, one, 5, 3));
        are_rows(&one, 1);
        begin_fill();
        assert_cu_ok(async ? cuMemsetD2D16Async(memory, PITCH, two, 5, 3, NULL)
                           : cuMemsetD2D16(memory, PITCH, two, 5, 3));
        are_rows(&two, 2);
        begin_fill();
        assert_cu_ok(async ? cuMemsetD2D32Async(memory, PITCH, four, 5, 3, NULL)
                           : cuMemsetD2D32(memory, PITCH, four, 5, 3));
        are_rows(&four, 4);
    }
}

static void the_runtime_fills_rows_and_boxes_of_bytes(void **state) {
    void *ptr = (void *)(uintptr_t)memory;
    struct cudaPitchedPtr box = {ptr, PITCH, PITCH, 2};
    struct cudaExtent extent = {5, 1, 2};
    (void)state;
    for (int async = 0; async < 2; async++) {
        begin_fill();
        assert_cuda_ok(async ? cudaMemset2DAsync(ptr, PITCH, one, 5, 3, NULL)
                             : cudaMemset2D(ptr, PITCH, one, 5, 3));
        are_rows(&one, 1);
        begin_fill();
        assert_cuda_ok(async ? cudaMemset3DAsync(box, one, extent, NULL)
                             : cudaMemset3D(box, one, extent));
        (void)end_fill();
        is_row(bytes, &one, 1, 5);
        is_row(bytes + 2 * (size_t)PITCH, &one, 1, 5); // the second slice
        assert_int_equal(bytes[PITCH], 0xee);
    }
}

static void one_row_needs_no_pitch(void **state) {
    (void)state;
    begin_fill();
    assert_cu_ok(cuMemsetD2D8(memory, 0, one, 5, 1));
    const unsigned char *filled = end_fill();
    assert_int_equal(filled[4], one);
    assert_int_equal(filled[5], 0xee);
}

static void a_bad_fill_changes_nothing(void **state) {
    (void)state;
    begin_fill();
    assert_cu(cuMemsetD16(memory + 1, two, 4), 1);
    assert_cu(cuMemsetD32(memory + 2, four, 4), 1);
    assert_cu(cuMemsetD2D8(memory, 4, one, 5, 3), 1);
    assert_cu(cuMemsetD32(memory, four, SIZE_MAX / 2), 1);
    assert_cu(cuMemsetD8(memory, one, (size_t)1 << 40), 1);
    assert_cu_ok(cuMemsetD8(memory, one, 0));
    assert_int_equal(end_fill()[0], 0xee);
}

static int begin(void **state) {
    int failed = cuda_group_setup(state);
    cuda_begin();
    return failed != 0 || cuMemAlloc(&memory, BYTES) != CUDA_SUCCESS;
}

static int end(void **state) {
    assert_cu_ok(cuMemFree(memory));
    return cuda_group_end(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_driver_fills_elements_of_three_sizes),
        cmocka_unit_test(the_driver_fills_rows),
        cmocka_unit_test(the_runtime_fills_rows_and_boxes_of_bytes),
        cmocka_unit_test(one_row_needs_no_pitch),
        cmocka_unit_test(a_bad_fill_changes_nothing),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
