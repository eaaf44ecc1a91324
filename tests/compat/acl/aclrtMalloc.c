// SPDX-License-Identifier: Apache-2.0
// aclrtMalloc(), aclrtMallocAlign32(), aclrtMallocCached(): sizes, pages, order of checks
// (spec 3.1).
#include <pthread.h>

#include "support/acl.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

#define NORMAL_PAGE (4 * KIB)
#define HUGE_PAGE   (2 * MIB)

typedef aclError (*allocator)(void **ptr, size_t size, aclrtMemMallocPolicy policy);
static const allocator allocators[] = {aclrtMalloc, aclrtMallocAlign32, aclrtMallocCached};

// An allocation: its effective size, and the capacity that it takes of the device.
struct taken {
    size_t bytes;
    size_t pages;
};

static struct taken taken_by(allocator allocate, size_t size, aclrtMemMallocPolicy policy) {
    void *ptr = NULL;
    size_t before = acl_free_bytes();
    assert_acl_ok(allocate(&ptr, size, policy));
    assert_int_equal((uintptr_t)ptr % 512, 0);
    struct taken taken = {acl_effective_bytes(ptr), before - acl_free_bytes()};
    assert_acl_ok(aclrtFree(ptr));
    assert_int_equal(acl_free_bytes(), before);
    return taken;
}

// ---- what is refused, in order

static void arguments_are_checked_before_the_context(void **state) {
    void *ptr = &ptr;
    (void)state;
    for (size_t i = 0; i < sizeof allocators / sizeof allocators[0]; i++) {
        // V1
        assert_acl(allocators[i](NULL, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
        assert_acl(allocators[i](&ptr, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
        assert_acl(allocators[i](&ptr, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST),
                   ACL_ERROR_INVALID_PARAM);
        assert_acl(allocators[i](&ptr, SIZE_MAX - 31, ACL_MEM_MALLOC_HUGE_FIRST),
                   ACL_ERROR_INVALID_PARAM);
        // V2
        assert_acl(allocators[i](&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL);
    }
    assert_acl(aclrtMalloc(&ptr, SIZE_MAX - 63, ACL_MEM_MALLOC_HUGE_FIRST),
               ACL_ERROR_INVALID_PARAM);
    assert_non_null(strstr(aclGetRecentErrMsg(), "18446744073709551552"));
    assert_acl(aclrtMalloc(&ptr, SIZE_MAX - 64, ACL_MEM_MALLOC_HUGE_FIRST),
               ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtMallocAlign32(&ptr, SIZE_MAX - 32, ACL_MEM_MALLOC_HUGE_FIRST),
               ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtMallocCached(&ptr, SIZE_MAX / 2, ACL_MEM_MALLOC_HUGE_FIRST),
               ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtMallocCached(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST_P2P),
               ACL_ERROR_RT_CONTEXT_NULL);
    assert_ptr_equal(ptr, &ptr);
}

static void cached_memory_has_a_limit_and_four_policies(void **state) {
    static const aclrtMemMallocPolicy others[] = {
        ACL_MEM_MALLOC_HUGE_FIRST_P2P,  ACL_MEM_MALLOC_HUGE_ONLY_P2P,
        ACL_MEM_MALLOC_NORMAL_ONLY_P2P, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P,
        ACL_MEM_TYPE_LOW_BAND_WIDTH,    (aclrtMemMallocPolicy)99};
    static const aclrtMemMallocPolicy good[] = {ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEM_MALLOC_HUGE_ONLY,
                                                ACL_MEM_MALLOC_NORMAL_ONLY,
                                                ACL_MEM_MALLOC_HUGE1G_ONLY};
    void *ptr = NULL;
    (void)state;
    assert_acl(aclrtMallocCached(&ptr, (size_t)1 << 50, (aclrtMemMallocPolicy)99),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMallocCached(&ptr, ((size_t)1 << 50) - 32, ACL_MEM_MALLOC_HUGE_FIRST),
               ACL_ERROR_RT_MEMORY_ALLOCATION);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_acl(aclrtMallocCached(&ptr, 1, others[i]), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_acl_ok(aclrtMallocCached(&ptr, 1, good[i]));
        assert_acl_ok(aclrtFree(ptr));
    }
}

// ---- sizes

// The table of 3.1, and the lengths of 4.4.
static void effective_sizes_are_those_of_the_table(void **state) {
    static const struct {
        size_t size;
        size_t padded;
        size_t plain;
    } rows[] = {{1, 64, 32},
                {31, 64, 32},
                {32, 64, 32}, // V3, V4
                {33, 96, 64},
                {63, 96, 64},
                {64, 96, 64},
                {65, 128, 96},
                {96, 128, 96},
                {97, 160, 128},
                {1000, 1056, 1024},
                {4096, 4128, 4096},
                {1048544, 1048576, 1048544},
                {1048545, 1048608, 1048576},
                {2097120, 2097152, 2097120},
                {2097152, 2097184, 2097152}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(taken_by(aclrtMalloc, rows[i].size, ACL_MEM_MALLOC_HUGE_FIRST).bytes,
                         rows[i].padded);
        assert_int_equal(taken_by(aclrtMallocCached, rows[i].size, ACL_MEM_MALLOC_HUGE_FIRST).bytes,
                         rows[i].padded);
        assert_int_equal(
            taken_by(aclrtMallocAlign32, rows[i].size, ACL_MEM_MALLOC_HUGE_FIRST).bytes,
            rows[i].plain);
    }
}

static void giant_pages_are_not_padded(void **state) {
    struct taken taken = taken_by(aclrtMalloc, 33, ACL_MEM_MALLOC_HUGE1G_ONLY);
    (void)state;
    assert_int_equal(taken.bytes, 64);
    assert_int_equal(taken.pages, GIB);
    taken = taken_by(aclrtMallocCached, 32, ACL_MEM_MALLOC_HUGE1G_ONLY);
    assert_int_equal(taken.bytes, 32);
    taken = taken_by(aclrtMalloc, GIB, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P);
    assert_int_equal(taken.bytes, GIB);
    assert_int_equal(taken.pages, GIB);
}

static void sizes_without_padding(void *arg) {
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    assert_int_equal(taken_by(aclrtMalloc, 1, ACL_MEM_MALLOC_HUGE_FIRST).bytes, 32);
    assert_int_equal(taken_by(aclrtMalloc, 1000, ACL_MEM_MALLOC_HUGE_FIRST).bytes, 1024);
    assert_int_equal(taken_by(aclrtMallocCached, 64, ACL_MEM_MALLOC_HUGE_FIRST).bytes, 64);
    assert_int_equal(taken_by(aclrtMallocAlign32, 64, ACL_MEM_MALLOC_HUGE_FIRST).bytes, 64);
    assert_int_equal(taken_by(aclrtMalloc, 2 * MIB, ACL_MEM_MALLOC_HUGE_FIRST).pages, 2 * MIB);
}

static void padding_is_the_chip_s(void **state) {
    (void)state;
    acl_in_child(sizes_without_padding, NULL, "TARN_ACL_PADDING", "0", NULL);
}

// ---- pages

static void huge_first_takes_huge_pages_above_one_mebibyte(void **state) {
    // HUGE_FIRST, and whatever is no constant or more than one.
    static const uint32_t policies[] = {0, 8, 0x1000, 0x0100, 0x100000, 0x1001, 0x1102, 0xFFFFFFFF};
    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        aclrtMemMallocPolicy policy = (aclrtMemMallocPolicy)policies[i];
        assert_int_equal(taken_by(aclrtMalloc, 1, policy).pages, NORMAL_PAGE);
        assert_int_equal(taken_by(aclrtMalloc, 1048544, policy).pages, MIB);
        assert_int_equal(taken_by(aclrtMalloc, 1048545, policy).pages, HUGE_PAGE);
        assert_int_equal(taken_by(aclrtMallocAlign32, 1048545, policy).pages, MIB);
        assert_int_equal(taken_by(aclrtMallocAlign32, 1048577, policy).pages, HUGE_PAGE);
        assert_int_equal(taken_by(aclrtMalloc, 2 * MIB, policy).pages, 2 * HUGE_PAGE);
        assert_int_equal(taken_by(aclrtMallocAlign32, 2 * MIB, policy).pages, HUGE_PAGE);
    }
    assert_int_equal(taken_by(aclrtMalloc, 1048544, ACL_MEM_MALLOC_HUGE_FIRST_P2P).pages, MIB);
    assert_int_equal(taken_by(aclrtMalloc, 1048545, ACL_MEM_MALLOC_HUGE_FIRST_P2P).pages,
                     HUGE_PAGE);
}

static void policies_choose_the_pages(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof allocators / sizeof allocators[0]; i++) {
        assert_int_equal(taken_by(allocators[i], 1, ACL_MEM_MALLOC_HUGE_ONLY).pages, HUGE_PAGE);
        assert_int_equal(taken_by(allocators[i], 1, ACL_MEM_MALLOC_NORMAL_ONLY).pages, NORMAL_PAGE);
        assert_int_equal(taken_by(allocators[i], 4097, ACL_MEM_MALLOC_NORMAL_ONLY).pages,
                         2 * NORMAL_PAGE);
        assert_int_equal(taken_by(allocators[i], 1, ACL_MEM_MALLOC_HUGE1G_ONLY).pages, GIB);
    }
    assert_int_equal(taken_by(aclrtMalloc, 1, ACL_MEM_MALLOC_HUGE_ONLY_P2P).pages, HUGE_PAGE);
    assert_int_equal(taken_by(aclrtMalloc, 8 * MIB, ACL_MEM_MALLOC_NORMAL_ONLY_P2P).pages,
                     8 * MIB + NORMAL_PAGE);
    assert_int_equal(taken_by(aclrtMalloc, 1, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P).pages, GIB);
}

// 3 MiB and a bit: two huge pages do not fit beside what is taken, normal ones do.
static void huge_first_settles_for_normal_pages(void **state) {
    void *most = NULL;
    void *ptr = NULL;
    (void)state;
    assert_acl_ok(aclrtMallocAlign32(&most, GIB - 3 * MIB, ACL_MEM_MALLOC_NORMAL_ONLY));
    assert_acl(aclrtMallocAlign32(&ptr, 3 * MIB, ACL_MEM_MALLOC_HUGE_ONLY),
               ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl_ok(aclrtMallocAlign32(&ptr, 3 * MIB, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_int_equal(acl_free_bytes(), 0);
    assert_acl_ok(aclrtFree(ptr));
    assert_acl_ok(aclrtFree(most));
}

static void without_giant_pages(void *arg) {
    void *ptr = NULL;
    size_t left = 1;
    size_t all = 1;
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl(aclrtMalloc(&ptr, 1, ACL_MEM_MALLOC_HUGE1G_ONLY), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMalloc(&ptr, 1, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtGetMemInfo(ACL_HBM_MEM_HUGE1G, &left, &all));
    assert_int_equal(left + all, 0);
    // Pages that peers reach are there without any peer.
    assert_acl_ok(aclrtMalloc(&ptr, 1, ACL_MEM_MALLOC_HUGE_ONLY_P2P));
    assert_acl_ok(aclrtFree(ptr));
}

static void pages_that_the_device_lacks_are_unsupported(void **state) {
    (void)state;
    acl_in_child(without_giant_pages, NULL, "TARN_ACL_DEVICE",
                 "host:0,devices=1,memory=1G,giant=off", NULL);
}

// ---- exhaustion: V22

static void exhaust(size_t size, aclrtMemMallocPolicy policy, size_t blocks) {
    void *ptrs[1024];
    void *more = &more;
    for (size_t i = 0; i < blocks; i++) assert_acl_ok(aclrtMallocAlign32(&ptrs[i], size, policy));
    assert_int_equal(acl_free_bytes(), 0);
    assert_acl(aclrtMallocAlign32(&more, size, policy), ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl(aclrtMalloc(&more, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_null(more);
    assert_acl_ok(aclrtFree(ptrs[blocks / 2]));
    assert_acl_ok(aclrtMallocAlign32(&ptrs[blocks / 2], size, policy));
    for (size_t i = 0; i < blocks; i++) assert_acl_ok(aclrtFree(ptrs[i]));
    assert_int_equal(acl_free_bytes(), GIB);
}

static void memory_runs_out_exactly_and_comes_back(void **state) {
    (void)state;
    exhaust(1, ACL_MEM_MALLOC_HUGE_ONLY, 512);
    exhaust(MIB, ACL_MEM_MALLOC_NORMAL_ONLY, 1024);
    exhaust(32 * MIB, ACL_MEM_MALLOC_HUGE_FIRST, 32);
    exhaust(1, ACL_MEM_MALLOC_HUGE1G_ONLY, 1);
}

static void no_size_is_too_big_to_run_out_of(void **state) {
    static const size_t sizes[] = {GIB, (size_t)1 << 40, SIZE_MAX / 2, SIZE_MAX - 4096,
                                   SIZE_MAX - 64};
    static const uint32_t policies[] = {ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEM_MALLOC_HUGE_ONLY,
                                        ACL_MEM_MALLOC_NORMAL_ONLY};
    void *ptr = &ptr;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t j = 0; j < sizeof policies / sizeof policies[0]; j++) {
            assert_acl(aclrtMalloc(&ptr, sizes[i], (aclrtMemMallocPolicy)policies[j]),
                       ACL_ERROR_RT_MEMORY_ALLOCATION);
            assert_acl(aclrtMallocAlign32(&ptr, sizes[i] + 1, (aclrtMemMallocPolicy)policies[j]),
                       ACL_ERROR_RT_MEMORY_ALLOCATION);
        }
        assert_acl(aclrtMalloc(&ptr, sizes[i] + 1, ACL_MEM_MALLOC_HUGE1G_ONLY),
                   ACL_ERROR_RT_MEMORY_ALLOCATION);
    }
    assert_null(ptr); // programs test the pointer
    assert_int_equal(acl_free_bytes(), GIB);
}

// ---- contents, threads

static void fresh_memory_has_the_pattern(void *arg) {
    unsigned char bytes[96];
    void *ptr = NULL;
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtMalloc(&ptr, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    memcpy(bytes, ptr, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) assert_int_equal(bytes[i], 0xA5);
    assert_acl_ok(aclrtFree(ptr));
}

static void poison_fills_new_memory(void **state) {
    (void)state;
    acl_in_child(fresh_memory_has_the_pattern, NULL, "TARN_ACL_POISON", "1", "TARN_ACL_DEVICE",
                 "host:0,memory=1G,access=on-grant", NULL);
}

static void *allocate_and_free(void *arg) {
    (void)arg;
    aclError error = aclrtSetDevice(0);
    for (size_t i = 0; i < 200 && error == 0; i++) {
        void *ptrs[4];
        for (size_t j = 0; j < 4 && error == 0; j++)
            error = allocators[j % 3](&ptrs[j], 1 + 700 * i, ACL_MEM_MALLOC_HUGE_FIRST);
        for (size_t j = 0; j < 4 && error == 0; j++) error = aclrtFree(ptrs[j]);
    }
    return (void *)(intptr_t)error;
}

static void threads_allocate_at_once(void **state) {
    pthread_t threads[4];
    size_t before = acl_free_bytes();
    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, allocate_and_free, NULL), 0);
    for (size_t i = 0; i < 4; i++) {
        void *error = NULL;
        assert_int_equal(pthread_join(threads[i], &error), 0);
        assert_null(error);
        assert_acl_ok(aclrtResetDevice(0));
    }
    assert_int_equal(acl_free_bytes(), before);
}

static void memory_is_the_current_device_s(void **state) {
    size_t before = acl_free_bytes();
    void *ptr = NULL;
    (void)state;
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl_ok(aclrtMalloc(&ptr, MIB, ACL_MEM_MALLOC_NORMAL_ONLY));
    assert_int_equal(acl_free_bytes(), GIB - MIB - NORMAL_PAGE);
    assert_acl_ok(aclrtSetDevice(0));
    assert_int_equal(acl_free_bytes(), before);
    assert_acl_ok(aclrtFree(ptr)); // whatever is current
    assert_acl_ok(aclrtResetDevice(1));
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl_ok(aclrtSetDevice(0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(padding_is_the_chip_s), // these fork: first
        cmocka_unit_test(pages_that_the_device_lacks_are_unsupported),
        cmocka_unit_test(poison_fills_new_memory),
        cmocka_unit_test(arguments_are_checked_before_the_context),
        WITH_DEVICE(cached_memory_has_a_limit_and_four_policies),
        WITH_DEVICE(effective_sizes_are_those_of_the_table),
        WITH_DEVICE(giant_pages_are_not_padded),
        WITH_DEVICE(huge_first_takes_huge_pages_above_one_mebibyte),
        WITH_DEVICE(policies_choose_the_pages),
        WITH_DEVICE(huge_first_settles_for_normal_pages),
        WITH_DEVICE(memory_runs_out_exactly_and_comes_back),
        WITH_DEVICE(no_size_is_too_big_to_run_out_of),
        WITH_DEVICE(threads_allocate_at_once),
        WITH_DEVICE(memory_is_the_current_device_s),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
