// SPDX-License-Identifier: Apache-2.0
// Owners and words of regions, complete answers to queries, and frees by address alone.
#include "support/api.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t device_bit(int ordinal) { return UINT64_C(1) << ordinal; }

static void plain_memory_is_described_in_full(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    tarn_address_info info = api_look(addr + 999);
    assert_int_equal(info.kind, TARN_ADDRESS_MEMORY);
    assert_int_equal(info.base, addr);
    assert_int_equal(info.bytes, 1000);
    assert_int_equal(info.region_base, addr);
    assert_int_equal(info.region_bytes, 1000);
    assert_int_equal(info.owner, TARN_OWNER_APPLICATION);
    assert_int_equal(info.user, 0);
    assert_ptr_equal(info.device, api->device);
    assert_int_equal(info.readable, device_bit(api->info.ordinal));
    assert_int_equal(info.writable, info.readable);
    assert_null(info.pool);
    assert_int_equal(info.block, 0);
    assert_int_not_equal(api_look(addr + 1000).kind, TARN_ADDRESS_MEMORY);
    assert_int_not_equal(api_look(addr - 1).kind, TARN_ADDRESS_MEMORY);
    assert_ok(tarn_memory_free(addr, 0));
}

static void peers_may_use_plain_memory_once_enabled(void **state) {
    struct api *api = *state;
    api_need_peer(api);
    tarn_addr addr = 0;
    bool reachable = false;
    bool enabled = true;
    assert_ok(tarn_device_query_peer(api->peer, api->device, &reachable, &enabled));
    assert_true(reachable);
    assert_false(enabled);
    assert_ok(tarn_device_query_peer(api->device, api->device, &reachable, &enabled));
    assert_false(reachable);
    assert_false(enabled);
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_ok(tarn_device_enable_peer(api->peer, api->device));
    assert_ok(tarn_device_query_peer(api->peer, api->device, NULL, &enabled));
    assert_true(enabled);
    assert_ok(tarn_device_query_peer(api->device, api->peer, NULL, &enabled));
    assert_false(enabled);
    assert_int_equal(api_look(addr).readable, device_bit(0) | device_bit(1));
    assert_int_equal(api_look(addr).writable, device_bit(0) | device_bit(1));
    assert_ok(tarn_device_disable_peer(api->peer, api->device));
    assert_int_equal(api_look(addr).readable, device_bit(0));
    assert_status(tarn_device_query_peer(NULL, api->device, NULL, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_device_query_peer(api->device, NULL, NULL, NULL), TARN_BAD_ARGUMENT);
    assert_ok(tarn_memory_free(addr, 0));
}

static void mappings_are_described_with_their_reservation_and_rights(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_VMM);
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    const tarn_grant grant = api_grant(0, TARN_ACCESS_READ_WRITE);
    assert_ok(tarn_space_reserve(api->device, 4 * api->g, 0, 0, &addr));
    assert_ok(tarn_phys_create(api->device, api->g, NULL, &phys));
    assert_ok(tarn_map(addr + api->g, api->g, phys));
    tarn_address_info info = api_look(addr + api->g);
    assert_int_equal(info.kind, TARN_ADDRESS_MAPPED);
    assert_int_equal(info.readable, 0);
    assert_int_equal(info.writable, 0);
    assert_ok(tarn_map_set_access(addr + api->g, api->g, &grant, 1));
    info = api_look(addr + 2 * api->g - 1);
    assert_int_equal(info.base, addr + api->g);
    assert_int_equal(info.bytes, api->g);
    assert_int_equal(info.region_base, addr);
    assert_int_equal(info.region_bytes, 4 * api->g);
    assert_int_equal(info.phys, phys);
    assert_ptr_equal(info.device, api->device);
    assert_int_equal(info.readable, device_bit(0));
    assert_int_equal(info.writable, device_bit(0));
    info = api_look(addr);
    assert_int_equal(info.kind, TARN_ADDRESS_RESERVED);
    assert_int_equal(info.bytes, 4 * api->g);
    assert_null(info.device);
    assert_int_equal(info.readable, 0);
    assert_ok(tarn_unmap(addr + api->g, api->g, 0));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(addr));
}

static void host_memory_is_described_with_its_class(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_PINNED);
    void *pinned = NULL;
    void *own = aligned_alloc(4096, 4096);
    assert_ok(tarn_host_alloc(api->device, 100, 0, &pinned));
    assert_ok(tarn_host_register(api->device, own, 4096, 0));
    tarn_address_info info = api_look((tarn_addr)(uintptr_t)pinned + 99);
    assert_int_equal(info.kind, TARN_ADDRESS_HOST);
    assert_int_equal(info.bytes, 100);
    assert_in_range(info.pin_class, TARN_PIN_PLAIN, TARN_PIN_LOCKED);
    assert_ptr_equal(info.device, api->device);
    assert_true((info.readable & TARN_ADDRESS_BY_HOST) != 0);
    assert_true((info.writable & device_bit(api->info.ordinal)) != 0);
    info = api_look((tarn_addr)(uintptr_t)own);
    assert_int_equal(info.kind, TARN_ADDRESS_REGISTERED);
    assert_in_range(info.pin_class, TARN_PIN_PLAIN, TARN_PIN_LOCKED);
    assert_null(info.device);
    assert_ok(tarn_host_unregister(own));
    info = api_look((tarn_addr)(uintptr_t)own);
    assert_int_equal(info.kind, TARN_ADDRESS_UNKNOWN); // the process's own memory, never retired
    assert_int_equal(info.readable, 0);
    assert_ok(tarn_host_free(pinned));
    free(own);
}

// ---- words

struct seen {
    tarn_addr addr;
    uint64_t user;
    tarn_owner owner;
};

static bool see(const tarn_address_info *info, void *arg) {
    struct seen *seen = arg;
    if (info->base == seen->addr) {
        seen->user = info->user;
        seen->owner = info->owner;
    }
    return true;
}

static void words_stay_with_their_region(void **state) {
    struct api *api = *state;
    tarn_addr a = 0;
    tarn_addr b = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &a));
    assert_ok(tarn_memory_alloc(api->device, 1000, &b));
    assert_ok(tarn_address_set_user(a, UINT64_MAX));
    assert_ok(tarn_address_set_user(b, 5));
    assert_int_equal(api_look(a + 999).user, UINT64_MAX);
    assert_int_equal(api_look(b).user, 5);
    assert_status(tarn_address_set_user(a + 1, 9), TARN_BAD_ADDRESS);
    assert_status(tarn_address_set_user(0, 9), TARN_BAD_ADDRESS);
    assert_status(tarn_address_set_user((tarn_addr)(uintptr_t)&a, 9), TARN_BAD_ADDRESS);
    assert_int_equal(api_look(a).user, UINT64_MAX);
    struct seen seen = {.addr = b};
    assert_ok(tarn_address_walk(api->device, see, &seen));
    assert_int_equal(seen.user, 5);
    assert_ok(tarn_memory_free(a, 0));
    assert_status(tarn_address_set_user(a, 9), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_alloc(api->device, 1000, &a));
    assert_int_equal(api_look(a).user, 0);
    assert_ok(tarn_memory_free(a, 0));
    assert_ok(tarn_memory_free(b, 0));
}

static void a_mapping_shows_the_word_of_its_reservation(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_VMM);
    tarn_addr addr = api_map_new(api, api->g);
    assert_ok(tarn_address_set_user(addr, 77));
    assert_int_equal(api_look(addr).kind, TARN_ADDRESS_MAPPED);
    assert_int_equal(api_look(addr).user, 77);
    api_unmap_all(addr, api->g);
}

static void a_region_can_be_marked_as_a_faces(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_ok(tarn_address_set_owner(addr, TARN_OWNER_FACE, 12));
    assert_int_equal(api_look(addr).owner, TARN_OWNER_FACE);
    assert_int_equal(api_look(addr).user, 12);
    assert_ok(tarn_address_set_user(addr, 13));
    assert_int_equal(api_look(addr).owner, TARN_OWNER_FACE);
    struct seen seen = {.addr = addr};
    assert_ok(tarn_address_walk(api->device, see, &seen));
    assert_int_equal(seen.owner, TARN_OWNER_FACE);
    assert_status(tarn_address_set_owner(addr, TARN_OWNER_POOL, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_address_set_owner(addr, TARN_OWNER_CHANNEL, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_address_set_owner(addr + 1, TARN_OWNER_FACE, 1), TARN_BAD_ADDRESS);
    assert_int_equal(api_look(addr).user, 13);
    assert_ok(tarn_address_set_owner(addr, TARN_OWNER_APPLICATION, 0));
    assert_int_equal(api_look(addr).owner, TARN_OWNER_APPLICATION);
    assert_ok(tarn_memory_free(addr, 0));
}

// ---- tarn_free

static void memory_is_freed_by_its_address_alone(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    void *pinned = NULL;
    for (uint32_t flags = 0; flags <= TARN_NO_WAIT; flags++) {
        assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
        assert_ok(tarn_free(addr, flags));
        assert_int_equal(api_look(addr).kind, TARN_ADDRESS_RETIRED);
        assert_status(tarn_free(addr, flags), TARN_BAD_ADDRESS);
        assert_int_equal(api_stats(api->device).memory_blocks, 0);
        if ((api->info.features & TARN_FEATURE_PINNED) != 0) {
            assert_ok(tarn_host_alloc(api->device, 100, 0, &pinned));
            assert_ok(tarn_free((tarn_addr)(uintptr_t)pinned, flags));
            assert_int_equal(api_stats(api->device).host_blocks, 0);
        }
    }
    assert_ok(tarn_free(0, 0));
}

static void an_import_is_closed_by_its_address_alone(void **state) {
    struct api *api = *state;
    api_need_keys(api);
    tarn_addr addr = 0;
    tarn_addr other = 0;
    tarn_key key;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_ok(tarn_memory_export(addr, &key));
    assert_ok(tarn_memory_import(api->device, &key, &other));
    assert_ok(tarn_free(other, 0));
    assert_int_equal(api_stats(api->device).imported_blocks, 0);
    assert_ok(tarn_free(addr, 0));
}

static void a_free_refuses_everything_else(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_addr space = 0;
    void *own = aligned_alloc(4096, 4096);
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_status(tarn_free(addr + 1, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_free(addr + 1000, 0), TARN_BAD_ADDRESS);
    assert_status(tarn_free(addr, 2), TARN_BAD_ARGUMENT);
    assert_int_equal(api_look(addr).kind, TARN_ADDRESS_MEMORY);
    assert_ok(tarn_free(addr, 0));
    assert_status(tarn_free((tarn_addr)(uintptr_t)own, 0), TARN_BAD_ADDRESS);
    if ((api->info.features & TARN_FEATURE_PINNED) != 0) {
        assert_ok(tarn_host_register(api->device, own, 4096, 0));
        assert_status(tarn_free((tarn_addr)(uintptr_t)own, 0), TARN_BAD_ADDRESS);
        assert_ok(tarn_host_unregister(own));
    }
    if ((api->info.features & TARN_FEATURE_VMM) != 0) {
        assert_ok(tarn_space_reserve(api->device, api->g, 0, 0, &space));
        assert_status(tarn_free(space, 0), TARN_BAD_ADDRESS);
        assert_ok(tarn_space_release(space));
    }
    free(own);
}

// ---- processes and threads

static void a_child_may_ask_and_change_nothing(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    int status = 1;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_ok(tarn_address_set_user(addr, 3));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        tarn_address_info info = TARN_INIT(tarn_address_info);
        bool right = tarn_address_query(addr, &info) == TARN_OK && info.user == 3 &&
                     tarn_address_set_user(addr, 4) == TARN_FORKED &&
                     tarn_address_set_owner(addr, TARN_OWNER_FACE, 4) == TARN_FORKED &&
                     tarn_free(addr, 0) == TARN_FORKED;
        _exit(right ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(api_look(addr).user, 3);
    assert_ok(tarn_free(addr, 0));
}

enum { THREADS = 4, ROUNDS = 200 };

struct worker {
    struct api *api;
    uint64_t number;
    unsigned wrong;
};

static void *work(void *arg) {
    struct worker *worker = arg;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        tarn_address_info info = TARN_INIT(tarn_address_info);
        tarn_addr addr = 0;
        uint64_t word = worker->number << 32 | i;
        worker->wrong += tarn_memory_alloc(worker->api->device, 64 + i, &addr) != TARN_OK;
        worker->wrong += tarn_address_set_owner(addr, TARN_OWNER_FACE, word) != TARN_OK;
        worker->wrong += tarn_address_query(addr + 63, &info) != TARN_OK;
        worker->wrong += info.user != word || info.bytes != 64 + i || info.base != addr;
        worker->wrong += tarn_free(addr, TARN_NO_WAIT) != TARN_OK;
    }
    return NULL;
}

static void words_of_several_threads_do_not_mix(void **state) {
    struct api *api = *state;
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){api, i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(workers[i].wrong, 0);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        TEST(plain_memory_is_described_in_full),
        TEST(peers_may_use_plain_memory_once_enabled),
        TEST(mappings_are_described_with_their_reservation_and_rights),
        TEST(host_memory_is_described_with_its_class),
        TEST(words_stay_with_their_region),
        TEST(a_mapping_shows_the_word_of_its_reservation),
        TEST(a_region_can_be_marked_as_a_faces),
        TEST(memory_is_freed_by_its_address_alone),
        TEST(an_import_is_closed_by_its_address_alone),
        TEST(a_free_refuses_everything_else),
        TEST(a_child_may_ask_and_change_nothing),
        TEST(words_of_several_threads_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
