// SPDX-License-Identifier: Apache-2.0
// Secondary allocation: a pool of Tarn over blocks of AscendCL. Neither depends on the other.
// Generation 1 rejects unaligned addresses of asynchronous copies, so a pool that broke the rule
// would fail here.
#include <acl/ops/acl_dvpp.h>
#include <tarn/tarn.h>

#include "support/acl.h"

enum { SEGMENTS = 5 };

static const size_t lengths[SEGMENTS] = {1, 31, 32, 33, 1000};

// A block of `bytes` from an allocator, and how to give it back.
struct source {
    const char *allocator;
    uintptr_t alignment;
    size_t bytes; // the least that holds all segments
    aclError (*take)(void **block, size_t bytes);
    aclError (*give)(void *block);
};

static aclError take_device(void **block, size_t bytes) {
    return aclrtMalloc(block, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
}

static const struct source sources[] = {
    {"aclrtMalloc", 64, 1376, take_device, aclrtFree},
    {"aclrtMallocHost", 64, 1376, aclrtMallocHost, aclrtFreeHost},
    {"acldvppMalloc", 128, 1568, acldvppMalloc, acldvppFree},
    {"mixed", 128, 1568, acldvppMalloc, acldvppFree},
};

static void take_segments(const struct source *source, tarn_pool *pool, char *at[SEGMENTS]) {
    for (int i = 0; i < SEGMENTS; i++) {
        tarn_addr addr = 0;
        assert_int_equal(tarn_pool_alloc(pool, lengths[i], TARN_STREAM_NONE, &addr), TARN_OK);
        assert_int_equal(addr % source->alignment, 0);
        at[i] = (char *)(uintptr_t)addr;
    }
}

// Each segment has bytes of its own, and still has them when all others have theirs.
static void fill_and_compare(char *const at[SEGMENTS]) {
    char *pinned = NULL;
    assert_acl_ok(aclrtMallocHost((void **)&pinned, 1024));
    for (int i = 0; i < SEGMENTS; i++) {
        memset(pinned, i + 1, lengths[i]);
        assert_acl_ok(aclrtMemcpy(at[i], lengths[i], pinned, lengths[i], ACL_MEMCPY_DEFAULT));
    }
    for (int i = 0; i < SEGMENTS; i++) {
        char want[1000];
        memset(want, i + 1, sizeof want);
        memset(pinned, 0, lengths[i]);
        assert_acl_ok(aclrtMemcpy(pinned, lengths[i], at[i], lengths[i], ACL_MEMCPY_DEFAULT));
        assert_memory_equal(pinned, want, lengths[i]);
    }
    assert_acl_ok(aclrtFreeHost(pinned));
}

// V23: the worked examples.
static void segments_fill_the_least_block_exactly(void **state) {
    (void)state;
    assert_acl_ok(aclrtSetDevice(0));
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const struct source *source = &sources[i];
        char *at[SEGMENTS];
        void *block = NULL;
        tarn_pool *pool = NULL;
        tarn_addr more = 0;
        assert_acl_ok(source->take(&block, source->bytes));
        assert_int_equal(
            tarn_pool_create_over(source->allocator, (uintptr_t)block, source->bytes, &pool),
            TARN_OK);
        take_segments(source, pool, at);
        assert_int_equal(tarn_pool_alloc(pool, 1, TARN_STREAM_NONE, &more), TARN_NO_DEVICE_MEMORY);
        assert_true(at[0] == (char *)block);
        fill_and_compare(at);
        assert_int_equal(tarn_pool_reset(pool), TARN_OK);
        assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
        assert_acl_ok(source->give(block));
    }
    assert_acl_ok(aclrtResetDevice(0));
}

// V23.
static void a_byte_less_has_no_room_for_the_last(void **state) {
    (void)state;
    assert_acl_ok(aclrtSetDevice(0));
    void *block = NULL;
    tarn_pool *pool = NULL;
    tarn_addr addr = 0;
    assert_acl_ok(aclrtMalloc(&block, 1375, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_int_equal(tarn_pool_create_over("aclrtMalloc", (uintptr_t)block, 1375, &pool), TARN_OK);
    for (int i = 0; i < SEGMENTS; i++) {
        assert_int_equal(tarn_pool_alloc(pool, lengths[i], TARN_STREAM_NONE, &addr),
                         i < 4 ? TARN_OK : TARN_NO_DEVICE_MEMORY);
    }
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
    assert_acl_ok(aclrtFree(block));
    assert_acl_ok(aclrtResetDevice(0));
}

// 3.6: generation 1 refuses addresses that are no multiples of 64.
static void copy_among_segments(void *arg) {
    char *at[SEGMENTS];
    void *block = NULL;
    tarn_pool *pool = NULL;
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtMalloc(&block, 1376, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_int_equal(tarn_pool_create_over("aclrtMalloc", (uintptr_t)block, 1376, &pool), TARN_OK);
    take_segments(&sources[0], pool, at);
    for (int i = 1; i < SEGMENTS; i++)
        assert_acl_ok(aclrtMemcpyAsync(at[i], 1, at[i - 1], 1, ACL_MEMCPY_DEVICE_TO_DEVICE, NULL));
    assert_acl(aclrtMemcpyAsync(at[4] + 1, 1, at[0], 1, ACL_MEMCPY_DEVICE_TO_DEVICE, NULL),
               ACL_ERROR_RT_ADDR_UNALIGNED);
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
    assert_acl_ok(aclrtFree(block));
}

static void generation_1_can_copy_among_segments(void **state) {
    (void)state;
    acl_in_child(copy_among_segments, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_fill_the_least_block_exactly),
        cmocka_unit_test(a_byte_less_has_no_room_for_the_last),
        cmocka_unit_test(generation_1_can_copy_among_segments),
    };
    return cmocka_run_group_tests_name("secondary allocation", tests, acl_group_setup, NULL);
}
