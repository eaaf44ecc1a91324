// SPDX-License-Identifier: Apache-2.0
// Regions and ranges of an owner that is neither a pool nor a channel, so that every call into it is
// seen.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include <tarn/face.h>
#include <tarn/tarn.h>

#include "core/address/owner.h"

// An owner that has one live block of 100 bytes at the start of every region.
struct fake {
    struct tn_owner owner;
    uint64_t user;
    unsigned frees;
    _Atomic bool slow; // describe waits while it is set
    _Atomic bool inside;
};

static void fake_describe(struct tn_owner *owner, tarn_addr addr, tarn_address_info *info) {
    struct fake *fake = (struct fake *)owner;
    tn_store_release(&fake->inside, true);
    while (tn_load_acquire(&fake->slow)) {
    }
    if (addr - info->region_base < 100) {
        info->block = info->region_base;
        info->block_bytes = 100;
        info->block_user = fake->user;
    }
}

static tarn_status fake_set_user(struct tn_owner *owner, tarn_addr addr, uint64_t user) {
    (void)addr;
    assert_int_equal(tn_load_relaxed(&owner->holds), 1);
    ((struct fake *)owner)->user = user;
    return TARN_OK;
}

static tarn_status fake_free_block(struct tn_owner *owner, tarn_addr addr) {
    (void)addr;
    assert_int_equal(tn_load_relaxed(&owner->holds), 1);
    ((struct fake *)owner)->frees++;
    return TARN_OK;
}

static const struct tn_owner_ops fake_ops = {
    .describe = fake_describe, .set_user = fake_set_user, .free_block = fake_free_block};
static const struct tn_owner_ops silent_ops = {.describe = NULL};

static struct fake fake_pool(void) {
    return (struct fake){.owner = {.ops = &fake_ops, .kind = TARN_OWNER_POOL}};
}

static tarn_device *open_sim(uint64_t *granularity) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_device *device = NULL;
    assert_int_equal(tarn_device_open("sim:0,devices=2", &device), TARN_OK);
    assert_int_equal(tarn_device_query(device, &info), TARN_OK);
    *granularity = info.granularity_minimum;
    return device;
}

static tarn_address_info query(tarn_addr addr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    assert_int_equal(tarn_address_query(addr, &info), TARN_OK);
    return info;
}

// The status is BAD_ADDRESS, and the text says whose the memory is.
static void assert_refused(tarn_status status) {
    tarn_error error;
    assert_int_equal(status, TARN_BAD_ADDRESS);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "belongs to a pool"));
    tarn_clear_error();
}

static void public_calls_refuse_mapped_memory_of_an_owner(void **state) {
    struct fake fake = fake_pool();
    uint64_t g;
    tarn_device *device = open_sim(&g);
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    const tarn_grant grant = {{TARN_LOCATION_DEVICE, 1}, TARN_ACCESS_READ};
    (void)state;
    assert_int_equal(tn_owner_reserve(&fake.owner, device, 4 * g, 0, 0, &addr), TARN_OK);
    assert_int_equal(tarn_phys_create(device, g, NULL, &phys), TARN_OK);
    const tarn_map_item item = {phys, g};
    assert_refused(tarn_map(addr, g, phys));
    assert_refused(tarn_map_many(addr, &item, 1));
    assert_int_equal(tn_owner_map(&fake.owner, addr, &item, 1), TARN_OK);
    assert_refused(tarn_map_set_access(addr, g, &grant, 1));
    assert_int_equal(tn_owner_set_access(&fake.owner, addr, g, &grant, 1), TARN_OK);
    assert_int_equal(query(addr).readable, 2);
    assert_int_equal(query(addr).writable, 0);
    assert_refused(tarn_unmap(addr, g, 0));
    assert_refused(tarn_unmap(addr, g, TARN_NO_WAIT));
    assert_int_equal(query(addr).kind, TARN_ADDRESS_MAPPED);
    assert_int_equal(tn_owner_unmap(&fake.owner, addr, g, 0), TARN_OK);
    assert_refused(tarn_space_release(addr));
    assert_int_equal(tn_owner_release(&fake.owner, addr, 4 * g), TARN_OK);
    assert_int_equal(tarn_phys_release(phys), TARN_OK);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void public_calls_refuse_plain_memory_of_an_owner(void **state) {
    struct fake fake = fake_pool();
    uint64_t g;
    tarn_device *device = open_sim(&g);
    tarn_addr addr = 0;
    tarn_key key;
    (void)state;
    assert_int_equal(tn_owner_alloc(&fake.owner, device, 1000, &addr), TARN_OK);
    assert_refused(tarn_memory_free(addr, 0));
    assert_refused(tarn_memory_free(addr, TARN_NO_WAIT));
    assert_refused(tarn_memory_export(addr, &key));
    assert_refused(tarn_address_set_owner(addr, TARN_OWNER_FACE, 7));
    assert_int_equal(query(addr).kind, TARN_ADDRESS_MEMORY);
    assert_int_equal(tn_owner_free(&fake.owner, addr, 0), TARN_OK);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void questions_about_blocks_go_to_the_owner(void **state) {
    struct fake fake = fake_pool();
    uint64_t g;
    tarn_device *device = open_sim(&g);
    tarn_addr addr = 0;
    (void)state;
    assert_int_equal(tn_owner_alloc(&fake.owner, device, 1000, &addr), TARN_OK);
    assert_int_equal(tarn_address_set_user(addr, 42), TARN_OK);
    tarn_address_info info = query(addr + 99);
    assert_int_equal(info.owner, TARN_OWNER_POOL);
    assert_int_equal(info.user, 0);
    assert_int_equal(info.block, addr);
    assert_int_equal(info.block_bytes, 100);
    assert_int_equal(info.block_user, 42);
    assert_int_equal(info.region_bytes, 1000);
    assert_int_equal(query(addr + 100).block, 0);
    assert_int_equal(tarn_free(addr, 0), TARN_OK);
    assert_int_equal(fake.frees, 1);
    assert_int_equal(query(addr).kind, TARN_ADDRESS_MEMORY); // the block went, the region stays
    assert_int_equal(tn_owner_free(&fake.owner, addr, 0), TARN_OK);
    assert_int_equal(query(addr).kind, TARN_ADDRESS_RETIRED);
    assert_int_equal(query(addr).location.type, TARN_LOCATION_DEVICE);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void an_owner_without_blocks_refuses_words_and_frees(void **state) {
    struct tn_owner owner = {.ops = &silent_ops, .kind = TARN_OWNER_POOL};
    uint64_t g;
    tarn_device *device = open_sim(&g);
    tarn_addr addr = 0;
    (void)state;
    assert_int_equal(tn_owner_alloc(&owner, device, 1000, &addr), TARN_OK);
    assert_int_equal(query(addr).owner, TARN_OWNER_POOL);
    assert_int_equal(tarn_address_set_user(addr, 1), TARN_BAD_ADDRESS);
    assert_refused(tarn_free(addr, 0));
    assert_int_equal(tn_owner_free(&owner, addr, 0), TARN_OK);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void *query_slowly(void *arg) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query(*(tarn_addr *)arg, &info);
    return NULL;
}

static void *stop_waiting(void *arg) {
    struct fake *fake = arg;
    tn_store_release(&fake->slow, false);
    return NULL;
}

static void a_drain_waits_for_a_running_query(void **state) {
    struct fake fake = fake_pool();
    uint64_t g;
    tarn_device *device = open_sim(&g);
    tarn_addr addr = 0;
    pthread_t asking;
    pthread_t ending;
    (void)state;
    tn_store_release(&fake.slow, true);
    assert_int_equal(tn_owner_alloc(&fake.owner, device, 1000, &addr), TARN_OK);
    assert_int_equal(pthread_create(&asking, NULL, query_slowly, &addr), 0);
    while (!tn_load_acquire(&fake.inside)) {
    }
    assert_int_equal(tn_owner_free(&fake.owner, addr, 0), TARN_OK); // no lock is held by the query
    assert_int_equal(tn_load_relaxed(&fake.owner.holds), 1);
    assert_int_equal(pthread_create(&ending, NULL, stop_waiting, &fake), 0);
    tn_owner_drain(&fake.owner);
    assert_false(tn_load_acquire(&fake.slow));
    assert_int_equal(tn_load_relaxed(&fake.owner.holds), 0);
    assert_int_equal(pthread_join(asking, NULL), 0);
    assert_int_equal(pthread_join(ending, NULL), 0);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

static void a_range_is_known_and_can_be_pinned(void **state) {
    struct tn_owner owner = {.ops = &silent_ops, .kind = TARN_OWNER_CHANNEL};
    static _Alignas(4096) unsigned char arena[8192];
    tarn_addr addr = (tarn_addr)(uintptr_t)arena;
    uint64_t g;
    tarn_device *device = open_sim(&g);
    (void)state;
    assert_int_equal(query(addr).kind, TARN_ADDRESS_UNKNOWN);
    assert_int_equal(tn_owner_add_range(&owner, addr, sizeof arena), TARN_OK);
    assert_int_equal(tn_owner_add_range(&owner, addr + 4096, 4096), TARN_BUSY);
    tarn_address_info info = query(addr + 8191);
    assert_int_equal(info.kind, TARN_ADDRESS_ARENA);
    assert_int_equal(info.owner, TARN_OWNER_CHANNEL);
    assert_int_equal(info.base, addr);
    assert_int_equal(info.bytes, sizeof arena);
    assert_int_equal(info.location.type, TARN_LOCATION_HOST);
    assert_int_equal(info.readable, TARN_ADDRESS_BY_HOST);
    assert_int_equal(query(addr + 8192).kind, TARN_ADDRESS_UNKNOWN);
    assert_int_equal(tarn_free(addr, 0), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_address_set_user(addr, 1), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_host_register(device, arena, 4096, 0), TARN_OK);
    assert_int_equal(query(addr).kind, TARN_ADDRESS_REGISTERED);
    assert_int_equal(tarn_host_unregister(arena), TARN_OK);
    tn_owner_remove_range(addr);
    assert_int_equal(query(addr).kind, TARN_ADDRESS_UNKNOWN);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_calls_refuse_mapped_memory_of_an_owner),
        cmocka_unit_test(public_calls_refuse_plain_memory_of_an_owner),
        cmocka_unit_test(questions_about_blocks_go_to_the_owner),
        cmocka_unit_test(an_owner_without_blocks_refuses_words_and_frees),
        cmocka_unit_test(a_drain_waits_for_a_running_query),
        cmocka_unit_test(a_range_is_known_and_can_be_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
