// SPDX-License-Identifier: Apache-2.0
// Claims about refused requests: the pool holds no more than before, the device has no less free
// memory, and a request that cannot succeed makes no call of the device.
#include "support/api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { KINDS = 5, BLOCKS = 24, STEPS = 300, THREAD_BLOCKS = 64, THREAD_STEPS = 2000 };

#define MIB UINT64_C(1048576)

// A pool of each kind and policy on a device of 64 MiB.
static const struct {
    tarn_pool_kind kind;
    tarn_pool_policy policy;
    uint32_t flags;
} kinds[KINDS] = {
    {TARN_POOL_SEGMENTS, TARN_POOL_BALANCED, 0}, {TARN_POOL_EXPANDABLE, TARN_POOL_BALANCED, 0},
    {TARN_POOL_EXPANDABLE, TARN_POOL_TIME, 0},   {TARN_POOL_EXPANDABLE, TARN_POOL_MEMORY, 0},
    {TARN_POOL_EXPANDABLE, 0, TARN_POOL_FENCE},
};

static tarn_pool *create(tarn_device *device, int k, uint64_t limit, bool learns) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = kinds[k].kind;
    desc.policy = kinds[k].policy;
    desc.flags = kinds[k].flags;
    desc.device = device;
    desc.limit = limit;
    if (learns && desc.flags == 0) desc.flags = TARN_POOL_LEARN;
    assert_ok(tarn_pool_create(&desc, &pool));
    return pool;
}

static tarn_pool_stats stats_of(tarn_pool *pool) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    assert_ok(tarn_pool_query_stats(pool, &stats));
    return stats;
}

static uint64_t free_of(tarn_device *device) {
    uint64_t left = 0;
    assert_ok(tarn_device_query_memory(device, &left, NULL));
    return left;
}

// The software devices state their free memory exactly.
static bool is_exact(void) {
    return strcmp(api_backend(), "host") == 0 || strcmp(api_backend(), "sim") == 0;
}

// Asks for more than there is. Nothing may have changed but that free memory may have returned.
static void refuse(tarn_device *device, tarn_pool *pool, uint64_t bytes) {
    tarn_addr addr = 7;
    uint64_t left = free_of(device);
    tarn_pool_stats before = stats_of(pool);
    assert_status(tarn_pool_alloc(pool, bytes, 0, &addr), TARN_NO_DEVICE_MEMORY);
    tarn_pool_stats after = stats_of(pool);
    assert_int_equal(addr, 7);
    assert_true(free_of(device) >= left && after.held_bytes <= before.held_bytes);
    assert_int_equal(after.held_bytes + free_of(device), before.held_bytes + left);
    assert_int_equal(after.peak_held_bytes, before.peak_held_bytes);
    assert_int_equal(after.live_bytes, before.live_bytes);
    assert_ok(tarn_pool_verify(pool));
}

static void a_request_that_cannot_succeed_makes_no_call(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        tarn_device *device = api_open(0, "memory=64M");
        for (int limited = 0; limited < 2; limited++) {
            tarn_pool *pool = create(device, k, limited ? 32 * MIB : 0, false);
            tarn_addr kept = 0, plain = 0;
            assert_ok(tarn_pool_alloc(pool, MIB, 0, &kept));
            if (!limited) assert_ok(tarn_memory_alloc(device, 8 * MIB, &plain));
            uint64_t calls = stats_of(pool).driver_calls;
            uint64_t left = limited ? 32 * MIB - stats_of(pool).held_bytes : free_of(device);
            refuse(device, pool, 80 * MIB);
            refuse(device, pool, UINT64_C(1) << 40);
            refuse(device, pool, left + stats_of(pool).held_bytes);
            // A GPU may have more than it states, so the last request is tried.
            assert_true(stats_of(pool).driver_calls - calls <= (limited || is_exact() ? 0 : 4));
            assert_ok(tarn_pool_free(pool, kept));
            assert_ok(tarn_pool_destroy(pool));
            if (!limited) assert_ok(tarn_free(plain, 0));
        }
        assert_ok(tarn_device_close(device));
    }
}

static void a_report_names_the_memory_of_the_device(void **state) {
    (void)state;
    tarn_device *device = api_open(0, "memory=64M");
    tarn_pool *pool = create(device, 1, 0, false);
    tarn_pool_report report = TARN_INIT(tarn_pool_report);
    refuse(device, pool, 80 * MIB);
    assert_ok(tarn_pool_explain(pool, &report));
    assert_int_equal(report.cause, TARN_POOL_CAUSE_FULL);
    assert_non_null(strstr(report.text, "the pool holds 0, of which 0 are free"));
    assert_non_null(strstr(report.text, "the device has 67108864 free of 67108864"));
    assert_ok(tarn_pool_destroy(pool));
    assert_ok(tarn_device_close(device));
}

static void memory_that_a_request_did_not_get_serves_others(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        tarn_device *device = api_open(0, "memory=64M");
        tarn_pool *pool = create(device, k, 0, false);
        tarn_addr plain = 0, rest = 0;
        assert_ok(tarn_memory_alloc(device, 40 * MIB, &plain));
        uint64_t left = free_of(device);
        refuse(device, pool, 30 * MIB);
        assert_ok(tarn_memory_alloc(device, left, &rest));
        assert_ok(tarn_free(rest, 0));
        assert_ok(tarn_pool_alloc(pool, left, 0, &rest));
        assert_ok(tarn_pool_free(pool, rest));
        assert_ok(tarn_free(plain, 0));
        assert_ok(tarn_pool_destroy(pool));
        assert_ok(tarn_device_close(device));
    }
}

// The new pages and those that move are both needed.
static void free_pages_and_new_ones_serve_one_block(void **state) {
    (void)state;
    for (int k = 1; k < 4; k++) {
        tarn_device *device = api_open(0, "memory=64M");
        tarn_pool *pool = create(device, k, 0, false);
        uint64_t page = free_of(device) / 32;
        tarn_addr block[30], large = 0;
        for (int i = 0; i < 30; i++) assert_ok(tarn_pool_alloc(pool, page, 0, &block[i]));
        for (int i = 0; i < 30; i += 2) assert_ok(tarn_pool_free(pool, block[i]));
        refuse(device, pool, 18 * page);
        assert_ok(tarn_pool_alloc(pool, 17 * page, 0, &large));
        assert_int_equal(free_of(device), 0);
        assert_ok(tarn_pool_free(pool, large));
        for (int i = 1; i < 30; i += 2) assert_ok(tarn_pool_free(pool, block[i]));
        assert_ok(tarn_pool_destroy(pool));
        assert_ok(tarn_device_close(device));
    }
}

static void no_request_at_random_keeps_memory_when_refused(void **state) {
    (void)state;
    for (int k = 0; k < 2 * KINDS; k++) {
        tarn_device *device = api_open(0, "memory=64M");
        tarn_pool *pool = create(device, k % KINDS, k % 3 == 0 ? 48 * MIB : 0, k >= KINDS);
        tarn_addr block[BLOCKS] = {0};
        uint64_t seed = (uint64_t)k + 1, refusals = 0;
        for (int step = 0; step < STEPS; step++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            tarn_addr *b = &block[seed >> 33 & 15];
            uint64_t bytes = 1 + (seed >> 20) % (MIB << (seed >> 50) % 6);
            uint64_t left = free_of(device), held = stats_of(pool).held_bytes;
            uint64_t peak = stats_of(pool).peak_held_bytes;
            if (*b != 0) {
                assert_ok(tarn_pool_free(pool, *b));
                *b = 0;
            } else if (tarn_pool_alloc(pool, bytes, 0, b) != TARN_OK) {
                tarn_pool_stats now = stats_of(pool);
                assert_true(now.held_bytes <= held && now.peak_held_bytes == peak);
                assert_true(free_of(device) >= left);
                refusals++;
            } else if (tarn_pool_extend(pool, *b, 2 * bytes + 8 * MIB) != TARN_OK) {
                assert_ok(tarn_pool_verify(pool));
            }
            if (step % 64 == 0) assert_ok(tarn_pool_mark(pool));
        }
        assert_true(refusals != 0);
        for (int i = 0; i < BLOCKS; i++) assert_ok(tarn_pool_free(pool, block[i]));
        assert_ok(tarn_pool_verify(pool));
        assert_ok(tarn_pool_destroy(pool));
        assert_int_equal(free_of(device), 64 * MIB);
        assert_ok(tarn_device_close(device));
    }
}

struct beside {
    tarn_device *device;
    tarn_pool *pool;
    bool bytes;
    atomic_bool over;
};

// Allocates and frees while another thread is refused, and finds its bytes as it wrote them.
static void *allocate_beside(void *arg) {
    struct beside *b = arg;
    tarn_addr block[THREAD_BLOCKS] = {0};
    for (unsigned step = 0; step < THREAD_STEPS; step++) {
        unsigned i = step * 7 % THREAD_BLOCKS;
        unsigned char first = (unsigned char)i;
        if (block[i] != 0) {
            if (b->bytes) api_read(b->device, block[i], &first, 1);
            assert_int_equal(first, (unsigned char)i);
            assert_ok(tarn_pool_free(b->pool, block[i]));
            block[i] = 0;
        } else if (tarn_pool_alloc(b->pool, 1000 + step % 97 * 4096, 0, &block[i]) == TARN_OK) {
            api_write(b->device, block[i], &first, 1);
        }
    }
    for (unsigned i = 0; i < THREAD_BLOCKS; i++) assert_ok(tarn_pool_free(b->pool, block[i]));
    atomic_store(&b->over, true);
    return NULL;
}

static void a_refusal_takes_nothing_from_other_threads(void **state) {
    const struct api *api = *state;
    for (int k = 0; k < KINDS - 1; k++) {
        tarn_device *device = api_open(0, "memory=64M");
        struct beside b = {.device = device, .pool = create(device, k, 0, false)};
        pthread_t thread;
        b.bytes = api->bytes;
        assert_int_equal(pthread_create(&thread, NULL, allocate_beside, &b), 0);
        while (!atomic_load(&b.over)) {
            tarn_addr addr = 0;
            uint64_t bytes = (40 + (uint64_t)(k * 5)) * MIB;
            if (tarn_pool_alloc(b.pool, bytes, 0, &addr) == TARN_OK)
                assert_ok(tarn_pool_free(b.pool, addr));
            addr = 0;
            if (tarn_pool_alloc(b.pool, 63 * MIB, 0, &addr) == TARN_OK)
                assert_ok(tarn_pool_free(b.pool, addr));
        }
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_ok(tarn_pool_verify(b.pool));
        assert_ok(tarn_pool_destroy(b.pool));
        assert_int_equal(free_of(device), 64 * MIB);
        assert_ok(tarn_device_close(device));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_request_that_cannot_succeed_makes_no_call, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_report_names_the_memory_of_the_device, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(memory_that_a_request_did_not_get_serves_others, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(free_pages_and_new_ones_serve_one_block, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(no_request_at_random_keeps_memory_when_refused, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_refusal_takes_nothing_from_other_threads, api_setup,
                                        api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
