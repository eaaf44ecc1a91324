// SPDX-License-Identifier: Apache-2.0
// Counts of blocks: each thread counts in the tally of its cache. See tally.h.
#pragma once

#include "core/pool/small/cache.h"

// Counts in the totals, for a thread that has no cache.
void tn_pool_count_alone(tarn_pool *pool, bool alloc, uint32_t tag, uint64_t live, uint64_t used);

// Counts an allocated or freed block in the calling thread's cache, which may be NULL.
static inline __attribute__((always_inline)) void tn_pool_count(tarn_pool *pool,
                                                                tn_pool_cache *cache, bool alloc,
                                                                uint32_t tag, uint64_t live,
                                                                uint64_t used) {
    if (__builtin_expect(cache == NULL, 0)) {
        tn_pool_count_alone(pool, alloc, tag, live, used);
        return;
    }
    bool due = alloc ? tn_pool_tally_alloc(&cache->tally, tag, live, used)
                     : tn_pool_tally_free(&cache->tally, tag, live, used);
    if (__builtin_expect(due, 0)) tn_pool_count_fold(cache, pool);
}

// Begins to count live blocks anew, without one.
void tn_pool_count_reset(tarn_pool *pool);

// Counts what an extension adds to a live block.
void tn_pool_count_extension(tarn_pool *pool, uint32_t tag, uint64_t live, uint64_t used);

// ---- sums over the threads

// Counts of all tags, or of one.
typedef struct tn_pool_sums {
    const tn_pool_totals *totals;
    unsigned first_tag, end_tag;
    int64_t live, used, tag_live;
    int64_t live_top, used_top, tag_top; // with the highest values that the tallies hide
    uint64_t allocs, frees, dropped, caches;
} tn_pool_sums;

tn_pool_sums tn_pool_count_sum(tarn_pool *pool, unsigned first_tag, unsigned end_tag);

static inline uint64_t tn_pool_at_least_0(int64_t value) { return value > 0 ? (uint64_t)value : 0; }

// The bytes of the live blocks of a tag, and the bytes that all live blocks occupy.
uint64_t tn_pool_tag_bytes(tarn_pool *pool, uint32_t tag);
uint64_t tn_pool_used_bytes(tarn_pool *pool);
