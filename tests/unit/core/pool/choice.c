// SPDX-License-Identifier: Apache-2.0
// Claims about pools on devices that cannot move pages: segments stand in for them, and it is said.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <tarn/copy.h>
#include <tarn/stats.h>

#include "backend/registry.h"
#include "support/pool_verbs.h"

// ---- a backend around sim that lacks something, or fails its n-th call for pages

static const tarn_backend *sim;
static long countdown = -1; // calls that still succeed; below zero: all do
static tarn_status failure;

static bool fails(void) {
    if (countdown < 0 || countdown-- > 0) return false;
    countdown = -1;
    return true;
}

static tarn_status refuse(const char *slot) {
    return tarn_backend_fail(failure, slot, 719, "%s was made to fail", slot);
}

#define WRAP(slot, parameters, arguments)                                                          \
    static tarn_status wrapped_##slot parameters {                                                 \
        return fails() ? refuse(#slot) : sim->slot arguments;                                      \
    }

WRAP(reserve, (void *p, uint64_t size, uint64_t alignment, tarn_addr hint, tarn_addr *addr),
     (p, size, alignment, hint, addr))
WRAP(phys_create,
     (void *p, uint64_t bytes, const tarn_phys_desc *desc, tarn_backend_phys *phys,
      tarn_backend_phys_info *info),
     (p, bytes, desc, phys, info))
WRAP(map, (void *p, tarn_addr addr, const tarn_backend_map_item *items, size_t count),
     (p, addr, items, count))
WRAP(set_access, (void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants, size_t count),
     (p, addr, size, grants, count))

// The mapping goes all the same: only its answer is bad.
static tarn_status wrapped_unmap(void *p, tarn_addr addr, uint64_t size) {
    tarn_status status = sim->unmap(p, addr, size);
    return fails() ? refuse("unmap") : status;
}

enum { CALLS = 5 }; // of the trial of one page

static int register_backends(void **state) {
    (void)state;
    sim = tn_backend_find("sim", 3);
    tarn_backend bare = *sim;
    bare.name = "bare";
    bare.reserve = NULL;
    bare.release = NULL;
    bare.phys_create = NULL;
    bare.phys_destroy = NULL;
    bare.map = NULL;
    bare.unmap = NULL;
    bare.set_access = NULL;
    tarn_backend brittle = *sim;
    brittle.name = "brittle";
    brittle.reserve = wrapped_reserve;
    brittle.phys_create = wrapped_phys_create;
    brittle.map = wrapped_map;
    brittle.set_access = wrapped_set_access;
    brittle.unmap = wrapped_unmap;
    return tarn_backend_register(&bare) == TARN_OK && tarn_backend_register(&brittle) == TARN_OK
               ? 0
               : -1;
}

// ---- short forms

static tarn_device *open_device(const char *uri) {
    tarn_device *device = NULL;
    assert_int_equal(tarn_device_open(uri, &device), TARN_OK);
    return device;
}

static tarn_pool_desc expandable(tarn_device *device) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    return desc;
}

static tarn_pool *create(const tarn_pool_desc *desc) {
    tarn_pool *pool = NULL;
    assert_int_equal(tarn_pool_create(desc, &pool), TARN_OK);
    return pool;
}

static tarn_pool_info info_of(tarn_pool *pool) {
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    assert_int_equal(tarn_pool_query(pool, &info), TARN_OK);
    return info;
}

static void assert_fell_back(tarn_pool *pool, const char *because) {
    tarn_pool_info info = info_of(pool);
    assert_int_equal(info.kind, TARN_POOL_SEGMENTS);
    assert_int_equal(info.asked, TARN_POOL_EXPANDABLE);
    assert_non_null(strstr(info.reason, because));
    assert_true(info.segment_bytes != 0 && info.page_bytes == 0 && info.bytes == 0);
    assert_int_equal(stats_of(pool).fallback, 1);
}

// Blocks come and go, and nothing of the device's pages is used for them.
static void assert_works_without_pages(tarn_device *device, tarn_pool *pool) {
    tarn_platform_stats stats = {.struct_size = sizeof stats};
    tarn_addr a = get(pool, 50 * MIB);
    tarn_addr b = get(pool, 100);
    assert_int_equal(tarn_fill(device, a, 1, 1, 50 * MIB, 0), TARN_OK);
    assert_int_equal(tarn_platform_query_stats(device, &stats), TARN_OK);
    assert_int_equal(stats.handles + stats.mappings + stats.reservations, 0);
    assert_true(stats.memory_blocks > 0);
    give(pool, a);
    give(pool, b);
}

static void close_clean(tarn_device *device) {
    uint64_t left = 0;
    uint64_t total = 0;
    assert_int_equal(tarn_platform_verify(device), TARN_OK);
    assert_int_equal(tarn_device_query_memory(device, &left, &total), TARN_OK);
    assert_int_equal(left, total);
    assert_int_equal(tarn_device_close(device), TARN_OK); // refused while anything is alive
}

// ---- claims

static void a_device_without_pages_gets_segments_and_says_why(void **state) {
    static const char *const devices[][2] = {
        {"sim:0,vmm=off,memory=256M", "simulated device 0 has no virtual memory management"},
        {"sim:0,vmm=broken,memory=256M", "NATIVE, this simulated device fails each map"},
        {"bare:0,memory=256M",
         "UNSUPPORTED, this backend does not support virtual memory management"}};
    (void)state;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        tarn_device *device = open_device(devices[i][0]);
        tarn_pool_desc desc = expandable(device);
        for (int round = 0; round < 2; round++) { // found, and remembered
            tarn_pool *pool = create(&desc);
            assert_fell_back(pool, devices[i][1]);
            assert_works_without_pages(device, pool);
            end(pool);
        }
        close_clean(device);
    }
}

static void a_trial_that_fails_at_any_call_leaves_nothing_and_gives_segments(void **state) {
    static const char *const calls[CALLS] = {"reserve", "phys_create", "map", "set_access",
                                             "unmap"};
    (void)state;
    failure = TARN_NATIVE;
    for (long n = 0; n < CALLS; n++) {
        char uri[64];
        (void)snprintf(uri, sizeof uri, "brittle:0,memory=%ldM", 256 + n); // a platform of its own
        tarn_device *device = open_device(uri);
        tarn_pool_desc desc = expandable(device);
        countdown = n;
        tarn_pool *pool = create(&desc);
        assert_int_equal(countdown, -1);
        if (n < CALLS - 1) { // who cannot unmap may have kept something
            assert_fell_back(pool, calls[n]);
            assert_works_without_pages(device, pool);
        }
        end(pool);
        if (n < CALLS - 1) close_clean(device);
    }
}

static void a_trial_on_a_full_device_decides_nothing(void **state) {
    static const tarn_status wants[] = {TARN_NO_DEVICE_MEMORY, TARN_NO_HOST_MEMORY, TARN_NO_HANDLES,
                                        TARN_NO_MAPPINGS, TARN_BUSY};
    (void)state;
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        tarn_device *device = open_device("brittle:0,memory=128M");
        tarn_pool_desc desc = expandable(device);
        failure = wants[i];
        countdown = 1;
        tarn_pool *pool = create(&desc);
        assert_int_equal(info_of(pool).kind, TARN_POOL_EXPANDABLE);
        assert_string_equal(info_of(pool).reason, "");
        assert_int_equal(stats_of(pool).fallback, 0);
        give(pool, get(pool, MIB));
        end(pool);
        close_clean(device);
    }
}

static void a_device_with_pages_is_tried_once(void **state) {
    (void)state;
    tarn_device *device = open_device("sim:0,memory=100M");
    tarn_pool_desc desc = expandable(device);
    tarn_platform_stats stats = {.struct_size = sizeof stats};
    tarn_pool *first = create(&desc);
    tarn_pool *second = create(&desc);
    assert_int_equal(tarn_platform_query_stats(device, &stats), TARN_OK);
    assert_int_equal(stats.map_calls, 1);
    assert_int_equal(stats.handles, 0);
    tarn_pool_info info = info_of(second);
    assert_int_equal(info.asked, TARN_POOL_EXPANDABLE);
    assert_true(info.page_bytes == 2 * MIB && info.bytes == 800 * MIB && info.base != 0);
    end(first);
    end(second);
    close_clean(device);
}

static void a_strict_pool_is_refused_instead(void **state) {
    (void)state;
    tarn_device *device = open_device("sim:0,vmm=off,memory=64M");
    tarn_pool_desc desc = expandable(device);
    tarn_pool *pool = (tarn_pool *)&desc;
    tarn_error error;
    desc.flags = TARN_POOL_STRICT;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_UNSUPPORTED);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, "simulated device 0 has no virtual memory management");
    assert_ptr_equal(pool, &desc);
    desc.flags = 1u << 31;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_ARGUMENT);
    close_clean(device);
}

static void rights_that_segments_cannot_have_are_refused(void **state) {
    (void)state;
    tarn_device *device = open_device("sim:0,vmm=off,memory=64M");
    tarn_pool_desc desc = expandable(device);
    tarn_grant grants[] = {{{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE},
                           {{TARN_LOCATION_DEVICE, 1}, TARN_ACCESS_READ}};
    tarn_pool *pool = NULL;
    desc.grants = grants;
    desc.grant_count = 2;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_UNSUPPORTED);
    desc.grant_count = 0;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_UNSUPPORTED);
    desc.grant_count = 1;
    pool = create(&desc);
    assert_fell_back(pool, "no virtual memory management");
    end(pool);
    close_clean(device);
}

static void the_reservation_asked_for_becomes_the_limit(void **state) {
    (void)state;
    tarn_device *device = open_device("sim:0,vmm=off,memory=256M");
    tarn_pool_desc desc = expandable(device);
    desc.bytes = 64 * MIB;
    tarn_pool *pool = create(&desc);
    assert_int_equal(info_of(pool).limit, 64 * MIB);
    refused(pool, 65 * MIB);
    end(pool);
    close_clean(device);
}

static void falling_back_leaves_the_last_error_alone(void **state) {
    (void)state;
    tarn_device *device = open_device("sim:0,vmm=broken,memory=96M");
    tarn_pool_desc desc = expandable(device);
    tarn_error error;
    tarn_clear_error();
    end(create(&desc));
    assert_int_equal(tarn_last_error(&error), TARN_OK);
    close_clean(device);
}

static void *create_and_look(void *arg) {
    const tarn_pool_desc *desc = (const tarn_pool_desc *)arg;
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_pool *pool = NULL;
    bool good = tarn_pool_create(desc, &pool) == TARN_OK &&
                tarn_pool_query(pool, &info) == TARN_OK && info.kind == TARN_POOL_SEGMENTS &&
                strstr(info.reason, "fails each map") != NULL;
    return tarn_pool_destroy(pool) == TARN_OK && good ? arg : NULL;
}

static void threads_that_try_at_once_find_the_same(void **state) {
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    (void)state;
    tarn_device *device = open_device("sim:0,vmm=broken,memory=80M");
    tarn_pool_desc desc = expandable(device);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, create_and_look, &desc), 0);
    for (int i = 0; i < THREADS; i++) {
        void *found = NULL;
        assert_int_equal(pthread_join(threads[i], &found), 0);
        assert_ptr_equal(found, &desc);
    }
    close_clean(device);
}

static void a_limit_can_be_changed(void **state) {
    (void)state;
    tarn_device *device = open_device("sim:0,memory=256M");
    for (int kind = TARN_POOL_SEGMENTS; kind <= TARN_POOL_EXPANDABLE; kind++) {
        tarn_pool_desc desc = expandable(device);
        desc.kind = (tarn_pool_kind)kind;
        tarn_pool *pool = create(&desc);
        tarn_addr a = get(pool, 64 * MIB);
        assert_int_equal(tarn_pool_set_limit(pool, 32 * MIB), TARN_OK);
        assert_int_equal(info_of(pool).limit, 32 * MIB);
        refused(pool, 16 * MIB);
        assert_int_equal(tarn_pool_set_limit(pool, 0), TARN_OK);
        give(pool, get(pool, 16 * MIB));
        give(pool, a);
        end(pool);
    }
    tarn_pool *pool = fixed(BASE, MIB, TARN_RULE_PLAIN);
    tarn_pool_info info = info_of(pool);
    assert_true(info.kind == TARN_POOL_FIXED && info.asked == TARN_POOL_FIXED);
    assert_true(info.base == BASE && info.bytes == MIB && info.limit == 0);
    assert_int_equal(tarn_pool_set_limit(pool, MIB), TARN_UNSUPPORTED);
    assert_int_equal(tarn_pool_set_limit(NULL, MIB), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_query(NULL, &info), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_query(pool, NULL), TARN_BAD_ARGUMENT);
    end(pool);
    close_clean(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_without_pages_gets_segments_and_says_why),
        cmocka_unit_test(a_trial_that_fails_at_any_call_leaves_nothing_and_gives_segments),
        cmocka_unit_test(a_trial_on_a_full_device_decides_nothing),
        cmocka_unit_test(a_device_with_pages_is_tried_once),
        cmocka_unit_test(a_strict_pool_is_refused_instead),
        cmocka_unit_test(rights_that_segments_cannot_have_are_refused),
        cmocka_unit_test(the_reservation_asked_for_becomes_the_limit),
        cmocka_unit_test(falling_back_leaves_the_last_error_alone),
        cmocka_unit_test(threads_that_try_at_once_find_the_same),
        cmocka_unit_test(a_limit_can_be_changed),
    };
    return cmocka_run_group_tests(tests, register_backends, NULL);
}
