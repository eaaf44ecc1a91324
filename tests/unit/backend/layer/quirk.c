// SPDX-License-Identifier: Apache-2.0
// Quirks and delays: each device behaves as its quirk says, through the public API, and stays in
// order: all memory comes back, and the records of the platform agree.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>

#include <tarn/tarn.h>

#include "base/clock.h"

#define PAGE UINT64_C(2097152)

// ---- helpers

static tarn_device *opened(const char *backend, const char *option) {
    tarn_device *device = NULL;
    char uri[128];
    (void)snprintf(uri, sizeof uri, "%s:0,devices=2,memory=64M,%s", backend, option);
    assert_int_equal(tarn_device_open(uri, &device), TARN_OK);
    return device;
}

static void closed(tarn_device *device) {
    assert_int_equal(tarn_platform_verify(device), TARN_OK);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void last_error_has(const char *text) {
    tarn_error error;
    (void)tarn_last_error(&error);
    if (strstr(error.message, text) == NULL)
        fail_msg("\"%s\" does not contain \"%s\"", error.message, text);
}

static uint64_t free_bytes(tarn_device *device) {
    uint64_t left = 0;
    assert_int_equal(tarn_device_query_memory(device, &left, NULL), TARN_OK);
    return left;
}

// Pages that are mapped side by side at the start of a reservation.
struct mapped {
    tarn_device *device;
    tarn_addr addr;
    uint64_t reserved;
    tarn_phys phys[4];
    unsigned pages;
};

static struct mapped reserved_on(tarn_device *device) {
    struct mapped m = {.device = device, .reserved = 4 * PAGE};
    assert_int_equal(tarn_space_reserve(device, m.reserved, 0, 0, &m.addr), TARN_OK);
    return m;
}

static void map_page(struct mapped *m) {
    unsigned i = m->pages++;
    assert_int_equal(tarn_phys_create(m->device, PAGE, NULL, &m->phys[i]), TARN_OK);
    assert_int_equal(tarn_map(m->addr + i * PAGE, PAGE, m->phys[i]), TARN_OK);
}

static tarn_status grant_pages(struct mapped *m, unsigned first, unsigned count) {
    const tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    return tarn_map_set_access(m->addr + first * PAGE, count * PAGE, &grant, 1);
}

static tarn_status fill_at(struct mapped *m, uint64_t offset, uint64_t bytes) {
    return tarn_fill(m->device, m->addr + offset, 7, 1, bytes, TARN_STREAM_NONE);
}

static void unmapped(struct mapped *m) {
    assert_int_equal(tarn_unmap(m->addr, m->pages * PAGE, 0), TARN_OK);
    for (unsigned i = 0; i < m->pages; i++)
        assert_int_equal(tarn_phys_release(m->phys[i]), TARN_OK);
    m->pages = 0;
}

static void released(struct mapped *m) {
    unmapped(m);
    assert_int_equal(tarn_space_release(m->addr), TARN_OK);
}

// Runs a test on both software devices.
#define ON_BOTH(name)                                                                              \
    static void name##_on(const char *backend);                                                    \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        name##_on("host");                                                                         \
        name##_on("sim");                                                                          \
    }                                                                                              \
    static void name##_on(const char *backend)

// ---- quirks

ON_BOTH(held_memory_comes_back_with_its_reservation) {
    tarn_device *device = opened(backend, "quirk=held-memory");
    uint64_t all = free_bytes(device);
    struct mapped m = reserved_on(device);
    map_page(&m);
    map_page(&m);
    unmapped(&m);
    assert_int_equal(free_bytes(device), all - 2 * PAGE);
    map_page(&m);
    assert_int_equal(free_bytes(device), all - 3 * PAGE);
    released(&m);
    assert_int_equal(free_bytes(device), all);

    tarn_phys never_mapped;
    assert_int_equal(tarn_phys_create(device, PAGE, NULL, &never_mapped), TARN_OK);
    assert_int_equal(tarn_phys_release(never_mapped), TARN_OK);
    assert_int_equal(free_bytes(device), all);
    closed(device);
}

ON_BOTH(a_late_map_faults_until_the_device_is_synchronised) {
    tarn_device *device = opened(backend, "quirk=late-map");
    struct mapped m = reserved_on(device);
    map_page(&m);
    assert_int_equal(grant_pages(&m, 0, 1), TARN_OK);
    assert_int_equal(fill_at(&m, PAGE - 1, 1), TARN_DEVICE_FAILED);
    last_error_has("late-map");
    assert_int_equal(tarn_device_synchronize(device, TARN_FOREVER), TARN_OK);
    assert_int_equal(fill_at(&m, 0, PAGE), TARN_OK);
    map_page(&m);
    assert_int_equal(grant_pages(&m, 1, 1), TARN_OK);
    assert_int_equal(fill_at(&m, 0, PAGE), TARN_OK);
    assert_int_equal(fill_at(&m, 1, PAGE), TARN_DEVICE_FAILED);
    released(&m);
    closed(device);
}

ON_BOTH(a_quirk_takes_the_numbers_of_calls) {
    tarn_device *device = opened(backend, "quirk=late-map:2");
    struct mapped m = reserved_on(device);
    map_page(&m);
    map_page(&m);
    assert_int_equal(grant_pages(&m, 0, 1), TARN_OK);
    assert_int_equal(grant_pages(&m, 1, 1), TARN_OK);
    assert_int_equal(fill_at(&m, 0, PAGE), TARN_OK);
    assert_int_equal(fill_at(&m, PAGE, PAGE), TARN_DEVICE_FAILED);
    released(&m);
    closed(device);
}

ON_BOTH(a_dead_tail_is_the_last_granule_of_the_rights_set) {
    tarn_device *device = opened(backend, "quirk=dead-tail,granularity=64K");
    struct mapped m = reserved_on(device);
    map_page(&m);
    map_page(&m);
    assert_int_equal(grant_pages(&m, 0, 2), TARN_OK);
    assert_int_equal(fill_at(&m, 0, 2 * PAGE - 65536), TARN_OK);
    assert_int_equal(fill_at(&m, 2 * PAGE - 65536, 1), TARN_DEVICE_FAILED);
    last_error_has("dead-tail");
    assert_int_equal(grant_pages(&m, 0, 1), TARN_OK);
    assert_int_equal(fill_at(&m, PAGE - 1, 1), TARN_DEVICE_FAILED);
    released(&m);
    closed(device);
}

// The second and the fourth page are not mapped, and can be unmapped with the others.
ON_BOTH(an_empty_map_is_found_by_set_access) {
    tarn_device *device = opened(backend, "quirk=empty-map");
    struct mapped m = reserved_on(device);
    uint64_t all = free_bytes(device);
    for (int i = 0; i < 4; i++) map_page(&m);
    assert_int_equal(grant_pages(&m, 0, 1), TARN_OK);
    assert_int_equal(grant_pages(&m, 1, 1), TARN_NOT_MAPPED);
    assert_int_equal(grant_pages(&m, 0, 4), TARN_NOT_MAPPED);
    last_error_has("empty-map");
    assert_int_equal(grant_pages(&m, 2, 1), TARN_OK);
    assert_int_equal(fill_at(&m, 2 * PAGE, PAGE), TARN_OK);
    unmapped(&m);
    assert_int_equal(free_bytes(device), all);
    map_page(&m);
    assert_int_equal(grant_pages(&m, 0, 1), TARN_OK);
    released(&m);
    closed(device);
}

ON_BOTH(a_weak_retain_adds_no_reference) {
    tarn_device *device = opened(backend, "quirk=weak-retain");
    struct mapped m = reserved_on(device);
    tarn_phys same = 0;
    map_page(&m);
    assert_int_equal(tarn_map_retain(m.addr, &same), TARN_OK);
    assert_int_equal(same, m.phys[0]);
    assert_int_equal(tarn_phys_release(same), TARN_OK);
    assert_int_equal(tarn_phys_release(m.phys[0]), TARN_BAD_HANDLE);
    assert_int_equal(tarn_unmap(m.addr, PAGE, 0), TARN_OK);
    assert_int_equal(tarn_space_release(m.addr), TARN_OK);
    closed(device);
}

static void pool_of_segments_works(tarn_device *device) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_addr block = 0;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    assert_int_equal(tarn_pool_alloc(pool, PAGE, TARN_STREAM_NONE, &block), TARN_OK);
    assert_int_equal(tarn_pool_free(pool, block), TARN_OK);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
}

ON_BOTH(virtual_memory_is_absent_or_refused) {
    static const char *const options[] = {"quirk=no-vmm", "quirk=false-vmm"};
    for (int i = 0; i < 2; i++) {
        tarn_device_info info = TARN_INIT(tarn_device_info);
        tarn_device *device = opened(backend, options[i]);
        tarn_addr addr = 0;
        tarn_phys phys = 0;
        assert_int_equal(tarn_device_query(device, &info), TARN_OK);
        assert_int_equal((info.features & TARN_FEATURE_VMM) != 0, i == 1);
        assert_int_equal(tarn_space_reserve(device, PAGE, 0, 0, &addr), TARN_UNSUPPORTED);
        assert_int_equal(tarn_phys_create(device, PAGE, NULL, &phys), TARN_UNSUPPORTED);
        pool_of_segments_works(device);
        closed(device);
    }
}

ON_BOTH(a_false_total_is_never_reached) {
    tarn_device *device = opened(backend, "quirk=false-total:64M");
    uint64_t all = free_bytes(device);
    tarn_addr blocks[4] = {0};
    assert_int_equal(all, 128 << 20);
    assert_int_equal(tarn_memory_alloc(device, 64 << 20, &blocks[0]), TARN_OK);
    assert_int_equal(free_bytes(device), 64 << 20);
    assert_int_equal(tarn_memory_alloc(device, 1 << 20, &blocks[1]), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_memory_free(blocks[0], 0), TARN_OK);
    closed(device);
}

ON_BOTH(a_fragmented_device_fails_every_fourth_allocation) {
    tarn_device *device = opened(backend, "quirk=fragmented");
    tarn_addr blocks[4] = {0};
    for (int i = 0; i < 3; i++)
        assert_int_equal(tarn_memory_alloc(device, 4096, &blocks[i]), TARN_OK);
    assert_int_equal(tarn_memory_alloc(device, 4096, &blocks[3]), TARN_NO_DEVICE_MEMORY);
    last_error_has("fragmented");
    for (int i = 0; i < 3; i++) assert_int_equal(tarn_memory_free(blocks[i], 0), TARN_OK);
    closed(device);
}

ON_BOTH(reservations_share_the_quota_of_addresses) {
    tarn_device *device = opened(backend, "quirk=address-quota:8M");
    struct mapped m = reserved_on(device);
    tarn_addr more = 0;
    assert_int_equal(tarn_space_reserve(device, PAGE, 0, 0, &more), TARN_NO_ADDRESS_SPACE);
    last_error_has("address-quota");
    map_page(&m);
    released(&m);
    assert_int_equal(tarn_space_reserve(device, 4 * PAGE, 0, 0, &more), TARN_OK);
    assert_int_equal(tarn_space_release(more), TARN_OK);
    closed(device);
}

// The default range of a pool is four times the device; one that is smaller will do.
ON_BOTH(a_pool_takes_a_smaller_range_under_a_quota) {
    tarn_device *device = opened(backend, "quirk=address-quota:80M");
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    assert_int_equal(tarn_pool_query(pool, &info), TARN_OK);
    assert_int_equal(info.kind, TARN_POOL_EXPANDABLE);
    assert_int_equal(info.bytes, 64 << 20);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
    desc.bytes = 256 << 20;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_NO_ADDRESS_SPACE);
    closed(device);
}

ON_BOTH(a_hint_can_be_ignored) {
    tarn_device *device = opened(backend, "quirk=ignored-hint");
    struct mapped m = reserved_on(device);
    tarn_addr high = m.addr + (UINT64_C(1) << 30), got = 0;
    assert_int_equal(tarn_space_reserve(device, PAGE, 0, high, &got), TARN_OK);
    assert_int_not_equal(got, high);
    assert_int_equal(tarn_space_release(got), TARN_OK);
    map_page(&m);
    released(&m);
    closed(device);
}

// A back-end is likely to choose the address that was free last.
ON_BOTH(a_hint_is_not_met_by_accident) {
    tarn_device *device = opened(backend, "quirk=ignored-hint");
    tarn_addr before = 0, got = 0;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(tarn_space_reserve(device, PAGE, 0, 0, &before), TARN_OK);
        assert_int_equal(tarn_space_release(before), TARN_OK);
        assert_int_equal(tarn_space_reserve(device, PAGE, 0, before, &got), TARN_OK);
        assert_int_not_equal(got, before);
        assert_int_equal(tarn_space_release(got), TARN_OK);
    }
    closed(device);
}

ON_BOTH(the_granularity_is_enforced) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_device *device = opened(backend, "quirk=granularity:4M,granularity=64K");
    tarn_phys phys = 0;
    assert_int_equal(tarn_device_query(device, &info), TARN_OK);
    assert_int_equal(info.granularity_minimum, 4 << 20);
    assert_int_equal(info.granularity_recommended, 4 << 20);
    assert_int_equal(tarn_phys_create(device, PAGE, NULL, &phys), TARN_MISALIGNED);
    closed(device);
}

ON_BOTH(pinned_memory_shares_a_limit) {
    static char own[4096];
    tarn_device *device = opened(backend, "quirk=pin-limit:64K");
    void *a = NULL, *b = NULL;
    assert_int_equal(tarn_host_alloc(device, 61440, 0, &a), TARN_OK);
    assert_int_equal(tarn_host_register(device, own, sizeof own, 0), TARN_OK);
    assert_int_equal(tarn_host_alloc(device, 4096, 0, &b), TARN_NO_HOST_MEMORY);
    last_error_has("pin-limit");
    assert_int_equal(tarn_host_unregister(own), TARN_OK);
    assert_int_equal(tarn_host_alloc(device, 4096, 0, &b), TARN_OK);
    assert_int_equal(tarn_host_free(a), TARN_OK);
    assert_int_equal(tarn_host_free(b), TARN_OK);
    closed(device);
}

ON_BOTH(nothing_is_exported) {
    tarn_device *device = opened(backend, "quirk=no-export");
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_shareable out;
    tarn_phys phys = 0;
    desc.shareable = TARN_SHAREABLE_TOKEN;
    assert_int_equal(tarn_phys_create(device, PAGE, &desc, &phys), TARN_OK);
    assert_int_equal(tarn_phys_export(phys, TARN_SHAREABLE_TOKEN, &out), TARN_NO_ACCESS);
    assert_int_equal(tarn_phys_release(phys), TARN_OK);
    closed(device);
}

// ---- quirks of memory that a call returns

static unsigned open_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    unsigned count = 0;
    assert_non_null(folder);
    while (readdir(folder) != NULL) count++;
    assert_int_equal(closedir(folder), 0);
    return count;
}

ON_BOTH(a_late_handle_holds_memory_and_a_descriptor_until_a_wait) {
    tarn_device *device = opened(backend, "quirk=late-handles");
    uint64_t all = free_bytes(device);
    unsigned descriptors = open_descriptors();
    tarn_phys phys = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tarn_phys_create(device, all, NULL, &phys), TARN_OK);
        assert_int_equal(tarn_phys_release(phys), TARN_OK);
        assert_int_equal(free_bytes(device), 0);
        assert_int_equal(open_descriptors(), descriptors + 1);
        assert_int_equal(tarn_phys_create(device, PAGE, NULL, &phys), TARN_NO_DEVICE_MEMORY);
        assert_int_equal(tarn_device_synchronize(device, TARN_FOREVER),
                         TARN_OK); // a program that waits has it all
        assert_int_equal(free_bytes(device), all);
        assert_int_equal(open_descriptors(), descriptors);
    }
    assert_int_equal(tarn_phys_create(device, PAGE, NULL, &phys), TARN_OK);
    assert_int_equal(tarn_phys_release(phys), TARN_OK);
    closed(device); // no handle is left behind
    assert_int_equal(open_descriptors(), descriptors);
}

static uint64_t held_after_free(const char *backend, const char *option) {
    tarn_device *device = opened(backend, option);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool_stats stats = TARN_INIT(tarn_pool_stats);
    tarn_pool *pool = NULL;
    tarn_addr block = 0;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    assert_int_equal(tarn_pool_set_release_threshold(pool, UINT64_MAX), TARN_OK);
    assert_int_equal(tarn_pool_alloc(pool, 2 * PAGE, TARN_STREAM_NONE, &block), TARN_OK);
    assert_int_equal(tarn_pool_free(pool, block), TARN_OK);
    assert_int_equal(tarn_device_synchronize(device, TARN_FOREVER), TARN_OK);
    assert_int_equal(tarn_pool_query_stats(pool, &stats), TARN_OK);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
    closed(device);
    return stats.held_bytes;
}

ON_BOTH(a_pool_without_a_threshold_keeps_nothing) {
    assert_true(held_after_free(backend, "quirk=no-export") >= 2 * PAGE);
    assert_int_equal(held_after_free(backend, "quirk=no-threshold"), 0);
}

static unsigned char byte_at(tarn_device *device, tarn_addr addr) {
    unsigned char byte = 1;
    assert_int_equal(tarn_copy(device, TARN_ADDR(&byte), addr, 1, TARN_STREAM_NONE), TARN_OK);
    return byte;
}

static void new_memory_is_dirty_and_old_memory_keeps_its_bytes(void **state) {
    tarn_device *device = opened("host", "quirk=dirty-memory");
    tarn_memory_desc desc = TARN_INIT(tarn_memory_desc);
    tarn_addr block = 0, other = 0;
    (void)state;
    assert_int_equal(tarn_memory_alloc(device, 5000, &block), TARN_OK);
    assert_int_not_equal(byte_at(device, block), 0);
    assert_int_not_equal(byte_at(device, block + 4999), 0);
    desc.bytes = 5000;
    desc.alignment = 4096;
    assert_int_equal(tarn_memory_alloc_with(device, &desc, &other), TARN_OK);
    assert_int_not_equal(byte_at(device, other + 4999), 0);
    struct mapped m = reserved_on(device);
    map_page(&m);
    map_page(&m);
    assert_int_equal(grant_pages(&m, 0, 1), TARN_OK);
    assert_int_equal(grant_pages(&m, 0, 2), TARN_OK);
    assert_int_not_equal(byte_at(device, m.addr), 0);
    assert_int_not_equal(byte_at(device, m.addr + 2 * PAGE - 1), 0);
    assert_int_equal(fill_at(&m, 0, 2 * PAGE), TARN_OK);
    assert_int_equal(tarn_unmap(m.addr, 2 * PAGE, 0), TARN_OK);
    assert_int_equal(tarn_map(m.addr, PAGE, m.phys[1]), TARN_OK);
    assert_int_equal(tarn_map(m.addr + PAGE, PAGE, m.phys[0]), TARN_OK);
    assert_int_equal(grant_pages(&m, 0, 2), TARN_OK);
    assert_int_equal(byte_at(device, m.addr), 7);
    assert_int_equal(byte_at(device, m.addr + 2 * PAGE - 1), 7);
    released(&m);
    assert_int_equal(tarn_memory_free(block, 0), TARN_OK);
    assert_int_equal(tarn_memory_free(other, 0), TARN_OK);
    closed(device);
}

ON_BOTH(the_free_memory_varies_although_nothing_is_allocated) {
    tarn_device *device = opened(backend, "quirk=varying-free:8M");
    tarn_addr block = 0;
    uint64_t before = free_bytes(device);
    for (int i = 0; i < 8; i++) {
        uint64_t now = free_bytes(device);
        assert_int_not_equal(now, before);
        assert_in_range(now, 56 << 20, 64 << 20);
        before = now;
    }
    assert_int_equal(tarn_memory_alloc(device, 56 << 20, &block), TARN_OK);
    assert_int_equal(tarn_memory_free(block, 0), TARN_OK);
    closed(device);
}

ON_BOTH(pinned_memory_is_aligned_to_64_bytes_and_no_more) {
    tarn_device *device = opened(backend, "quirk=align-64");
    unsigned char *own = NULL;
    for (int i = 0; i < 3; i++) {
        tarn_address_info info = TARN_INIT(tarn_address_info);
        assert_int_equal(tarn_host_alloc(device, 4096 * 3, 0, (void **)&own), TARN_OK);
        assert_int_equal((uintptr_t)own % 128, 64);
        memset(own, 3, 4096 * 3);
        assert_int_equal(tarn_address_query(TARN_ADDR(own) + 4096 * 3 - 1, &info), TARN_OK);
        assert_true(info.base == TARN_ADDR(own) && info.bytes == 4096 * 3);
        assert_int_equal(tarn_host_free(own), TARN_OK);
    }
    closed(device);
}

ON_BOTH(a_lost_device_fails_every_call_until_nothing_of_it_is_left) {
    tarn_device *device = opened(backend, "quirk=device-lost:size=4096");
    tarn_stream stream = 0;
    tarn_addr block = 0, other = 0;
    unsigned char bytes[16] = {0};
    uint64_t left = 0;
    assert_int_equal(tarn_stream_create(device, &stream), TARN_OK);
    assert_int_equal(tarn_memory_alloc(device, 5000, &block), TARN_OK);
    assert_int_equal(tarn_memory_alloc(device, 4096, &other), TARN_DEVICE_FAILED);
    last_error_has("device-lost");
    assert_int_equal(tarn_memory_alloc(device, 5000, &other), TARN_DEVICE_FAILED);
    assert_int_equal(tarn_copy(device, block, TARN_ADDR(bytes), 16, 0), TARN_DEVICE_FAILED);
    assert_int_equal(tarn_fill(device, block, 1, 1, 16, stream), TARN_DEVICE_FAILED);
    assert_int_equal(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    assert_int_equal(tarn_device_query_memory(device, &left, NULL), TARN_DEVICE_FAILED);
    assert_int_equal(tarn_memory_free(block, 0), TARN_OK);
    assert_int_equal(tarn_memory_alloc(device, 5000, &block), TARN_DEVICE_FAILED);
    assert_int_equal(tarn_stream_destroy(stream), TARN_OK); // the reset
    assert_int_equal(tarn_memory_alloc(device, 5000, &block), TARN_OK);
    assert_int_equal(tarn_copy(device, block, TARN_ADDR(bytes), 16, 0), TARN_OK);
    assert_int_equal(tarn_memory_free(block, 0), TARN_OK);
    closed(device);
}

// ---- time

static uint64_t virtual_time(tarn_device *device) {
    tarn_platform_stats stats = TARN_INIT(tarn_platform_stats);
    assert_int_equal(tarn_platform_query_stats(device, &stats), TARN_OK);
    return stats.virtual_ns;
}

#define MS UINT64_C(1000000)

static void slow_touch_takes_time_once(void **state) {
    tarn_device *device = opened("sim", "quirk=slow-touch:1s");
    (void)state;
    struct mapped m = reserved_on(device);
    map_page(&m);
    assert_int_equal(grant_pages(&m, 0, 1), TARN_OK);
    uint64_t before = virtual_time(device);
    assert_int_equal(fill_at(&m, 0, PAGE / 2), TARN_OK);
    uint64_t first = virtual_time(device) - before;
    assert_in_range(first, 1000 * MS, 1001 * MS);
    before += first;
    assert_int_equal(fill_at(&m, 0, PAGE), TARN_OK);
    assert_in_range(virtual_time(device) - before, 1000 * MS, 1001 * MS);
    before = virtual_time(device);
    assert_int_equal(fill_at(&m, 0, PAGE), TARN_OK);
    assert_in_range(virtual_time(device) - before, 0, MS);
    released(&m);
    closed(device);
}

static void a_delay_advances_the_virtual_clock(void **state) {
    tarn_device *device = opened("sim", "delay=reserve:2-3:5s;unmap:1s:every=2");
    tarn_addr addr[4];
    uint64_t spent[4];
    (void)state;
    for (int i = 0; i < 4; i++) {
        uint64_t before = virtual_time(device);
        assert_int_equal(tarn_space_reserve(device, PAGE, 0, 0, &addr[i]), TARN_OK);
        spent[i] = (virtual_time(device) - before) / (1000 * MS);
    }
    assert_true(spent[0] == 0 && spent[1] == 5 && spent[2] == 5 && spent[3] == 0);
    for (int i = 0; i < 4; i++) assert_int_equal(tarn_space_release(addr[i]), TARN_OK);
    struct mapped m = reserved_on(device);
    map_page(&m);
    unmapped(&m);
    uint64_t before = virtual_time(device);
    map_page(&m);
    released(&m);
    assert_int_equal((virtual_time(device) - before) / (1000 * MS), 1);
    closed(device);
}

static void a_delay_of_a_real_device_is_real(void **state) {
    tarn_device *device = opened("host", "delay=stream_create:20ms");
    tarn_stream stream = 0;
    (void)state;
    uint64_t before = tn_now_ns();
    assert_int_equal(tarn_stream_create(device, &stream), TARN_OK);
    assert_true(tn_now_ns() - before >= 20 * MS);
    assert_int_equal(tarn_stream_destroy(stream), TARN_OK);
    closed(device);
}

// ---- options

static void the_environment_gives_all_platforms_quirks_and_delays(void **state) {
    tarn_setting setting;
    unsigned found = 0;
    (void)state;
    assert_int_equal(setenv("TARN_QUIRK", "no-export;granularity", 1), 0);
    assert_int_equal(setenv("TARN_DELAY", "map:1us", 1), 0);
    tarn_device *device = opened("sim", "quirk=weak-retain");
    assert_int_equal(unsetenv("TARN_QUIRK"), 0);
    assert_int_equal(unsetenv("TARN_DELAY"), 0);
    for (unsigned i = 0; tarn_device_query_setting(device, i, &setting) == TARN_OK; i++) {
        bool here = strcmp(setting.key, "quirk") == 0 || strcmp(setting.key, "delay") == 0;
        bool own = strcmp(setting.value, "weak-retain") == 0;
        found += here;
        assert_true(!here || strcmp(setting.source, own ? "uri" : "environment") == 0);
    }
    assert_int_equal(found, 4);
    closed(device);
}

static void wrong_quirks_and_delays_are_refused(void **state) {
    static const struct {
        const char *option, *text;
    } wrong[] = {
        {"quirk=late", "\"late\": unknown; the quirks are: held-memory"},
        {"quirk=no-vmm;", "\"\": unknown"},
        {"quirk=no-vmm;;no-export", "\"\": unknown"},
        {"quirk=no-vmm:1", "\"1\": expected no field"},
        {"quirk=pin-limit:", "\"\": expected a size"},
        {"quirk=pin-limit:-1", "\"-1\": expected a size"},
        {"quirk=slow-touch:5", "\"5\": expected a duration"},
        {"quirk=pin-limit:1M:2M", "\"2M\": expected a size"},
        {"quirk=late-map:x", "\"x\": expected calls such as 3, 3-5 or 3-, every=N"},
        {"quirk=late-map:2:as=BUSY", "\"as=BUSY\": expected calls"},
        {"quirk=granularity:3000", "granularity:3000: expected a power of two"},
        {"delay=map", "\"map\": expected a duration"},
        {"delay=map:3", "expected a duration"},
        {"delay=mop:1ms", "\"mop\": this is not a call"},
        {"delay=map:1ms:2x", "\"2x\": expected a duration such as 100us or 2ms, calls"},
        {"delay=map:1ms:2ms", "\"2ms\": expected a duration"},
        {"delay=map:1ms:stack", "\"stack\": expected a duration"},
        {"delay=map:1ms;;copy:1ms", "\"\": this is not a call"},
        {"delay=map:99999999999999999999s", "expected a duration"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tarn_device *device = NULL;
        char uri[128];
        (void)snprintf(uri, sizeof uri, "sim:0,%s", wrong[i].option);
        assert_int_equal(tarn_device_open(uri, &device), TARN_BAD_CONFIG);
        last_error_has(wrong[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_memory_comes_back_with_its_reservation),
        cmocka_unit_test(a_late_map_faults_until_the_device_is_synchronised),
        cmocka_unit_test(a_quirk_takes_the_numbers_of_calls),
        cmocka_unit_test(a_dead_tail_is_the_last_granule_of_the_rights_set),
        cmocka_unit_test(an_empty_map_is_found_by_set_access),
        cmocka_unit_test(a_weak_retain_adds_no_reference),
        cmocka_unit_test(virtual_memory_is_absent_or_refused),
        cmocka_unit_test(a_false_total_is_never_reached),
        cmocka_unit_test(a_fragmented_device_fails_every_fourth_allocation),
        cmocka_unit_test(reservations_share_the_quota_of_addresses),
        cmocka_unit_test(a_pool_takes_a_smaller_range_under_a_quota),
        cmocka_unit_test(a_hint_can_be_ignored),
        cmocka_unit_test(a_hint_is_not_met_by_accident),
        cmocka_unit_test(the_granularity_is_enforced),
        cmocka_unit_test(pinned_memory_shares_a_limit),
        cmocka_unit_test(nothing_is_exported),
        cmocka_unit_test(a_late_handle_holds_memory_and_a_descriptor_until_a_wait),
        cmocka_unit_test(a_pool_without_a_threshold_keeps_nothing),
        cmocka_unit_test(new_memory_is_dirty_and_old_memory_keeps_its_bytes),
        cmocka_unit_test(the_free_memory_varies_although_nothing_is_allocated),
        cmocka_unit_test(pinned_memory_is_aligned_to_64_bytes_and_no_more),
        cmocka_unit_test(a_lost_device_fails_every_call_until_nothing_of_it_is_left),
        cmocka_unit_test(slow_touch_takes_time_once),
        cmocka_unit_test(a_delay_advances_the_virtual_clock),
        cmocka_unit_test(a_delay_of_a_real_device_is_real),
        cmocka_unit_test(the_environment_gives_all_platforms_quirks_and_delays),
        cmocka_unit_test(wrong_quirks_and_delays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
