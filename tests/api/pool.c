// SPDX-License-Identifier: Apache-2.0
// Pools over devices: what a user sees, with the device's own streams.
#include "support/api.h"

#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

static const tarn_pool_kind device_kinds[] = {TARN_POOL_SEGMENTS, TARN_POOL_EXPANDABLE};

static tarn_pool *create(tarn_device *device, tarn_pool_kind kind, uint64_t limit) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = kind;
    desc.device = device;
    desc.limit = limit;
    assert_ok(tarn_pool_create(&desc, &pool));
    return pool;
}

static tarn_pool_stats stats_of(tarn_pool *pool) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    assert_ok(tarn_pool_query_stats(pool, &stats));
    return stats;
}

static void blocks_hold_bytes_and_memory_comes_back(void **state) {
    struct api *api = *state;
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = create(api->device, device_kinds[k], 256u << 20);
        tarn_addr block[40];
        for (unsigned i = 0; i < 40; i++) {
            assert_ok(tarn_pool_alloc(pool, 1000u * (i + 1) * (i + 1), 0, &block[i]));
            assert_ok(tarn_fill(api->device, block[i], i, 1, 1000u * (i + 1) * (i + 1), 0));
        }
        for (unsigned i = 0; i < 40; i++) {
            unsigned char ends[2] = {0};
            uint64_t last = 1000u * (i + 1) * (i + 1) - 1;
            assert_ok(tarn_copy(api->device, TARN_ADDR(&ends[0]), block[i], 1, 0));
            assert_ok(tarn_copy(api->device, TARN_ADDR(&ends[1]), block[i] + last, 1, 0));
            if (api->bytes) {
                assert_int_equal(ends[0], i);
                assert_int_equal(ends[1], i);
            }
        }
        assert_ok(tarn_pool_verify(pool));
        assert_status(tarn_pool_destroy(pool), TARN_BUSY);
        for (unsigned i = 0; i < 40; i++) assert_ok(tarn_pool_free(pool, block[i]));
        uint64_t released = 0;
        assert_true(stats_of(pool).held_bytes > 0);
        assert_ok(tarn_pool_trim(pool, 0, 0, &released));
        assert_true(released > 0);
        assert_int_equal(stats_of(pool).held_bytes, 0);
        assert_int_equal(api_stats(api->device).handle_bytes, 0);
        assert_ok(tarn_pool_destroy(pool));
    }
}

static void a_limit_is_kept_and_named(void **state) {
    struct api *api = *state;
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = create(api->device, device_kinds[k], 64u << 20);
        tarn_addr block = 0;
        tarn_addr more = 0;
        tarn_error error;
        assert_ok(tarn_pool_alloc(pool, 40u << 20, 0, &block));
        assert_status(tarn_pool_alloc(pool, 40u << 20, 0, &more), TARN_NO_DEVICE_MEMORY);
        (void)tarn_last_error(&error);
        assert_non_null(strstr(error.message, "41943040"));
        assert_int_equal(more, 0);
        assert_true(stats_of(pool).peak_held_bytes <= 64u << 20);
        assert_ok(tarn_pool_free(pool, block));
        assert_ok(tarn_pool_alloc(pool, 60u << 20, 0, &block));
        assert_ok(tarn_pool_free(pool, block));
        assert_ok(tarn_pool_destroy(pool));
    }
}

static void hold(void *arg) { (void)sem_wait(arg); }

// A block freed while another stream still uses it must not be handed out until that has passed.
static void a_block_used_elsewhere_waits_for_that_stream(void **state) {
    struct api *api = *state;
    if ((api->info.features & TARN_FEATURE_ASYNC) == 0) skip();
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = create(api->device, device_kinds[k], 64u << 20);
        sem_t gate;
        tarn_stream stream = 0;
        tarn_addr block = 0;
        tarn_addr next = 0;
        assert_int_equal(sem_init(&gate, 0, 0), 0);
        assert_ok(tarn_stream_create(api->device, &stream));
        assert_ok(tarn_pool_alloc(pool, 24u << 20, 0, &block));
        assert_ok(tarn_stream_call(stream, hold, &gate));
        assert_ok(tarn_fill(NULL, block, 1, 4, 1000, stream));
        assert_ok(tarn_pool_used_on(pool, block, stream));
        assert_ok(tarn_pool_free(pool, block));
        assert_true(stats_of(pool).pending_bytes > 0);
        assert_ok(tarn_pool_alloc(pool, 24u << 20, 0, &next));
        assert_true(next >= block + (24u << 20) || next + (24u << 20) <= block);
        assert_ok(tarn_pool_free(pool, next));
        assert_int_equal(sem_post(&gate), 0);
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
        assert_ok(tarn_pool_alloc(pool, 60u << 20, 0, &next)); // needs all of it
        assert_ok(tarn_pool_free(pool, next));
        assert_ok(tarn_pool_destroy(pool));
        assert_ok(tarn_stream_destroy(stream));
        (void)sem_destroy(&gate);
    }
}

static void trimming_without_waiting_leaves_what_is_in_flight(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC | TARN_FEATURE_CHECKED);
    tarn_pool *pool = create(api->device, TARN_POOL_EXPANDABLE, 64u << 20);
    sem_t gate;
    tarn_stream stream = 0;
    tarn_addr in_flight = 0;
    tarn_addr idle = 0;
    uint64_t released = 0;
    assert_int_equal(sem_init(&gate, 0, 0), 0);
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_pool_alloc(pool, 24u << 20, stream, &in_flight));
    assert_ok(tarn_pool_alloc(pool, 24u << 20, 0, &idle));
    assert_ok(tarn_stream_call(stream, hold, &gate));
    assert_ok(tarn_pool_free(pool, in_flight));
    assert_ok(tarn_pool_free(pool, idle));
    assert_ok(
        tarn_pool_trim(pool, 0, TARN_NO_WAIT, &released)); // returns though the gate is closed
    assert_true(released >= 22u << 20);
    assert_true(stats_of(pool).held_bytes >= 22u << 20);
    assert_int_equal(sem_post(&gate), 0);
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_pool_trim(pool, 0, TARN_NO_WAIT, NULL));
    assert_int_equal(stats_of(pool).held_bytes, 0);
    assert_ok(tarn_pool_destroy(pool));
    assert_ok(tarn_stream_destroy(stream));
    (void)sem_destroy(&gate);
    assert_status(tarn_pool_trim(NULL, 0, TARN_NO_WAIT, NULL), TARN_BAD_ARGUMENT);
}

// The slab of such a block becomes empty only when the trim learns that the stream has passed.
static void a_trim_releases_small_blocks_that_another_stream_used(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC);
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = create(api->device, device_kinds[k], 64u << 20);
        sem_t gate;
        tarn_stream stream = 0;
        tarn_addr block = 0;
        assert_int_equal(sem_init(&gate, 0, 0), 0);
        assert_ok(tarn_stream_create(api->device, &stream));
        assert_ok(tarn_pool_alloc(pool, 100, 0, &block));
        assert_ok(tarn_stream_call(stream, hold, &gate));
        assert_ok(tarn_pool_used_on(pool, block, stream));
        assert_ok(tarn_pool_free(pool, block));
        assert_int_equal(sem_post(&gate), 0);
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
        assert_ok(tarn_pool_trim(pool, 0, 0, NULL));
        assert_int_equal(stats_of(pool).held_bytes, 0);
        assert_ok(tarn_pool_destroy(pool));
        assert_ok(tarn_stream_destroy(stream));
        (void)sem_destroy(&gate);
    }
}

enum { BLOCKS = 100, ROUNDS = 60 };

struct freed {
    tarn_pool *pool;
    tarn_addr addr[BLOCKS];
    sem_t full, empty;
};

static void *free_all(void *arg) {
    struct freed *freed = arg;
    for (int round = 0; round < ROUNDS; round++) {
        assert_int_equal(sem_wait(&freed->full), 0);
        for (int i = 0; i < BLOCKS; i++) assert_ok(tarn_pool_free(freed->pool, freed->addr[i]));
        assert_int_equal(sem_post(&freed->empty), 0);
    }
    return NULL;
}

// As a framework does: one thread allocates, another frees.
static void a_peak_is_what_two_threads_held_together(void **state) {
    struct api *api = *state;
    const uint64_t most = (uint64_t)BLOCKS << 18;
    struct freed freed = {.pool = create(api->device, TARN_POOL_SEGMENTS, 2 * most)};
    pthread_t thread;
    assert_int_equal(sem_init(&freed.full, 0, 0), 0);
    assert_int_equal(sem_init(&freed.empty, 0, 0), 0);
    assert_int_equal(pthread_create(&thread, NULL, free_all, &freed), 0);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < BLOCKS; i++)
            assert_ok(tarn_pool_alloc(freed.pool, 1u << 18, 0, &freed.addr[i]));
        assert_int_equal(sem_post(&freed.full), 0);
        assert_int_equal(sem_wait(&freed.empty), 0);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_in_range(stats_of(freed.pool).peak_live_bytes, most, most + most / 16);
    assert_in_range(stats_of(freed.pool).peak_used_bytes, most, most + most / 16);
    assert_ok(tarn_pool_destroy(freed.pool));
}

static void peaks_begin_anew(void **state) {
    struct api *api = *state;
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = create(api->device, device_kinds[k], 128u << 20);
        tarn_pool_tag_stats tag = {.struct_size = sizeof tag};
        tarn_addr big = 0;
        tarn_addr small = 0;
        assert_ok(tarn_pool_alloc(pool, 1u << 20, 0, &small));
        assert_ok(tarn_pool_alloc(pool, 40u << 20, 0, &big));
        assert_ok(tarn_pool_free(pool, big));
        assert_ok(tarn_pool_trim(pool, 0, 0, NULL));
        assert_int_equal(stats_of(pool).peak_used_bytes, 41u << 20);
        assert_true(stats_of(pool).peak_held_bytes >= 41u << 20);
        assert_ok(tarn_pool_reset_peaks(pool, 0));
        assert_int_equal(stats_of(pool).peak_used_bytes, 1u << 20);
        assert_int_equal(stats_of(pool).peak_live_bytes, 1u << 20);
        assert_int_equal(stats_of(pool).peak_held_bytes, stats_of(pool).held_bytes);
        assert_ok(tarn_pool_query_tag_stats(pool, 0, &tag));
        assert_int_equal(tag.peak_bytes, 1u << 20);
        assert_ok(tarn_pool_alloc(pool, 2u << 20, 0, &big));
        assert_int_equal(stats_of(pool).peak_used_bytes, 3u << 20);
        assert_ok(tarn_pool_free(pool, big));
        assert_ok(tarn_pool_free(pool, small));
        assert_ok(tarn_pool_destroy(pool));
    }
    assert_status(tarn_pool_reset_peaks(NULL, 0), TARN_BAD_ARGUMENT);
}

static void each_peak_is_reset_alone(void **state) {
    static const uint32_t bits[] = {TARN_PEAK_LIVE, TARN_PEAK_USED, TARN_PEAK_HELD};
    struct api *api = *state;
    for (int k = 0; k < 3; k++) {
        tarn_pool *pool = create(api->device, TARN_POOL_EXPANDABLE, 128u << 20);
        tarn_addr big = 0;
        assert_ok(tarn_pool_alloc(pool, 40u << 20, 0, &big));
        assert_ok(tarn_pool_free(pool, big));
        assert_ok(tarn_pool_trim(pool, 0, 0, NULL));
        assert_ok(tarn_pool_reset_peaks(pool, bits[k]));
        assert_int_equal(stats_of(pool).peak_live_bytes, k == 0 ? 0 : 40u << 20);
        assert_int_equal(stats_of(pool).peak_used_bytes, k == 1 ? 0 : 40u << 20);
        assert_int_equal(stats_of(pool).peak_held_bytes == 0, k == 2);
        assert_status(tarn_pool_reset_peaks(pool, 8), TARN_BAD_ARGUMENT);
        assert_ok(tarn_pool_destroy(pool));
    }
}

// ---- release thresholds

typedef void (*synchronize)(struct api *api, tarn_stream stream);

static void by_device(struct api *api, tarn_stream stream) {
    (void)stream;
    assert_ok(tarn_device_synchronize(api->device, TARN_FOREVER));
}

static void by_device_in_time(struct api *api, tarn_stream stream) {
    (void)stream;
    assert_ok(tarn_device_synchronize(api->device, UINT64_C(1000000000)));
}

static void by_stream(struct api *api, tarn_stream stream) {
    (void)api;
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
}

static void by_stream_in_time(struct api *api, tarn_stream stream) {
    (void)api;
    assert_ok(tarn_stream_synchronize(stream, UINT64_C(1000000000)));
}

static void by_event(struct api *api, tarn_stream stream) {
    tarn_event event;
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_event_record(event, stream));
    assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
    assert_ok(tarn_event_destroy(event));
}

static void a_synchronisation_releases_above_the_threshold(void **state) {
    static const synchronize ways[] = {by_device, by_device_in_time, by_stream, by_stream_in_time,
                                       by_event};
    struct api *api = *state;
    for (unsigned i = 0; i < 2 * sizeof ways / sizeof ways[0]; i++) {
        tarn_pool *pool = create(api->device, device_kinds[i % 2], 256u << 20);
        tarn_stream stream = 0;
        tarn_addr block[2];
        assert_ok(tarn_stream_create(api->device, &stream));
        assert_ok(tarn_pool_alloc(pool, 40u << 20, 0, &block[0]));
        assert_ok(tarn_pool_alloc(pool, 48u << 20, 0, &block[1]));
        uint64_t held = stats_of(pool).held_bytes;
        assert_ok(tarn_pool_free(pool, block[1]));
        ways[i / 2](api, stream);
        assert_int_equal(stats_of(pool).held_bytes, held); // no threshold: everything is kept
        assert_ok(tarn_pool_set_release_threshold(pool, UINT64_C(1) << 40));
        ways[i / 2](api, stream);
        assert_int_equal(stats_of(pool).held_bytes, held);
        assert_ok(tarn_pool_set_release_threshold(pool, 0));
        assert_int_equal(stats_of(pool).held_bytes, held); // not before the next one
        ways[i / 2](api, stream);
        assert_true(stats_of(pool).held_bytes < held);
        assert_true(stats_of(pool).held_bytes >= 40u << 20);
        assert_ok(tarn_pool_free(pool, block[0]));
        ways[i / 2](api, stream);
        assert_int_equal(stats_of(pool).held_bytes, 0);
        assert_ok(tarn_stream_destroy(stream));
        assert_ok(tarn_pool_destroy(pool));
    }
    assert_ok(tarn_device_synchronize(api->device, TARN_FOREVER)); // no pool is left in the list
    assert_status(tarn_pool_set_release_threshold(NULL, 0), TARN_BAD_ARGUMENT);
}

static void a_threshold_keeps_that_much(void **state) {
    struct api *api = *state;
    tarn_pool *pool = create(api->device, TARN_POOL_EXPANDABLE, 256u << 20);
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_addr block = 0;
    assert_ok(tarn_pool_set_release_threshold(pool, 24u << 20));
    assert_ok(tarn_pool_query(pool, &info));
    assert_int_equal(info.release_threshold, 24u << 20);
    assert_ok(tarn_pool_alloc(pool, 64u << 20, 0, &block));
    assert_ok(tarn_pool_free(pool, block));
    assert_ok(tarn_device_synchronize(api->device, TARN_FOREVER));
    assert_int_equal(stats_of(pool).held_bytes, 24u << 20);
    assert_ok(tarn_pool_destroy(pool));
}

// A pool learns at once that the stream has nothing left to do, also where records pass late.
static void one_synchronisation_releases_what_its_stream_freed(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC);
    for (int i = 0; i < 32; i++) {
        tarn_pool *pool = create(api->device, device_kinds[i % 2], 64u << 20);
        tarn_stream streams[2];
        tarn_addr blocks[2];
        assert_ok(tarn_pool_set_release_threshold(pool, 0));
        for (int k = 0; k < 2; k++) {
            assert_ok(tarn_stream_create(api->device, &streams[k]));
            assert_ok(tarn_pool_alloc(pool, 24u << 20, streams[k], &blocks[k]));
        }
        for (int k = 0; k < 2; k++) assert_ok(tarn_pool_free(pool, blocks[k]));
        for (int k = 0; k < 2; k++) assert_ok(tarn_stream_synchronize(streams[k], TARN_FOREVER));
        assert_int_equal(stats_of(pool).held_bytes, 0);
        for (int k = 0; k < 2; k++) assert_ok(tarn_stream_destroy(streams[k]));
        assert_ok(tarn_pool_destroy(pool));
    }
}

// Work that runs keeps its pages, and a host function changes nothing.
static void a_threshold_never_waits(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC | TARN_FEATURE_CHECKED);
    tarn_pool *pool = create(api->device, TARN_POOL_EXPANDABLE, 64u << 20);
    sem_t gate;
    tarn_stream busy = 0, idle = 0;
    tarn_addr in_flight = 0, free_block = 0;
    assert_int_equal(sem_init(&gate, 0, 0), 0);
    assert_ok(tarn_stream_create(api->device, &busy));
    assert_ok(tarn_stream_create(api->device, &idle));
    assert_ok(tarn_pool_set_release_threshold(pool, 0));
    assert_ok(tarn_pool_alloc(pool, 24u << 20, busy, &in_flight));
    assert_ok(tarn_pool_alloc(pool, 24u << 20, 0, &free_block));
    assert_ok(tarn_stream_call(busy, hold, &gate));
    assert_ok(tarn_pool_free(pool, in_flight));
    assert_ok(tarn_pool_free(pool, free_block));
    assert_ok(tarn_stream_synchronize(idle, TARN_FOREVER)); // returns though the gate is closed
    uint64_t held = stats_of(pool).held_bytes;
    assert_true(held >= 22u << 20 && held < 48u << 20);
    assert_int_equal(sem_post(&gate), 0);
    assert_ok(tarn_stream_synchronize(busy, TARN_FOREVER));
    assert_ok(tarn_stream_synchronize(
        busy, TARN_FOREVER)); // the mark that the first one made has passed now
    assert_int_equal(stats_of(pool).held_bytes, 0);
    assert_ok(tarn_pool_destroy(pool));
    assert_ok(tarn_stream_destroy(busy));
    assert_ok(tarn_stream_destroy(idle));
    (void)sem_destroy(&gate);
}

struct inside {
    tarn_stream idle;
    tarn_status status;
};

static void synchronize_inside(void *arg) {
    struct inside *inside = arg;
    inside->status = tarn_stream_synchronize(inside->idle, TARN_FOREVER);
}

static void a_host_function_releases_nothing(void **state) {
    struct api *api = *state;
    tarn_pool *pool = create(api->device, TARN_POOL_EXPANDABLE, 64u << 20);
    struct inside inside = {.status = TARN_BUSY};
    tarn_stream stream = 0;
    tarn_addr block = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_stream_create(api->device, &inside.idle));
    assert_ok(tarn_pool_alloc(pool, 24u << 20, 0, &block));
    assert_ok(tarn_pool_free(pool, block));
    uint64_t held = stats_of(pool).held_bytes;
    assert_ok(tarn_stream_call(stream, synchronize_inside, &inside));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(inside.status);
    assert_ok(tarn_pool_set_release_threshold(pool, 0));
    assert_ok(tarn_stream_call(stream, synchronize_inside, &inside));
    while (tarn_stream_query(stream) == TARN_NOT_READY) {
    }
    assert_int_equal(stats_of(pool).held_bytes, held);
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_int_equal(stats_of(pool).held_bytes, 0);
    assert_ok(tarn_pool_destroy(pool));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_stream_destroy(inside.idle));
}

static void a_block_is_reusable_at_once_on_its_own_stream(void **state) {
    struct api *api = *state;
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = create(api->device, device_kinds[k], 64u << 20);
        tarn_stream stream = 0;
        tarn_addr first = 0;
        tarn_addr second = 0;
        assert_ok(tarn_stream_create(api->device, &stream));
        assert_ok(tarn_pool_alloc(pool, 9u << 20, stream, &first));
        assert_ok(tarn_fill(NULL, first, 1, 4, 1000, stream));
        assert_ok(tarn_pool_free(pool, first));
        assert_ok(tarn_pool_alloc(pool, 9u << 20, stream, &second));
        assert_int_equal(first, second);
        assert_ok(tarn_pool_free(pool, second));
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
        assert_ok(tarn_pool_destroy(pool));
        assert_ok(tarn_stream_destroy(stream));
    }
}

static void an_expandable_pool_serves_a_large_block_from_scattered_pages(void **state) {
    struct api *api = *state;
    enum { N = 16 };
    tarn_pool *pool = create(api->device, TARN_POOL_EXPANDABLE, 64u << 20);
    tarn_addr block[N];
    for (int i = 0; i < N; i++) assert_ok(tarn_pool_alloc(pool, 4u << 20, 0, &block[i]));
    for (int i = 0; i < N; i += 2) assert_ok(tarn_pool_free(pool, block[i]));
    tarn_addr large = 0;
    assert_ok(tarn_pool_alloc(pool, 32u << 20, 0, &large)); // no free run is that long
    assert_true(stats_of(pool).moved_bytes >= 16u << 20);
    assert_ok(tarn_fill(api->device, large, 5, 4, 8u << 20, 0));
    assert_ok(tarn_pool_verify(pool));
    assert_ok(tarn_pool_free(pool, large));
    for (int i = 1; i < N; i += 2) assert_ok(tarn_pool_free(pool, block[i]));
    assert_ok(tarn_pool_destroy(pool));
}

// ---- the end of a pool

static void nap_in_stream(void *arg) {
    struct timespec pause = {0, 50000000};
    (void)arg;
    (void)nanosleep(&pause, NULL);
}

// Frees a block that work of the stream, behind a nap, still fills.
static void free_in_use(tarn_pool *pool, tarn_stream stream) {
    tarn_addr addr = 0;
    assert_ok(tarn_pool_alloc(pool, 1 << 20, stream, &addr));
    assert_ok(tarn_stream_call(stream, nap_in_stream, NULL));
    assert_ok(tarn_fill(NULL, addr, 7, 4, (1 << 20) / 4, stream));
    assert_ok(tarn_pool_free(pool, addr));
}

// The device of the pool has nothing to do with the stream, so its own waits do not cover it.
static void destroying_waits_for_streams_of_another_device(void **state) {
    static const tarn_pool_kind kinds[] = {TARN_POOL_SEGMENTS, TARN_POOL_EXPANDABLE};
    struct api *api = *state;
    api_need_peer(api);
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->peer, &stream));
    for (int i = 0; i < 2; i++) {
        tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
        tarn_pool *pool = NULL;
        desc.kind = kinds[i];
        desc.device = api->device;
        assert_ok(tarn_pool_create(&desc, &pool));
        free_in_use(pool, stream);
        assert_ok(tarn_pool_destroy(pool));
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    }
    assert_ok(tarn_stream_destroy(stream));
}

// A pool that cannot have an event waits for the stream itself.
static void a_pool_without_events_ends_with_all_its_memory(void **state) {
    static const uint32_t flags[] = {0, TARN_POOL_FENCE};
    struct api *api = *state;
    api_need(api, TARN_FEATURE_VMM);
    tarn_device *device = api_open(0, "fail=event_create");
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(device, &stream));
    for (int i = 0; i < 2; i++) {
        tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
        tarn_pool *pool = NULL;
        desc.kind = TARN_POOL_EXPANDABLE;
        desc.device = device;
        desc.flags = flags[i];
        assert_ok(tarn_pool_create(&desc, &pool));
        free_in_use(pool, stream);
        assert_ok(tarn_pool_destroy(pool));
        assert_int_equal(api_stats(device).mappings, 0);
        assert_int_equal(api_stats(device).reservations, 0);
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    }
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_device_close(device));
}

static void wrong_frees_are_refused(void **state) {
    struct api *api = *state;
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = create(api->device, device_kinds[k], 64u << 20);
        static const uint64_t sizes[] = {100, 10000, 3u << 20};
        for (int i = 0; i < 3; i++) {
            tarn_addr block = 0;
            assert_ok(tarn_pool_alloc(pool, sizes[i], 0, &block));
            assert_status(tarn_pool_free(pool, block + 1), TARN_BAD_ADDRESS);
            assert_status(tarn_pool_free(pool, block + 64), TARN_BAD_ADDRESS);
            assert_status(tarn_pool_free(pool, TARN_ADDR(&block)), TARN_BAD_ADDRESS);
            assert_status(tarn_pool_used_on(pool, block + 1, 0), TARN_BAD_ADDRESS);
            assert_ok(tarn_pool_free(pool, block));
            assert_status(tarn_pool_free(pool, block), TARN_BAD_ADDRESS);
        }
        assert_ok(tarn_pool_free(pool, 0));
        assert_ok(tarn_pool_verify(pool));
        assert_ok(tarn_pool_destroy(pool));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(blocks_hold_bytes_and_memory_comes_back, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_limit_is_kept_and_named, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_block_used_elsewhere_waits_for_that_stream, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_trim_releases_small_blocks_that_another_stream_used,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(trimming_without_waiting_leaves_what_is_in_flight,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_peak_is_what_two_threads_held_together, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(peaks_begin_anew, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(each_peak_is_reset_alone, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_synchronisation_releases_above_the_threshold, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_threshold_keeps_that_much, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(one_synchronisation_releases_what_its_stream_freed,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_threshold_never_waits, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_host_function_releases_nothing, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_block_is_reusable_at_once_on_its_own_stream, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(
            an_expandable_pool_serves_a_large_block_from_scattered_pages, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(destroying_waits_for_streams_of_another_device, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_pool_without_events_ends_with_all_its_memory, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(wrong_frees_are_refused, api_setup, api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
