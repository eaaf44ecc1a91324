// SPDX-License-Identifier: Apache-2.0
// A client's pattern: the pool of ggml (llama.cpp). It reserves 32 GiB once and grows at its end;
// the handle of each piece is released as soon as it is mapped, and only the new tail is granted,
// to the device and its peers in one call. Its end is one unmap over everything.
#include "support/census.h"
#include "support/vmm.h"

#define RESERVED ((size_t)32 << 30)

struct pool {
    char *base;
    size_t size; // mapped
    size_t used;
    size_t granularity;
    int device;
    size_t pieces;
};

static void open_pool(struct pool *pool, int device) {
    hipMemAllocationProp prop = prop_on(device);
    memset(pool, 0, sizeof *pool);
    pool->device = device;
    assert_hip_ok(hipMemGetAllocationGranularity(&pool->granularity, &prop,
                                                 hipMemAllocationGranularityRecommended));
    pool->base = reserve(RESERVED);
}

static hipError_t grow(struct pool *pool, size_t bytes) {
    hipMemAllocationProp prop = prop_on(pool->device);
    hipMemAccessDesc desc[2] = {desc_of(pool->device, READ_WRITE),
                                desc_of(1 - pool->device, READ_WRITE)};
    handle_t handle = NULL;
    size_t size = (bytes + pool->granularity - 1) / pool->granularity * pool->granularity;
    char *tail = pool->base + pool->size;
    hipError_t error = hipMemCreate(&handle, size, &prop, 0);
    if (error != hipSuccess) return error;
    assert_hip_ok(hipMemMap(tail, size, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemSetAccess(tail, size, desc, 2));
    pool->size += size;
    pool->pieces++;
    return hipSuccess;
}

// A stack: what is freed is what was had last.
static char *take(struct pool *pool, size_t bytes) {
    if (pool->used + bytes > pool->size &&
        grow(pool, pool->used + bytes - pool->size) != hipSuccess)
        return NULL;
    char *at = pool->base + pool->used;
    pool->used += bytes;
    return at;
}

static void give_back(struct pool *pool, const char *at, size_t bytes) {
    pool->used -= bytes;
    assert_ptr_equal(pool->base + pool->used, at);
}

static void close_pool(struct pool *pool) {
    assert_hip_ok(hipMemUnmap(pool->base, pool->size));
    assert_hip_ok(hipMemAddressFree(pool->base, RESERVED));
}

static void a_pool_grows_in_place_and_goes_at_once(void **state) {
    struct pool pool;
    (void)state;
    open_pool(&pool, 0);
    for (int i = 0; i < 100; i++) {
        size_t bytes = 256 + (size_t)i * 100000;
        char *at = take(&pool, bytes);
        assert_non_null(at);
        assert_ptr_equal(at, pool.base + pool.used - bytes);
        at[0] = (char)i;
        at[bytes - 1] = (char)i;
    }
    assert_true(pool.pieces > 50);
    assert_true(pool.pieces < 101);
    size_t end = 0;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(pool.base[end], i);
        end += 256 + (size_t)i * 100000;
        assert_int_equal(pool.base[end - 1], i);
    }
    assert_free_bytes(0, CAPACITY - pool.size);
    close_pool(&pool);
    assert_free_bytes(0, CAPACITY);
}

// The way around that the HIP build of that client takes: mapping by mapping.
static void a_pool_goes_piece_by_piece_too(void **state) {
    struct pool pool;
    (void)state;
    open_pool(&pool, 0);
    for (size_t i = 0; i < 10; i++) assert_hip_ok(grow(&pool, (i % 3 + 1) * pool.granularity));
    char *at = pool.base;
    for (size_t i = 0; i < 10; i++) {
        size_t size = (i % 3 + 1) * pool.granularity;
        assert_hip_ok(hipMemUnmap(at, size));
        at += size;
    }
    assert_hip_ok(hipMemAddressFree(pool.base, RESERVED));
    assert_free_bytes(0, CAPACITY);
}

static void what_is_given_back_is_had_again_without_growing(void **state) {
    struct pool pool;
    (void)state;
    open_pool(&pool, 0);
    char *one = take(&pool, 1000);
    char *two = take(&pool, 3 * pool.granularity);
    memset(one, 1, 1000);
    size_t size = pool.size;
    for (int i = 0; i < 100; i++) {
        give_back(&pool, two, 3 * pool.granularity);
        assert_ptr_equal(take(&pool, 3 * pool.granularity), two);
    }
    assert_int_equal(pool.size, size);
    assert_int_equal(one[999], 1);
    close_pool(&pool);
}

// The tail alone is granted; whoever holds other rights elsewhere keeps them.
static void a_grant_of_the_tail_leaves_the_rest(void **state) {
    struct pool pool;
    (void)state;
    open_pool(&pool, 1);
    assert_hip_ok(grow(&pool, 1));
    grant(pool.base, pool.size, 0, READ);
    for (int i = 0; i < 5; i++) assert_hip_ok(grow(&pool, pool.granularity));
    assert_int_equal(rights(pool.base, 0), READ);
    assert_int_equal(rights(pool.base, 1), READ_WRITE);
    assert_int_equal(rights(pool.base + pool.granularity, 0), READ_WRITE);
    assert_int_equal(rights(pool.base + pool.size - 1, 1), READ_WRITE);
    close_pool(&pool);
    assert_free_bytes(1, CAPACITY);
}

// Two pools share a device until it is full; each lives on with what it has.
static void a_full_device_leaves_pools_as_they_are(void **state) {
    struct pool pools[2];
    (void)state;
    open_pool(&pools[0], 0);
    open_pool(&pools[1], 0);
    assert_hip_ok(grow(&pools[0], CAPACITY / 2));
    assert_hip_ok(grow(&pools[1], CAPACITY / 2 - pools[1].granularity));
    char *last = take(&pools[1], 100);
    memset(last, 7, 100);
    assert_hip(grow(&pools[0], pools[0].granularity + 1), hipErrorOutOfMemory);
    assert_hip_ok(grow(&pools[0], pools[0].granularity));
    assert_hip(grow(&pools[1], 1), hipErrorOutOfMemory);
    assert_int_equal(last[99], 7);
    close_pool(&pools[0]);
    assert_hip_ok(grow(&pools[1], CAPACITY / 2));
    close_pool(&pools[1]);
    assert_free_bytes(0, CAPACITY);
}

static void pools_come_and_go_without_a_trace(void **state) {
    struct pool pool;
    struct census before;
    (void)state;
    for (int i = 0; i < 50; i++) {
        if (i == 5) before = census_take();
        open_pool(&pool, 0);
        for (int k = 0; k < 10; k++) assert_non_null(take(&pool, 100000));
        memset(pool.base, i, pool.used);
        close_pool(&pool);
    }
    census_no_growth(&before, 16, (size_t)8 << 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_grows_in_place_and_goes_at_once),
        cmocka_unit_test(a_pool_goes_piece_by_piece_too),
        cmocka_unit_test(what_is_given_back_is_had_again_without_growing),
        cmocka_unit_test(a_grant_of_the_tail_leaves_the_rest),
        cmocka_unit_test(a_full_device_leaves_pools_as_they_are),
        cmocka_unit_test(pools_come_and_go_without_a_trace),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
