// SPDX-License-Identifier: Apache-2.0
// hipMemAddressReserve. Numbers are the rows of its table of checks.
#include <stdio.h>
#include <unistd.h>

#include "support/vmm.h"

#define HUGE ((size_t)32 << 30) // what pools reserve at once

// Refused with that error, and nothing is written.
static void refuses(size_t size, size_t alignment, unsigned long long flags, hipError_t error) {
    void *ptr = &ptr;
    assert_hip(hipMemAddressReserve(&ptr, size, alignment, NULL, flags), error);
    assert_ptr_equal(ptr, &ptr);
}

// ROCm 6.3, ROCm 7 and CUDA.
static void missing_arguments_are_refused(void **state) {
    (void)state;
    assert_hip(hipMemAddressReserve(NULL, G, 0, NULL, 0), hipErrorInvalidValue);
    refuses(G, 0, 1, hipErrorInvalidValue);
    refuses(G, 0, 1ull << 63, hipErrorInvalidValue);
    assert_text_names("0x8000000000000000");
}

// AMD's tests of 6.3 and those of 7 assert different errors: that of the level is expected.
static void check_shapes(void *arg) {
    hipError_t error = *(const hipError_t *)arg;
    static const size_t sizes[] = {1, G - 1, G + 1, 2 * G - 2048, SIZE_MAX};
    static const size_t alignments[] = {3, G - 1, G + 1, 3 * G, SIZE_MAX};
    refuses(0, 0, 0, error);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char text[32];
        refuses(sizes[i], 0, 0, error);
        (void)snprintf(text, sizeof text, "%zu", sizes[i]);
        assert_text_names(text);
    }
    for (size_t i = 0; i < sizeof alignments / sizeof alignments[0]; i++) {
        char text[32];
        refuses(G, alignments[i], 0, error);
        (void)snprintf(text, sizeof text, "%zu", alignments[i]);
        assert_text_names(text);
    }
    refuses(G, 0, 1, hipErrorInvalidValue); // missing arguments come first, at both levels
    assert_hip(hipMemAddressReserve(NULL, 0, 3, NULL, 0), hipErrorInvalidValue);
}

static void level_6_calls_odd_shapes_out_of_memory(void **state) {
    hipError_t error = hipErrorOutOfMemory;
    (void)state;
    check_shapes(&error);
}

static void level_7_calls_odd_shapes_bad_values(void **state) {
    hipError_t error = hipErrorInvalidValue;
    (void)state;
    hip_in_child(check_shapes, &error, "TARN_HIP_COMPAT", "7", NULL);
}

static void coarse(void *arg) {
    void *ptr = NULL;
    (void)arg;
    refuses(G, 0, 0, hipErrorOutOfMemory);
    refuses(((size_t)2 << 20) + G, 0, 0, hipErrorOutOfMemory);
    assert_hip_ok(hipMemAddressReserve(&ptr, (size_t)6 << 20, 0, NULL, 0));
    assert_int_equal((uintptr_t)ptr % (2 << 20), 0);
    assert_hip_ok(hipMemAddressFree(ptr, (size_t)6 << 20));
}

// The granularity is what the platform says.
static void the_granularity_is_that_of_the_platform(void **state) {
    (void)state;
    hip_in_child(coarse, NULL, "TARN_HIP_DEVICE", "host:0,granularity=2M", NULL);
}

static void starts_are_aligned(void **state) {
    (void)state;
    for (size_t alignment = 1; alignment <= (size_t)1 << 30; alignment *= 2) {
        void *ptr = NULL;
        assert_hip_ok(hipMemAddressReserve(&ptr, 3 * G, alignment, NULL, 0));
        assert_int_equal((uintptr_t)ptr % (alignment > G ? alignment : G), 0);
        assert_hip_ok(hipMemAddressFree(ptr, 3 * G));
    }
}

// GMLake compares the address with its hint.
static void a_free_hint_is_honoured_exactly(void **state) {
    char *at = reserve(64 * G);
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipMemAddressFree(at, 64 * G));
    assert_hip_ok(hipMemAddressReserve(&ptr, 16 * G, 0, at + 16 * G, 0));
    assert_ptr_equal(ptr, at + 16 * G);
    assert_hip_ok(hipMemAddressFree(ptr, 16 * G));
    assert_hip_ok(hipMemAddressReserve(&ptr, 16 * G, G, at + 3 * G, 0));
    assert_ptr_equal(ptr, at + 3 * G);
    assert_hip_ok(hipMemAddressFree(ptr, 16 * G));
}

static void released_addresses_are_not_reserved_next(void **state) {
    (void)state;
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    skip(); // it leaves a process no part of the address space that the kernel does not use
#endif
#endif
    for (int i = 0; i < 8; i++) {
        char *old = reserve(4 * G);
        assert_hip_ok(hipMemAddressFree(old, 4 * G));
        char *now = reserve(4 * G);
        assert_ptr_not_equal(now, old);
        assert_hip_ok(hipMemAddressFree(now, 4 * G));
    }
}

// ROCm 6.3 and 7, and CUDA: another address, and success.
static void falls_back(void *hint, size_t alignment) {
    void *ptr = NULL;
    assert_hip_ok(hipMemAddressReserve(&ptr, 4 * G, alignment, hint, 0));
    assert_non_null(ptr);
    assert_ptr_not_equal(ptr, hint);
    map_fresh(ptr, 4 * G);
    memset(ptr, 1, 4 * G);
    unmap_and_free(ptr, 4 * G);
}

static void hints_that_cannot_be_honoured_fall_back(void **state) {
    char *taken = reserve(4 * G);
    (void)state;
    falls_back(taken, 0);                          // taken
    falls_back(taken - 3 * G, 0);                  // its end is
    falls_back(taken + 3 * G, 0);                  // its start is
    falls_back(taken + 64 * G + 1, 0);             // between granules
    falls_back((void *)0x123000, (size_t)1 << 21); // not aligned as asked
    falls_back((void *)1, 0);
    falls_back((void *)(~(uintptr_t)0 - G + 1), 0);       // would wrap
    falls_back((void *)(uintptr_t)0xffff800000000000, 0); // not a program's
    falls_back((void *)&taken, 0);                        // in use by others
    assert_hip_ok(hipMemAddressFree(taken, 4 * G));
}

// ROCm 6.3 and 7 write NULL: the one output that is written by a failing call.
static void no_such_range_is_out_of_memory(void **state) {
    static const size_t sizes[] = {(size_t)1 << 62, (size_t)0 - G};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        void *ptr = &ptr;
        assert_hip(hipMemAddressReserve(&ptr, sizes[i], 0, NULL, 0), hipErrorOutOfMemory);
        assert_null(ptr);
    }
    void *ptr = &ptr;
    assert_hip(hipMemAddressReserve(&ptr, G, (size_t)1 << 63, NULL, 0), hipErrorOutOfMemory);
    assert_null(ptr);
}

static long resident_pages(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*d %ld", &pages), 1);
    (void)fclose(file);
    return pages;
}

static void a_huge_range_costs_no_memory(void **state) {
    void *ptr[8];
    (void)state;
    long before = resident_pages();
    for (int i = 0; i < 8; i++) assert_hip_ok(hipMemAddressReserve(&ptr[i], HUGE, 0, NULL, 0));
    assert_free_bytes(0, CAPACITY);
    assert_free_bytes(1, CAPACITY);
    assert_true(resident_pages() - before < 1024);
    char *end = (char *)ptr[3] + HUGE;
    map_fresh(end - G, G);
    end[-1] = 1;
    assert_hip_ok(hipMemUnmap(end - G, G));
    for (int i = 0; i < 8; i++) assert_hip_ok(hipMemAddressFree(ptr[i], HUGE));
}

static void ranges_are_disjoint(void **state) {
    enum { N = 64 };
    char *at[N];
    (void)state;
    for (int i = 0; i < N; i++) {
        at[i] = reserve((size_t)(i + 1) * G);
        for (int j = 0; j < i; j++) {
            assert_true(at[i] + (i + 1) * (ptrdiff_t)G <= at[j] ||
                        at[j] + (j + 1) * (ptrdiff_t)G <= at[i]);
        }
    }
    for (int i = 0; i < N; i++) assert_hip_ok(hipMemAddressFree(at[i], (size_t)(i + 1) * G));
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(level_7_calls_odd_shapes_bad_values),
        cmocka_unit_test(the_granularity_is_that_of_the_platform),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(level_6_calls_odd_shapes_out_of_memory),
        cmocka_unit_test(starts_are_aligned),
        cmocka_unit_test(a_free_hint_is_honoured_exactly),
        cmocka_unit_test(released_addresses_are_not_reserved_next),
        cmocka_unit_test(hints_that_cannot_be_honoured_fall_back),
        cmocka_unit_test(no_such_range_is_out_of_memory),
        cmocka_unit_test(a_huge_range_costs_no_memory),
        cmocka_unit_test(ranges_are_disjoint),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
