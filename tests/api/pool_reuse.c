// SPDX-License-Identifier: Apache-2.0
// Claims about memory of a pool that one stream frees and another, which waits for it, allocates.
#include "support/api.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/gate.h"

#define MIB ((uint64_t)1 << 20)

enum { STREAMS = 20 };

// A pool, and streams of which the first does not get on until the gate opens.
struct bench {
    struct gate gate;
    tarn_device *device;
    tarn_pool *pool;
    tarn_stream stream[STREAMS];
    tarn_event event;
};

static tarn_pool *open_pool(tarn_device *device, uint64_t limit) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.limit = limit;
    desc.flags = TARN_POOL_SELECT_REUSE;
    assert_ok(tarn_pool_create(&desc, &pool));
    return pool;
}

static void set_up(struct api *api, struct bench *bench, uint64_t limit) {
    api_need(api, TARN_FEATURE_ASYNC);
    memset(bench, 0, sizeof *bench);
    bench->device = api->device;
    bench->pool = open_pool(api->device, limit);
    for (int i = 0; i < STREAMS; i++) assert_ok(tarn_stream_create(api->device, &bench->stream[i]));
    assert_ok(tarn_event_create(api->device, &bench->event));
    assert_ok(tarn_stream_call(bench->stream[0], pass_gate, &bench->gate));
}

static void tear_down(struct bench *bench) {
    bench->gate.open = true;
    for (int i = 0; i < STREAMS; i++)
        assert_ok(tarn_stream_synchronize(bench->stream[i], TARN_FOREVER));
    assert_ok(tarn_pool_destroy(bench->pool));
    for (int i = 0; i < STREAMS; i++) assert_ok(tarn_stream_destroy(bench->stream[i]));
    assert_ok(tarn_event_destroy(bench->event));
}

static tarn_addr get_on(struct bench *bench, uint64_t bytes, int stream) {
    tarn_addr addr = 0;
    assert_ok(tarn_pool_alloc(bench->pool, bytes, bench->stream[stream], &addr));
    return addr;
}

static void give(struct bench *bench, tarn_addr addr) {
    assert_ok(tarn_pool_free(bench->pool, addr));
}

static void record(struct bench *bench, int stream) {
    assert_ok(tarn_event_record(bench->event, bench->stream[stream]));
}

static void wait_for(struct bench *bench, int stream) {
    assert_ok(tarn_stream_wait(bench->stream[stream], bench->event, 0));
}

static void follow(struct bench *bench, int stream, int first) {
    record(bench, first);
    wait_for(bench, stream);
}

// Allocates until the pool uses `freed` again. It may do so at the first request: only a seed lets
// it grow as if the work of other streams had not passed yet (docs/explore.md).
static void reuse(struct bench *bench, tarn_addr freed, uint64_t bytes, int stream) {
    enum { TRIES = 64 };
    int tries = getenv("TARN_SEED") != NULL ? TRIES : 1, count = 0;
    tarn_addr blocks[TRIES];
    while (count < tries && (blocks[count++] = get_on(bench, bytes, stream)) != freed) {
    }
    assert_int_equal(blocks[count - 1], freed);
    while (count > 0) give(bench, blocks[--count]);
}

// Allocates memory other than the block that was freed.
static void do_not_reuse(struct bench *bench, tarn_addr freed, uint64_t bytes, int stream) {
    tarn_addr other = get_on(bench, bytes, stream);
    assert_int_not_equal(other, freed);
    give(bench, other);
}

static tarn_addr get_and_give(struct bench *bench, uint64_t bytes, int stream) {
    tarn_addr freed = get_on(bench, bytes, stream);
    give(bench, freed);
    return freed;
}

// ---- which streams

static void a_stream_that_waits_reuses_at_once(void **state) {
    static const uint64_t sizes[] = {3 * MIB, 200};
    for (int i = 0; i < 2; i++) {
        struct bench bench;
        set_up(*state, &bench, 0);
        tarn_addr freed = get_and_give(&bench, sizes[i], 0);
        follow(&bench, 1, 0);
        assert_int_equal(get_on(&bench, sizes[i], 1), freed);
        assert_int_equal(bench.gate.passed, 0);
        give(&bench, freed);
        tear_down(&bench);
    }
}

static void a_stream_that_does_not_wait_gets_another_block(void **state) {
    static const uint64_t sizes[] = {3 * MIB, 200};
    for (int i = 0; i < 2; i++) {
        struct bench bench;
        set_up(*state, &bench, 0);
        tarn_addr freed = get_and_give(&bench, sizes[i], 0);
        follow(&bench, 1, 0);
        follow(&bench, 0, 2); // the other way round
        do_not_reuse(&bench, freed, sizes[i], 2);
        tear_down(&bench);
    }
}

static void a_record_before_the_free_does_not_count(void **state) {
    static const uint64_t sizes[] = {3 * MIB, 200};
    for (int i = 0; i < 2; i++) {
        struct bench bench;
        set_up(*state, &bench, 0);
        tarn_addr freed = get_on(&bench, sizes[i], 0);
        record(&bench, 0);
        give(&bench, freed);
        wait_for(&bench, 1);
        do_not_reuse(&bench, freed, sizes[i], 1);
        tear_down(&bench);
    }
}

static void an_event_recorded_again_means_the_later_stream(void **state) {
    struct bench bench;
    set_up(*state, &bench, 0);
    tarn_addr freed = get_and_give(&bench, 3 * MIB, 0);
    record(&bench, 0);
    follow(&bench, 1, 2);
    do_not_reuse(&bench, freed, 3 * MIB, 1);
    tear_down(&bench);
}

static void waits_of_the_recorded_stream_count_too(void **state) {
    struct bench bench;
    set_up(*state, &bench, 0);
    tarn_addr freed = get_and_give(&bench, 3 * MIB, 0);
    record(&bench, 1); // of the time before stream 1 waits
    wait_for(&bench, 3);
    follow(&bench, 1, 0);
    tarn_addr other = get_on(&bench, 3 * MIB, 3);
    assert_int_not_equal(other, freed);
    follow(&bench, 2, 1);
    assert_int_equal(get_on(&bench, 3 * MIB, 2), freed);
    give(&bench, freed);
    give(&bench, other);
    tear_down(&bench);
}

static void the_oldest_of_many_streams_is_forgotten(void **state) {
    for (int waits = 16; waits <= 17; waits++) {
        struct bench bench;
        set_up(*state, &bench, 0);
        tarn_addr freed = get_and_give(&bench, 3 * MIB, 0);
        follow(&bench, 1, 0);
        for (int i = 1; i < waits; i++) follow(&bench, 1, 1 + i);
        tarn_addr addr = get_on(&bench, 3 * MIB, 1);
        assert_int_equal(addr == freed, waits == 16);
        give(&bench, addr);
        tear_down(&bench);
    }
}

static void a_later_free_leaves_what_a_stream_waits_for(void **state) {
    struct bench bench;
    set_up(*state, &bench, 0);
    tarn_addr early = get_on(&bench, 3 * MIB, 0);
    tarn_addr late = get_on(&bench, 5 * MIB, 0);
    give(&bench, get_on(&bench, 7 * MIB, 0));
    tarn_addr own = get_on(&bench, 2 * MIB, 1); // from now on two streams use the pool
    bench.gate.open = true;
    assert_ok(tarn_stream_synchronize(bench.stream[0], TARN_FOREVER));
    assert_ok(tarn_pool_trim(bench.pool, 0, 0, NULL)); // the pool sees what has passed
    bench.gate.open = false;
    assert_ok(tarn_stream_call(bench.stream[0], pass_gate, &bench.gate));
    give(&bench, early);
    follow(&bench, 1, 0);
    give(&bench, late);
    assert_int_equal(get_on(&bench, 3 * MIB, 1), early);
    tarn_addr other = get_on(&bench, 12 * MIB, 1);
    assert_true(other + 12 * MIB <= late || other >= late + 5 * MIB);
    give(&bench, early);
    give(&bench, other);
    give(&bench, own);
    tear_down(&bench);
}

static void a_block_used_elsewhere_returns_once_its_stream_follows(void **state) {
    struct bench bench;
    set_up(*state, &bench, 0);
    tarn_addr freed = get_on(&bench, 3 * MIB, 1);
    assert_ok(tarn_pool_used_on(bench.pool, freed, bench.stream[0]));
    give(&bench, freed);
    tarn_addr other = get_on(&bench, 3 * MIB, 1);
    assert_int_not_equal(other, freed);
    record(&bench, 1); // does not cover the wait of stream 1 below
    wait_for(&bench, 2);
    follow(&bench, 1, 0);
    tarn_addr large = get_on(&bench, 5 * MIB, 1); // the block is free for stream 1 now
    tarn_addr third = get_on(&bench, 3 * MIB, 2);
    assert_int_not_equal(third, freed);
    assert_int_equal(get_on(&bench, 3 * MIB, 1), freed);
    assert_int_equal(bench.gate.passed, 0);
    give(&bench, freed);
    give(&bench, other);
    give(&bench, large);
    give(&bench, third);
    tear_down(&bench);
}

// Under every seed: this is no memory of other streams.
static void a_pool_does_not_grow_beside_a_use_that_is_followed(void **state) {
    struct bench bench;
    set_up(*state, &bench, 0);
    for (int i = 0; i < 16; i++) {
        tarn_addr freed = get_on(&bench, 3 * MIB, 1);
        assert_ok(tarn_pool_used_on(bench.pool, freed, bench.stream[0]));
        give(&bench, freed);
        follow(&bench, 1, 0);
        assert_int_equal(get_on(&bench, 3 * MIB, 1), freed);
        give(&bench, freed);
    }
    assert_int_equal(bench.gate.passed, 0);
    tear_down(&bench);
}

static void a_use_after_the_record_is_not_followed(void **state) {
    struct bench bench;
    set_up(*state, &bench, 0);
    tarn_addr freed = get_on(&bench, 3 * MIB, 1);
    assert_ok(tarn_pool_used_on(bench.pool, freed, bench.stream[0]));
    follow(&bench, 1, 0);
    give(&bench, freed);
    do_not_reuse(&bench, freed, 3 * MIB, 1);
    tear_down(&bench);
}

static void an_abort_ends_what_waits_promised(void **state) {
    struct bench bench;
    set_up(*state, &bench, 0);
    tarn_addr freed = get_and_give(&bench, 3 * MIB, 0);
    follow(&bench, 1, 0);
    bool aborted = tarn_stream_abort(bench.stream[1]) == TARN_OK;
    tarn_addr addr = get_on(&bench, 3 * MIB, 1);
    assert_int_equal(addr == freed, !aborted);
    give(&bench, addr);
    tear_down(&bench);
}

// ---- what a pool allows

static void without_bits_memory_stays_with_its_stream(void **state) {
    static const uint64_t sizes[] = {3 * MIB, 200};
    for (int i = 0; i < 2; i++) {
        struct bench bench;
        set_up(*state, &bench, 0);
        assert_ok(tarn_pool_set_reuse(bench.pool, 0));
        tarn_addr freed = get_and_give(&bench, sizes[i], 0);
        follow(&bench, 1, 0);
        bench.gate.open = true;
        assert_ok(tarn_stream_synchronize(bench.stream[0], TARN_FOREVER));
        tarn_addr other = get_on(&bench, sizes[i], 1);
        assert_int_not_equal(other, freed);
        assert_ok(tarn_pool_set_reuse(bench.pool, TARN_REUSE_PASSED));
        if (sizes[i] > MIB) reuse(&bench, freed, sizes[i], 1);
        give(&bench, other);
        tear_down(&bench);
    }
}

static void a_used_block_waits_for_nothing_but_the_bit(void **state) {
    struct bench bench;
    set_up(*state, &bench, 0);
    assert_ok(tarn_pool_set_reuse(bench.pool, 0));
    tarn_addr freed = get_on(&bench, 3 * MIB, 1);
    assert_ok(tarn_pool_used_on(bench.pool, freed, bench.stream[2]));
    assert_ok(tarn_stream_synchronize(bench.stream[2], TARN_FOREVER));
    give(&bench, freed);
    tarn_addr other = get_on(&bench, 3 * MIB, 1);
    assert_int_not_equal(other, freed);
    assert_ok(tarn_pool_set_reuse(bench.pool, TARN_REUSE_PASSED));
    reuse(&bench, freed, 3 * MIB, 1);
    give(&bench, other);
    tear_down(&bench);
}

static void no_bit_refuses_what_fits_the_limit(void **state) {
    struct bench bench;
    set_up(*state, &bench, 4 * MIB);
    assert_ok(tarn_pool_set_reuse(bench.pool, 0));
    give(&bench, get_on(&bench, 4 * MIB, 1));
    give(&bench, get_on(&bench, 4 * MIB, 2)); // waits for stream 1, as the last means
    tear_down(&bench);
}

static void reuse_is_checked_and_returned(void **state) {
    struct api *api = *state;
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = open_pool(api->device, 0);
    assert_ok(tarn_pool_query(pool, &info));
    assert_int_equal(info.reuse, TARN_REUSE_PASSED | TARN_REUSE_FOLLOWED);
    assert_status(tarn_pool_set_reuse(NULL, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_pool_set_reuse(pool, 4), TARN_BAD_ARGUMENT);
    assert_ok(tarn_pool_set_reuse(pool, TARN_REUSE_FOLLOWED));
    assert_ok(tarn_pool_query(pool, &info));
    assert_int_equal(info.reuse, TARN_REUSE_FOLLOWED);
    assert_ok(tarn_pool_destroy(pool));
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = api->device;
    assert_ok(tarn_pool_create(&desc, &pool));
    assert_status(tarn_pool_set_reuse(pool, TARN_REUSE_PASSED), TARN_UNSUPPORTED);
    assert_ok(tarn_pool_query(pool, &info));
    assert_int_equal(info.reuse, TARN_REUSE_PASSED);
    assert_ok(tarn_pool_destroy(pool));
    desc.kind = TARN_POOL_FIXED;
    desc.device = NULL;
    desc.base = (uint64_t)1 << 40;
    desc.bytes = 16 * MIB;
    desc.flags = TARN_POOL_SELECT_REUSE;
    assert_ok(tarn_pool_create(&desc, &pool));
    assert_status(tarn_pool_set_reuse(pool, TARN_REUSE_PASSED), TARN_UNSUPPORTED);
    assert_ok(tarn_pool_destroy(pool));
}

// ---- at random: no two blocks overlap while work that uses them may run

enum { ROUNDS = 3000, LIVE = 24, WORKERS = 2 };

// A block, which one or two streams use.
struct use {
    tarn_addr addr;
    uint64_t bytes;
    int streams[2];
    int stream_count;
};

static pthread_mutex_t uses_lock = PTHREAD_MUTEX_INITIALIZER;
static struct use *running[2 * ROUNDS];
static int running_count;
static atomic_count_t overlaps;

static void begin_use(void *arg) {
    struct use *use = arg;
    (void)pthread_mutex_lock(&uses_lock);
    for (int i = 0; i < running_count; i++) {
        const struct use *other = running[i];
        overlaps += other != use && other->addr < use->addr + use->bytes &&
                    use->addr < other->addr + other->bytes;
    }
    running[running_count++] = use;
    (void)pthread_mutex_unlock(&uses_lock);
}

static void end_use(void *arg) {
    (void)pthread_mutex_lock(&uses_lock);
    for (int i = 0; i < running_count; i++) {
        if (running[i] == arg) {
            running[i] = running[--running_count];
            break; // one of its streams is done
        }
    }
    (void)pthread_mutex_unlock(&uses_lock);
}

struct worker {
    struct bench *bench;
    struct use uses[ROUNDS];
    unsigned seed;
    int first; // of its streams
};

static unsigned draw(struct worker *worker, unsigned below) {
    worker->seed = worker->seed * 1103515245 + 12345;
    return (worker->seed >> 16) % below;
}

static void free_use(struct bench *bench, struct use *use) {
    for (int i = 0; i < use->stream_count; i++)
        assert_ok(tarn_stream_call(bench->stream[use->streams[i]], end_use, use));
    give(bench, use->addr);
}

static void begin_on(struct bench *bench, struct use *use, int stream) {
    use->streams[use->stream_count++] = stream;
    assert_ok(tarn_stream_call(bench->stream[stream], begin_use, use));
}

static void *use_at_random(void *arg) {
    static const uint64_t sizes[] = {200, 3000, 20000, 300000, 2 * MIB};
    struct worker *worker = arg;
    struct bench *bench = worker->bench;
    tarn_event event = 0;
    struct use *live[LIVE] = {NULL};
    assert_ok(tarn_event_create(bench->device, &event));
    // A GPU needs up to a millisecond for each host function.
    int rounds = getenv("TARN_TEST_REAL_CARD") != NULL ? ROUNDS / 20 : ROUNDS;
    for (int round = 0; round < rounds; round++) {
        int stream = worker->first + (int)draw(worker, 4);
        unsigned place = draw(worker, LIVE);
        if (draw(worker, 4) == 0) {
            assert_ok(
                tarn_event_record(event, bench->stream[worker->first + (int)draw(worker, 4)]));
            assert_ok(
                tarn_stream_wait(bench->stream[1 + (int)draw(worker, 4 * WORKERS)], event, 0));
        } else if (live[place] != NULL) {
            free_use(bench, live[place]);
            live[place] = NULL;
        } else {
            struct use *use = live[place] = &worker->uses[round];
            use->bytes = sizes[draw(worker, 5)];
            use->addr = get_on(bench, use->bytes, stream);
            begin_on(bench, use, stream);
            int second = worker->first + (int)draw(worker, 8);
            if (second < worker->first + 4 && second != stream) {
                assert_ok(tarn_event_record(event, bench->stream[stream]));
                assert_ok(tarn_stream_wait(bench->stream[second], event, 0));
                assert_ok(tarn_pool_used_on(bench->pool, use->addr, bench->stream[second]));
                begin_on(bench, use, second);
            }
        }
    }
    for (int i = 0; i < LIVE; i++)
        if (live[i] != NULL) free_use(bench, live[i]);
    assert_ok(tarn_event_destroy(event));
    return NULL;
}

static void reused_memory_is_free_of_earlier_work(void **state) {
    struct bench bench;
    pthread_t threads[WORKERS];
    set_up(*state, &bench, 0);
    struct worker *workers = calloc(WORKERS, sizeof *workers);
    assert_non_null(workers);
    for (int i = 0; i < WORKERS; i++) {
        workers[i].bench = &bench;
        workers[i].seed = (unsigned)i + 1;
        workers[i].first = 1 + 4 * i;
        assert_int_equal(pthread_create(&threads[i], NULL, use_at_random, &workers[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    tear_down(&bench);
    assert_int_equal(overlaps, 0);
    assert_int_equal(running_count, 0);
    free(workers);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_stream_that_waits_reuses_at_once),
        TEST(a_stream_that_does_not_wait_gets_another_block),
        TEST(a_record_before_the_free_does_not_count),
        TEST(an_event_recorded_again_means_the_later_stream),
        TEST(waits_of_the_recorded_stream_count_too),
        TEST(the_oldest_of_many_streams_is_forgotten),
        TEST(a_later_free_leaves_what_a_stream_waits_for),
        TEST(a_block_used_elsewhere_returns_once_its_stream_follows),
        TEST(a_pool_does_not_grow_beside_a_use_that_is_followed),
        TEST(a_use_after_the_record_is_not_followed),
        TEST(an_abort_ends_what_waits_promised),
        TEST(without_bits_memory_stays_with_its_stream),
        TEST(a_used_block_waits_for_nothing_but_the_bit),
        TEST(no_bit_refuses_what_fits_the_limit),
        TEST(reuse_is_checked_and_returned),
        TEST(reused_memory_is_free_of_earlier_work),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
