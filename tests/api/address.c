// SPDX-License-Identifier: Apache-2.0
// The walk over everything that has an address.
#include "support/api.h"

#include <stdlib.h>

enum { BLOCKS = 70, PIECES = 100, MOST = 4 * (BLOCKS + PIECES) };

// What a walk told.
struct told {
    size_t count;
    tarn_address_info info[MOST];
};

static bool note(const tarn_address_info *info, void *arg) {
    struct told *told = arg;
    assert_true(told->count < MOST);
    told->info[told->count++] = *info;
    return true;
}

static bool stop_at_third(const tarn_address_info *info, void *arg) {
    unsigned *count = arg;
    (void)info;
    return ++*count < 3;
}

static size_t count_of(const struct told *told, tarn_address_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < told->count; i++) count += told->info[i].kind == kind;
    return count;
}

static tarn_addr reserve_with_pieces(struct api *api) {
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    assert_ok(tarn_space_reserve(api->device, 2 * PIECES * api->g, 0, 0, &addr));
    for (uint64_t i = 0; i < PIECES; i++) { // every second granule
        assert_ok(tarn_phys_create(api->device, api->g, NULL, &phys));
        assert_ok(tarn_map(addr + 2 * i * api->g, api->g, phys));
        assert_ok(tarn_phys_release(phys));
    }
    return addr;
}

static void release_with_pieces(struct api *api, tarn_addr addr) {
    for (uint64_t i = 0; i < PIECES; i++) assert_ok(tarn_unmap(addr + 2 * i * api->g, api->g, 0));
    assert_ok(tarn_space_release(addr));
}

// In address order, a reservation before its mappings; each what a question about it says.
static void assert_in_order(const struct told *told) {
    for (size_t i = 0; i < told->count; i++) {
        const tarn_address_info *it = &told->info[i];
        tarn_address_info asked = TARN_INIT(tarn_address_info);
        assert_int_equal(it->struct_size, sizeof *it);
        if (i > 0 && it->kind == TARN_ADDRESS_MAPPED &&
            told->info[i - 1].kind == TARN_ADDRESS_RESERVED)
            assert_true(it->base >= told->info[i - 1].base);
        else if (i > 0)
            assert_true(it->base > told->info[i - 1].base);
        assert_ok(tarn_address_query(it->base, &asked));
        if (it->kind != TARN_ADDRESS_RESERVED) {
            assert_int_equal(asked.kind, it->kind);
            assert_int_equal(asked.bytes, it->bytes);
            assert_int_equal(asked.phys, it->phys);
            assert_int_equal(asked.location.type, it->location.type);
        }
    }
}

static void a_walk_tells_everything_once_and_in_order(void **state) {
    struct api *api = *state;
    api_need_peer(api);
    bool keys = api_has_keys(api);
    struct told *told = calloc(1, sizeof *told);
    tarn_device *stranger = api_open(0, "memory=32M");
    tarn_addr blocks[BLOCKS];
    tarn_addr foreign = 0;
    tarn_addr imported = 0;
    void *pinned = NULL;
    void *own = aligned_alloc(4096, 4096);
    tarn_key key;
    assert_non_null(told);
    for (int i = 0; i < BLOCKS; i++)
        assert_ok(tarn_memory_alloc(i % 2 == 0 ? api->device : api->peer, 100, &blocks[i]));
    tarn_addr space = reserve_with_pieces(api);
    if (keys) {
        assert_ok(tarn_memory_export(blocks[0], &key));
        assert_ok(tarn_memory_import(api->device, &key, &imported));
    }
    assert_ok(tarn_host_alloc(api->device, 100, 0, &pinned));
    assert_ok(tarn_host_register(api->device, own, 4096, 0));
    assert_ok(tarn_memory_alloc(stranger, 100, &foreign));
    assert_ok(tarn_address_walk(api->peer, note, told));
    assert_in_order(told);
    assert_int_equal(count_of(told, TARN_ADDRESS_MEMORY), BLOCKS);
    assert_int_equal(count_of(told, TARN_ADDRESS_MAPPED), PIECES);
    assert_int_equal(count_of(told, TARN_ADDRESS_RESERVED), 1);
    assert_int_equal(count_of(told, TARN_ADDRESS_IMPORTED), keys ? 1 : 0);
    assert_int_equal(count_of(told, TARN_ADDRESS_HOST), 1);
    assert_int_equal(count_of(told, TARN_ADDRESS_REGISTERED), 1);
    assert_int_equal(told->count, BLOCKS + PIECES + (keys ? 4 : 3));
    assert_ok(tarn_memory_free(foreign, 0));
    assert_ok(tarn_host_unregister(own));
    assert_ok(tarn_host_free(pinned));
    assert_ok(tarn_memory_free(imported, 0));
    release_with_pieces(api, space);
    for (int i = 0; i < BLOCKS; i++) assert_ok(tarn_memory_free(blocks[i], 0));
    assert_ok(tarn_device_close(stranger));
    free(own);
    free(told);
}

static void a_walk_stops_when_told_to(void **state) {
    struct api *api = *state;
    struct told told = {.count = 0};
    unsigned count = 0;
    tarn_addr blocks[5];
    assert_ok(tarn_address_walk(api->device, note, &told));
    assert_int_equal(told.count, 0);
    assert_status(tarn_address_walk(NULL, note, &told), TARN_BAD_ARGUMENT);
    assert_status(tarn_address_walk(api->device, NULL, &told), TARN_BAD_ARGUMENT);
    for (int i = 0; i < 5; i++) assert_ok(tarn_memory_alloc(api->device, 100, &blocks[i]));
    assert_ok(tarn_address_walk(api->device, stop_at_third, &count));
    assert_int_equal(count, 3);
    for (int i = 0; i < 5; i++) assert_ok(tarn_memory_free(blocks[i], 0));
}

static bool take_down(const tarn_address_info *info, void *arg) {
    unsigned *count = arg;
    ++*count;
    if (info->kind == TARN_ADDRESS_MEMORY)
        assert_ok(tarn_memory_free(info->base, 0));
    else if (info->kind == TARN_ADDRESS_MAPPED)
        assert_ok(tarn_unmap(info->base, info->bytes, 0));
    return true;
}

static void who_is_told_may_take_it_down(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    unsigned count = 0;
    for (int i = 0; i < BLOCKS; i++) assert_ok(tarn_memory_alloc(api->device, 5000, &addr));
    tarn_addr space = reserve_with_pieces(api);
    assert_ok(tarn_address_walk(api->device, take_down, &count));
    assert_int_equal(count, BLOCKS + PIECES + 1);
    assert_int_equal(api_stats(api->device).memory_blocks, 0);
    assert_int_equal(api_stats(api->device).mappings, 0);
    assert_ok(tarn_space_release(space));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_walk_tells_everything_once_and_in_order, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_walk_stops_when_told_to, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(who_is_told_may_take_it_down, api_setup, api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
