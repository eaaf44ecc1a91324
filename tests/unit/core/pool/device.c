// SPDX-License-Identifier: Apache-2.0
// Claims about pools over the software devices: memory is there, streams order reuse by events, and
// all of it is given back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <tarn/address.h>
#include <tarn/copy.h>
#include <tarn/memory.h>

#include "base/atomic.h"
#include "support/pool_verbs.h"

static const char *const devices[] = {"host:0,memory=256M", "sim:0,memory=256M"};

enum { DEVICES = sizeof devices / sizeof devices[0] };

static tarn_device *open_device(int which) {
    tarn_device *device = NULL;
    assert_int_equal(tarn_device_open(devices[which], &device), TARN_OK);
    return device;
}

static tarn_pool *pool_on(tarn_device *device, tarn_pool_kind kind) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = kind;
    desc.device = device;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    return pool;
}

static uint64_t free_bytes(tarn_device *device) {
    uint64_t bytes = 0;
    assert_int_equal(tarn_device_query_memory(device, &bytes, NULL), TARN_OK);
    return bytes;
}

static bool has_bytes(tarn_device *device) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    assert_int_equal(tarn_device_query(device, &info), TARN_OK);
    return (info.features & TARN_FEATURE_BYTES) != 0;
}

// The device is closed with nothing of it alive, so nothing was forgotten.
static void close_device(tarn_device *device, uint64_t free_before) {
    assert_int_equal(free_bytes(device), free_before);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void memory_is_taken_and_given_back(void **state) {
    (void)state;
    for (int d = 0; d < DEVICES; d++) {
        for (int kind = TARN_POOL_SEGMENTS; kind <= TARN_POOL_EXPANDABLE; kind++) {
            tarn_device *device = open_device(d);
            uint64_t before = free_bytes(device);
            tarn_pool *pool = pool_on(device, (tarn_pool_kind)kind);
            assert_int_equal(free_bytes(device), before);
            tarn_addr a = get(pool, 50 * MIB);
            tarn_addr b = get(pool, 100);
            assert_int_equal(before - free_bytes(device), stats_of(pool).held_bytes);
            give(pool, a);
            assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
            assert_int_equal(before - free_bytes(device), stats_of(pool).held_bytes);
            assert_true(kind == TARN_POOL_SEGMENTS || stats_of(pool).held_bytes <= 4 * MIB);
            give(pool, b);
            a = get(pool, 100 * MIB);
            give(pool, a);
            end(pool);
            close_device(device, before);
        }
    }
}

static void blocks_hold_what_is_written_while_they_sleep(void **state) {
    (void)state;
    enum { COUNT = 9, TAG = 5 };
    for (int d = 0; d < DEVICES; d++) {
        tarn_device *device = open_device(d);
        uint64_t before = free_bytes(device);
        tarn_pool *pool = pool_on(device, TARN_POOL_EXPANDABLE);
        tarn_stream stream;
        tarn_addr blocks[COUNT];
        uint64_t released = 0;
        assert_int_equal(tarn_stream_create(device, &stream), TARN_OK);
        for (int i = 0; i < COUNT; i++) {
            tarn_pool_request request = TARN_INIT(tarn_pool_request);
            request.bytes = (uint64_t)(i + 1) * MIB;
            request.tag = TAG;
            request.stream = stream;
            assert_int_equal(tarn_pool_alloc_with(pool, &request, &blocks[i]), TARN_OK);
            assert_int_equal(
                tarn_fill(device, blocks[i], (uint32_t)i + 1, 1, request.bytes, stream), TARN_OK);
        }
        uint64_t held = free_bytes(device);
        assert_int_equal(tarn_pool_sleep(pool, TAG, 0, &released), TARN_OK);
        assert_true(released >= 40 * MIB);
        assert_int_equal(free_bytes(device), held + released);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        assert_int_equal(tarn_pool_wake(pool, TAG), TARN_OK);
        assert_int_equal(free_bytes(device), held);
        for (int i = 0; i < COUNT; i++) {
            const uint8_t *bytes = (const uint8_t *)(uintptr_t)blocks[i];
            uint64_t size = (uint64_t)(i + 1) * MIB;
            for (uint64_t at = 0; has_bytes(device) && at < size; at += at % 4096 == 0 ? 4095 : 1)
                assert_int_equal(bytes[at], i + 1);
            give(pool, blocks[i]);
        }
        assert_int_equal(tarn_stream_destroy(stream), TARN_OK);
        end(pool);
        close_device(device, before);
    }
}

static void blocks_hold_what_is_written_while_pages_move(void **state) {
    (void)state;
    enum { COUNT = 60 };
    tarn_device *device = open_device(0);
    uint64_t before = free_bytes(device);
    tarn_pool *pool = pool_on(device, TARN_POOL_EXPANDABLE);
    tarn_addr blocks[COUNT];
    assert_true(has_bytes(device));
    for (int i = 0; i < COUNT; i++) {
        blocks[i] = get(pool, 2 * MIB);
        memset((void *)(uintptr_t)blocks[i], i + 1, 2 * MIB);
    }
    for (int i = 0; i < COUNT; i += 2) give(pool, blocks[i]);
    tarn_addr large = get(pool, 60 * MIB);
    memset((void *)(uintptr_t)large, 0xff, 60 * MIB);
    assert_true(stats_of(pool).moved_bytes > 0);
    for (int i = 1; i < COUNT; i += 2) {
        const unsigned char *bytes = (const unsigned char *)(uintptr_t)blocks[i];
        for (uint64_t at = 0; at < 2 * MIB; at += 4096) assert_int_equal(bytes[at], i + 1);
        give(pool, blocks[i]);
    }
    give(pool, large);
    end(pool);
    close_device(device, before);
}

static void a_device_that_is_full_says_so(void **state) {
    (void)state;
    for (int d = 0; d < DEVICES; d++) {
        for (int kind = TARN_POOL_SEGMENTS; kind <= TARN_POOL_EXPANDABLE; kind++) {
            tarn_device *device = open_device(d);
            uint64_t before = free_bytes(device);
            tarn_pool *pool = pool_on(device, (tarn_pool_kind)kind);
            refused(pool, 300 * MIB);
            tarn_addr a = get(pool, 200 * MIB);
            refused(pool, 100 * MIB);
            assert_int_equal(tarn_pool_verify(pool), TARN_OK);
            give(pool, a);
            end(pool);
            close_device(device, before);
        }
    }
}

// Work that runs until it is let go.
struct gate {
    _Atomic(int) open;
};

static void wait_at(void *arg) {
    struct gate *gate = (struct gate *)arg;
    while (tn_load_acquire(&gate->open) == 0) (void)sched_yield();
}

static void work_in_flight_keeps_blocks_from_other_streams(void **state) {
    (void)state;
    tarn_device *device = open_device(0);
    uint64_t before = free_bytes(device);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_stream a = 0;
    tarn_stream b = 0;
    struct gate gate = {0};
    desc.kind = TARN_POOL_FIXED;
    desc.device = device; // only its streams
    desc.base = BASE;
    desc.bytes = 8 * MIB;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    assert_int_equal(tarn_stream_create(device, &a), TARN_OK);
    assert_int_equal(tarn_stream_create(device, &b), TARN_OK);
    tarn_addr block = get_on(pool, 3 * MIB, a);
    assert_int_equal(tarn_stream_call(a, wait_at, &gate), TARN_OK);
    give(pool, block);
    tarn_addr other = get_on(pool, 3 * MIB, b); // what is left
    assert_int_not_equal(other, block);
    assert_int_equal(get_on(pool, 3 * MIB, a), block); // at once on its own
    assert_int_equal(tarn_pool_used_on(pool, other, a), TARN_OK);
    give(pool, other);
    assert_int_equal(stats_of(pool).pending_bytes, 3 * MIB);
    tn_store_release(&gate.open, 1);
    tarn_addr again = get_on(pool, 4 * MIB, b); // waits for the stream rather than refuse
    give(pool, again);
    give(pool, block);
    assert_int_equal(tarn_stream_destroy(a), TARN_OK);
    assert_int_equal(tarn_stream_destroy(b), TARN_OK);
    tarn_addr all = get(pool, 8 * MIB); // ended streams hold nothing back
    give(pool, all);
    end(pool);
    close_device(device, before);
}

static void what_is_no_stream_is_refused(void **state) {
    (void)state;
    tarn_device *device = open_device(0);
    uint64_t before = free_bytes(device);
    tarn_pool *pool = pool_on(device, TARN_POOL_EXPANDABLE);
    tarn_addr addr = 0;
    tarn_addr a = get(pool, 100);
    assert_int_equal(tarn_pool_alloc(pool, 100, 12345, &addr), TARN_BAD_HANDLE);
    assert_int_equal(tarn_pool_used_on(pool, a, 12345), TARN_BAD_HANDLE);
    assert_int_equal(tarn_pool_free_on(pool, a, 12345), TARN_BAD_HANDLE);
    give(pool, a);
    end(pool);
    close_device(device, before);
}

static void bad_pages_are_refused(void **state) {
    (void)state;
    tarn_device *device = open_device(1);
    uint64_t before = free_bytes(device);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.page_bytes = 12345;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_MISALIGNED);
    desc.page_bytes = 0;
    desc.bytes = UINT64_C(1) << 62;
    assert_int_not_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    assert_null(pool);
    close_device(device, before);
}

// ---- who may use the memory

static const tarn_location first = {TARN_LOCATION_DEVICE, 0};
static const tarn_location second = {TARN_LOCATION_DEVICE, 1};

static tarn_access access_of(tarn_pool *pool, tarn_location location) {
    tarn_access access = (tarn_access)9;
    assert_int_equal(tarn_pool_get_access(pool, location, &access), TARN_OK);
    return access;
}

static tarn_access access_at(tarn_addr addr, tarn_location location) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    tarn_access access = TARN_ACCESS_NONE;
    assert_int_equal(tarn_map_get_access(addr, location, &access), TARN_BAD_ADDRESS); // a pool's
    assert_int_equal(tarn_address_query(addr, &info), TARN_OK);
    assert_int_equal(location.type, TARN_LOCATION_DEVICE);
    access = (info.readable >> location.id & 1) != 0 ? TARN_ACCESS_READ : TARN_ACCESS_NONE;
    return (info.writable >> location.id & 1) != 0 ? TARN_ACCESS_READ_WRITE : access;
}

static void access_holds_for_pages_mapped_and_to_come(void **state) {
    (void)state;
    for (int d = 0; d < DEVICES; d++) {
        tarn_device *device = open_device(d);
        tarn_device *peer = NULL;
        uint64_t before = free_bytes(device);
        assert_int_equal(tarn_device_sibling(device, 1, &peer), TARN_OK);
        tarn_pool *pool = pool_on(device, TARN_POOL_EXPANDABLE);
        tarn_addr a = get(pool, 3 * MIB);
        assert_int_equal(access_of(pool, first), TARN_ACCESS_READ_WRITE);
        assert_int_equal(access_of(pool, second), TARN_ACCESS_NONE);
        const tarn_grant change[] = {
            {second, TARN_ACCESS_NONE}, {second, TARN_ACCESS_READ}, {first, TARN_ACCESS_NONE}};
        assert_int_equal(tarn_pool_set_access(pool, change, 3), TARN_OK);
        assert_int_equal(access_of(pool, second), TARN_ACCESS_READ); // the last one counts
        tarn_addr b = get(pool, 20 * MIB);
        assert_int_equal(access_at(a, first), TARN_ACCESS_NONE);
        assert_int_equal(access_at(a, second), TARN_ACCESS_READ);
        assert_int_equal(access_at(b + 20 * MIB - 1, first), TARN_ACCESS_NONE);
        assert_int_equal(access_at(b + 20 * MIB - 1, second), TARN_ACCESS_READ);
        char byte = 0;
        assert_int_equal(tarn_copy(device, TARN_ADDR(&byte), b, 1, 0), TARN_NO_ACCESS);
        assert_int_equal(tarn_copy(peer, TARN_ADDR(&byte), b, 1, 0), TARN_OK);
        assert_int_equal(tarn_fill(peer, b, 0, 1, 1, 0), TARN_NO_ACCESS);
        give(pool, a);
        give(pool, b);
        end(pool);
        assert_int_equal(tarn_device_close(peer), TARN_OK);
        close_device(device, before);
    }
}

static void access_is_known_before_the_first_page(void **state) {
    (void)state;
    for (int d = 0; d < DEVICES; d++) {
        tarn_device *device = open_device(d);
        uint64_t before = free_bytes(device);
        tarn_pool *pool = pool_on(device, TARN_POOL_EXPANDABLE);
        tarn_grant grant = {second, TARN_ACCESS_READ_WRITE};
        assert_int_equal(tarn_pool_set_access(pool, &grant, 1), TARN_OK);
        assert_int_equal(free_bytes(device), before);
        tarn_addr a = get(pool, 100);
        assert_int_equal(access_at(a, second), TARN_ACCESS_READ_WRITE);
        assert_int_equal(access_at(a, first), TARN_ACCESS_READ_WRITE);
        give(pool, a);
        end(pool);
        close_device(device, before);
    }
}

static void wrong_changes_of_access_are_refused(void **state) {
    (void)state;
    tarn_device *device = open_device(1); // its host gets no access
    uint64_t before = free_bytes(device);
    tarn_pool *pool = pool_on(device, TARN_POOL_EXPANDABLE);
    tarn_grant two[] = {{second, TARN_ACCESS_READ}, {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ}};
    tarn_access access = (tarn_access)9;
    assert_int_equal(tarn_pool_set_access(NULL, two, 1), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_set_access(pool, NULL, 1), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_set_access(pool, two, 0), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_set_access(pool, two, 2), TARN_UNSUPPORTED);
    two[1] = (tarn_grant){{TARN_LOCATION_DEVICE, 30}, TARN_ACCESS_READ};
    assert_int_equal(tarn_pool_set_access(pool, two, 2), TARN_BAD_DEVICE);
    two[1] = (tarn_grant){{(tarn_location_type)9, 0}, TARN_ACCESS_READ};
    assert_int_equal(tarn_pool_set_access(pool, two, 2), TARN_BAD_ARGUMENT);
    two[1] = (tarn_grant){second, (tarn_access)2};
    assert_int_equal(tarn_pool_set_access(pool, two, 2), TARN_BAD_ARGUMENT);
    assert_int_equal(access_of(pool, second), TARN_ACCESS_NONE);
    assert_int_equal(tarn_pool_get_access(pool, second, NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_get_access(pool, (tarn_location){TARN_LOCATION_DEVICE, -1}, &access),
                     TARN_BAD_DEVICE);
    end(pool);
    pool = pool_on(device, TARN_POOL_SEGMENTS);
    assert_int_equal(tarn_pool_set_access(pool, two, 1), TARN_UNSUPPORTED);
    assert_int_equal(tarn_pool_get_access(pool, second, &access), TARN_UNSUPPORTED);
    assert_int_equal(access, (tarn_access)9);
    end(pool);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.grants = two; // the second is bad
    desc.grant_count = 2;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_ARGUMENT);
    close_device(device, before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_taken_and_given_back),
        cmocka_unit_test(blocks_hold_what_is_written_while_they_sleep),
        cmocka_unit_test(blocks_hold_what_is_written_while_pages_move),
        cmocka_unit_test(a_device_that_is_full_says_so),
        cmocka_unit_test(work_in_flight_keeps_blocks_from_other_streams),
        cmocka_unit_test(what_is_no_stream_is_refused),
        cmocka_unit_test(bad_pages_are_refused),
        cmocka_unit_test(access_holds_for_pages_mapped_and_to_come),
        cmocka_unit_test(access_is_known_before_the_first_page),
        cmocka_unit_test(wrong_changes_of_access_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
