// SPDX-License-Identifier: Apache-2.0
// Claims about the shards of a pool. Meant for ThreadSanitizer too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "annotate/annotate.h"
#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

enum { FILLERS_MAX = 64, PIECE = 32 * KIB, PIECES = 2048, SWAPS = 3000 };

#define POOL_BYTES ((uint64_t)PIECE * PIECES)

// Threads that fill a pool, and then free and allocate blocks of all of them.
struct crowd {
    tarn_pool *pool;
    unsigned members;
    pthread_barrier_t barrier;
    _Atomic(tarn_addr) blocks[PIECES]; // of all threads
    _Atomic(uint64_t) wrong;
    uint64_t filled[2]; // live bytes after each filling
};

struct member {
    struct crowd *crowd;
    uint64_t number;
};

static uint64_t next(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *seed >> 33;
}

static void wait_for_all(struct crowd *crowd) { (void)pthread_barrier_wait(&crowd->barrier); }

static void put_block(struct crowd *crowd, tarn_addr addr) {
    uint64_t first = addr / PIECE; // usually empty
    for (uint64_t i = first; i < first + PIECES; i++) {
        tarn_addr none = 0;
        if (tn_cas_acq_rel(&crowd->blocks[i % PIECES], &none, addr)) // whoever frees it comes after
            return;
    }
    (void)tn_add_relaxed(&crowd->wrong, 1); // more blocks than the pool has room for
}

// Allocates until the pool refuses.
static void fill(struct crowd *crowd) {
    tarn_addr addr;
    while (tarn_pool_alloc(crowd->pool, PIECE, 0, &addr) == TARN_OK) put_block(crowd, addr);
}

// Frees any block, whoever allocated it, and allocates another of one to four pieces, if it fits.
static void swap_blocks(struct crowd *crowd, uint64_t *seed) {
    for (unsigned i = 0; i < SWAPS / crowd->members; i++) {
        tarn_addr addr = tn_exchange_acq_rel(&crowd->blocks[next(seed) % PIECES], 0);
        if (addr != 0)
            (void)tn_add_relaxed(&crowd->wrong, tarn_pool_free(crowd->pool, addr) != TARN_OK);
        uint64_t bytes = PIECE * (1 + next(seed) % 4);
        if (next(seed) % 3 != 0 && tarn_pool_alloc(crowd->pool, bytes, 0, &addr) == TARN_OK)
            put_block(crowd, addr);
    }
}

static void *fill_and_swap(void *arg) {
    struct member *member = (struct member *)arg;
    struct crowd *crowd = member->crowd;
    uint64_t seed = member->number;
    take_shard(crowd->pool);
    for (int round = 0; round < 2; round++) {
        fill(crowd);
        wait_for_all(crowd);
        if (member->number == 0) crowd->filled[round] = stats_of(crowd->pool).live_bytes;
        wait_for_all(crowd);
        swap_blocks(crowd, &seed);
    }
    return NULL;
}

static void fill_with_crowd(tarn_pool *pool, unsigned fillers) {
    static struct crowd crowd;
    pthread_t threads[FILLERS_MAX];
    struct member members[FILLERS_MAX];
    memset(&crowd, 0, sizeof crowd);
    crowd.pool = pool;
    crowd.members = fillers;
    assert_int_equal(pthread_barrier_init(&crowd.barrier, NULL, fillers), 0);
    for (uint64_t i = 0; i < fillers; i++) {
        members[i] = (struct member){&crowd, i};
        assert_int_equal(pthread_create(&threads[i], NULL, fill_and_swap, &members[i]), 0);
    }
    for (unsigned i = 0; i < fillers; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(tn_load_relaxed(&crowd.wrong), 0);
    assert_int_equal(crowd.filled[0], POOL_BYTES);
    assert_int_equal(crowd.filled[1], POOL_BYTES);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    for (int i = 0; i < PIECES; i++) give(pool, tn_load_relaxed(&crowd.blocks[i]));
    assert_int_equal(stats_of(pool).live_blocks, 0);
    assert_int_equal(pthread_barrier_destroy(&crowd.barrier), 0);
    end(pool);
}

static void threads_fill_a_fixed_range_to_the_last_piece(void **state) {
    (void)state;
    for (unsigned fillers = 2; fillers <= FILLERS_MAX; fillers *= 32)
        fill_with_crowd(fixed(BASE, POOL_BYTES, TARN_RULE_GPU_256), fillers);
}

static void eight_threads_fill_pages_to_the_last_piece(void **state) {
    (void)state;
    tarn_pool *pool;
    assert_int_equal(fake_pool(fake_new(64 * KIB, POOL_BYTES), 0, &pool), TARN_OK);
    fill_with_crowd(pool, 8);
}

static void eight_threads_fill_segments_to_the_last_piece(void **state) {
    (void)state;
    tarn_pool *pool;
    assert_int_equal(fake_pool(fake_new(0, POOL_BYTES), 0, &pool), TARN_OK);
    fill_with_crowd(pool, 8);
}

// ---- one thread beside the test's own

// Runs a step in a thread of its own, which keeps its shard until the step returns.
struct step {
    void (*run)(struct step *step);
    tarn_pool *pool;
    tarn_addr blocks[PIECES];
    int count;
    pthread_barrier_t barrier; // for the test's thread and this one
    tarn_status status;
};

static void *run_step(void *arg) {
    struct step *step = (struct step *)arg;
    take_shard(step->pool);
    step->run(step);
    return NULL;
}

static pthread_t begin_step(struct step *step, tarn_pool *pool, void (*run)(struct step *)) {
    pthread_t thread;
    memset(step, 0, sizeof *step);
    step->run = run;
    step->pool = pool;
    assert_int_equal(pthread_barrier_init(&step->barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, run_step, step), 0);
    return thread;
}

static void meet(struct step *step) { (void)pthread_barrier_wait(&step->barrier); }

static void finish_step(struct step *step, pthread_t thread) {
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_barrier_destroy(&step->barrier), 0);
}

// The bytes held, without a query, which takes all chunks back.
static uint64_t held_by(const tarn_pool *pool) {
    return tn_load_relaxed(&pool->growth.source->held_bytes);
}

static void allocate_and_free_all(struct step *step) {
    for (int i = 0; i < 100; i++) step->blocks[i] = get(step->pool, PIECE);
    for (int i = 0; i < 100; i++) give(step->pool, step->blocks[i]);
    meet(step);
    meet(step);
}

static void free_memory_of_a_shard_serves_one_large_block(void **state) {
    (void)state;
    if (tn_subscribed()) return; // a free that tools see takes all chunks back
    static struct step step;
    tarn_pool *pool = fixed(BASE, POOL_BYTES, TARN_RULE_GPU_256);
    pthread_t thread = begin_step(&step, pool, allocate_and_free_all);
    meet(&step);
    assert_true(tn_pool_shard_cached(pool) != 0);
    give(pool, get(pool, POOL_BYTES));
    assert_int_equal(tn_pool_shard_cached(pool), 0);
    meet(&step);
    finish_step(&step, thread);
    end(pool);
}

// Most blocks need more memory of the device.
static void grow_often_and_free_half(struct step *step) {
    for (int i = 0; i < PIECES; i++) step->blocks[i] = get(step->pool, PIECE);
    for (int i = 0; i < PIECES / 2; i++) give(step->pool, step->blocks[i]);
    give(step->pool, get(step->pool, PIECE));
    meet(step);
    meet(step);
    for (int i = PIECES / 2; i < PIECES; i++) give(step->pool, step->blocks[i]);
}

static void a_pool_that_has_grown_is_divided_at_once(void **state) {
    (void)state;
    if (tn_subscribed()) return; // a free that tools see takes all chunks back
    static struct step step;
    tarn_pool *pool;
    assert_int_equal(fake_pool(fake_new(64 * KIB, 2 * POOL_BYTES), 0, &pool), TARN_OK);
    pthread_t thread = begin_step(&step, pool, grow_often_and_free_half);
    meet(&step);
    assert_true(tn_pool_shard_cached(pool) != 0);
    meet(&step);
    finish_step(&step, thread);
    end(pool);
}

// Keeps most of its memory, and a little of it free.
static void allocate_many_and_free_few(struct step *step) {
    for (int i = 0; i < PIECES / 2; i++) step->blocks[i] = get(step->pool, PIECE);
    for (int i = 0; i < 8; i++) give(step->pool, step->blocks[i * PIECES / 16]);
    meet(step);
    meet(step);
    for (int i = 0; i < PIECES / 2; i++)
        if (i % (PIECES / 16) != 0) give(step->pool, step->blocks[i]);
}

static void grow_beside_a_thread(uint64_t page_bytes) {
    if (tn_subscribed()) return; // a free that tools see takes all chunks back
    static struct step step;
    static tarn_addr blocks[PIECES / 4];
    tarn_pool *pool;
    assert_int_equal(fake_pool(fake_new(page_bytes, 4 * POOL_BYTES), 0, &pool), TARN_OK);
    take_shard(pool);
    pthread_t thread = begin_step(&step, pool, allocate_many_and_free_few);
    meet(&step);
    const tn_pool_shard *other = tn_load_relaxed(&pool->range.shards[2]);
    uint64_t chunks = other->chunk_count;
    uint64_t held = held_by(pool);
    assert_true(chunks != 0 && tn_load_relaxed(&other->cached) != 0);
    for (int i = 0; i < PIECES / 4; i++) blocks[i] = get(pool, PIECE);
    assert_true(held_by(pool) > held);
    assert_int_equal(other->chunk_count, chunks);
    meet(&step);
    finish_step(&step, thread);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    for (int i = 0; i < PIECES / 4; i++) give(pool, blocks[i]);
    assert_int_equal(stats_of(pool).live_blocks, 0);
    end(pool);
}

static void growth_by_pages_leaves_the_chunks_of_threads(void **state) {
    (void)state;
    grow_beside_a_thread(64 * KIB);
}

static void growth_by_segments_leaves_the_chunks_of_threads(void **state) {
    (void)state;
    grow_beside_a_thread(0);
}

static void allocate_many_and_free_all(struct step *step) {
    for (int i = 0; i < PIECES / 2; i++) step->blocks[i] = get(step->pool, PIECE);
    for (int i = 0; i < PIECES / 2; i++) give(step->pool, step->blocks[i]);
    meet(step);
    meet(step);
}

static void a_pool_uses_what_threads_have_freed_before_it_grows(void **state) {
    (void)state;
    if (tn_subscribed()) return; // a free that tools see takes all chunks back
    static struct step step;
    tarn_pool *pool;
    assert_int_equal(fake_pool(fake_new(64 * KIB, 4 * POOL_BYTES), 0, &pool), TARN_OK);
    take_shard(pool);
    pthread_t thread = begin_step(&step, pool, allocate_many_and_free_all);
    meet(&step);
    uint64_t held = held_by(pool);
    give(pool, get(pool, POOL_BYTES / 4));
    assert_int_equal(held_by(pool), held);
    meet(&step);
    finish_step(&step, thread);
    end(pool);
}

static void cached_bytes_counts_the_chunks_of_threads(void **state) {
    (void)state;
    if (tn_subscribed()) return; // a free that tools see takes all chunks back
    static struct step step;
    tarn_pool *pool = fixed(BASE, POOL_BYTES, TARN_RULE_GPU_256);
    pthread_t thread = begin_step(&step, pool, allocate_and_free_all);
    meet(&step);
    uint64_t cached = stats_of(pool).cached_bytes;
    assert_in_range(cached, 100 * PIECE, POOL_BYTES - 1);
    assert_int_equal(stats_of(pool).cached_bytes, 0); // the first query took them back
    assert_int_equal(stats_of(pool).largest_free, POOL_BYTES);
    meet(&step);
    finish_step(&step, thread);
    end(pool);
}

static void allocate_some(struct step *step) {
    for (step->count = 0; step->count < 10; step->count++)
        step->blocks[step->count] = get(step->pool, PIECE);
    meet(step);
    meet(step);
}

static void a_block_of_another_shard_is_freed_once(void **state) {
    (void)state;
    static struct step step;
    tarn_pool *pool = fixed(BASE, POOL_BYTES, TARN_RULE_GPU_256);
    take_shard(pool);
    pthread_t thread = begin_step(&step, pool, allocate_some);
    meet(&step);
    for (int i = 0; i < step.count; i++) {
        assert_int_equal(tarn_pool_free(pool, step.blocks[i] + 256), TARN_BAD_ADDRESS);
        give(pool, step.blocks[i]);
        assert_int_equal(tarn_pool_free(pool, step.blocks[i]), TARN_BAD_ADDRESS);
    }
    give(pool, get(pool, POOL_BYTES)); // none is left on its way
    meet(&step);
    finish_step(&step, thread);
    end(pool);
}

// Blocks of which every fourth one is free, so that no free piece is as long as a chunk must be. One
// of them, of a number or -1, is of a stream.
static tarn_pool *fragmented_pool(tarn_addr blocks[PIECES], int guest) {
    tarn_pool *pool = fixed(BASE, POOL_BYTES, TARN_RULE_GPU_256);
    for (int i = 0; i < PIECES; i++) blocks[i] = get_on(pool, PIECE, i == guest ? 1 : 0);
    for (int i = 0; i < PIECES; i += 4) give(pool, blocks[i]);
    take_shard(pool);
    return pool;
}

static bool is_of_shard(const tarn_pool *pool, tarn_addr addr) {
    return tn_granule_get(&pool->map, addr) >> TN_ENTRY_SHARD_SHIFT != 0;
}

static void a_shard_gets_live_blocks_around_a_free_piece(void **state) {
    (void)state;
    if (tn_subscribed()) return; // a free that tools see takes all chunks back
    static tarn_addr blocks[PIECES];
    tarn_pool *pool = fragmented_pool(blocks, -1);
    blocks[0] = get(pool, PIECE); // of the pool, while the shard gets its first nodes
    uint64_t live = pool->range.taken_units << pool->unit_shift;
    blocks[4] = get(pool, PIECE);
    const tn_pool_shard *shard = tn_pool_cache_of(pool)->shard;
    uint64_t bytes = shard->chunk_units << pool->unit_shift;
    uint64_t left = pool->range.taken_units << pool->unit_shift;
    assert_int_equal(shard->chunk_count, 1);
    assert_in_range(bytes, POOL_BYTES / 8, POOL_BYTES / 8 + PIECE);
    assert_in_range(live - left, bytes / 2, bytes);
    int freed = 0;
    for (int i = 0; i < PIECES; i++) {
        if ((i % 4 == 0 && i != 0) || !is_of_shard(pool, blocks[i])) continue;
        uint64_t cached = tn_load_relaxed(&shard->cached);
        give(pool, blocks[i]);
        assert_int_equal(tarn_pool_free(pool, blocks[i]), TARN_BAD_ADDRESS);
        assert_int_equal(tn_load_relaxed(&shard->cached) - cached, PIECE >> pool->unit_shift);
        blocks[i] = 0;
        freed++;
    }
    assert_int_equal((uint64_t)freed * PIECE, live - left);
    assert_int_equal(pool->range.taken_units << pool->unit_shift, left);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(shard->chunk_count, 0);
    for (int i = 0; i < PIECES; i++)
        if (i % 4 != 0 || i <= 4) give(pool, blocks[i]);
    give(pool, get(pool, POOL_BYTES));
    end(pool);
}

static void a_shard_gets_no_block_of_a_stream_that_is_a_guest(void **state) {
    (void)state;
    if (tn_subscribed()) return; // a free that tools see takes all chunks back
    enum { GUEST = PIECES / 2 + 1 };
    static tarn_addr blocks[PIECES];
    tarn_pool *pool = fragmented_pool(blocks, GUEST);
    int of_shard = 0;
    for (int i = 0; i < PIECES; i += 4) blocks[i] = get(pool, PIECE);
    for (int i = 0; i < PIECES; i++) of_shard += is_of_shard(pool, blocks[i]);
    assert_int_not_equal(pool->range.sole, TN_POOL_SHARED);
    assert_in_range(of_shard, PIECES / 2, PIECES - 1);
    assert_false(is_of_shard(pool, blocks[GUEST]));
    for (int i = 0; i < PIECES; i++) give(pool, blocks[i]);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(tarn_pool_passed(pool, 1), TARN_OK);
    give(pool, get(pool, POOL_BYTES));
    end(pool);
}

// Every block is freed and replaced by a thread, and by the test's own.
static void swap_all_blocks(struct step *step) {
    for (int round = 0; round < 20; round++) {
        meet(step);
        for (int i = round % 2; i < PIECES; i += 2) {
            if (i % 8 == 4) continue; // free at first
            give(step->pool, step->blocks[i]);
            step->blocks[i] = get(step->pool, PIECE);
        }
        meet(step);
    }
}

static void threads_share_a_pool_without_a_long_free_piece(void **state) {
    (void)state;
    static struct step step;
    static tarn_addr blocks[PIECES];
    tarn_pool *pool = fragmented_pool(blocks, -1);
    for (int i = 0; i < PIECES; i++) blocks[i] = i % 8 == 0 ? get(pool, PIECE) : blocks[i];
    pthread_t thread = begin_step(&step, pool, swap_all_blocks);
    memcpy(step.blocks, blocks, sizeof blocks);
    for (int round = 0; round < 20; round++) {
        meet(&step);
        for (int i = 1 - round % 2; i < PIECES; i += 2) {
            if (i % 8 == 4) continue;
            give(pool, step.blocks[i]);
            step.blocks[i] = get(pool, PIECE);
        }
        meet(&step);
    }
    finish_step(&step, thread);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    for (int i = 0; i < PIECES; i++)
        if (i % 8 != 4) give(pool, step.blocks[i]);
    assert_int_equal(stats_of(pool).live_blocks, 0);
    give(pool, get(pool, POOL_BYTES));
    end(pool);
}

static void a_thread_that_ends_gives_its_shard_back(void **state) {
    (void)state;
    static struct step step;
    tarn_pool *pool = fixed(BASE, POOL_BYTES, TARN_RULE_GPU_256);
    for (int round = 0; round < 3 * (int)TN_SHARDS; round++) {
        pthread_t thread = begin_step(&step, pool, allocate_some);
        meet(&step);
        meet(&step);
        finish_step(&step, thread);
        assert_int_equal(tn_pool_shard_cached(pool), 0);
        for (int i = 0; i < step.count; i++) give(pool, step.blocks[i]);
    }
    assert_null(tn_load_relaxed(&pool->range.shards[3])); // the shards were used again
    give(pool, get(pool, POOL_BYTES));
    end(pool);
}

static void one_thread_never_gets_a_shard(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, POOL_BYTES, TARN_RULE_GPU_256);
    for (int i = 0; i < 10000; i++) give(pool, get(pool, PIECE));
    assert_null(tn_pool_cache_of(pool)->shard);
    end(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_fill_a_fixed_range_to_the_last_piece),
        cmocka_unit_test(eight_threads_fill_pages_to_the_last_piece),
        cmocka_unit_test(eight_threads_fill_segments_to_the_last_piece),
        cmocka_unit_test(free_memory_of_a_shard_serves_one_large_block),
        cmocka_unit_test(a_pool_that_has_grown_is_divided_at_once),
        cmocka_unit_test(growth_by_pages_leaves_the_chunks_of_threads),
        cmocka_unit_test(growth_by_segments_leaves_the_chunks_of_threads),
        cmocka_unit_test(a_pool_uses_what_threads_have_freed_before_it_grows),
        cmocka_unit_test(cached_bytes_counts_the_chunks_of_threads),
        cmocka_unit_test(a_block_of_another_shard_is_freed_once),
        cmocka_unit_test(a_shard_gets_live_blocks_around_a_free_piece),
        cmocka_unit_test(a_shard_gets_no_block_of_a_stream_that_is_a_guest),
        cmocka_unit_test(threads_share_a_pool_without_a_long_free_piece),
        cmocka_unit_test(a_thread_that_ends_gives_its_shard_back),
        cmocka_unit_test(one_thread_never_gets_a_shard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
