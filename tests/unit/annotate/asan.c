// SPDX-License-Identifier: Apache-2.0
// Which bytes ASan takes for poisoned, after what a pool or a program tells. Without ASan there is
// nothing to ask.
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tarn/tarn.h>

#include "support/api.h"

extern int __asan_address_is_poisoned(void const volatile *addr) __attribute__((weak));

enum { BYTES = 1024 };
static char *memory;
static tarn_addr base;

static int setup(void **state) {
    (void)state;
    memory = aligned_alloc(64, BYTES);
    assert_non_null(memory);
    base = (tarn_addr)(uintptr_t)memory;
    assert_ok(tarn_annotate_heap_begin(base, BYTES, NULL));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    assert_ok(tarn_annotate_heap_end(base));
    for (int i = 0; i < BYTES; i++) assert_false(__asan_address_is_poisoned(&memory[i]));
    free(memory);
    return 0;
}

static bool poisoned(int at) { return __asan_address_is_poisoned(&memory[at]) != 0; }

static void expect(int from, int end, bool wanted) {
    for (int i = from; i < end; i++)
        if (poisoned(i) != wanted)
            fail_msg("byte %d of [%d, %d) is %s", i, from, end, wanted ? "open" : "poisoned");
}

static void begin(int at, int bytes) {
    assert_ok(tarn_annotate_region_begin(base + (tarn_addr)at, (uint64_t)bytes, NULL));
}

static void end(int at) {
    assert_ok(tarn_annotate_region_end(base + (tarn_addr)at, TARN_STREAM_NONE));
}

static void only_regions_are_open(void **state) {
    (void)state;
    expect(0, BYTES, true);
    begin(64, 100);
    expect(0, 64, true);
    expect(64, 164, false);
    expect(164, BYTES, true);
    end(64);
    expect(0, BYTES, true);
}

static void adjacent_regions_end_alone(void **state) {
    (void)state;
    begin(0, 20);
    begin(20, 12);
    begin(32, 32);
    expect(0, 64, false);
    end(20);
    expect(0, 20, false);
    expect(24, 32, true);
    expect(32, 64, false);
    end(0);
    expect(0, 32, true);
    end(32);
}

static void unaligned_regions_stay_open_throughout(void **state) {
    (void)state;
    begin(3, 10);
    expect(3, 13, false);
    expect(16, BYTES, true);
    end(3);
    expect(0, BYTES, true);
    begin(3, 2);
    expect(3, 5, false);
    end(3);
    expect(0, BYTES, true);
}

static void what_overlaps_is_open_until_the_last_ends(void **state) {
    (void)state;
    begin(0, 100);
    begin(40, 100);
    begin(40, 8);
    end(0);
    expect(0, 40, true);
    expect(40, 140, false);
    end(40);
    expect(40, 140, false);
    end(40);
    expect(0, BYTES, true);
}

static void a_resize_moves_the_end(void **state) {
    (void)state;
    begin(8, 16);
    assert_ok(tarn_annotate_region_resize(base + 8, 64));
    expect(8, 72, false);
    assert_ok(tarn_annotate_region_resize(base + 8, 12));
    expect(8, 20, false);
    expect(20, BYTES, true);
    end(8);
}

static void without_rights_a_region_is_closed(void **state) {
    (void)state;
    begin(8, 16);
    assert_ok(tarn_annotate_permission(base + 8, 16, 0));
    expect(8, 24, true);
    assert_ok(tarn_annotate_permission(base + 8, 16, TARN_ANNOTATE_READ));
    expect(8, 24, false);
    end(8);
}

static void a_pool_in_a_region_has_rules_of_its_own(void **state) {
    (void)state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_addr block = 0;
    begin(0, 512);
    desc.kind = TARN_POOL_FIXED;
    desc.base = base + 256;
    desc.bytes = 256;
    desc.rule = (tarn_rule){.start = 16, .rounding = 16, .padding = 0};
    assert_ok(tarn_pool_create(&desc, &pool));
    expect(0, 256, false);
    expect(256, 512, true);
    assert_ok(tarn_pool_alloc(pool, 24, 0, &block));
    int at = (int)(block - base);
    expect(at, at + 24, false);
    expect(at + 24, at + 32, true);
    assert_ok(tarn_pool_free(pool, block));
    expect(256, 512, true);
    assert_ok(tarn_pool_destroy(pool));
    expect(0, 512, false);
    expect(512, BYTES, true);
    end(0);
}

static void memory_that_goes_takes_its_poison_along(void **state) {
    (void)state;
    tarn_device *device = NULL;
    tarn_addr addr = 0;
    assert_ok(tarn_device_open("host:0", &device));
    assert_ok(tarn_memory_alloc(device, 1 << 16, &addr));
    assert_ok(tarn_annotate_heap_begin(addr, 1 << 16, NULL));
    assert_true(__asan_address_is_poisoned((void *)(uintptr_t)(addr + 4096)) != 0);
    assert_ok(tarn_memory_free(addr, 0));
    assert_false(__asan_address_is_poisoned((void *)(uintptr_t)(addr + 4096)) != 0);
    assert_ok(tarn_device_close(device));
}

static void memory_that_is_unregistered_stays_a_heap(void **state) {
    (void)state;
    tarn_device *device = NULL;
    assert_ok(tarn_device_open("host:0", &device));
    assert_ok(tarn_host_register(device, memory, BYTES, 0));
    begin(0, 64);
    assert_ok(tarn_host_unregister(memory));
    expect(0, 64, false);
    expect(64, BYTES, true);
    end(0);
    assert_ok(tarn_device_close(device));
}

static void pages_that_go_take_their_poison_along(void **state) {
    (void)state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_device *device = NULL;
    tarn_pool *pool = NULL;
    tarn_addr block = 0;
    assert_ok(tarn_device_open("host:0", &device));
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.limit = UINT64_C(64) << 20;
    assert_ok(tarn_pool_create(&desc, &pool));
    assert_ok(tarn_pool_alloc(pool, 1 << 20, 0, &block));
    const char *bytes = (const char *)(uintptr_t)block;
    assert_false(__asan_address_is_poisoned(bytes + (1 << 20) - 1) != 0);
    assert_true(__asan_address_is_poisoned(bytes + (1 << 20)) != 0);
    assert_ok(tarn_pool_free(pool, block));
    assert_true(__asan_address_is_poisoned(bytes) != 0);
    assert_ok(tarn_pool_trim(pool, 0, 0, NULL));
    assert_false(__asan_address_is_poisoned(bytes) != 0);
    assert_ok(tarn_pool_destroy(pool));
    assert_ok(tarn_device_close(device));
}

// A software device maps complete pages.
static void only_what_was_requested_of_memory_is_open(void **state) {
    (void)state;
    tarn_device *device = NULL;
    tarn_addr plain = 0;
    void *pinned = NULL;
    assert_ok(tarn_device_open("host:0", &device));
    assert_ok(tarn_memory_alloc(device, 5000, &plain));
    assert_ok(tarn_host_alloc(device, 5001, 0, &pinned));
    const char *one = (const char *)(uintptr_t)plain;
    const char *two = (const char *)pinned;
    for (size_t i = 0; i < 8192; i++) {
        assert_int_equal(__asan_address_is_poisoned(one + i) != 0, i >= 5000);
        assert_int_equal(__asan_address_is_poisoned(two + i) != 0, i >= 5001);
    }
    assert_ok(tarn_memory_free(plain, 0));
    assert_ok(tarn_host_free(pinned));
    for (size_t i = 0; i < 8192; i++) {
        assert_false(__asan_address_is_poisoned(one + i) != 0);
        assert_false(__asan_address_is_poisoned(two + i) != 0);
    }
    assert_ok(tarn_device_close(device));
}

static void wait_for_opening(void *open) {
    while (!atomic_load((_Atomic(bool) *)open)) (void)sched_yield();
}

// Work that was submitted before the free runs with ASan's checks, and may use the block.
static void a_block_stays_open_for_the_work_before_its_free(void **state) {
    (void)state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_device *device = NULL;
    tarn_stream stream = 0;
    tarn_pool *pool = NULL;
    tarn_addr block = 0;
    _Atomic(bool) open = false;
    assert_ok(tarn_device_open("host:0", &device));
    assert_ok(tarn_stream_create(device, &stream));
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    assert_ok(tarn_pool_create(&desc, &pool));
    assert_ok(tarn_pool_set_release_threshold(pool, UINT64_MAX));
    for (int round = 0; round < 2; round++) { // the second time nothing is queued
        assert_ok(tarn_pool_alloc(pool, 4096, stream, &block));
        const char *bytes = (const char *)(uintptr_t)block;
        if (round == 0) assert_ok(tarn_stream_call(stream, wait_for_opening, &open));
        assert_ok(tarn_pool_free(pool, block));
        assert_int_equal(__asan_address_is_poisoned(bytes) != 0, round);
        assert_int_equal(__asan_address_is_poisoned(bytes + 4095) != 0, round);
        atomic_store(&open, true);
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
        assert_true(__asan_address_is_poisoned(bytes) && __asan_address_is_poisoned(bytes + 4095));
    }
    assert_ok(tarn_pool_destroy(pool));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_device_close(device));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    if (__asan_address_is_poisoned == NULL) {
        puts("skipped: built without ASan");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        TEST(only_regions_are_open),
        TEST(adjacent_regions_end_alone),
        TEST(unaligned_regions_stay_open_throughout),
        TEST(what_overlaps_is_open_until_the_last_ends),
        TEST(a_resize_moves_the_end),
        TEST(without_rights_a_region_is_closed),
        TEST(a_pool_in_a_region_has_rules_of_its_own),
        TEST(memory_that_is_unregistered_stays_a_heap),
        cmocka_unit_test(memory_that_goes_takes_its_poison_along),
        cmocka_unit_test(pages_that_go_take_their_poison_along),
        cmocka_unit_test(only_what_was_requested_of_memory_is_open),
        cmocka_unit_test(a_block_stays_open_for_the_work_before_its_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
