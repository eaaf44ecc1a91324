// SPDX-License-Identifier: Apache-2.0
// tarn_address_find(): the smallest piece that holds an address agrees with the complete answer.
#include "support/api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static tarn_address_block find(tarn_addr addr) {
    tarn_address_block block = TARN_INIT(tarn_address_block);
    assert_ok(tarn_address_find(addr, &block));
    assert_int_equal(block.struct_size, sizeof block);
    return block;
}

// Of memory that no pool owns.
static void assert_found_as_queried(tarn_addr addr) {
    tarn_address_info info = api_look(addr);
    tarn_address_block block = find(addr);
    assert_int_equal(block.kind, info.kind);
    assert_int_equal(block.owner, info.owner);
    assert_int_equal(block.start, info.base);
    assert_int_equal(block.bytes, info.bytes);
    assert_int_equal(block.user, info.user);
    assert_int_equal(block.location.type, info.location.type);
    assert_int_equal(block.location.id, info.location.id);
    assert_int_equal(block.phys, info.phys);
    assert_int_equal(block.pool_user, 0);
    assert_int_equal(block.stream, 0);
}

static void plain_memory_is_found_with_its_word(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_found_as_queried(addr);
    assert_ok(tarn_address_set_owner(addr, TARN_OWNER_FACE, 77));
    assert_int_equal(find(addr + 999).start, addr);
    assert_int_equal(find(addr + 999).bytes, 1000);
    assert_int_equal(find(addr).user, 77);
    assert_found_as_queried(addr + 999);
    assert_found_as_queried(addr + 1000);
    assert_ok(tarn_memory_free(addr, 0));
    assert_found_as_queried(addr); // retired
}

// A hundred searches, so that the last ones take no lock.
static void memory_that_was_found_last_is_not_found_after_its_end(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    for (unsigned i = 0; i < 100; i++) assert_int_equal(find(addr + i).start, addr);
    assert_ok(tarn_memory_free(addr, 0));
    for (unsigned i = 0; i < 100; i++) assert_int_equal(find(addr + i).start, 0);
}

static void mappings_and_gaps_of_a_reservation_are_found(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_VMM);
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    assert_ok(tarn_space_reserve(api->device, 4 * api->g, 0, 0, &addr));
    assert_ok(tarn_phys_create(api->device, api->g, NULL, &phys));
    assert_ok(tarn_map(addr + api->g, api->g, phys));
    assert_int_equal(find(addr + api->g).phys, phys);
    assert_found_as_queried(addr + 2 * api->g - 1);
    assert_found_as_queried(addr);
    assert_ok(tarn_unmap(addr + api->g, api->g, 0));
    assert_found_as_queried(addr + api->g);
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(addr));
    assert_found_as_queried(addr);
}

static void memory_of_the_host_is_found(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_PINNED);
    void *pinned = NULL;
    void *own = aligned_alloc(4096, 4096);
    assert_ok(tarn_host_alloc(api->device, 100, 0, &pinned));
    assert_ok(tarn_host_register(api->device, own, 4096, 0));
    assert_found_as_queried(TARN_ADDR(pinned) + 99);
    assert_found_as_queried(TARN_ADDR(own));
    assert_ok(tarn_host_unregister(own));
    assert_found_as_queried(TARN_ADDR(own));
    assert_int_equal(find(TARN_ADDR(own)).kind, TARN_ADDRESS_UNKNOWN);
    assert_found_as_queried(0);
    assert_found_as_queried(UINT64_MAX);
    assert_ok(tarn_host_free(pinned));
    free(own);
}

static void assert_block_found(struct api *api, tarn_pool_kind kind) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_pool *pool = NULL;
    tarn_addr small = 0;
    tarn_addr large = 0;
    tarn_stream stream = 0;
    desc.kind = kind;
    desc.device = api->device;
    desc.user = 5;
    desc.flags = TARN_POOL_USER_WORDS;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_pool_create(&desc, &pool));
    request.bytes = 100;
    request.user = 6;
    request.stream = stream;
    assert_ok(tarn_pool_alloc_with(pool, &request, &small));
    request.bytes = 10 << 20;
    assert_ok(tarn_pool_alloc_with(pool, &request, &large));
    for (int i = 0; i < 2; i++) {
        tarn_address_block block = find((i == 0 ? small : large) + 50);
        assert_int_equal(block.owner, TARN_OWNER_POOL);
        assert_int_equal(block.start, i == 0 ? small : large);
        assert_int_equal(block.bytes, i == 0 ? 100 : 10 << 20);
        assert_int_equal(block.user, 6);
        assert_int_equal(block.pool_user, 5);
        assert_int_equal(block.stream, stream);
        assert_int_equal(block.phys, 0);
    }
    assert_ok(tarn_pool_free(pool, large));
    tarn_address_block none = find(large + 50);
    assert_int_equal(none.start, 0);
    assert_int_equal(none.bytes, 0);
    assert_int_equal(none.user, 0);
    assert_ok(tarn_pool_free(pool, small));
    assert_ok(tarn_pool_destroy(pool));
    assert_ok(tarn_stream_destroy(stream));
}

static void assert_pages(tarn_addr first, tarn_address_kind middle) {
    for (int i = 0; i < 100; i++) {
        assert_int_equal(find(first).kind, TARN_ADDRESS_UNKNOWN);
        assert_int_equal(find(first + 4096).kind, middle);
        assert_int_equal(find(first + 8192).kind, TARN_ADDRESS_UNKNOWN);
    }
}

static void ordinary_memory_is_unknown_except_while_it_is_registered(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_PINNED);
    char *own = aligned_alloc(4096, 3 * 4096);
    assert_pages(TARN_ADDR(own), TARN_ADDRESS_UNKNOWN);
    assert_ok(tarn_host_register(api->device, own + 4096, 4096, 0));
    assert_pages(TARN_ADDR(own), TARN_ADDRESS_REGISTERED);
    assert_ok(tarn_host_unregister(own + 4096));
    assert_pages(TARN_ADDR(own), TARN_ADDRESS_UNKNOWN);
    free(own);
}

static void the_search_ends_at_the_block_of_a_pool(void **state) {
    struct api *api = *state;
    assert_block_found(api, TARN_POOL_SEGMENTS);
    if ((api->info.features & TARN_FEATURE_VMM) != 0) assert_block_found(api, TARN_POOL_EXPANDABLE);
}

static void short_structs_are_filled_up_to_their_size(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    tarn_address_block block = TARN_INIT(tarn_address_block);
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    block.struct_size = offsetof(tarn_address_block, bytes);
    block.bytes = 9;
    assert_ok(tarn_address_find(addr, &block));
    assert_int_equal(block.start, addr);
    assert_int_equal(block.bytes, 9);
    block.struct_size = 0;
    assert_status(tarn_address_find(addr, &block), TARN_BAD_STRUCT);
    assert_status(tarn_address_find(addr, NULL), TARN_BAD_ARGUMENT);
    assert_ok(tarn_memory_free(addr, 0));
}

// ---- threads

enum { READERS = 3, ROUNDS = 300 };

struct shared {
    tarn_addr addr;
    _Atomic(bool) stop;
};

static void *find_often(void *arg) {
    struct shared *shared = arg;
    while (!atomic_load(&shared->stop)) {
        tarn_address_block block = find(shared->addr);
        assert_int_equal(block.start, shared->addr);
        assert_int_equal(block.bytes, 1000);
    }
    return NULL;
}

static void a_search_finds_memory_while_other_memory_comes_and_goes(void **state) {
    struct api *api = *state;
    struct shared shared = {0};
    pthread_t threads[READERS];
    assert_ok(tarn_memory_alloc(api->device, 1000, &shared.addr));
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, find_often, &shared), 0);
    for (int i = 0; i < ROUNDS; i++) {
        tarn_addr other = 0;
        assert_ok(tarn_memory_alloc(api->device, 1000, &other));
        for (int finds = 0; finds < i; finds++) assert_int_equal(find(other).start, other);
        assert_ok(tarn_memory_free(other, 0));
        assert_int_equal(find(other).start, 0);
    }
    atomic_store(&shared.stop, true);
    for (int i = 0; i < READERS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_ok(tarn_memory_free(shared.addr, 0));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        TEST(plain_memory_is_found_with_its_word),
        TEST(memory_that_was_found_last_is_not_found_after_its_end),
        TEST(mappings_and_gaps_of_a_reservation_are_found),
        TEST(memory_of_the_host_is_found),
        TEST(ordinary_memory_is_unknown_except_while_it_is_registered),
        TEST(the_search_ends_at_the_block_of_a_pool),
        TEST(short_structs_are_filled_up_to_their_size),
        TEST(a_search_finds_memory_while_other_memory_comes_and_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
