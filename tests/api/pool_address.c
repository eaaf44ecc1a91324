// SPDX-License-Identifier: Apache-2.0
// Pools in the address book: any byte of a pool's memory leads to the pool and its block, and only
// the pool may release it.
#include "support/api.h"

#include <pthread.h>
#include <stdatomic.h>

static const tarn_pool_kind kinds[] = {TARN_POOL_SEGMENTS, TARN_POOL_EXPANDABLE};

static tarn_pool *make_pool(struct api *api, tarn_pool_kind kind, uint32_t flags, uint64_t user) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = kind;
    desc.device = api->device;
    desc.limit = 256u << 20;
    desc.flags = flags;
    desc.user = user;
    assert_ok(tarn_pool_create(&desc, &pool));
    return pool;
}

static tarn_addr alloc_with(tarn_pool *pool, uint64_t bytes, tarn_stream stream, uint64_t user) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_addr addr = 0;
    request.bytes = bytes;
    request.stream = stream;
    request.user = user;
    assert_ok(tarn_pool_alloc_with(pool, &request, &addr));
    return addr;
}

static tarn_address_info query(tarn_addr addr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    assert_ok(tarn_address_query(addr, &info));
    return info;
}

static uint64_t live_blocks(tarn_pool *pool) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    assert_ok(tarn_pool_query_stats(pool, &stats));
    return stats.live_blocks;
}

// ---- queries

static void check_blocks(struct api *api, tarn_pool *pool, tarn_stream stream) {
    static const uint64_t sizes[] = {1, 300, 16000, 20000, 5u << 20};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        tarn_addr addr = alloc_with(pool, sizes[i], stream, 1000 + i);
        for (uint64_t at = 0; at < sizes[i]; at += sizes[i] / 5 + 1) {
            tarn_address_info info = query(addr + at);
            assert_int_equal(info.owner, TARN_OWNER_POOL);
            assert_ptr_equal(info.pool, pool);
            assert_int_equal(info.pool_user, 4711);
            assert_int_equal(info.block, addr);
            assert_int_equal(info.block_bytes, sizes[i]);
            assert_true(info.block_usable >= sizes[i]);
            assert_int_equal(info.block_user, 1000 + i);
            assert_int_equal(info.block_stream, stream);
            assert_ptr_equal(info.device, api->device);
        }
        assert_ok(tarn_address_set_user(addr, UINT64_MAX - i));
        assert_int_equal(query(addr).block_user, UINT64_MAX - i);
        assert_status(tarn_address_set_user(addr + 1, 5), TARN_BAD_ADDRESS);
        assert_ok(tarn_pool_free(pool, addr));
        assert_int_equal(query(addr).block, 0);
        assert_int_equal(query(addr).block_bytes, 0);
    }
}

static void any_byte_leads_to_pool_and_block(void **state) {
    struct api *api = *state;
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = make_pool(api, kinds[k], TARN_POOL_USER_WORDS, 4711);
        check_blocks(api, pool, 0);
        check_blocks(api, pool, stream);
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
        assert_ok(tarn_pool_destroy(pool));
    }
    assert_ok(tarn_stream_destroy(stream));
}

static void a_fence_is_known_by_address_too(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_VMM);
    tarn_pool *pool =
        make_pool(api, TARN_POOL_EXPANDABLE, TARN_POOL_FENCE | TARN_POOL_USER_WORDS, 4711);
    check_blocks(api, pool, 0);
    tarn_addr addr = alloc_with(pool, 100, 0, 7);
    assert_status(tarn_unmap(query(addr).base, query(addr).bytes, 0), TARN_BAD_ADDRESS);
    assert_ok(tarn_free(addr, 0));
    assert_int_equal(live_blocks(pool), 0);
    assert_ok(tarn_pool_destroy(pool));
}

static void words_need_the_flag(void **state) {
    struct api *api = *state;
    tarn_pool *pool = make_pool(api, TARN_POOL_SEGMENTS, 0, 1);
    tarn_addr addr = alloc_with(pool, 300, 0, 9);
    assert_int_equal(query(addr).block_user, 0);
    assert_status(tarn_address_set_user(addr, 9), TARN_UNSUPPORTED);
    assert_ok(tarn_pool_free(pool, addr));
    assert_ok(tarn_pool_destroy(pool));
}

// A FIXED pool manages numbers and holds no memory.
static void a_fixed_pool_owns_nothing(void **state) {
    struct api *api = *state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_addr memory = 0, block = 0;
    assert_ok(tarn_memory_alloc(api->device, 32u << 20, &memory));
    desc.kind = TARN_POOL_FIXED;
    desc.base = memory;
    desc.bytes = 32u << 20;
    assert_ok(tarn_pool_create(&desc, &pool));
    assert_ok(tarn_pool_alloc(pool, 300, 0, &block));
    assert_int_equal(query(block).owner, TARN_OWNER_APPLICATION);
    assert_null(query(block).pool);
    assert_int_equal(query(block).block, 0);
    assert_ok(tarn_pool_free(pool, block));
    assert_ok(tarn_pool_destroy(pool));
    assert_ok(tarn_memory_free(memory, 0));
}

// ---- only the pool releases its memory

static void the_memory_of_a_pool_is_not_released_by_others(void **state) {
    struct api *api = *state;
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = make_pool(api, kinds[k], 0, 0);
        tarn_addr addr = alloc_with(pool, 1u << 20, 0, 0);
        tarn_address_info info = query(addr);
        assert_status(tarn_memory_free(info.region_base, 0), TARN_BAD_ADDRESS);
        assert_status(tarn_memory_free(info.region_base, TARN_NO_WAIT), TARN_BAD_ADDRESS);
        assert_status(tarn_unmap(info.base, info.bytes, 0), TARN_BAD_ADDRESS);
        assert_status(tarn_space_release(info.region_base), TARN_BAD_ADDRESS);
        assert_status(tarn_address_set_owner(info.region_base, TARN_OWNER_FACE, 1),
                      TARN_BAD_ADDRESS);
        assert_ok(tarn_fill(api->device, addr, 1, 4, 1000, 0)); // the memory is still there
        assert_ok(tarn_pool_verify(pool));
        assert_ok(tarn_pool_free(pool, addr));
        assert_ok(tarn_pool_destroy(pool));
    }
}

static void a_block_is_freed_by_its_address(void **state) {
    struct api *api = *state;
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = make_pool(api, kinds[k], 0, 0);
        static const uint64_t sizes[] = {100, 20000, 3u << 20};
        tarn_addr keep = alloc_with(pool, 100, 0, 0); // so that memory stays
        for (unsigned i = 0; i < 3; i++) {
            tarn_addr addr = alloc_with(pool, sizes[i], 0, 0);
            assert_status(tarn_free(addr + 1, 0), TARN_BAD_ADDRESS);
            assert_int_equal(live_blocks(pool), 2);
            assert_ok(tarn_free(addr, i % 2 == 0 ? 0 : TARN_NO_WAIT));
            assert_int_equal(live_blocks(pool), 1);
            assert_status(tarn_free(addr, 0), TARN_BAD_ADDRESS);
            assert_status(tarn_pool_free(pool, addr), TARN_BAD_ADDRESS);
        }
        assert_ok(tarn_free(keep, 0));
        assert_ok(tarn_pool_verify(pool));
        assert_ok(tarn_pool_destroy(pool));
    }
}

static void a_destroyed_pool_leaves_nothing_behind(void **state) {
    struct api *api = *state;
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = make_pool(api, kinds[k], 0, 5);
        tarn_addr addr = alloc_with(pool, 1u << 20, 0, 0);
        assert_ok(tarn_pool_free(pool, addr));
        assert_ok(tarn_pool_destroy(pool));
        assert_null(query(addr).pool);
        assert_int_equal(query(addr).pool_user, 0);
        assert_int_not_equal(query(addr).owner, TARN_OWNER_POOL);
    }
}

// ---- threads

enum { ROUNDS = 100, OWN = 16 };

struct worker {
    tarn_pool *pool;
    uint64_t first; // of the words of its blocks
    _Atomic bool *over;
    tarn_addr somewhere;
    int wrong;
};

// Allocates, asks for its own blocks by address while others do the same, and frees by address.
static void *churn(void *arg) {
    struct worker *w = arg;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        tarn_addr addr[OWN];
        for (uint64_t i = 0; i < OWN; i++) {
            tarn_pool_request request = TARN_INIT(tarn_pool_request);
            request.bytes = 1 + i * i * 400;
            request.user = w->first + i;
            w->wrong += tarn_pool_alloc_with(w->pool, &request, &addr[i]) != TARN_OK;
        }
        for (uint64_t i = 0; i < OWN; i++) {
            tarn_address_info info = TARN_INIT(tarn_address_info);
            w->wrong += tarn_address_query(addr[i] + i * i * 400, &info) != TARN_OK;
            w->wrong += info.block != addr[i] || info.block_bytes != 1 + i * i * 400 ||
                        info.block_user != w->first + i || info.pool != w->pool;
            w->wrong += tarn_free(addr[i], 0) != TARN_OK;
        }
    }
    return NULL;
}

static void threads_find_their_own_blocks(void **state) {
    struct api *api = *state;
    for (int k = 0; k < 2; k++) {
        tarn_pool *pool = make_pool(api, kinds[k], TARN_POOL_USER_WORDS, 0);
        struct worker worker[3];
        pthread_t thread[3];
        for (unsigned i = 0; i < 3; i++) {
            worker[i] = (struct worker){.pool = pool, .first = 1000 * (i + 1)};
            assert_int_equal(pthread_create(&thread[i], NULL, churn, &worker[i]), 0);
        }
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(pthread_join(thread[i], NULL), 0);
            assert_int_equal(worker[i].wrong, 0);
        }
        assert_int_equal(live_blocks(pool), 0);
        assert_ok(tarn_pool_verify(pool));
        assert_ok(tarn_pool_destroy(pool));
    }
}

static void *ask(void *arg) {
    struct worker *w = arg;
    while (!atomic_load(w->over)) {
        tarn_address_info info = TARN_INIT(tarn_address_info);
        w->wrong += tarn_address_query(w->somewhere, &info) != TARN_OK;
    }
    return NULL;
}

// A query beside the end of a pool sees the pool or does not, and never what is left of it.
static void a_query_may_run_beside_the_end_of_a_pool(void **state) {
    struct api *api = *state;
    for (int round = 0; round < 30; round++) {
        _Atomic bool over = false;
        tarn_pool *pool = make_pool(api, kinds[round % 2], 0, 0);
        tarn_addr addr = alloc_with(pool, 1u << 20, 0, 0);
        struct worker worker = {.over = &over, .somewhere = addr};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, ask, &worker), 0);
        assert_ok(tarn_pool_free(pool, addr));
        assert_ok(tarn_pool_destroy(pool));
        atomic_store(&over, true);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(worker.wrong, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(any_byte_leads_to_pool_and_block, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_fence_is_known_by_address_too, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(words_need_the_flag, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_fixed_pool_owns_nothing, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(the_memory_of_a_pool_is_not_released_by_others, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_block_is_freed_by_its_address, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_destroyed_pool_leaves_nothing_behind, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(threads_find_their_own_blocks, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_query_may_run_beside_the_end_of_a_pool, api_setup,
                                        api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
