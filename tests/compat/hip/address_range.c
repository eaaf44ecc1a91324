// SPDX-License-Identifier: Apache-2.0
// hipMemGetAddressRange, hipMemPtrGetInfo: which block holds an address.
#include "support/hip.h"

static void expect_range(char *ptr, size_t size) {
    const size_t offsets[] = {0, 1, size / 2, size - 1};
    for (size_t i = 0; i < 4; i++) {
        hipDeviceptr_t base = NULL;
        size_t bytes = 0;
        assert_hip_ok(hipMemGetAddressRange(&base, &bytes, ptr + offsets[i]));
        assert_ptr_equal(base, ptr);
        assert_int_equal(bytes, size);
        bytes = 0;
        assert_hip_ok(hipMemPtrGetInfo(ptr + offsets[i], &bytes));
        assert_int_equal(bytes, size);
    }
}

static void expect_nothing(void *ptr) {
    hipDeviceptr_t base = &base;
    size_t bytes = 77;
    assert_hip(hipMemGetAddressRange(&base, &bytes, ptr), hipErrorNotFound);
    assert_hip(hipMemPtrGetInfo(ptr, &bytes), hipErrorInvalidValue);
    assert_ptr_equal(base, &base);
    assert_int_equal(bytes, 77);
}

static void every_byte_of_a_block_leads_to_it(void **state) {
    char *ptr = NULL;
    char *host = NULL;
    char *managed = NULL;
    (void)state;
    assert_hip_ok(hipMalloc((void **)&ptr, 10001));
    assert_hip_ok(hipHostMalloc((void **)&host, 5000, 0));
    assert_hip_ok(hipMallocManaged((void **)&managed, 6000, hipMemAttachGlobal));
    expect_range(ptr, 10001);
    expect_range(host, 5000);
    expect_range(managed, 6000);
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipHostFree(host));
    assert_hip_ok(hipFree(managed));
    expect_nothing(ptr);
    expect_nothing(host);
    expect_nothing(managed);
}

static void blocks_are_told_apart_however_many_there_are(void **state) {
    enum { COUNT = 200 };
    char *ptr[COUNT];
    (void)state;
    for (size_t i = 0; i < COUNT; i++) assert_hip_ok(hipMalloc((void **)&ptr[i], 100 + i));
    for (size_t i = 0; i < COUNT; i += 2) assert_hip_ok(hipFree(ptr[i]));
    for (size_t i = 1; i < COUNT; i += 2) {
        expect_range(ptr[i], 100 + i);
        expect_nothing(ptr[i] + 100 + i);
        expect_nothing(ptr[i] - 1);
    }
    for (size_t i = 1; i < COUNT; i += 2) {
        assert_hip_ok(hipFree(ptr[i]));
        expect_nothing(ptr[i]);
    }
}

static void outputs_may_be_null(void **state) {
    hipDeviceptr_t base = NULL;
    size_t bytes = 0;
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&ptr, 4096));
    assert_hip_ok(hipMemGetAddressRange(NULL, &bytes, ptr));
    assert_int_equal(bytes, 4096);
    assert_hip_ok(hipMemGetAddressRange(&base, NULL, ptr));
    assert_ptr_equal(base, ptr);
    assert_hip_ok(hipMemGetAddressRange(NULL, NULL, ptr));
    assert_hip(hipMemPtrGetInfo(ptr, NULL), hipErrorInvalidValue);
    assert_hip_ok(hipFree(ptr));
}

static void any_number_is_answered(void **state) {
    static char mine;
    (void)state;
    expect_nothing(NULL);
    expect_nothing((void *)1);
    expect_nothing(&mine);
    expect_nothing((void *)UINTPTR_MAX);
    for (unsigned bit = 0; bit < 64; bit++) expect_nothing((void *)((uintptr_t)1 << bit));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_of_a_block_leads_to_it),
        cmocka_unit_test(blocks_are_told_apart_however_many_there_are),
        cmocka_unit_test(outputs_may_be_null),
        cmocka_unit_test(any_number_is_answered),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
