// SPDX-License-Identifier: Apache-2.0
// hipMalloc, hipExtMallocWithFlags, hipFree, hipMemGetInfo: device memory comes, goes and is
// counted.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "support/work.h"

#define MIB ((size_t)1 << 20)

static size_t free_bytes(void) {
    size_t left = 0;
    assert_hip_ok(hipMemGetInfo(&left, NULL));
    return left;
}

static void memory_is_aligned_and_counted(void **state) {
    void *ptr[3] = {NULL};
    size_t total = 0;
    size_t before = free_bytes();
    (void)state;
    assert_hip_ok(hipMemGetInfo(NULL, &total));
    assert_true(total == 1024 * MIB);
    for (size_t i = 0; i < 3; i++) {
        assert_hip_ok(hipMalloc(&ptr[i], MIB + i));
        assert_non_null(ptr[i]);
        assert_int_equal((uintptr_t)ptr[i] % 256, 0);
        memset(ptr[i], 1, MIB + i);
    }
    assert_true(before - free_bytes() >= 3 * MIB);
    for (size_t i = 0; i < 3; i++) assert_hip_ok(hipFree(ptr[i]));
    assert_true(free_bytes() == before);
}

static void size_0_gives_null(void **state) {
    void *ptr = &ptr;
    (void)state;
    assert_hip_ok(hipMalloc(&ptr, 0));
    assert_null(ptr);
    ptr = &ptr;
    assert_hip_ok(hipExtMallocWithFlags(&ptr, 0, hipDeviceMallocFinegrained));
    assert_null(ptr);
    assert_hip_ok(hipFree(NULL));
}

static void nowhere_to_write_is_refused(void **state) {
    (void)state;
    assert_hip(hipMalloc(NULL, 16), hipErrorInvalidValue);
    assert_hip(hipMalloc(NULL, 0), hipErrorInvalidValue);
    assert_hip(hipExtMallocWithFlags(NULL, 16, hipDeviceMallocDefault), hipErrorInvalidValue);
    assert_hip(hipMemGetInfo(NULL, NULL), hipErrorInvalidValue);
}

static void exhaustion_is_exact_and_recoverable(void **state) {
    void *most = NULL;
    void *more = &more;
    size_t before = free_bytes();
    (void)state;
    assert_hip_ok(hipMalloc(&most, before));
    assert_true(free_bytes() == 0);
    assert_hip(hipMalloc(&more, 1), hipErrorOutOfMemory);
    assert_ptr_equal(more, &more);
    assert_hip_ok(hipFree(most));
    assert_hip(hipMalloc(&more, before + 1), hipErrorOutOfMemory);
    assert_hip(hipMalloc(&more, SIZE_MAX), hipErrorOutOfMemory);
    assert_ptr_equal(more, &more);
    assert_true(free_bytes() == before);
    assert_hip_ok(hipMalloc(&most, before));
    assert_hip_ok(hipFree(most));
}

static void memory_belongs_to_the_current_device(void **state) {
    void *ptr = NULL;
    hipPointerAttribute_t attributes;
    size_t before = free_bytes();
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    size_t there = free_bytes();
    assert_hip_ok(hipMalloc(&ptr, 8 * MIB));
    assert_true(there - free_bytes() == 8 * MIB);
    assert_hip_ok(hipSetDevice(0));
    assert_true(free_bytes() == before);
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr));
    assert_int_equal(attributes.device, 1);
    assert_hip_ok(hipFree(ptr)); // of another device than the current
    assert_hip_ok(hipSetDevice(1));
    assert_true(free_bytes() == there);
    assert_hip_ok(hipSetDevice(0));
}

static void flags_are_one_of_the_known(void **state) {
    void *ptr = NULL;
    hipPointerAttribute_t attributes;
    (void)state;
    for (unsigned flags = 0; flags <= hipDeviceMallocContiguous; flags++) {
        assert_hip_ok(hipExtMallocWithFlags(&ptr, 8, flags));
        assert_hip_ok(hipPointerGetAttributes(&attributes, ptr));
        assert_int_equal(attributes.type, hipMemoryTypeDevice);
        assert_int_equal(attributes.allocationFlags, flags);
        assert_hip_ok(hipFree(ptr));
    }
    assert_hip(hipExtMallocWithFlags(&ptr, 8, 5), hipErrorInvalidValue);
    assert_hip(hipExtMallocWithFlags(&ptr, 16, hipMallocSignalMemory), hipErrorInvalidValue);
    assert_hip(hipExtMallocWithFlags(&ptr, 0, hipMallocSignalMemory), hipErrorInvalidValue);
}

static void free_refuses_what_is_not_the_start_of_device_memory(void **state) {
    char here[16];
    char *ptr = NULL;
    char *host = NULL;
    size_t before = free_bytes();
    (void)state;
    assert_hip_ok(hipMalloc((void **)&ptr, MIB));
    assert_hip_ok(hipHostMalloc((void **)&host, 4096, 0));
    assert_hip(hipFree(ptr + 256), hipErrorInvalidValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "inside device memory of 1048576 bytes"));
    assert_hip(hipFree(ptr + MIB), hipErrorInvalidValue);
    assert_hip(hipFree(host + 1), hipErrorInvalidValue);
    assert_hip(hipFree(here), hipErrorInvalidValue);
    assert_hip(hipFree((void *)1), hipErrorInvalidValue);
    assert_hip(hipFree((void *)UINTPTR_MAX), hipErrorInvalidValue);
    memset(host, 1, 4096); // still there
    assert_true(before - free_bytes() == MIB);
    assert_hip_ok(hipFree(ptr));
    assert_hip(hipFree(ptr), hipErrorInvalidValue);
    assert_hip_ok(hipHostFree(host));
    assert_true(free_bytes() == before);
}

// ---- threads

#define THREADS 4
#define ROUNDS  300

// Deadlocks if the call waits for the other device.
static void free_waits_for_no_other_device(void **state) {
    struct gate gate = {0};
    hipStream_t stream = NULL;
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc(&ptr, 64));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipFree(ptr));
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void set_late(void *passed) {
    (void)usleep(20000);
    atomic_store((atomic_bool *)passed, true);
}

static void free_waits_for_its_own_device(void **state) {
    atomic_bool passed = false;
    hipStream_t stream = NULL;
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&ptr, 64));
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipLaunchHostFunc(stream, set_late, &passed));
    assert_hip_ok(hipFree(ptr));
    assert_true(atomic_load(&passed));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void *come_and_go(void *arg) {
    void *ptr[8] = {NULL};
    unsigned seed = (unsigned)(uintptr_t)arg;
    hipPointerAttribute_t attributes;
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned slot = (seed = seed * 1103515245 + 12345) >> 16 & 7;
        assert_hip_ok(hipFree(ptr[slot]));
        assert_hip_ok(hipMalloc(&ptr[slot], 1 + (seed >> 8 & 0xffff)));
        assert_hip_ok(hipPointerGetAttributes(&attributes, ptr[slot]));
        assert_ptr_equal(attributes.devicePointer, ptr[slot]);
    }
    for (unsigned i = 0; i < 8; i++) assert_hip_ok(hipFree(ptr[i]));
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state) {
    pthread_t threads[THREADS];
    size_t before = free_bytes();
    (void)state;
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, (void *)(i + 1)), 0);
    for (size_t i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(free_bytes() == before);
}

static void *free_it(void *arg) { return (void *)(uintptr_t)(hipFree(arg) == hipSuccess); }

static void of_two_threads_that_free_the_same_one_wins(void **state) {
    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        pthread_t threads[2];
        void *won[2] = {NULL};
        void *ptr = NULL;
        assert_hip_ok(hipMalloc(&ptr, 4096));
        for (size_t t = 0; t < 2; t++)
            assert_int_equal(pthread_create(&threads[t], NULL, free_it, ptr), 0);
        for (size_t t = 0; t < 2; t++) assert_int_equal(pthread_join(threads[t], &won[t]), 0);
        assert_int_equal((uintptr_t)won[0] + (uintptr_t)won[1], 1);
    }
}

// ---- other processes

static void memory_of_the_parent_is_unknown(void *arg) {
    hipPointerAttribute_t attributes;
    void *own = NULL;
    assert_hip(hipFree(arg), hipErrorInvalidValue);
    assert_hip_ok(hipPointerGetAttributes(&attributes, arg));
    assert_int_equal(attributes.type, hipMemoryTypeUnregistered);
    assert_hip_ok(hipMalloc(&own, 4096));
    assert_hip_ok(hipFree(own));
}

static void a_child_begins_with_nothing(void **state) {
    void *ptr = NULL;
    size_t before = free_bytes();
    (void)state;
    assert_hip_ok(hipMalloc(&ptr, MIB));
    hip_in_child(memory_of_the_parent_is_unknown, ptr, NULL);
    assert_hip_ok(hipFree(ptr));
    assert_true(free_bytes() == before);
}

static void freeing_null_opens_the_device(void *arg) {
    (void)arg;
    assert_hip_ok(hipFree(NULL));
}

static void no_device_is_told_first(void *arg) {
    (void)arg;
    assert_hip(hipFree(NULL), hipErrorNoDevice);
    assert_hip(hipMalloc(NULL, 1), hipErrorNoDevice);
    assert_hip(hipMemGetInfo(NULL, NULL), hipErrorNoDevice);
}

static void first_calls(void **state) {
    (void)state;
    hip_in_child(freeing_null_opens_the_device, NULL, NULL);
    hip_in_child(no_device_is_told_first, NULL, "TARN_HIP_DEVICE", "none", NULL);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(first_calls),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_aligned_and_counted),
        cmocka_unit_test(size_0_gives_null),
        cmocka_unit_test(nowhere_to_write_is_refused),
        cmocka_unit_test(exhaustion_is_exact_and_recoverable),
        cmocka_unit_test(memory_belongs_to_the_current_device),
        cmocka_unit_test(flags_are_one_of_the_known),
        cmocka_unit_test(free_refuses_what_is_not_the_start_of_device_memory),
        cmocka_unit_test(free_waits_for_no_other_device),
        cmocka_unit_test(free_waits_for_its_own_device),
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(of_two_threads_that_free_the_same_one_wins),
        cmocka_unit_test(a_child_begins_with_nothing),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, work_group_setup, NULL);
}
