// SPDX-License-Identifier: Apache-2.0
// The overloads for C++: memory for a pointer to any type, and default arguments.
#include "support/hip.h"

static void any_pointer_type_will_do(void **state) {
    float *device = nullptr;
    double *managed = nullptr;
    int *host = nullptr;
    short *pinned = nullptr;
    char *rows = nullptr;
    size_t pitch = 0;
    (void)state;
    assert_hip_ok(hipMalloc(&device, 64 * sizeof *device));
    assert_hip_ok(hipMallocManaged(&managed, 64 * sizeof *managed));
    assert_hip_ok(hipHostMalloc(&host, 64 * sizeof *host));
    assert_hip_ok(hipHostAlloc(&pinned, 64 * sizeof *pinned, hipHostAllocPortable));
    assert_hip_ok(hipMallocPitch(&rows, &pitch, 10, 10));
    managed[63] = 1;
    host[63] = 1;
    pinned[63] = 1;
    assert_hip_ok(hipFree(device));
    assert_hip_ok(hipFree(managed));
    assert_hip_ok(hipHostFree(host));
    assert_hip_ok(hipHostFree(pinned));
    assert_hip_ok(hipFree(rows));
}

static void any_pointer_type_comes_from_a_pool(void **state) {
    hipMemPool_t pool = nullptr;
    float *one = nullptr;
    float *two = nullptr;
    float *three = nullptr;
    void *plain = nullptr;
    (void)state;
    assert_hip_ok(hipDeviceGetDefaultMemPool(&pool, 0));
    assert_hip_ok(hipMallocAsync(&one, 64 * sizeof *one, hipStreamPerThread));
    assert_hip_ok(hipMallocAsync(&two, 64 * sizeof *two, pool, hipStreamPerThread));
    assert_hip_ok(hipMallocFromPoolAsync(&three, 64 * sizeof *three, pool, hipStreamPerThread));
    assert_hip_ok(hipMallocAsync(&plain, 64, nullptr));
    assert_hip_ok(hipFreeAsync(one, hipStreamPerThread));
    assert_hip_ok(hipFreeAsync(two, hipStreamPerThread));
    assert_hip_ok(hipFreeAsync(three, hipStreamPerThread));
    assert_hip_ok(hipFreeAsync(plain, nullptr));
}

static void plain_calls_are_not_ambiguous(void **state) {
    void *ptr = nullptr;
    (void)state;
    assert_hip_ok(hipMalloc(&ptr, 64));
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipMallocManaged(&ptr, 64));
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipHostMalloc(&ptr, 64));
    assert_hip_ok(hipHostFree(ptr));
}

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_pointer_type_will_do),
        cmocka_unit_test(any_pointer_type_comes_from_a_pool),
        cmocka_unit_test(plain_calls_are_not_ambiguous),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, nullptr);
}
