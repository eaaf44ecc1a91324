// SPDX-License-Identifier: Apache-2.0
// Statistics of a pool: the totals, what each thread has counted since its last fold, and what the
// core and the source know. Changes nothing but, when asked, the peaks; figures of other threads at
// work may be a few blocks old.
#include <string.h>

#include "base/error.h"
#include "base/struct.h"
#include "core/pool/fence.h"
#include "core/pool/pool.h"

struct sums {
    int64_t live, used;
    uint64_t allocs, frees, dropped, caches;
};

static void add_cache(tn_pool_cache *cache, void *arg) {
    struct sums *sums = (struct sums *)arg;
    sums->live += tn_load_relaxed(&cache->tally.live.now);
    sums->used += tn_load_relaxed(&cache->tally.used.now);
    for (unsigned t = 0; t < TARN_POOL_TAGS; t++) {
        sums->allocs += tn_load_relaxed(&cache->tally.tag[t].allocs);
        sums->frees += tn_load_relaxed(&cache->tally.tag[t].frees);
    }
    sums->caches++;
}

static uint64_t at_least_0(int64_t value) {
    return value > 0 ? (uint64_t)value : 0;
}

static uint64_t at_least(_Atomic(int64_t) *peak, int64_t now) {
    int64_t seen = tn_load_relaxed(peak);
    return at_least_0(seen > now ? seen : now);
}

// The thread's own tally is folded first, so that for one thread every figure is exact.
static void fold_mine(tarn_pool *pool) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    if (cache != NULL) {
        tn_pool_tally_fold(&cache->tally, &pool->totals);
    }
}

static void add_used(tn_pool_cache *cache, void *arg) {
    *(int64_t *)arg += tn_load_relaxed(&cache->tally.used.now);
}

uint64_t tn_pool_used_bytes(tarn_pool *pool) {
    int64_t used = tn_load_relaxed(&pool->totals.used.now);
    tn_pool_cache_each(pool, add_used, &used);
    return at_least_0(used);
}

static void fill_counts(tarn_pool *pool, tarn_pool_stats *s) {
    struct sums sums = {tn_load_relaxed(&pool->totals.live.now),
                        tn_load_relaxed(&pool->totals.used.now),
                        0,
                        0,
                        0,
                        0};
    for (unsigned t = 0; t < TARN_POOL_TAGS; t++) {
        sums.allocs += tn_load_relaxed(&pool->totals.tag[t].allocs);
        sums.frees += tn_load_relaxed(&pool->totals.tag[t].frees);
        sums.dropped += tn_load_relaxed(&pool->totals.tag[t].dropped);
    }
    tn_pool_cache_each(pool, add_cache, &sums);
    s->live_blocks = at_least_0((int64_t)(sums.allocs - sums.frees - sums.dropped));
    s->live_bytes = at_least_0(sums.live);
    s->used_bytes = at_least_0(sums.used);
    s->peak_live_bytes = at_least(&pool->totals.live.peak, sums.live);
    s->peak_used_bytes = at_least(&pool->totals.used.peak, sums.used);
    s->allocs = sums.allocs;
    s->frees = sums.frees;
    s->host_bytes = sizeof *pool + sums.caches * sizeof(tn_pool_cache);
}

// Bytes of a fixed range up to the end of the highest block it ever had.
static uint64_t fixed_reach(const tarn_pool *pool) {
    uint64_t reach = tn_pool_addr(pool, pool->high_units) - pool->desc.base;
    return pool->high_units == 0 ? 0 : reach < pool->desc.bytes ? reach : pool->desc.bytes;
}

static void fill_core(tarn_pool *pool, tarn_pool_stats *s) {
    uint64_t waiting = 0;
    tn_spin_lock(&pool->fit_lock);
    s->largest_free = tn_fit_largest_units(&pool->fit, TN_LIST_FREE) << pool->unit_shift;
    for (unsigned r = 1; r < TN_POOL_SLOTS && tn_pool_slot_at(pool, r) != NULL; r++) {
        tn_pool_slot *slot = tn_pool_slot_at(pool, r);
        waiting += slot->bins[0].units + slot->bins[1].units;
    }
    s->held_bytes = fixed_reach(pool);
    s->host_bytes += pool->fit.used * sizeof(tn_fit_node) + pool->slab_count * sizeof(tn_slab);
    tn_spin_unlock(&pool->fit_lock);
    s->peak_held_bytes = s->held_bytes;
    s->pending_bytes = (waiting << pool->unit_shift) + tn_load_relaxed(&pool->queue_bytes);
}

tarn_status tarn_pool_query_stats(tarn_pool *pool, tarn_pool_stats *stats) {
    tarn_pool_stats s = {.struct_size = sizeof s};
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (pool->fence != NULL) {
        tn_fence_stats(pool, &s);
        return tn_struct_write(stats, &s, sizeof s, "tarn_pool_stats");
    }
    fold_mine(pool);
    fill_counts(pool, &s);
    fill_core(pool, &s);
    if (pool->source != NULL) {
        s.held_bytes = tn_load_relaxed(&pool->source->held_bytes);
        s.peak_held_bytes = tn_load_relaxed(&pool->source->peak_held_bytes);
        s.driver_calls = tn_load_relaxed(&pool->source->driver_calls);
        s.map_calls = tn_load_relaxed(&pool->source->map_calls);
        s.unmap_calls = tn_load_relaxed(&pool->source->unmap_calls);
    }
    s.refusals = tn_load_relaxed(&pool->refusals);
    s.moved_bytes = tn_load_relaxed(&pool->moved_bytes);
    s.fallback = pool->reason[0] != '\0';
    return tn_struct_write(stats, &s, sizeof s, "tarn_pool_stats");
}

tarn_status tarn_pool_query(tarn_pool *pool, tarn_pool_info *info) {
    tarn_pool_info own = {.struct_size = sizeof own};
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    const tn_pool_source *source = pool->source;
    own.kind = pool->desc.kind;
    own.asked = pool->asked;
    own.rule = pool->rule;
    own.page_bytes = own.kind == TARN_POOL_EXPANDABLE ? source->page_bytes : 0;
    own.segment_bytes = own.kind == TARN_POOL_SEGMENTS ? pool->desc.segment_bytes : 0;
    own.base = own.kind == TARN_POOL_EXPANDABLE ? source->base : pool->desc.base;
    own.bytes = own.kind == TARN_POOL_EXPANDABLE ? source->bytes : pool->desc.bytes;
    if (own.kind == TARN_POOL_SEGMENTS) {
        own.base = own.bytes = 0;
    }
    if (pool->fence != NULL) {
        own.kind = pool->asked;
    }
    memcpy(own.reason, pool->reason, sizeof own.reason);
    tn_mutex_lock(&pool->grow_lock);
    own.limit = pool->desc.limit;
    own.user = pool->desc.user;
    own.release_threshold = tn_load_relaxed(&pool->release_threshold);
    tn_mutex_unlock(&pool->grow_lock);
    return tn_struct_write(info, &own, sizeof own, "tarn_pool_info");
}

static void begin_anew(tn_pool_peak *peak) {
    tn_store_relaxed(&peak->peak, tn_load_relaxed(&peak->now));
}

tarn_status tarn_pool_reset_peaks(tarn_pool *pool, uint32_t which) {
    const uint32_t all = TARN_PEAK_LIVE | TARN_PEAK_USED | TARN_PEAK_HELD;
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if ((which & ~all) != 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "which 0x%x has unknown bits", which);
    }
    which = which != 0 ? which : all;
    if (pool->fence != NULL) {
        tn_fence_reset_peaks(pool, which);
        return TARN_OK;
    }
    fold_mine(pool);
    if ((which & TARN_PEAK_LIVE) != 0) {
        begin_anew(&pool->totals.live);
        for (unsigned t = 0; t < TARN_POOL_TAGS; t++) {
            begin_anew(&pool->totals.tag[t].live);
        }
    }
    if ((which & TARN_PEAK_USED) != 0) {
        begin_anew(&pool->totals.used);
    }
    if ((which & TARN_PEAK_HELD) != 0 && pool->source != NULL) {
        tn_mutex_lock(&pool->grow_lock);
        tn_store_relaxed(&pool->source->peak_held_bytes,
                         tn_load_relaxed(&pool->source->held_bytes));
        tn_mutex_unlock(&pool->grow_lock);
    }
    return TARN_OK;
}

struct tag_sums {
    unsigned tag;
    int64_t live;
    uint64_t blocks;
};

static void add_tag(tn_pool_cache *cache, void *arg) {
    struct tag_sums *sums = (struct tag_sums *)arg;
    const struct tn_pool_tag_tally *t = &cache->tally.tag[sums->tag];
    sums->live += tn_load_relaxed(&t->live.now);
    sums->blocks += tn_load_relaxed(&t->allocs) - tn_load_relaxed(&t->frees);
}

tarn_status tarn_pool_query_tag_stats(tarn_pool *pool, uint32_t tag, tarn_pool_tag_stats *stats) {
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (tag >= TARN_POOL_TAGS) {
        return tn_fail(TARN_BAD_ARGUMENT, "tag %u where there are %u", tag, TARN_POOL_TAGS);
    }
    fold_mine(pool);
    const struct tn_pool_tag_totals *t = &pool->totals.tag[tag];
    struct tag_sums sums = {tag, tn_load_relaxed(&t->live.now),
                            tn_load_relaxed(&t->allocs) - tn_load_relaxed(&t->frees) -
                                tn_load_relaxed(&t->dropped)};
    tn_pool_cache_each(pool, add_tag, &sums);
    tarn_pool_tag_stats s = {sizeof s, at_least_0((int64_t)sums.blocks), at_least_0(sums.live),
                             at_least(&pool->totals.tag[tag].live.peak, sums.live)};
    return tn_struct_write(stats, &s, sizeof s, "tarn_pool_tag_stats");
}

tarn_status tn_pool_refuse(tarn_pool *pool, const tn_pool_want *want) {
    tn_spin_lock(&pool->fit_lock);
    unsigned long long all = pool->free_bins.units << pool->unit_shift;
    unsigned long long largest = tn_fit_largest_units(&pool->fit, TN_LIST_FREE) << pool->unit_shift;
    tn_spin_unlock(&pool->fit_lock);
    return tn_fail(TARN_NO_DEVICE_MEMORY, "%llu bytes wanted, %llu free, the largest piece %llu",
                   (unsigned long long)want->occupied, all, largest);
}
