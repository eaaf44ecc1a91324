// SPDX-License-Identifier: Apache-2.0
// Many threads at once: no event is lost and no report is wrong. The thread sanitizer watches.
#include "world.h"

#include <pthread.h>

#include "check/access.h"

enum { THREADS = 64, ROUNDS = 200, BLOCKS = 8 };

static mstxMemHeapHandle_t shared;

static uint64_t block_of(uint64_t thread, uint64_t block) {
    return BASE + (thread * BLOCKS + block) * 4096;
}

// Half of the threads have a heap of their own, the others share one.
static void *run(void *argument) {
    uint64_t thread = (uint64_t)(uintptr_t)argument;
    uint64_t far = UINT64_C(1) << 40;
    bool own = thread % 2 == 0;
    mstxDomainHandle_t domain = domain_create(own ? "own" : "shared");
    mstxMemHeapHandle_t heap =
        own ? heap_in(domain, BASE + far + thread * 0x100000, 0x100000) : shared;
    for (int round = 0; round < ROUNDS; round++) {
        mstxMemRegionHandle_t handle[BLOCKS];
        for (uint64_t b = 0; b < BLOCKS; b++) {
            uint64_t address =
                own ? BASE + far + thread * 0x100000 + b * 4096 : block_of(thread, b);
            handle[b] = region_in(domain, heap, address, 1000);
            do_write(address, 1000);
        }
        for (uint64_t b = 0; b < BLOCKS; b++) end_in(domain, by_handle(handle[b]));
    }
    if (own) heap_unregister(domain, heap);
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state) {
    (void)state;
    pthread_t thread[THREADS];
    shared = heap_in(domain_create("shared"), BASE, THREADS * BLOCKS * 4096);
    for (uint64_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, run, at(i)), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    struct tn_check_model_stats stats = tn_check_model.stats;
    assert_int_equal(tn_check_region_counts().total, THREADS * ROUNDS * BLOCKS);
    assert_int_equal(tn_check_region_counts().live, 0);
    assert_int_equal(tn_check_region_counts().live_bytes, 0);
    assert_int_equal(stats.heaps_live, 1);
    assert_int_equal(stats.accesses, THREADS * ROUNDS * BLOCKS);
    expect_none();
}

// Registered by one thread, ended by another, which is legal.
static void *end_all(void *argument) {
    mstxMemRegionHandle_t *handle = (mstxMemRegionHandle_t *)argument;
    for (int i = 0; i < ROUNDS; i++) end_handle(handle[i]);
    return NULL;
}

static void another_thread_may_end_a_region(void **state) {
    (void)state;
    mstxMemRegionHandle_t handle[ROUNDS];
    mstxMemHeapHandle_t heap = heap_at(BASE, ROUNDS * 64);
    pthread_t thread;
    for (uint64_t i = 0; i < ROUNDS; i++) handle[i] = region_at(heap, BASE + i * 64, 64);
    assert_int_equal(pthread_create(&thread, NULL, end_all, handle), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    expect_none();
    end_handle(handle[0]);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_DOUBLE_FREE);
    assert_int_equal(report->region.serial, 1);
}

// All of them find the same bug: each finding is whole.
static void *free_twice(void *argument) {
    end_handle((mstxMemRegionHandle_t)argument);
    return NULL;
}

static void findings_of_many_threads_are_all_reported(void **state) {
    (void)state;
    pthread_t thread[32];
    mstxMemRegionHandle_t handle = region_at(heap_at(BASE, 4096), BASE, 64);
    for (int i = 0; i < 32; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, free_twice, handle), 0);
    for (int i = 0; i < 32; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < 31; i++)
        assert_int_equal(expect(TN_CHECK_KIND_DOUBLE_FREE)->region.serial, 1);
    expect_none();
}

static int with_stacks(void **state) {
    (void)fresh(state);
    options.stack_depth = 8;
    return 0;
}

// ---- pools of Tarn, which have locks of their own

enum { POOLS = 12, POOL_ROUNDS = 300, POOL_BLOCKS = 16 };

#define POOL_BYTES UINT64_C(0x100000)

static uint64_t base_of(uint64_t pool) { return BASE + pool * (POOL_BYTES << 8); }

static void tell_pool(uint64_t pool, uint16_t kind, uint64_t address, uint64_t bytes) {
    EMIT(.kind = kind, .flags = TN_MEM_SEEN, .addr = address, .bytes = bytes, .object = pool + 1,
         .domain = "tarn");
}

// Each pair of threads shares a pool. Threads with an odd number also have a pool inside a block,
// which begins where the block does.
static void *use_pool(void *argument) {
    uint64_t thread = (uint64_t)(uintptr_t)argument;
    uint64_t pool = thread / 2;
    uint64_t from = base_of(pool) + thread % 2 * (POOL_BYTES / 2);
    for (int round = 0; round < POOL_ROUNDS; round++) {
        for (uint64_t b = 0; b < POOL_BLOCKS; b++)
            tell_pool(pool, TN_MEM_REGION_BEGIN, from + b * 4096, 100 + b);
        if (thread % 2 == 1 && round % 16 == 0) {
            uint64_t inner = 100 + thread;
            tell_pool(inner, TN_MEM_HEAP_BEGIN, from, 100);
            tell_pool(inner, TN_MEM_REGION_BEGIN, from, 50);
            do_write(from, 50);
            tell_pool(inner, TN_MEM_REGION_END, from, 0);
            tell_pool(inner, TN_MEM_HEAP_END, from, 100);
        }
        do_write(from + 4096, 101);
        for (uint64_t b = POOL_BLOCKS; b-- > 0;)
            tell_pool(pool, TN_MEM_REGION_END, from + b * 4096, 0);
    }
    return NULL;
}

static uint64_t number_of_shards(void) {
    uint64_t sum = 0;
    for (int i = 0; i < TN_CHECK_SHARDS; i++) sum += tn_check_model.shard[i].number;
    return sum;
}

// A name goes into a table of all shards.
static void only_a_block_without_a_name_takes_one_lock(void **state) {
    (void)state;
    reset();
    for (uint64_t pool = 0; pool < POOLS; pool++)
        tell_pool(pool, TN_MEM_HEAP_BEGIN, base_of(pool), POOL_BYTES);
    tell_pool(0, TN_MEM_REGION_BEGIN, base_of(0), 100); // in a domain that exists from now on
    uint64_t before = number_of_shards();
    EMIT(.kind = TN_MEM_REGION_BEGIN, .addr = base_of(0) + 4096, .bytes = 100, .object = 1,
         .domain = "tarn", .name = "kv");
    assert_int_equal(number_of_shards(), before);
    tell_pool(0, TN_MEM_REGION_BEGIN, base_of(0) + 8192, 100);
    assert_true(number_of_shards() > before);
    expect_none();
}

static void *use_second_pool(void *unused) {
    tell_pool(1, TN_MEM_REGION_BEGIN, base_of(1), 100);
    tell_pool(1, TN_MEM_REGION_END, base_of(1), 0);
    return unused;
}

// While another thread holds the lock of the first pool, the second pool is in use. Deadlocks if it
// is not so.
static void a_block_takes_the_lock_of_its_pool_alone(void **state) {
    pthread_t thread;
    (void)state;
    reset();
    tell_pool(0, TN_MEM_HEAP_BEGIN, base_of(0), POOL_BYTES);
    tell_pool(1, TN_MEM_HEAP_BEGIN, base_of(1), POOL_BYTES);
    (void)use_second_pool(NULL); // its domain exists from now on
    struct tn_check_shard *first = tn_check_shard_for(1);
    assert_ptr_not_equal(first, tn_check_shard_for(2));
    tn_spin_lock(&first->lock);
    assert_int_equal(pthread_create(&thread, NULL, use_second_pool, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    tn_spin_unlock(&first->lock);
    expect_none();
}

static void pools_do_not_disturb_each_other(void **state) {
    (void)state;
    pthread_t thread[2 * POOLS];
    options.history = 65536;
    reset();
    for (uint64_t pool = 0; pool < POOLS; pool++)
        tell_pool(pool, TN_MEM_HEAP_BEGIN, base_of(pool), POOL_BYTES);
    for (uint64_t i = 0; i < 2 * POOLS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, use_pool, at(i)), 0);
    for (int i = 0; i < 2 * POOLS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    expect_none();
    uint64_t inner = (POOL_ROUNDS + 15) / 16 * POOLS;
    struct tn_check_region_counts counts = tn_check_region_counts();
    assert_int_equal(counts.total, 2 * POOLS * POOL_ROUNDS * POOL_BLOCKS + inner);
    assert_int_equal(counts.live, 0);
    assert_int_equal(counts.live_bytes, 0);
    assert_int_equal(tn_load_relaxed(&tn_check_model.shards), TN_CHECK_SHARDS);
    for (uint64_t pool = 0; pool < POOLS; pool++) { // what ended is found in any shard
        EMIT(.kind = TN_MEM_REFUSED, .addr = base_of(pool) + 4096, .object = pool + 1,
             .name = "tarn_pool_free", .domain = "tarn");
        (void)expect_only(TN_CHECK_KIND_DOUBLE_FREE);
        tell_pool(pool, TN_MEM_HEAP_END, base_of(pool), POOL_BYTES);
    }
    assert_int_equal(tn_check_model.stats.heaps_live, 0);
    expect_none();
}

// Each region gets a number of its own, and an address counts its regions, whatever pool they are of.
static void numbers_and_generations_are_those_of_the_process(void **state) {
    (void)state;
    tell_pool(1, TN_MEM_HEAP_BEGIN, BASE, 4096);
    tell_pool(1, TN_MEM_REGION_BEGIN, BASE, 512);
    tell_pool(2, TN_MEM_HEAP_BEGIN, BASE, 512);
    for (uint32_t i = 0; i < 3; i++) {
        tell_pool(2, TN_MEM_REGION_BEGIN, BASE, 8);
        do_write(BASE + 4, 8);
        const struct tn_check_report *report = expect_only(TN_CHECK_KIND_HEAP_OVERFLOW);
        assert_int_equal(report->region.serial, 2 + i);
        assert_int_equal(report->region.generation, 2 + i);
        tell_pool(2, TN_MEM_REGION_END, BASE, 0);
    }
    tell_pool(2, TN_MEM_HEAP_END, BASE, 512);
    tell_pool(1, TN_MEM_REGION_END, BASE, 0);
    do_read(BASE, 8);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_USE_AFTER_FREE);
    assert_int_equal(report->region.serial, 1);
    tell_pool(1, TN_MEM_HEAP_END, BASE, 4096);
}

#define TEST(name) cmocka_unit_test_setup(name, with_stacks)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(threads_do_not_disturb_each_other),
        TEST(only_a_block_without_a_name_takes_one_lock),
        TEST(a_block_takes_the_lock_of_its_pool_alone),
        TEST(pools_do_not_disturb_each_other),
        TEST(numbers_and_generations_are_those_of_the_process),
        TEST(another_thread_may_end_a_region),
        TEST(findings_of_many_threads_are_all_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
