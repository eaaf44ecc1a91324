// SPDX-License-Identifier: Apache-2.0
// Short verbs for tests of pools: each asserts that it went well. Include after cmocka.h.
#pragma once

#include <string.h>

#include <tarn/pool.h>

#define KIB  UINT64_C(1024)
#define MIB  (KIB * 1024)
#define BASE (UINT64_C(1) << 40)

static inline tarn_pool *fixed(tarn_addr base, uint64_t bytes, tarn_rule_name rule) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_FIXED;
    desc.base = base;
    desc.bytes = bytes;
    assert_int_equal(tarn_rule_get(rule, &desc.rule), TARN_OK);
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    return pool;
}

static inline tarn_addr get_on(tarn_pool *pool, uint64_t bytes, tarn_stream stream) {
    tarn_addr addr = 0;
    assert_int_equal(tarn_pool_alloc(pool, bytes, stream, &addr), TARN_OK);
    return addr;
}

static inline tarn_addr get(tarn_pool *pool, uint64_t bytes) { return get_on(pool, bytes, 0); }

static inline void give(tarn_pool *pool, tarn_addr addr) {
    assert_int_equal(tarn_pool_free(pool, addr), TARN_OK);
}

static inline void refused(tarn_pool *pool, uint64_t bytes) {
    tarn_addr addr = 7;
    assert_int_equal(tarn_pool_alloc(pool, bytes, 0, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(addr, 7);
}

static inline tarn_pool_stats stats_of(tarn_pool *pool) {
    tarn_pool_stats stats;
    memset(&stats, 0, sizeof stats);
    stats.struct_size = sizeof stats;
    assert_int_equal(tarn_pool_query_stats(pool, &stats), TARN_OK);
    return stats;
}

static inline void end(tarn_pool *pool) {
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
}
