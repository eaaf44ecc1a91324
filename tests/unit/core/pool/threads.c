// SPDX-License-Identifier: Apache-2.0
// Claims about pools that several threads use at once. Meant for ThreadSanitizer too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

enum { THREADS = 4, BLOCKS = 64, ROUNDS = 4000, RING = 256, PASSED_ON = 20000 };

struct job {
    tarn_pool *pool;
    uint64_t seed;
    tarn_stream stream;
    uint64_t refused;
    uint64_t wrong;
    _Atomic(int) ended;
};

static uint64_t next(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *seed >> 33;
}

static uint64_t some_size(uint64_t *seed) {
    uint64_t size = next(seed) % 4 != 0 ? 1 + next(seed) % 4000 : 1 + next(seed) % (300 * KIB);
    return size;
}

// Allocates. Without a device the pool knows only from reports that the work of streams has passed,
// and until then it may refuse one stream the memory of another.
static bool take_block(struct job *job, tarn_addr *addr) {
    uint64_t bytes = some_size(&job->seed);
    tarn_status status = tarn_pool_alloc(job->pool, bytes, job->stream, addr);
    for (int i = 0; i < 100 && job->stream != 0 && status == TARN_NO_DEVICE_MEMORY; i++) {
        for (tarn_stream s = 1; s <= THREADS; s++)
            job->wrong += tarn_pool_passed(job->pool, s) != TARN_OK;
        status = tarn_pool_alloc(job->pool, bytes, job->stream, addr);
    }
    return status == TARN_OK;
}

// Replaces random ones of its blocks. A block that two threads had at once would be freed twice.
static void *churn(void *arg) {
    struct job *job = (struct job *)arg;
    tarn_addr blocks[BLOCKS] = {0};
    if (job->seed % 2 == 0) take_shard(job->pool);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t k = next(&job->seed) % BLOCKS;
        job->wrong += tarn_pool_free(job->pool, blocks[k]) != TARN_OK;
        blocks[k] = 0;
        if (!take_block(job, &blocks[k]))
            job->refused++;
        else if (i % 16 == 0 && job->stream != 0)
            job->wrong += tarn_pool_used_on(job->pool, blocks[k], job->stream % 4 + 1) != TARN_OK;
    }
    for (int k = 0; k < BLOCKS; k++) job->wrong += tarn_pool_free(job->pool, blocks[k]) != TARN_OK;
    return NULL;
}

static void run(tarn_pool *pool, bool streams, void (*meanwhile)(tarn_pool *)) {
    pthread_t threads[THREADS];
    struct job jobs[THREADS];
    uint64_t before = stats_of(pool).allocs;
    for (unsigned i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){.pool = pool, .seed = i + 1, .stream = streams ? i + 1 : 0};
        assert_int_equal(pthread_create(&threads[i], NULL, churn, &jobs[i]), 0);
    }
    for (int i = 0; i < 20; i++) meanwhile(pool);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(jobs[i].wrong, 0);
        assert_int_equal(jobs[i].refused, 0);
    }
    // Twice: a block used elsewhere then still waits for its own stream.
    for (tarn_stream s = 0; s < 2 * THREADS; s++)
        assert_int_equal(tarn_pool_passed(pool, s % THREADS + 1), TARN_OK);
    tarn_pool_stats s = stats_of(pool);
    assert_int_equal(s.live_blocks, 0);
    assert_int_equal(s.live_bytes, 0);
    assert_int_equal(s.used_bytes, 0);
    assert_int_equal(s.pending_bytes, 0);
    assert_int_equal(s.allocs - before, THREADS * ROUNDS);
    assert_int_equal(s.frees, s.allocs);
}

static bool see(const tarn_block *block, void *arg) {
    *(uint64_t *)arg += block->occupied;
    return true;
}

static void look_around(tarn_pool *pool) {
    uint64_t bytes = 0;
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(tarn_pool_walk(pool, see, &bytes), TARN_OK);
    (void)stats_of(pool);
    for (tarn_stream s = 1; s <= THREADS; s++) assert_int_equal(tarn_pool_passed(pool, s), TARN_OK);
}

static void look_around_and_trim(tarn_pool *pool) {
    assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
    look_around(pool);
}

static void threads_share_a_fixed_range(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 256 * MIB, TARN_RULE_GPU_256);
    run(pool, false, look_around);
    run(pool, true, look_around_and_trim); // which empties the magazines of all
    end(pool);
}

static void threads_share_a_range_with_padding(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE + 5, 256 * MIB, TARN_RULE_ACL);
    run(pool, false, look_around);
    end(pool);
}

static void threads_share_pages_that_come_and_go(void **state) {
    (void)state;
    struct fake *fake = fake_new(64 * KIB, 200 * MIB);
    tarn_pool *pool;
    assert_int_equal(fake_pool(fake, 0, &pool), TARN_OK);
    run(pool, false, look_around_and_trim);
    run(pool, true, look_around_and_trim);
    end(pool);
}

static void threads_share_segments(void **state) {
    (void)state;
    struct fake *fake = fake_new(0, 1024 * MIB);
    tarn_pool *pool;
    assert_int_equal(fake_pool(fake, 0, &pool), TARN_OK);
    run(pool, true, look_around_and_trim);
    end(pool);
}

// Opens slabs of sixteen granules and blocks each, and closes them.
static void *open_and_close(void *arg) {
    struct job *job = (struct job *)arg;
    tarn_addr blocks[BLOCKS];
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < BLOCKS; k++)
            job->wrong += tarn_pool_alloc(job->pool, 16000, 0, &blocks[k]) != TARN_OK;
        for (int k = 0; k < BLOCKS; k++)
            job->wrong += tarn_pool_free(job->pool, blocks[k]) != TARN_OK;
    }
    (void)tn_add_relaxed(&job->ended, 1);
    return NULL;
}

static void a_slab_that_opens_or_closes_is_not_corrupt(void **state) {
    (void)state;
    struct job job = {.pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256)};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, open_and_close, &job), 0);
    while (tn_load_relaxed(&job.ended) == 0) assert_int_equal(tarn_pool_verify(job.pool), TARN_OK);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(job.wrong, 0);
    end(job.pool);
}

// ---- one allocates, another frees

struct ring {
    tarn_pool *pool;
    _Atomic(uint64_t) head, tail;
    tarn_addr cells[RING];
    uint64_t wrong;
    bool sharded;
};

static void *free_what_comes(void *arg) {
    struct ring *ring = (struct ring *)arg;
    if (ring->sharded) take_shard(ring->pool);
    for (uint64_t i = 0; i < PASSED_ON; i++) {
        while (tn_load_acquire(&ring->head) <= i) (void)sched_yield();
        ring->wrong += tarn_pool_free(ring->pool, ring->cells[i % RING]) != TARN_OK;
        tn_store_release(&ring->tail, i + 1);
    }
    return NULL;
}

static void pass_blocks_on(bool sharded) {
    static struct ring ring;
    pthread_t thread;
    uint64_t seed = 5;
    ring.pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    ring.sharded = sharded;
    tn_store_relaxed(&ring.head, 0);
    tn_store_relaxed(&ring.tail, 0);
    if (sharded) take_shard(ring.pool);
    assert_int_equal(pthread_create(&thread, NULL, free_what_comes, &ring), 0);
    for (uint64_t i = 0; i < PASSED_ON; i++) {
        while (i - tn_load_acquire(&ring.tail) >= RING) (void)sched_yield();
        ring.cells[i % RING] = get(ring.pool, some_size(&seed));
        tn_store_release(&ring.head, i + 1);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(ring.wrong, 0);
    assert_int_equal(stats_of(ring.pool).live_blocks, 0);
    assert_int_equal(tarn_pool_trim(ring.pool, 0, 0, NULL), TARN_OK);
    assert_int_equal(stats_of(ring.pool).largest_free, 64 * MIB);
    end(ring.pool);
}

static void a_block_may_be_freed_by_another_thread(void **state) {
    (void)state;
    pass_blocks_on(false);
    pass_blocks_on(true);
}

// ---- threads and pools that end

static void *take_one_and_end(void *arg) {
    struct job *job = (struct job *)arg;
    tarn_addr addr;
    job->wrong += tarn_pool_alloc(job->pool, 256, 0, &addr) != TARN_OK;
    job->wrong += tarn_pool_free(job->pool, addr) != TARN_OK;
    return NULL;
}

static void a_thread_that_ends_leaves_nothing_behind(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256);
    for (int i = 0; i < 20; i++) {
        struct job job = {.pool = pool};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, take_one_and_end, &job), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(job.wrong, 0);
    }
    assert_int_equal(get(pool, 16 * MIB), BASE); // none of their blocks is stranded
    give(pool, BASE);
    assert_int_equal(stats_of(pool).allocs, 21);
    end(pool);
}

// ---- blocks at rest in a thread that lives on

struct rest {
    pthread_barrier_t barrier;
    tarn_pool *pool;
    uint64_t wrong;
};

// Has had blocks of every small size, and keeps them at hand.
static void *rest_on_blocks(void *arg) {
    struct rest *rest = (struct rest *)arg;
    tarn_addr addr[8];
    for (uint64_t size = 256; size <= 16 * KIB; size += 256) {
        for (int i = 0; i < 8; i++)
            rest->wrong += tarn_pool_alloc(rest->pool, size, 0, &addr[i]) != TARN_OK;
        for (int i = 0; i < 8; i++) rest->wrong += tarn_pool_free(rest->pool, addr[i]) != TARN_OK;
    }
    (void)pthread_barrier_wait(&rest->barrier);
    (void)pthread_barrier_wait(&rest->barrier);
    return NULL;
}

static void blocks_at_rest_in_another_thread_are_no_reason_to_refuse(void **state) {
    (void)state;
    pthread_t thread;
    struct rest rest = {.pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256)};
    assert_int_equal(pthread_barrier_init(&rest.barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, rest_on_blocks, &rest), 0);
    (void)pthread_barrier_wait(&rest.barrier);
    assert_int_equal(get(rest.pool, 16 * MIB), BASE);
    give(rest.pool, BASE);
    (void)pthread_barrier_wait(&rest.barrier);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(rest.wrong, 0);
    assert_int_equal(pthread_barrier_destroy(&rest.barrier), 0);
    end(rest.pool);
}

static void small_blocks_of_other_threads_are_found_before_a_refusal(void **state) {
    (void)state;
    pthread_t thread;
    struct rest rest = {.pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256)};
    assert_int_equal(pthread_barrier_init(&rest.barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, rest_on_blocks, &rest), 0);
    (void)pthread_barrier_wait(&rest.barrier);
    static tarn_addr all[16 * MIB / (16 * KIB)];
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        all[i] = get(rest.pool, 16 * KIB); // to the last byte
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) give(rest.pool, all[i]);
    (void)pthread_barrier_wait(&rest.barrier);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_barrier_destroy(&rest.barrier), 0);
    end(rest.pool);
}

struct visit {
    pthread_barrier_t barrier;
    tarn_pool *pool;
    uint64_t wrong;
};

static void *outlive_the_pool(void *arg) {
    struct visit *v = (struct visit *)arg;
    for (int i = 0; i < 10; i++) {
        (void)pthread_barrier_wait(&v->barrier); // a pool is there
        tarn_addr addr;
        v->wrong += tarn_pool_alloc(v->pool, 256, 0, &addr) != TARN_OK;
        v->wrong += tarn_pool_free(v->pool, addr) != TARN_OK;
        (void)pthread_barrier_wait(&v->barrier); // it may go
    }
    return NULL;
}

static void a_pool_that_ends_leaves_nothing_in_threads(void **state) {
    (void)state;
    struct visit v = {.wrong = 0};
    pthread_t thread;
    assert_int_equal(pthread_barrier_init(&v.barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, outlive_the_pool, &v), 0);
    for (int i = 0; i < 10; i++) {
        v.pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256);
        (void)pthread_barrier_wait(&v.barrier);
        (void)pthread_barrier_wait(&v.barrier);
        end(v.pool);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(v.wrong, 0);
    assert_int_equal(pthread_barrier_destroy(&v.barrier), 0);
}

// ---- a query while a thread ends

struct ending {
    tarn_pool *pool;
    tarn_addr addrs[2];
    _Atomic(int) counted;
    tarn_pool_stats stats;
};

static void *allocate_and_end(void *arg) {
    struct ending *ending = (struct ending *)arg;
    for (int i = 0; i < 2; i++) // the second one is counted in the tally of the thread
        (void)tarn_pool_alloc(ending->pool, 100, 0, &ending->addrs[i]);
    tn_store_release(&ending->counted, 1);
    return NULL;
}

// Its counts move from its own tally to the totals meanwhile.
static void a_block_of_a_thread_that_ends_is_counted_all_the_time(void **state) {
    (void)state;
    struct ending ending = {.pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256)};
    give(ending.pool, get(ending.pool, MIB)); // a high peak lets tallies keep their counts
    for (int round = 0; round < 1000; round++) {
        pthread_t thread;
        tarn_pool_stats stats = {.struct_size = sizeof stats};
        tn_store_relaxed(&ending.counted, 0);
        assert_int_equal(pthread_create(&thread, NULL, allocate_and_end, &ending), 0);
        while (tn_load_acquire(&ending.counted) == 0) (void)sched_yield();
        do {
            assert_int_equal(tarn_pool_query_stats(ending.pool, &stats), TARN_OK);
            assert_int_equal(stats.live_blocks, 2);
        } while (pthread_tryjoin_np(thread, NULL) != 0);
        for (int i = 0; i < 2; i++) give(ending.pool, ending.addrs[i]);
    }
    end(ending.pool);
}

static void *query_stats(void *arg) {
    struct ending *ending = (struct ending *)arg;
    ending->stats = (tarn_pool_stats){.struct_size = sizeof ending->stats};
    (void)tarn_pool_query_stats(ending->pool, &ending->stats);
    return NULL;
}

// A thread that is alone seldom moves its counts to the totals.
static void another_thread_sees_the_peak_of_one_that_was_alone(void **state) {
    (void)state;
    struct ending ending = {.pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256)};
    for (uint64_t peak = 1; peak <= 16; peak *= 2) {
        pthread_t thread;
        give(ending.pool, get(ending.pool, peak * MIB));
        assert_int_equal(pthread_create(&thread, NULL, query_stats, &ending), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(ending.stats.peak_live_bytes, peak * MIB);
        assert_int_equal(ending.stats.live_bytes, 0);
    }
    end(ending.pool);
}

// ---- a fork

static bool child_may_only_make_its_own(tarn_pool *pool, tarn_addr block) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *own = NULL;
    tarn_addr addr = 0;
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    bool refused_all = tarn_pool_alloc(pool, 100, 0, &addr) == TARN_FORKED &&
                       tarn_pool_free(pool, block) == TARN_FORKED &&
                       tarn_pool_query_stats(pool, &stats) == TARN_FORKED &&
                       tarn_pool_trim(pool, 0, 0, NULL) == TARN_FORKED &&
                       tarn_pool_destroy(pool) == TARN_FORKED;
    desc.kind = TARN_POOL_FIXED;
    desc.base = BASE;
    desc.bytes = 16 * MIB;
    return refused_all && tarn_pool_create(&desc, &own) == TARN_OK &&
           tarn_pool_alloc(own, 100, 0, &addr) == TARN_OK && tarn_pool_free(own, addr) == TARN_OK &&
           tarn_pool_destroy(own) == TARN_OK;
}

static void a_pool_belongs_to_the_process_that_made_it(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256);
    tarn_addr block = get(pool, 100);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(child_may_only_make_its_own(pool, block) ? 0 : 1);
    int how = -1;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    give(pool, block);
    end(pool);
}

// ---- the same block freed by two at once

struct race {
    pthread_barrier_t barrier;
    tarn_pool *pool;
    tarn_addr addr;
    _Atomic(int) freed;
};

static void *free_it(void *arg) {
    struct race *race = (struct race *)arg;
    for (int i = 0; i < 500; i++) {
        (void)pthread_barrier_wait(&race->barrier);
        (void)tn_add_relaxed(&race->freed, tarn_pool_free(race->pool, race->addr) == TARN_OK);
        (void)pthread_barrier_wait(&race->barrier);
    }
    return NULL;
}

static void of_two_frees_at_once_one_is_refused(void **state) {
    (void)state;
    static struct race race;
    pthread_t threads[2];
    race.pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    assert_int_equal(pthread_barrier_init(&race.barrier, NULL, 3), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, free_it, &race), 0);
    for (int i = 0; i < 500; i++) {
        race.addr = get(race.pool, i % 2 ? 300 : MIB);
        tn_store_relaxed(&race.freed, 0);
        (void)pthread_barrier_wait(&race.barrier);
        (void)pthread_barrier_wait(&race.barrier);
        assert_int_equal(tn_load_relaxed(&race.freed), 1);
    }
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(pthread_barrier_destroy(&race.barrier), 0);
    end(race.pool);
}

// ---- homes

// Allocates a block in a thread of its own.
struct guest {
    tarn_pool *pool;
    tarn_addr addr;
    uint64_t wrong;
};

static void *take_eight_and_keep_one(void *arg) {
    struct guest *guest = (struct guest *)arg;
    tarn_addr addr[8];
    for (int i = 0; i < 8; i++)
        guest->wrong += tarn_pool_alloc(guest->pool, 256, 0, &addr[i]) != TARN_OK;
    for (int i = 1; i < 8; i++) guest->wrong += tarn_pool_free(guest->pool, addr[i]) != TARN_OK;
    guest->addr = addr[0];
    return NULL;
}

static tarn_addr get_in_a_thread(tarn_pool *pool) {
    struct guest guest = {.pool = pool};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, take_eight_and_keep_one, &guest), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(guest.wrong, 0);
    return guest.addr;
}

static uint32_t slab_of(const tarn_pool *pool, tarn_addr addr) {
    return tn_granule_get(&pool->map, addr);
}

static void two_threads_take_from_slabs_of_their_own(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256);
    tarn_addr own = get(pool, 256);
    tarn_addr other = get_in_a_thread(pool);
    assert_int_not_equal(slab_of(pool, own), slab_of(pool, other));
    give(pool, own);
    give(pool, other); // into the slab of the other home
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(get(pool, 16 * MIB), BASE);
    give(pool, BASE);
    end(pool);
}

static void a_thread_takes_from_the_slabs_of_others_when_memory_is_short(void **state) {
    (void)state;
    tarn_addr filling[16 * MIB / (32 * KIB)];
    size_t count = 0;
    tarn_pool *pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256);
    tarn_addr own = get(pool, 256);
    for (uint64_t bytes = 32 * KIB; bytes > 16 * KIB; bytes -= 256)
        while (tarn_pool_alloc(pool, bytes, 0, &filling[count]) == TARN_OK) count++;
    tarn_addr other = get_in_a_thread(pool);
    assert_int_equal(slab_of(pool, own), slab_of(pool, other));
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    while (count > 0) give(pool, filling[--count]);
    give(pool, own);
    give(pool, other);
    end(pool);
}

static void threads_that_come_and_go_fill_the_same_slabs(void **state) {
    (void)state;
    enum { GUESTS = 100 };
    tarn_addr kept[GUESTS];
    tarn_pool *pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256);
    tarn_addr own = get(pool, 256);
    uint32_t room = tn_pool_class_room(&pool->classes, tn_pool_class_of(&pool->classes, 256));
    for (int i = 0; i < GUESTS; i++) kept[i] = get_in_a_thread(pool);
    // One slab of this thread, those that are full, and one with room.
    assert_true(tn_load_relaxed(&tn_pool_slot_at(pool, 0)->slabs) <= 2 + GUESTS / room);
    for (int i = 0; i < GUESTS; i++) give(pool, kept[i]);
    give(pool, own);
    end(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_a_fixed_range),
        cmocka_unit_test(threads_share_a_range_with_padding),
        cmocka_unit_test(threads_share_pages_that_come_and_go),
        cmocka_unit_test(threads_share_segments),
        cmocka_unit_test(a_slab_that_opens_or_closes_is_not_corrupt),
        cmocka_unit_test(a_block_may_be_freed_by_another_thread),
        cmocka_unit_test(a_thread_that_ends_leaves_nothing_behind),
        cmocka_unit_test(blocks_at_rest_in_another_thread_are_no_reason_to_refuse),
        cmocka_unit_test(small_blocks_of_other_threads_are_found_before_a_refusal),
        cmocka_unit_test(a_pool_that_ends_leaves_nothing_in_threads),
        cmocka_unit_test(a_block_of_a_thread_that_ends_is_counted_all_the_time),
        cmocka_unit_test(another_thread_sees_the_peak_of_one_that_was_alone),
        cmocka_unit_test(a_pool_belongs_to_the_process_that_made_it),
        cmocka_unit_test(of_two_frees_at_once_one_is_refused),
        cmocka_unit_test(two_threads_take_from_slabs_of_their_own),
        cmocka_unit_test(a_thread_takes_from_the_slabs_of_others_when_memory_is_short),
        cmocka_unit_test(threads_that_come_and_go_fill_the_same_slabs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
