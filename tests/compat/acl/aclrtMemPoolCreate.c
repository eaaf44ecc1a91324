// SPDX-License-Identifier: Apache-2.0
// Pools: their life, their attributes, and blocks in the order of streams (spec 1.2, 1.4, 3.1).
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "support/work.h"

#define MIB ((size_t)1 << 20)

static aclrtMemPoolProps props_of(int device, size_t most) {
    return (aclrtMemPoolProps){ACL_MEM_ALLOCATION_TYPE_PINNED,
                               ACL_MEM_HANDLE_TYPE_NONE,
                               {(uint32_t)device, ACL_MEM_LOCATION_TYPE_DEVICE},
                               most,
                               {0}};
}

static aclrtMemPool create(size_t most) {
    aclrtMemPoolProps props = props_of(0, most);
    aclrtMemPool pool = NULL;
    assert_acl_ok(aclrtMemPoolCreate(&pool, &props));
    assert_non_null(pool);
    return pool;
}

// Returns a stream of the current context: blocks of pools are not of the default stream.
static aclrtStream own_stream(void) {
    static aclrtStream stream;
    aclrtStreamStatus status;
    if (stream == NULL || aclrtStreamQuery(stream, &status) != ACL_SUCCESS)
        assert_acl_ok(aclrtCreateStream(&stream));
    return stream;
}

static void *take(aclrtMemPool pool, size_t size, aclrtStream stream) {
    void *block = NULL;
    assert_acl_ok(aclrtMemPoolMallocAsync(&block, size, pool, stream));
    assert_non_null(block);
    return block;
}

static uint64_t attribute(aclrtMemPool pool, aclrtMemPoolAttr which) {
    uint64_t value = ~UINT64_C(0);
    assert_acl_ok(aclrtMemPoolGetAttr(pool, which, &value));
    return value;
}

static void set_attribute(aclrtMemPool pool, aclrtMemPoolAttr which, uint64_t value) {
    assert_acl_ok(aclrtMemPoolSetAttr(pool, which, &value));
}

// ---- children

static void is_refused(void *arg) {
    aclrtMemPoolProps props = props_of(0, 0);
    aclrtMemPool pool = NULL;
    void *block = NULL;
    (void)arg;
    assert_acl(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    pool = &props;
    assert_acl(aclrtMemPoolMallocAsync(&block, 1, pool, pool), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemPoolFreeAsync(&props, NULL), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemPoolTrimTo(pool, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemPoolGetAttr(pool, 4, &block), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemPoolSetAttr(pool, 4, &block), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemPoolDestroy(pool), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

static void generation_1_has_no_pools(void **state) {
    (void)state;
    acl_in_child(is_refused, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

static void rc_mode_has_no_pools(void **state) {
    (void)state;
    acl_in_child(is_refused, NULL, "TARN_ACL_MODE", "RC", NULL);
}

// ---- life

static void bad_properties_are_refused(void **state) {
    aclrtMemPoolProps props = props_of(0, 0);
    aclrtMemPool pool = NULL;
    (void)state;
    assert_acl(aclrtMemPoolCreate(NULL, &props), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemPoolCreate(&pool, NULL), ACL_ERROR_INVALID_PARAM);
    props.allocType = (aclrtMemAllocationType)1;
    assert_acl(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_INVALID_PARAM);
    props = props_of(0, 0);
    props.location.type = ACL_MEM_LOCATION_TYPE_MANAGED;
    assert_acl(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_INVALID_PARAM);
    props.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    assert_acl(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_INVALID_PARAM);
    props = props_of(2, 0);
    assert_acl(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_RT_INVALID_DEVICEID);
    props = props_of(0, 0);
    props.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
    assert_acl(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    props = props_of(0, 0);
    props.reserved[31] = 1;
    assert_acl(aclrtMemPoolCreate(&pool, &props), ACL_ERROR_INVALID_PARAM);
    assert_null(pool);
}

static void a_pool_with_blocks_stays(void **state) {
    (void)state;
    aclrtMemPool pool = create(0);
    void *block = take(pool, 1000, own_stream());
    assert_acl(aclrtMemPoolDestroy(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemPoolDestroy(pool), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream()));
    assert_acl_ok(aclrtMemPoolDestroy(pool));
    assert_acl(aclrtMemPoolDestroy(pool), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemPoolTrimTo(pool, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemPoolMallocAsync(&block, 1, pool, own_stream()), ACL_ERROR_RT_PARAM_INVALID);
}

// ---- blocks

static void bad_requests_are_refused(void **state) {
    void *block = NULL;
    aclrtContext usual = NULL;
    aclrtContext other = NULL;
    (void)state;
    aclrtMemPool pool = create(0);
    assert_acl(aclrtMemPoolMallocAsync(NULL, 1, pool, own_stream()), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtMemPoolMallocAsync(&block, 0, pool, own_stream()));
    assert_null(block);
    assert_acl(aclrtMemPoolMallocAsync(&block, 1, pool, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemPoolMallocAsync(&block, 1, NULL, own_stream()), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemPoolMallocAsync(&block, SIZE_MAX, pool, own_stream()),
               ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateContext(&other, 1)); // a stream of another device
    assert_acl(aclrtMemPoolMallocAsync(&block, 1, pool, own_stream()), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtDestroyContext(other));
    assert_acl(aclrtMemPoolMallocAsync(&block, 1, pool, pool), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_null(block);
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

static void only_live_blocks_are_freed(void **state) {
    void *plain = NULL;
    (void)state;
    aclrtMemPool first = create(0);
    aclrtMemPool second = create(0);
    assert_acl_ok(aclrtMalloc(&plain, MIB, 0));
    char *block = take(second, MIB, own_stream());
    assert_acl(aclrtMemPoolFreeAsync(NULL, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemPoolFreeAsync(block + 512, own_stream()), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemPoolFreeAsync(plain, own_stream()), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtFree(block), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream())); // finds its pool
    assert_acl(aclrtMemPoolFreeAsync(block, own_stream()), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFree(plain));
    assert_acl_ok(aclrtMemPoolDestroy(first));
    assert_acl_ok(aclrtMemPoolDestroy(second));
}

static void a_pool_is_not_the_programs_address_space(void **state) {
    aclrtDrvMemHandle handle = NULL;
    (void)state;
    aclrtMemPool pool = create(0);
    void *block = take(pool, MIB, own_stream());
    assert_acl(aclrtUnmapMem(block), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtReleaseMemAddress(block), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemRetainAllocationHandle(block, &handle), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream()));
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

static void blocks_are_as_those_of_malloc(void **state) {
    void *blocks[8];
    (void)state;
    aclrtMemPool pool = create(0);
    for (size_t i = 0; i < 8; i++) {
        blocks[i] = take(pool, 1 + i * 33, own_stream());
        assert_int_equal((uintptr_t)blocks[i] % 512, 0);
    }
    for (size_t i = 0; i < 8; i++) assert_acl_ok(aclrtMemPoolFreeAsync(blocks[i], own_stream()));
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

static void a_block_is_found_by_any_address_in_it(void **state) {
    aclrtPtrAttributes attributes;
    void *base = NULL;
    size_t size = 0;
    uint32_t is = 0;
    (void)state;
    aclrtMemPool pool = create(0);
    void *before = take(pool, 5000, own_stream());
    char *block = take(pool, 5000, own_stream());
    void *inside = block + 4999;
    assert_acl_ok(aclrtMemGetAddressRange(inside, &base, &size));
    assert_ptr_equal(base, block);
    assert_in_range(size, 5000, 2 * 5000);
    assert_acl_ok(aclrtPointerGetAttributes(inside, &attributes));
    assert_int_equal(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    assert_acl_ok(aclrtCheckMemType(&inside, 1, ACL_RT_MEM_TYPE_DEV, &is, 0));
    assert_int_equal(is, 1);
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream()));
    assert_acl_ok(aclrtMemPoolFreeAsync(before, own_stream()));
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

// A stream reuses its own freed blocks at once. Another one waits until the work before has passed.
static void reuse_is_in_the_order_of_streams(void **state) {
    struct gate gate = {0};
    aclrtStream slow = NULL;
    aclrtStream other = NULL;
    (void)state;
    aclrtMemPool pool = create(0);
    set_attribute(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, 64 * MIB);
    assert_acl_ok(aclrtCreateStream(&slow));
    assert_acl_ok(aclrtCreateStream(&other));
    void *block = take(pool, 3 * MIB, slow);
    assert_acl_ok(aclrtLaunchHostFunc(slow, pass_gate, &gate));
    assert_acl_ok(aclrtMemPoolFreeAsync(block, slow));
    void *apart = take(pool, 3 * MIB, other);
    assert_ptr_not_equal(apart, block);
    assert_ptr_equal(take(pool, 3 * MIB, slow), block);
    assert_acl_ok(aclrtMemPoolFreeAsync(apart, slow)); // slow waits at the gate
    void *more = take(pool, 3 * MIB, other);
    assert_ptr_not_equal(more, apart);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(slow));
    assert_acl_ok(aclrtMemPoolFreeAsync(block, slow));
    assert_acl_ok(aclrtMemPoolFreeAsync(more, other));
    assert_acl_ok(aclrtDestroyStream(slow));
    assert_acl_ok(aclrtDestroyStream(other));
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

static void *take_and_free(void *arg) {
    aclrtMemPool *pool = arg;
    aclrtStream stream = NULL;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtCreateStream(&stream));
    for (int i = 0; i < 100; i++)
        assert_acl_ok(aclrtMemPoolFreeAsync(take(*pool, 4096, stream), stream));
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl_ok(aclrtResetDevice(0));
    return NULL;
}

static void threads_share_a_pool(void **state) {
    pthread_t threads[3];
    (void)state;
    aclrtMemPool pool = create(0);
    void *block = take(pool, 1, own_stream());
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_free, &pool), 0);
    for (int i = 0; i < 20; i++) {
        assert_acl(aclrtMemPoolDestroy(pool), ACL_ERROR_RT_PARAM_INVALID); // beside them
        assert_acl_ok(aclrtMemPoolTrimTo(pool, 0));
    }
    for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream()));
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

enum { CLOSINGS = 1000, TOGETHER = 50 }; // pools, and those that are made in advance
static aclrtMemPool closing[CLOSINGS];
static _Atomic(int) arrivals; // of both threads, each once for each pool

// Destroys each pool as soon as both threads have come to it. Returns the number of successes.
static int destroy_each(bool creates) {
    int successes = 0;
    for (int i = 0; i < CLOSINGS; i++) {
        for (int k = i; creates && i % TOGETHER == 0 && k < i + TOGETHER; k++)
            closing[k] = create(0);
        atomic_fetch_add(&arrivals, 1);
        while (atomic_load(&arrivals) < 2 * (i + 1)) (void)sched_yield();
        aclError error = aclrtMemPoolDestroy(closing[i]);
        assert_true(error == ACL_SUCCESS || error == ACL_ERROR_RT_PARAM_INVALID);
        successes += error == ACL_SUCCESS;
    }
    return successes;
}

static void *destroy_theirs(void *successes) {
    assert_acl_ok(aclrtSetDevice(0));
    *(int *)successes = destroy_each(false);
    return NULL;
}

static void of_two_threads_that_destroy_a_pool_one_succeeds(void **state) {
    pthread_t thread;
    int theirs = 0;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, destroy_theirs, &theirs), 0);
    int ours = destroy_each(true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(ours + theirs, CLOSINGS);
}

// ---- capacity

static void a_pool_holds_no_more_than_it_may(void **state) {
    void *block = NULL;
    (void)state;
    aclrtMemPool pool = create(16 * MIB);
    void *first = take(pool, 10 * MIB, own_stream());
    assert_acl(aclrtMemPoolMallocAsync(&block, 10 * MIB, pool, own_stream()),
               ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_null(block);
    assert_acl_ok(aclrtMemPoolFreeAsync(first, own_stream()));
    block = take(pool, 10 * MIB, own_stream());
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream()));
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

// 3.1: on the first OOM the pools are trimmed and the call retried once
static void malloc_gets_what_pools_do_not_need(void **state) {
    const aclrtPhysicalMemProp prop = {.memAttr = ACL_HBM_MEM_HUGE,
                                       .location = {0, ACL_MEM_LOCATION_TYPE_DEVICE}};
    aclrtDrvMemHandle handle = NULL;
    void *plain = NULL;
    (void)state;
    aclrtMemPool pool = create(0);
    aclrtMemPool other = create(0);
    void *block = take(pool, 600 * MIB, own_stream());
    assert_acl(aclrtMalloc(&plain, 600 * MIB, 0), ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream()));
    assert_acl(aclrtMallocPhysical(&handle, 600 * MIB, &prop, 0), ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl_ok(aclrtMalloc(&plain, 600 * MIB, 0));
    assert_acl_ok(aclrtFree(plain));
    block = take(pool, 600 * MIB, own_stream());
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream()));
    block = take(other, 600 * MIB, own_stream()); // so does another pool
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream()));
    assert_acl_ok(aclrtMemPoolDestroy(pool));
    assert_acl_ok(aclrtMemPoolDestroy(other));
}

// The first OOM is that of huge pages: normal ones are for when pools have nothing to give
static void pools_give_back_before_pages_get_smaller(void **state) {
    aclrtPtrAttributes attributes;
    void *plain = NULL;
    void *rest = NULL;
    (void)state;
    aclrtMemPool pool = create(0);
    assert_acl_ok(aclrtMemPoolFreeAsync(take(pool, 64 * MIB, own_stream()), own_stream()));
    uint64_t held = attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT);
    assert_true(held >= 64 * MIB);
    assert_acl_ok(aclrtMallocAlign32(&rest, 1024 * MIB - held - 3 * MIB,
                                     ACL_MEM_MALLOC_NORMAL_ONLY)); // 3 MiB are left
    assert_acl_ok(aclrtMallocAlign32(&plain, 3 * MIB, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl_ok(aclrtPointerGetAttributes(plain, &attributes));
    assert_int_equal(attributes.pageSize, 2 * MIB);
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 0);
    assert_acl_ok(aclrtFree(plain));
    assert_acl_ok(aclrtFree(rest));
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

static void trimming_gives_back_what_is_free(void **state) {
    (void)state;
    aclrtMemPool pool = create(0);
    void *block = take(pool, 8 * MIB, own_stream());
    assert_true(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT) >= 8 * MIB);
    assert_acl_ok(aclrtMemPoolTrimTo(pool, 0));
    assert_true(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT) >= 8 * MIB);
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream()));
    assert_acl(aclrtMemPoolTrimTo(NULL, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtMemPoolTrimTo(pool, 64 * MIB));
    assert_true(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT) >= 8 * MIB);
    assert_acl_ok(aclrtMemPoolTrimTo(pool, 0));
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 0);
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

// ---- attributes

static void a_wait_gives_back_what_is_beyond_the_threshold(void **state) {
    (void)state;
    aclrtMemPool pool = create(0);
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD), 0);
    set_attribute(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, 64 * MIB);
    assert_acl_ok(aclrtMemPoolFreeAsync(take(pool, 8 * MIB, own_stream()), own_stream()));
    assert_acl_ok(aclrtSynchronizeDevice());
    assert_true(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT) >= 8 * MIB);
    set_attribute(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, 0);
    assert_acl_ok(aclrtSynchronizeStream(own_stream()));
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 0);
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

static void marks_are_reset_one_by_one(void **state) {
    (void)state;
    aclrtMemPool pool = create(0);
    void *block = take(pool, 8 * MIB, own_stream());
    uint64_t used = attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT);
    assert_int_equal(used, 8 * MIB + 32); // the padding
    assert_acl_ok(aclrtMemPoolFreeAsync(block, own_stream()));
    assert_acl_ok(aclrtMemPoolTrimTo(pool, 0));
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT), 0);
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), used);
    set_attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, 0);
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 0);
    assert_true(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH) >= 8 * MIB);
    set_attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH, 0);
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), 0);
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

static void hints_are_ints_and_come_back(void **state) {
    struct {
        int value;
        int guard;
    } hint = {0, 77};
    (void)state;
    aclrtMemPool pool = create(0);
    for (int which = 1; which <= 3; which++) {
        assert_acl_ok(aclrtMemPoolGetAttr(pool, (aclrtMemPoolAttr)which, &hint));
        assert_int_equal(hint.value, 1);
        assert_int_equal(hint.guard, 77);
    }
    hint.value = 0;
    assert_acl_ok(
        aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES, &hint));
    assert_acl(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC, &hint),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(
        aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &hint));
    for (int which = 1; which <= 3; which++) {
        hint.value = 5;
        assert_acl_ok(aclrtMemPoolGetAttr(pool, (aclrtMemPoolAttr)which, &hint));
        assert_int_equal(hint.value, which == ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC);
    }
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

// Every attribute that can be set, and the value that is read back.
static void attributes_keep_what_is_set(void **state) {
    static const struct {
        aclrtMemPoolAttr which;
        uint64_t set;
        uint64_t got;
    } rows[] = {
        {ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES, 0, 0},
        {ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES, 2, 1},
        {ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC, 1, 1},
        {ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 0, 0},
        {ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 1, 1},
        {ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, 12345, 12345},
        {ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX, UINT64_MAX},
        {ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, 0, 0},
    };
    (void)state;
    aclrtMemPool pool = create(0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t value = 0;
        set_attribute(pool, rows[i].which, rows[i].set);
        assert_acl_ok(aclrtMemPoolGetAttr(pool, rows[i].which, &value));
        assert_int_equal(value, rows[i].got);
    }
    // The two hints are apart.
    set_attribute(pool, ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES, 0);
    uint64_t other = 0;
    assert_acl_ok(
        aclrtMemPoolGetAttr(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &other));
    assert_int_equal(other, 1);
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

// A reset mark restarts at what is used or held now, not at 0.
static void marks_restart_at_the_present(void **state) {
    (void)state;
    aclrtMemPool pool = create(0);
    void *kept = take(pool, 2 * MIB, own_stream());
    assert_acl_ok(aclrtMemPoolFreeAsync(take(pool, 8 * MIB, own_stream()), own_stream()));
    uint64_t used = attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT);
    uint64_t held = attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT);
    assert_int_equal(used, 2 * MIB + 32);
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 10 * MIB + 64);
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), held);
    set_attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, 0);
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), used);
    assert_acl_ok(aclrtMemPoolTrimTo(pool, 0));
    set_attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH, 0);
    assert_int_equal(attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH),
                     attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT));
    assert_acl_ok(aclrtMemPoolFreeAsync(kept, own_stream()));
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

static void bad_attributes_are_refused(void **state) {
    uint64_t value = 7;
    (void)state;
    aclrtMemPool pool = create(0);
    assert_acl(aclrtMemPoolGetAttr(NULL, 4, &value), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemPoolGetAttr(pool, 4, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemPoolSetAttr(pool, 4, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemPoolGetAttr(&value, 4, &value), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemPoolGetAttr(pool, 0, &value), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemPoolGetAttr(pool, 9, &value), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemPoolSetAttr(pool, 9, &value), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT, &value),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, &value),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(value, 7);
    assert_acl_ok(aclrtMemPoolDestroy(pool));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generation_1_has_no_pools), // forks: first
        cmocka_unit_test(rc_mode_has_no_pools),
        cmocka_unit_test(bad_properties_are_refused),
        WITH_DEVICE(a_pool_with_blocks_stays),
        WITH_DEVICE(bad_requests_are_refused),
        WITH_DEVICE(only_live_blocks_are_freed),
        WITH_DEVICE(a_pool_is_not_the_programs_address_space),
        WITH_DEVICE(blocks_are_as_those_of_malloc),
        WITH_DEVICE(a_block_is_found_by_any_address_in_it),
        WITH_DEVICE(reuse_is_in_the_order_of_streams),
        WITH_DEVICE(threads_share_a_pool),
        WITH_DEVICE(of_two_threads_that_destroy_a_pool_one_succeeds),
        WITH_DEVICE(a_pool_holds_no_more_than_it_may),
        WITH_DEVICE(malloc_gets_what_pools_do_not_need),
        WITH_DEVICE(pools_give_back_before_pages_get_smaller),
        WITH_DEVICE(trimming_gives_back_what_is_free),
        WITH_DEVICE(a_wait_gives_back_what_is_beyond_the_threshold),
        WITH_DEVICE(marks_are_reset_one_by_one),
        WITH_DEVICE(hints_are_ints_and_come_back),
        WITH_DEVICE(attributes_keep_what_is_set),
        WITH_DEVICE(marks_restart_at_the_present),
        WITH_DEVICE(bad_attributes_are_refused),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
