// SPDX-License-Identifier: Apache-2.0
// Keys to the memory of blocks.
#include "support/api.h"

#include <string.h>

#define BYTES 100000u // ends inside a page, whose rest nobody may touch

static tarn_pool *make_pool(struct api *api, tarn_pool_kind kind) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = kind;
    desc.device = api->device;
    assert_ok(tarn_pool_create(&desc, &pool));
    return pool;
}

static void the_key_of_a_block_leads_to_its_bytes(void **state) {
    struct api *api = *state;
    tarn_key keys[2];
    uint64_t offsets[2];
    tarn_addr blocks[2];
    tarn_addr import = 0;
    uint32_t back = 0;
    api_need_keys(api);
    tarn_pool *pool = make_pool(api, TARN_POOL_SEGMENTS);
    for (uint32_t i = 0; i < 2; i++) {
        assert_ok(tarn_pool_alloc(pool, BYTES, 0, &blocks[i]));
        assert_ok(tarn_fill(api->device, blocks[i], 7 + i, 4, BYTES / 4, TARN_STREAM_NONE));
        assert_ok(tarn_pool_export(pool, blocks[i], &keys[i], &offsets[i]));
    }
    assert_memory_equal(&keys[0], &keys[1], sizeof keys[0]);
    assert_int_equal(offsets[1] - offsets[0], blocks[1] - blocks[0]);
    assert_ok(tarn_memory_import(api->device, &keys[0], &import));
    for (uint32_t i = 0; i < 2; i++) {
        assert_ok(tarn_copy(api->device, TARN_ADDR(&back), import + offsets[i] + BYTES - 4, 4,
                            TARN_STREAM_NONE));
        assert_int_equal(back, api->bytes ? 7 + i : 0);
    }
    assert_ok(tarn_memory_free(import, 0));
    assert_ok(tarn_pool_free(pool, blocks[0]));
    assert_ok(tarn_pool_free(pool, blocks[1]));
    assert_ok(tarn_pool_destroy(pool));
}

static void only_starts_of_blocks_have_keys(void **state) {
    struct api *api = *state;
    tarn_key key;
    uint64_t offset = 0;
    tarn_addr block = 0;
    api_need_keys(api);
    tarn_pool *pool = make_pool(api, TARN_POOL_SEGMENTS);
    assert_ok(tarn_pool_alloc(pool, 1u << 20, 0, &block));
    assert_status(tarn_pool_export(pool, block + 256, &key, &offset), TARN_BAD_ADDRESS);
    assert_status(tarn_pool_export(pool, block, NULL, &offset), TARN_BAD_ARGUMENT);
    assert_status(tarn_pool_export(pool, block, &key, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_pool_export(NULL, block, &key, &offset), TARN_BAD_ARGUMENT);
    assert_ok(tarn_pool_free(pool, block));
    assert_status(tarn_pool_export(pool, block, &key, &offset), TARN_BAD_ADDRESS);
    assert_ok(tarn_pool_destroy(pool));
}

static void other_pools_have_no_keys(void **state) {
    struct api *api = *state;
    tarn_key key;
    uint64_t offset = 0;
    tarn_addr block = 0;
    api_need(api, TARN_FEATURE_VMM);
    tarn_pool *pool = make_pool(api, TARN_POOL_EXPANDABLE);
    assert_ok(tarn_pool_alloc(pool, 1u << 20, 0, &block));
    assert_status(tarn_pool_export(pool, block, &key, &offset), TARN_UNSUPPORTED);
    assert_ok(tarn_pool_free(pool, block));
    assert_ok(tarn_pool_destroy(pool));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_key_of_a_block_leads_to_its_bytes),
        TEST(only_starts_of_blocks_have_keys),
        TEST(other_pools_have_no_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
