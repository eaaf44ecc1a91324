// SPDX-License-Identifier: Apache-2.0
// Mapping and unmapping.
#include "support/api.h"

#include <stdlib.h>
#include <string.h>

struct ground {
    tarn_addr addr;
    uint64_t size;
    tarn_phys phys;
};

// A reservation of `pages`, and a handle of `held` pages.
static struct ground lay(struct api *api, uint64_t pages, uint64_t held) {
    struct ground ground = {0, pages * api->g, 0};
    assert_ok(tarn_space_reserve(api->device, ground.size, 0, 0, &ground.addr));
    assert_ok(tarn_phys_create(api->device, held * api->g, NULL, &ground.phys));
    return ground;
}

static void clear(struct ground *ground) {
    assert_ok(tarn_phys_release(ground->phys));
    assert_ok(tarn_space_release(ground->addr));
}

static void a_mapping_is_known_by_every_byte(void **state) {
    struct api *api = *state;
    struct ground ground = lay(api, 4, 2);
    assert_ok(tarn_map(ground.addr + api->g, 2 * api->g, ground.phys));
    tarn_address_info info = api_look(ground.addr + 3 * api->g - 1);
    assert_int_equal(info.kind, TARN_ADDRESS_MAPPED);
    assert_int_equal(info.base, ground.addr + api->g);
    assert_int_equal(info.bytes, 2 * api->g);
    assert_int_equal(info.phys, ground.phys);
    assert_int_equal(api_look(ground.addr).kind, TARN_ADDRESS_RESERVED);
    assert_int_equal(api_look(ground.addr + 3 * api->g).kind, TARN_ADDRESS_RESERVED);
    assert_int_equal(api_look(0).kind, TARN_ADDRESS_UNKNOWN);
    assert_int_equal(api_look(UINT64_MAX).kind, TARN_ADDRESS_UNKNOWN);
    assert_ok(tarn_unmap(ground.addr + api->g, 2 * api->g, 0));
    assert_int_equal(api_look(ground.addr + api->g).kind, TARN_ADDRESS_RESERVED);
    clear(&ground);
}

static void map_refuses_what_it_must_and_changes_nothing(void **state) {
    struct api *api = *state;
    struct ground ground = lay(api, 4, 2);
    tarn_addr a = ground.addr;
    uint64_t g = api->g;
    assert_status(tarn_map(0, g, ground.phys), TARN_BAD_ARGUMENT);
    assert_status(tarn_map(a, 0, ground.phys), TARN_BAD_ARGUMENT);
    assert_status(tarn_map(a, g, 0), TARN_BAD_HANDLE);
    assert_status(tarn_map(a, g + 1, ground.phys), TARN_MISALIGNED);
    assert_status(tarn_map(a + 1, g, ground.phys), TARN_MISALIGNED);
    assert_status(tarn_map(a, 3 * g, ground.phys), TARN_BAD_ADDRESS); // larger than the handle
    assert_status(tarn_map(a + 3 * g, 2 * g, ground.phys),
                  TARN_BAD_ADDRESS); // past the reservation
    assert_status(tarn_map(a + (1ull << 50), g, ground.phys), TARN_BAD_ADDRESS);
    assert_status(tarn_map(UINT64_MAX - g + 1, 2 * g, ground.phys), TARN_BAD_ADDRESS);
    assert_status(tarn_map_many(a, NULL, 1), TARN_BAD_ARGUMENT);
    assert_int_equal(api_stats(api->device).mappings, 0);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_ok(tarn_phys_query(ground.phys, &info));
    assert_int_equal(info.map_refs, 0);
    clear(&ground);
}

static void map_refuses_overlap(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_PARTIAL);
    struct ground ground = lay(api, 8, 4);
    uint64_t g = api->g;
    assert_ok(tarn_map(ground.addr + 2 * g, 2 * g, ground.phys));
    for (uint64_t at = 0; at < 8; at++) {
        for (uint64_t n = 1; n <= 4 && at + n <= 8; n++) {
            bool overlap = at < 4 && at + n > 2;
            tarn_status status = tarn_map(ground.addr + at * g, n * g, ground.phys);
            assert_int_equal(status, overlap ? TARN_ALREADY_MAPPED : TARN_OK);
            if (status == TARN_OK) assert_ok(tarn_unmap(ground.addr + at * g, n * g, 0));
        }
    }
    assert_ok(tarn_unmap(ground.addr + 2 * g, 2 * g, 0));
    clear(&ground);
}

static void map_many_maps_all_or_none(void **state) {
    struct api *api = *state;
    uint64_t g = api->g;
    tarn_addr addr = 0;
    tarn_phys phys[3];
    tarn_map_item items[3];
    assert_ok(tarn_space_reserve(api->device, 8 * g, 0, 0, &addr));
    for (size_t i = 0; i < 3; i++) {
        assert_ok(tarn_phys_create(api->device, (i + 1) * g, NULL, &phys[i]));
        items[i] = (tarn_map_item){phys[i], (i + 1) * g};
    }
    assert_ok(tarn_map_many(addr, items, 3));
    assert_int_equal(api_look(addr + 5 * g).base, addr + 3 * g);
    assert_ok(tarn_unmap(addr, 6 * g, 0));
    items[2].phys = 12345;
    assert_status(tarn_map_many(addr, items, 3), TARN_BAD_HANDLE);
    items[2] = (tarn_map_item){phys[2], 4 * g};
    assert_status(tarn_map_many(addr, items, 3), TARN_BAD_ADDRESS);
    items[2] = (tarn_map_item){phys[2], UINT64_MAX - g};
    assert_status(tarn_map_many(addr, items, 3), TARN_BAD_ARGUMENT);
    assert_int_equal(api_stats(api->device).mappings, 0);
    for (size_t i = 0; i < 3; i++) assert_ok(tarn_phys_release(phys[i]));
    assert_ok(tarn_space_release(addr));
}

static uint32_t map_refs(tarn_phys phys) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_ok(tarn_phys_query(phys, &info));
    return info.map_refs;
}

// The same handle is in a batch many times, and the last item is refused.
static void a_refused_batch_keeps_no_reference(void **state) {
    enum { MANY = 100 };
    struct api *api = *state;
    struct ground ground = lay(api, MANY + 1, 1);
    tarn_map_item items[MANY];
    for (size_t i = 0; i < MANY; i++) items[i] = (tarn_map_item){ground.phys, api->g};
    items[MANY - 1].bytes = 2 * api->g;
    assert_status(tarn_map_many(ground.addr, items, MANY), TARN_BAD_ADDRESS);
    assert_int_equal(map_refs(ground.phys), 0);
    items[MANY - 1] = (tarn_map_item){ground.phys + 1, api->g};
    assert_status(tarn_map_many(ground.addr, items, MANY), TARN_BAD_HANDLE);
    assert_int_equal(map_refs(ground.phys), 0);
    items[MANY - 1].phys = ground.phys;
    assert_ok(tarn_map_many(ground.addr, items, MANY));
    assert_int_equal(map_refs(ground.phys), MANY);
    assert_ok(tarn_unmap(ground.addr, MANY * api->g, 0));
    assert_int_equal(map_refs(ground.phys), 0);
    clear(&ground);
}

// Half of the handles have no other reference than their mapping.
static void one_unmap_ends_many_handles(void **state) {
    enum { MANY = 60 };
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_map_item items[MANY];
    uint64_t handles = api_stats(api->device).handles;
    assert_ok(tarn_space_reserve(api->device, 2 * MANY * api->g, 0, 0, &addr));
    for (size_t i = 0; i < MANY; i++) {
        items[i].bytes = api->g;
        assert_ok(tarn_phys_create(api->device, api->g, NULL, &items[i].phys));
    }
    assert_ok(tarn_map_many(addr, items, MANY));
    assert_ok(tarn_map_many(addr + MANY * api->g, items, MANY));
    for (size_t i = 0; i < MANY; i += 2) assert_ok(tarn_phys_release(items[i].phys));
    assert_ok(tarn_unmap(addr + MANY * api->g, MANY * api->g, 0));
    assert_int_equal(api_stats(api->device).handles, handles + MANY);
    assert_ok(tarn_unmap(addr, MANY * api->g, 0));
    assert_int_equal(api_stats(api->device).handles, handles + MANY / 2);
    assert_status(tarn_phys_retain(items[0].phys), TARN_BAD_HANDLE);
    for (size_t i = 1; i < MANY; i += 2) assert_ok(tarn_phys_release(items[i].phys));
    assert_ok(tarn_space_release(addr));
}

// A call of the backend that changes mappings counts once, and once by its kind.
static void calls_of_the_backend_are_counted(void **state) {
    struct api *api = *state;
    struct ground ground = lay(api, 2, 1);
    tarn_platform_stats before = api_stats(api->device);
    assert_ok(tarn_map(ground.addr, api->g, ground.phys));
    assert_ok(tarn_unmap(ground.addr, api->g, 0));
    tarn_platform_stats after = api_stats(api->device);
    assert_int_equal(after.map_calls, before.map_calls + 1);
    assert_int_equal(after.unmap_calls, before.unmap_calls + 1);
    assert_int_equal(after.backend_calls, before.backend_calls + 2);
    clear(&ground);
}

static void unmap_wants_a_gap_free_run_of_whole_mappings(void **state) {
    struct api *api = *state;
    struct ground ground = lay(api, 8, 2);
    tarn_addr a = ground.addr;
    uint64_t g = api->g;
    assert_ok(tarn_map(a, 2 * g, ground.phys));
    assert_ok(tarn_map(a + 2 * g, 2 * g, ground.phys));
    assert_ok(tarn_map(a + 5 * g, 2 * g, ground.phys));
    assert_status(tarn_unmap(0, g, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_unmap(a, 0, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_unmap(a, 2 * g, 1u << 31), TARN_BAD_ARGUMENT);
    assert_status(tarn_unmap(a, g, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_unmap(a, 2 * g - 1, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_unmap(a + g, g, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_unmap(a, 3 * g, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_unmap(a, 7 * g, 0), TARN_NOT_MAPPED);
    assert_status(tarn_unmap(a + 4 * g, g, 0), TARN_NOT_MAPPED);
    assert_status(tarn_unmap(a, 5 * g, 0), TARN_NOT_MAPPED);
    assert_int_equal(api_stats(api->device).mappings, 3);
    assert_ok(tarn_unmap(a, 4 * g, TARN_WAIT_UNSEEN));
    assert_status(tarn_unmap(a + 5 * g, 2 * g, TARN_NO_WAIT | TARN_WAIT_UNSEEN), TARN_BAD_ARGUMENT);
    assert_ok(tarn_unmap(a + 5 * g, 2 * g, TARN_NO_WAIT));
    assert_int_equal(api_stats(api->device).mapped_bytes, 0);
    clear(&ground);
}

static void contents_survive_unmap_and_map_elsewhere(void **state) {
    struct api *api = *state;
    if (!api->bytes) skip();
    struct ground ground = lay(api, 4, 1);
    tarn_grant grant = api_grant(0, TARN_ACCESS_READ_WRITE);
    assert_ok(tarn_map(ground.addr, api->g, ground.phys));
    assert_ok(tarn_map_set_access(ground.addr, api->g, &grant, 1));
    assert_ok(tarn_fill(api->device, ground.addr, 0x5a, 1, api->g, 0));
    assert_ok(tarn_unmap(ground.addr, api->g, 0));
    tarn_addr other = ground.addr + 3 * api->g;
    assert_ok(tarn_map(other, api->g, ground.phys));
    assert_ok(tarn_map_set_access(other, api->g, &grant, 1));
    unsigned char *bytes = calloc(1, api->g);
    assert_non_null(bytes);
    api_read(api->device, other, bytes, api->g);
    for (uint64_t i = 0; i < api->g; i++) assert_int_equal(bytes[i], 0x5a);
    free(bytes);
    assert_ok(tarn_unmap(other, api->g, 0));
    clear(&ground);
}

static void aliases_show_the_same_bytes(void **state) {
    struct api *api = *state;
    const uint64_t word = 0x1122334455667788u;
    api_need(api, TARN_FEATURE_BYTES | TARN_FEATURE_ALIAS);
    struct ground ground = lay(api, 3, 1);
    tarn_grant grant = api_grant(0, TARN_ACCESS_READ_WRITE);
    for (uint64_t i = 0; i < 3; i++)
        assert_ok(tarn_map(ground.addr + i * api->g, api->g, ground.phys));
    assert_ok(tarn_map_set_access(ground.addr, 3 * api->g, &grant, 1));
    api_write(api->device, ground.addr, &word, sizeof word);
    for (uint64_t i = 1; i < 3; i++) {
        uint64_t alias = 0;
        api_read(api->device, ground.addr + i * api->g, &alias, sizeof alias);
        assert_int_equal(alias, word);
    }
    assert_ok(tarn_unmap(ground.addr, 3 * api->g, 0));
    clear(&ground);
}

static void retain_gives_the_very_handle_and_counts(void **state) {
    struct api *api = *state;
    struct ground ground = lay(api, 2, 2);
    tarn_phys phys = 0;
    assert_ok(tarn_map(ground.addr, 2 * api->g, ground.phys));
    assert_ok(tarn_map_retain(ground.addr + 2 * api->g - 1, &phys));
    assert_int_equal(phys, ground.phys);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_ok(tarn_phys_query(phys, &info));
    assert_int_equal(info.user_refs, 2);
    assert_ok(tarn_phys_release(phys));
    assert_status(tarn_map_retain(ground.addr, NULL), TARN_BAD_ARGUMENT);
    assert_ok(tarn_unmap(ground.addr, 2 * api->g, 0));
    assert_status(tarn_map_retain(ground.addr, &phys), TARN_NOT_MAPPED);
    assert_status(tarn_map_retain((tarn_addr)(uintptr_t)&ground, &phys), TARN_NOT_MAPPED);
    clear(&ground);
}

static void one_reservation_takes_memory_of_all_devices(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_phys phys[2];
    api_need_peer(api);
    api_need(api, TARN_FEATURE_MIXED);
    assert_ok(tarn_space_reserve(api->device, 2 * api->g, 0, 0, &addr));
    assert_ok(tarn_phys_create(api->device, api->g, NULL, &phys[0]));
    assert_ok(tarn_phys_create(api->peer, api->g, NULL, &phys[1]));
    for (uint64_t i = 0; i < 2; i++) {
        assert_ok(tarn_map(addr + i * api->g, api->g, phys[i]));
        assert_ok(tarn_phys_release(phys[i]));
        tarn_address_info info = TARN_INIT(tarn_address_info);
        assert_ok(tarn_address_query(addr + i * api->g, &info));
        assert_int_equal(info.kind, TARN_ADDRESS_MAPPED);
        assert_int_equal(info.location.id, i);
    }
    api_unmap_all(addr, 2 * api->g);
}

static void ten_thousand_mappings_balance(void **state) {
    enum { N = 10000 };
    (void)state;
    tarn_device *device = api_open(0, "memory=64G");
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_phys *phys = calloc(N, sizeof *phys);
    tarn_addr addr = 0;
    assert_non_null(phys);
    assert_ok(tarn_device_query(device, &info));
    uint64_t g = info.granularity_minimum;
    assert_ok(tarn_space_reserve(device, N * g, 0, 0, &addr));
    for (uint64_t i = 0; i < N; i++) {
        assert_ok(tarn_phys_create(device, g, NULL, &phys[i]));
        assert_ok(tarn_map(addr + i * g, g, phys[i]));
    }
    assert_ok(tarn_platform_verify(device));
    for (uint64_t i = 0; i < N; i += 2) assert_ok(tarn_unmap(addr + i * g, g, 0));
    assert_ok(tarn_platform_verify(device));
    for (uint64_t i = 0; i < N; i += 2) assert_ok(tarn_map(addr + i * g, g, phys[i]));
    assert_int_equal(api_stats(device).mappings, N);
    assert_ok(tarn_unmap(addr, N * g, 0));
    for (uint64_t i = 0; i < N; i++) assert_ok(tarn_phys_release(phys[i]));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_device_close(device));
    free(phys);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_mapping_is_known_by_every_byte, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(map_refuses_what_it_must_and_changes_nothing, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(map_refuses_overlap, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(map_many_maps_all_or_none, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_refused_batch_keeps_no_reference, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(one_unmap_ends_many_handles, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(calls_of_the_backend_are_counted, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(unmap_wants_a_gap_free_run_of_whole_mappings, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(contents_survive_unmap_and_map_elsewhere, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(aliases_show_the_same_bytes, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(retain_gives_the_very_handle_and_counts, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(one_reservation_takes_memory_of_all_devices, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(ten_thousand_mappings_balance, api_setup, api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
