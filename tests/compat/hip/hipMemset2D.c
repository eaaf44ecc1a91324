// SPDX-License-Identifier: Apache-2.0
// Fills of boxes.
#include <stdio.h>

#include "support/chunks.h"

#define PITCH ((size_t)64)
#define ROWS  ((size_t)5)
#define DEPTH ((size_t)3)

static unsigned char seen[PITCH * ROWS * DEPTH];
static unsigned char *device;

static int setup(void **state) {
    (void)state;
    assert_hip_ok(hipMalloc((void **)&device, sizeof seen));
    assert_hip_ok(hipMemset(device, 1, sizeof seen));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    assert_hip_ok(hipFree(device));
    return 0;
}

static unsigned char at(size_t x, size_t y, size_t z) {
    assert_hip_ok(hipMemcpy(seen, device, sizeof seen, hipMemcpyDeviceToHost));
    return seen[(z * ROWS + y) * PITCH + x];
}

static void rows_are_filled_up_to_the_width(void **state) {
    (void)state;
    assert_hip_ok(hipMemset2D(device, PITCH, 0x107, 10, 3));
    assert_int_equal(at(0, 0, 0), 7);
    assert_int_equal(at(9, 2, 0), 7);
    assert_int_equal(at(10, 2, 0), 1);
    assert_int_equal(at(0, 3, 0), 1);
    assert_hip_ok(hipMemset2DAsync(device, PITCH, 8, 10, 3, NULL));
    assert_int_equal(at(9, 2, 0), 8);
    assert_hip_ok(hipMemset2D_spt(device, PITCH, 9, 10, 3));
    assert_int_equal(at(9, 2, 0), 9);
    assert_hip_ok(hipMemset2DAsync_spt(device, PITCH, 10, 10, 3, NULL));
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    assert_int_equal(at(9, 2, 0), 10);
}

static void elements_are_as_wide_as_the_name_says(void **state) {
    (void)state;
    assert_hip_ok(hipMemsetD2D8(device, PITCH, 0xa1, 6, 2));
    assert_int_equal(at(5, 1, 0), 0xa1);
    assert_int_equal(at(6, 1, 0), 1);
    assert_hip_ok(hipMemsetD2D16(device, PITCH, 0xb2a2, 12, 2));
    assert_int_equal(at(10, 1, 0), 0xa2);
    assert_int_equal(at(11, 1, 0), 0xb2);
    assert_int_equal(at(12, 1, 0), 1);
    assert_hip_ok(hipMemsetD2D32(device, PITCH, 0xd3c3b3a3, 24, 2));
    assert_int_equal(at(23, 1, 0), 0xd3);
    assert_int_equal(at(24, 1, 0), 1);
    assert_hip_ok(hipMemsetD2D8Async(device, PITCH, 4, 6, 2, NULL));
    assert_hip_ok(hipMemsetD2D16Async(device + 6, PITCH, 0x0505, 2, 2, NULL));
    assert_hip_ok(hipMemsetD2D32Async(device + 8, PITCH, 0x06060606, 4, 2, NULL));
    assert_int_equal(at(5, 1, 0), 4);
    assert_int_equal(at(7, 1, 0), 5);
    assert_int_equal(at(11, 1, 0), 6);
}

static void rows_above_the_pitch_are_refused(void **state) {
    (void)state;
    assert_hip(hipMemset2D(device, 9, 2, 10, 3), hipErrorInvalidValue);
    assert_string_equal(hipExtGetLastErrorText(), "pitch 9, rows have 10 elements of 1 bytes");
    assert_hip(hipMemset2D(device, 9, 2, 10, 1), hipErrorInvalidValue);
    assert_hip(hipMemsetD2D32(device, PITCH, 2, PITCH + 4, 2), hipErrorInvalidValue);
    assert_hip(hipMemsetD2D32(device, 30, 2, 16, 2), hipErrorInvalidValue); // not whole elements
    assert_hip(hipMemsetD2D32(device, PITCH, 2, 6, 2), hipErrorInvalidValue);
    assert_hip(hipMemsetD2D16Async(device, PITCH, 2, 5, 2, NULL), hipErrorInvalidValue);
    assert_int_equal(at(0, 0, 0), 1);
}

static void asynchronous_fills_check_their_rows(void **state) {
    (void)state;
    assert_hip(hipMemsetD2D8Async(device, 3, 2, 4, 2, NULL), hipErrorInvalidValue);
    assert_string_equal(hipExtGetLastErrorText(), "pitch 3, rows have 4 elements of 1 bytes");
    assert_hip(hipMemsetD2D16Async(device, 7, 2, 8, 2, NULL), hipErrorInvalidValue);
    assert_string_equal(hipExtGetLastErrorText(), "pitch 7, rows have 4 elements of 2 bytes");
    assert_hip(hipMemsetD2D32Async(device, 15, 2, 16, 2, NULL), hipErrorInvalidValue);
    assert_string_equal(hipExtGetLastErrorText(), "pitch 15, rows have 4 elements of 4 bytes");
    assert_hip(hipMemset2DAsync(device, PITCH, 2, 10, 3, (hipStream_t)4711),
               hipErrorContextIsDestroyed);
    assert_int_equal(at(0, 0, 0), 1);
}

static void rows_outside_of_device_memory_are_refused(void **state) {
    char text[64];
    (void)state;
    assert_hip(hipMemset2D(NULL, PITCH, 2, 10, 3), hipErrorInvalidValue);
    assert_string_equal(hipExtGetLastErrorText(), "dst is NULL");
    assert_hip(hipMemset2D(seen, PITCH, 2, 10, 3), hipErrorInvalidValue);
    (void)snprintf(text, sizeof text, "dst %p is not memory of a device", (void *)seen);
    assert_string_equal(hipExtGetLastErrorText(), text);
    assert_hip(hipMemset2D(device, (size_t)1 << 40, 2, 10, 3), hipErrorInvalidValue);
    assert_hip(hipMemset2D(device, SIZE_MAX, 2, 10, 3), hipErrorInvalidValue);
    assert_hip(hipMemsetD2D16(device + 1, PITCH, 2, 4, 2), hipErrorInvalidValue); // misaligned
    assert_int_equal(at(0, 0, 0), 1);
}

static void empty_boxes_need_no_memory(void **state) {
    (void)state;
    assert_hip_ok(hipMemset2D(NULL, 0, 2, 0, 3));
    assert_hip_ok(hipMemset2D(NULL, 0, 2, 10, 0));
    assert_int_equal(at(0, 0, 0), 1);
}

// The last row reaches into a hole.
static void holes_are_refused(void **state) {
    static const struct chunk each[] = {CHUNK_OF(0), CHUNK_HOLE, CHUNK_OF(0)};
    (void)state;
    struct chunks range = chunks_make(3, each);
    assert_hip_ok(hipMemset2D(range.base, 2 * CHUNK_BYTES, 3, CHUNK_BYTES, 2));
    assert_hip(hipMemset2D(range.base, CHUNK_BYTES, 3, 1, 2), hipErrorInvalidValue);
    chunks_end(&range);
}

static void slices_have_as_many_rows_as_ysize(void **state) {
    hipPitchedPtr box = make_hipPitchedPtr(device, PITCH, PITCH, ROWS);
    (void)state;
    assert_hip_ok(hipMemset3D(box, 0x102, make_hipExtent(10, 3, DEPTH)));
    assert_int_equal(at(9, 2, 2), 2);
    assert_int_equal(at(10, 2, 2), 1);
    assert_int_equal(at(0, 3, 2), 1);
    assert_hip_ok(hipMemset3DAsync(box, 3, make_hipExtent(10, 3, 2), NULL));
    assert_int_equal(at(9, 2, 1), 3);
    assert_int_equal(at(9, 2, 2), 2);
    assert_hip_ok(hipMemset3D_spt(box, 4, make_hipExtent(10, 3, 2)));
    assert_int_equal(at(9, 2, 1), 4);
    assert_hip_ok(hipMemset3DAsync_spt(box, 5, make_hipExtent(10, 3, 2), NULL));
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    assert_int_equal(at(9, 2, 1), 5);
}

static void bad_boxes_are_refused(void **state) {
    hipPitchedPtr box = make_hipPitchedPtr(device, PITCH, PITCH, ROWS);
    (void)state;
    assert_hip(hipMemset3D(box, 2, make_hipExtent(PITCH + 1, 1, 1)), hipErrorInvalidValue);
    assert_hip(hipMemset3D(box, 2, make_hipExtent(1, ROWS + 1, 2)), hipErrorInvalidValue);
    assert_hip(hipMemset3D(box, 2, make_hipExtent(1, 1, (size_t)1 << 20)), hipErrorInvalidValue);
    assert_hip(hipMemset3D(box, 2, make_hipExtent(1, 1, SIZE_MAX)), hipErrorInvalidValue);
    assert_hip(hipMemset3DAsync(box, 2, make_hipExtent(1, 1, 1), (hipStream_t)4711),
               hipErrorContextIsDestroyed);
    box.ysize = SIZE_MAX;
    assert_hip(hipMemset3D(box, 2, make_hipExtent(1, 1, 2)), hipErrorInvalidValue);
    box.ptr = NULL;
    assert_hip(hipMemset3D(box, 2, make_hipExtent(1, 1, 1)), hipErrorInvalidValue);
    assert_hip_ok(hipMemset3D(box, 2, make_hipExtent(1, 1, 0)));
    assert_int_equal(at(0, 0, 0), 1);
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CLAIM(rows_are_filled_up_to_the_width),
        CLAIM(elements_are_as_wide_as_the_name_says),
        CLAIM(rows_above_the_pitch_are_refused),
        CLAIM(asynchronous_fills_check_their_rows),
        CLAIM(rows_outside_of_device_memory_are_refused),
        CLAIM(empty_boxes_need_no_memory),
        CLAIM(holes_are_refused),
        CLAIM(slices_have_as_many_rows_as_ysize),
        CLAIM(bad_boxes_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
