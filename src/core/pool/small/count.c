// SPDX-License-Identifier: Apache-2.0
// What the tallies of the threads and the totals of the pool count together. See tally.h. Any thread.
#include "core/pool/small/count.h"

#include <string.h>

void tn_pool_count_alone(tarn_pool *pool, bool alloc, uint32_t tag, uint64_t live, uint64_t used) {
    tn_pool_tally tally;
    memset(&tally, 0, sizeof tally);
    if (alloc)
        (void)tn_pool_tally_alloc(&tally, tag, live, used);
    else
        (void)tn_pool_tally_free(&tally, tag, live, used);
    tn_pool_tally_fold(&tally, &pool->totals);
}

void tn_pool_count_reset(tarn_pool *pool) {
    tn_pool_cache_each(pool, tn_pool_count_fold, pool);
    tn_pool_totals_reset(&pool->totals);
}

void tn_pool_count_extension(tarn_pool *pool, uint32_t tag, uint64_t live, uint64_t used) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    tn_pool_tally alone;
    memset(&alone, 0, sizeof alone);
    tn_pool_tally *tally = cache != NULL ? &cache->tally : &alone;
    tn_pool_tally_extend(tally, tag, live, used);
    tn_pool_tally_fold(tally, &pool->totals);
}

// ---- sums over the threads

static void add_totals(tn_pool_sums *sums) {
    const tn_pool_totals *totals = sums->totals;
    sums->live += tn_load_relaxed(&totals->live.now);
    sums->used += tn_load_relaxed(&totals->used.now);
    for (unsigned t = sums->first_tag; t < sums->end_tag; t++) {
        sums->tag_live += tn_load_relaxed(&totals->tag[t].live.now);
        sums->allocs += tn_load_relaxed(&totals->tag[t].allocs);
        sums->frees += tn_load_relaxed(&totals->tag[t].frees);
        sums->dropped += tn_load_relaxed(&totals->tag[t].dropped);
    }
    sums->live_top = sums->live;
    sums->used_top = sums->used;
    sums->tag_top = sums->tag_live;
}

// A thread that ends moves its counts to the totals under the lock of the caches, so the totals are
// read under it too.
static void add_cache(tn_pool_cache *cache, void *arg) {
    tn_pool_sums *sums = (tn_pool_sums *)arg;
    if (sums->caches == 0) add_totals(sums);
    sums->live += tn_pool_level_now(&cache->tally.live);
    sums->used += tn_pool_level_now(&cache->tally.used);
    sums->live_top += tn_load_relaxed(&cache->tally.live.top);
    sums->used_top += tn_load_relaxed(&cache->tally.used.top);
    for (unsigned t = sums->first_tag; t < sums->end_tag; t++) {
        sums->tag_live += tn_pool_level_now(&cache->tally.tag[t].live);
        sums->tag_top += tn_load_relaxed(&cache->tally.tag[t].live.top);
        sums->allocs += tn_load_relaxed(&cache->tally.tag[t].allocs);
        sums->frees += tn_load_relaxed(&cache->tally.tag[t].frees);
    }
    sums->caches++;
}

tn_pool_sums tn_pool_count_sum(tarn_pool *pool, unsigned first_tag, unsigned end_tag) {
    tn_pool_sums sums = {.totals = &pool->totals, .first_tag = first_tag, .end_tag = end_tag};
    tn_pool_cache_each(pool, add_cache, &sums);
    if (sums.caches == 0) add_totals(&sums);
    return sums;
}

uint64_t tn_pool_used_bytes(tarn_pool *pool) {
    return tn_pool_at_least_0(tn_pool_count_sum(pool, 0, 0).used);
}

uint64_t tn_pool_tag_bytes(tarn_pool *pool, uint32_t tag) {
    return tn_pool_at_least_0(tn_pool_count_sum(pool, tag, tag + 1).tag_live);
}
