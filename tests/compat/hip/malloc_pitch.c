// SPDX-License-Identifier: Apache-2.0
// hipMallocPitch, hipMemAllocPitch, hipMalloc3D: rows and slices.
#include "support/hip.h"

static void rows_begin_at_multiples_of_256(void **state) {
    static const size_t widths[] = {1, 255, 256, 257, 4096, 5000};
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        char *ptr = NULL;
        size_t pitch = 0;
        size_t size = 0;
        assert_hip_ok(hipMallocPitch((void **)&ptr, &pitch, widths[i], 10));
        assert_true(pitch >= widths[i] && pitch < widths[i] + 256);
        assert_int_equal(pitch % 256, 0);
        assert_int_equal((uintptr_t)ptr % 256, 0);
        assert_hip_ok(hipMemPtrGetInfo(ptr, &size));
        assert_int_equal(size, pitch * 10);
        memset(ptr, 1, size);
        assert_hip_ok(hipFree(ptr));
    }
}

static void driver_call_knows_three_element_sizes(void **state) {
    void *ptr = NULL;
    size_t pitch = 0;
    (void)state;
    for (unsigned element = 0; element <= 32; element++) {
        bool good = element == 4 || element == 8 || element == 16;
        assert_hip(hipMemAllocPitch(&ptr, &pitch, 100, 3, element),
                   good ? hipSuccess : hipErrorInvalidValue);
        if (good) {
            assert_int_equal(pitch, 256);
            assert_hip_ok(hipFree(ptr));
        }
    }
}

static void slices_follow_each_other(void **state) {
    hipPitchedPtr box = {NULL, 0, 0, 0};
    size_t size = 0;
    (void)state;
    assert_hip_ok(hipMalloc3D(&box, make_hipExtent(300, 7, 5)));
    assert_int_equal(box.pitch, 512);
    assert_int_equal(box.xsize, 300);
    assert_int_equal(box.ysize, 7);
    assert_hip_ok(hipMemPtrGetInfo(box.ptr, &size));
    assert_int_equal(size, 512 * 7 * 5);
    memset(box.ptr, 1, size);
    assert_hip_ok(hipFree(box.ptr));
}

static void an_extent_of_0_gives_null_except_by_the_driver_call(void **state) {
    void *ptr = &ptr;
    size_t pitch = 0;
    hipPitchedPtr box = {&ptr, 1, 1, 1};
    (void)state;
    assert_hip_ok(hipMallocPitch(&ptr, &pitch, 0, 4));
    assert_null(ptr);
    ptr = &ptr;
    assert_hip(hipMemAllocPitch(&ptr, &pitch, 100, 0, 4), hipErrorInvalidValue);
    assert_hip(hipMemAllocPitch(&ptr, &pitch, 0, 1, 4), hipErrorInvalidValue);
    assert_ptr_equal(ptr, &ptr);
    assert_hip_ok(hipMalloc3D(&box, make_hipExtent(10, 10, 0)));
    assert_null(box.ptr);
}

static void what_cannot_be_is_refused_and_writes_nothing(void **state) {
    void *ptr = &ptr;
    size_t pitch = 77;
    hipPitchedPtr box = {&ptr, 1, 2, 3};
    (void)state;
    assert_hip(hipMallocPitch(NULL, &pitch, 1, 1), hipErrorInvalidValue);
    assert_hip(hipMallocPitch(&ptr, NULL, 1, 1), hipErrorInvalidValue);
    assert_hip(hipMemAllocPitch(NULL, &pitch, 1, 1, 4), hipErrorInvalidValue);
    assert_hip(hipMemAllocPitch(&ptr, NULL, 1, 1, 4), hipErrorInvalidValue);
    assert_hip(hipMalloc3D(NULL, make_hipExtent(1, 1, 1)), hipErrorInvalidValue);
    assert_hip(hipMallocPitch(&ptr, &pitch, SIZE_MAX, 1), hipErrorInvalidValue);
    assert_hip(hipMallocPitch(&ptr, &pitch, SIZE_MAX - 254, 1), hipErrorInvalidValue);
    assert_hip(hipMallocPitch(&ptr, &pitch, SIZE_MAX - 255, 1), hipErrorOutOfMemory);
    assert_hip(hipMallocPitch(&ptr, &pitch, 256, SIZE_MAX / 2), hipErrorOutOfMemory);
    assert_hip(hipMallocPitch(&ptr, &pitch, (size_t)1 << 31, 1), hipErrorOutOfMemory);
    assert_hip(hipMalloc3D(&box, make_hipExtent(256, (size_t)1 << 40, (size_t)1 << 40)),
               hipErrorOutOfMemory);
    assert_ptr_equal(ptr, &ptr);
    assert_int_equal(pitch, 77);
    assert_ptr_equal(box.ptr, &ptr);
    assert_int_equal(box.pitch, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_begin_at_multiples_of_256),
        cmocka_unit_test(driver_call_knows_three_element_sizes),
        cmocka_unit_test(slices_follow_each_other),
        cmocka_unit_test(an_extent_of_0_gives_null_except_by_the_driver_call),
        cmocka_unit_test(what_cannot_be_is_refused_and_writes_nothing),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
