// SPDX-License-Identifier: Apache-2.0
// Statistics of a pool: the totals, what each thread has counted since its last fold, and the
// counts of the fit and the source. The counts of other running threads may be a few blocks old.
// Any thread.
#include <string.h>

#include "base/error.h"
#include "base/struct.h"
#include "core/pool/fit/piece.h"
#include "core/pool/plan/plan.h"
#include "core/pool/small/count.h"

// Folds the thread's own tally, so that for one thread every count is exact.
static void fold_mine(tarn_pool *pool) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    if (cache != NULL) tn_pool_count_fold(cache, pool);
}

// ---- statistics

static uint64_t peak_of(_Atomic(int64_t) *peak, int64_t now) {
    int64_t seen = tn_load_relaxed(peak);
    return tn_pool_at_least_0(seen > now ? seen : now);
}

static uint64_t live_blocks(const tn_pool_sums *sums) {
    return tn_pool_at_least_0((int64_t)(sums->allocs - sums->frees - sums->dropped));
}

uint64_t tn_pool_refusals(const tarn_pool *pool) {
    return tn_load_relaxed(&pool->reports.refusals);
}

void tn_pool_fill_stats(tarn_pool *pool, tarn_pool_stats *s) {
    fold_mine(pool);
    const tn_pool_sums sums = tn_pool_count_sum(pool, 0, TARN_POOL_TAGS);
    s->live_blocks = live_blocks(&sums);
    s->live_bytes = tn_pool_at_least_0(sums.live);
    s->used_bytes = tn_pool_at_least_0(sums.used);
    s->peak_live_bytes = peak_of(&pool->totals.live.peak, sums.live_top);
    s->peak_used_bytes = peak_of(&pool->totals.used.peak, sums.used_top);
    s->allocs = sums.allocs;
    s->frees = sums.frees;
    s->host_bytes = sizeof *pool + sums.caches * sizeof(tn_pool_cache);
    s->host_bytes += tn_pool_small_host_bytes(pool);
    uint64_t taken = tn_pool_range_stats(pool, s);
    uint64_t queued = tn_pool_queued_bytes(pool);
    s->pending_bytes += queued;
    s->cached_bytes += taken > s->used_bytes + queued ? taken - s->used_bytes - queued : 0;
    tn_pool_growth_stats(pool, s);
    tn_plan_stats(pool, s);
    s->refusals = tn_pool_refusals(pool);
    s->fallback = pool->reason[0] != '\0';
}

tarn_status tarn_pool_query_stats(tarn_pool *pool, tarn_pool_stats *stats) {
    tarn_pool_stats s = {.struct_size = sizeof s};
    TN_TRY(tn_pool_usable(pool));
    pool->ops->fill_stats(pool, &s);
    return TN_DONE(tn_struct_write(stats, &s, sizeof s, "tarn_pool_stats"));
}

tarn_status tarn_pool_query(tarn_pool *pool, tarn_pool_info *info) {
    tarn_pool_info own = {.struct_size = sizeof own};
    TN_TRY(tn_pool_usable(pool));
    own.kind = pool->kind;
    own.asked = pool->asked;
    own.rule = pool->rule;
    own.user = pool->desc.user;
    own.reuse = tn_pool_reuse_bits(pool);
    memcpy(own.reason, pool->reason, sizeof own.reason);
    tn_pool_growth_info(pool, &own);
    return TN_DONE(tn_struct_write(info, &own, sizeof own, "tarn_pool_info"));
}

static void begin_anew(tn_pool_peak *peak) {
    tn_store_relaxed(&peak->peak, tn_load_relaxed(&peak->now));
}

void tn_pool_reset_peaks(tarn_pool *pool, uint32_t which) {
    fold_mine(pool);
    if ((which & TARN_PEAK_LIVE) != 0) {
        begin_anew(&pool->totals.live);
        for (unsigned t = 0; t < TARN_POOL_TAGS; t++) begin_anew(&pool->totals.tag[t].live);
    }
    if ((which & TARN_PEAK_USED) != 0) begin_anew(&pool->totals.used);
    if ((which & TARN_PEAK_HELD) != 0) tn_pool_growth_reset_peak(pool);
}

tarn_status tarn_pool_reset_peaks(tarn_pool *pool, uint32_t which) {
    const uint32_t all = TARN_PEAK_LIVE | TARN_PEAK_USED | TARN_PEAK_HELD;
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE((which & ~all) != 0, TARN_BAD_ARGUMENT, "which 0x%x has unknown bits", which);
    pool->ops->reset_peaks(pool, which != 0 ? which : all);
    return TARN_OK;
}

tarn_status tarn_pool_query_tag_stats(tarn_pool *pool, uint32_t tag, tarn_pool_tag_stats *stats) {
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(tag >= TARN_POOL_TAGS, TARN_BAD_ARGUMENT, "tag %u is not below %u", tag,
              TARN_POOL_TAGS);
    fold_mine(pool);
    const tn_pool_sums sums = tn_pool_count_sum(pool, tag, tag + 1);
    tarn_pool_tag_stats s = {sizeof s, live_blocks(&sums), tn_pool_at_least_0(sums.tag_live),
                             peak_of(&pool->totals.tag[tag].live.peak, sums.tag_top)};
    return TN_DONE(tn_struct_write(stats, &s, sizeof s, "tarn_pool_tag_stats"));
}
