// SPDX-License-Identifier: Apache-2.0
// Statistics of a pool: the totals, what each thread has counted since its last fold, and the
// counts of the fit and the source. The counts of other running threads may be a few blocks old.
// Any thread.
#include <string.h>

#include "base/error.h"
#include "base/struct.h"
#include "core/pool/fit/piece.h"
#include "core/pool/plan/plan.h"
#include "core/pool/report/count.h"

// ---- counts

void tn_pool_count_alone(tarn_pool *pool, bool alloc, uint32_t tag, uint64_t live, uint64_t used) {
    tn_pool_tally tally;
    memset(&tally, 0, sizeof tally);
    if (alloc)
        (void)tn_pool_tally_alloc(&tally, tag, live, used);
    else
        (void)tn_pool_tally_free(&tally, tag, live, used);
    tn_pool_tally_fold(&tally, &pool->reports.totals);
}

// Only other threads miss the changes that a tally hides.
void tn_pool_count_fold(tn_pool_cache *cache, void *arg) {
    tarn_pool *pool = (tarn_pool *)arg;
    tn_pool_tally_fold(&cache->tally, &pool->reports.totals);
    if (tn_load_relaxed(&pool->small.alone) == cache)
        tn_store_relaxed(&cache->tally.slack, UINT64_MAX);
}

void tn_pool_count_reset(tarn_pool *pool) {
    tn_pool_cache_each(pool, tn_pool_count_fold, pool);
    tn_pool_totals_reset(&pool->reports.totals);
}

void tn_pool_count_extension(tarn_pool *pool, uint32_t tag, uint64_t live, uint64_t used) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    tn_pool_tally alone;
    memset(&alone, 0, sizeof alone);
    tn_pool_tally *tally = cache != NULL ? &cache->tally : &alone;
    tn_pool_tally_extend(tally, tag, live, used);
    tn_pool_tally_fold(tally, &pool->reports.totals);
}

// ---- sums over the threads

// Counts of all tags, or of one.
struct sums {
    const tn_pool_totals *totals;
    unsigned first_tag, end_tag;
    int64_t live, used, tag_live;
    int64_t live_top, used_top, tag_top; // with the highest values that the tallies hide
    uint64_t allocs, frees, dropped, caches;
};

static void add_totals(struct sums *sums) {
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
    struct sums *sums = (struct sums *)arg;
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

static struct sums sum_tags(tarn_pool *pool, unsigned first_tag, unsigned end_tag) {
    struct sums sums = {
        .totals = &pool->reports.totals, .first_tag = first_tag, .end_tag = end_tag};
    tn_pool_cache_each(pool, add_cache, &sums);
    if (sums.caches == 0) add_totals(&sums);
    return sums;
}

static uint64_t at_least_0(int64_t value) { return value > 0 ? (uint64_t)value : 0; }

static uint64_t peak_of(_Atomic(int64_t) *peak, int64_t now) {
    int64_t seen = tn_load_relaxed(peak);
    return at_least_0(seen > now ? seen : now);
}

static uint64_t live_blocks(const struct sums *sums) {
    return at_least_0((int64_t)(sums->allocs - sums->frees - sums->dropped));
}

uint64_t tn_pool_used_bytes(tarn_pool *pool) { return at_least_0(sum_tags(pool, 0, 0).used); }

uint64_t tn_pool_tag_bytes(tarn_pool *pool, uint32_t tag) {
    return at_least_0(sum_tags(pool, tag, tag + 1).tag_live);
}

// Folds the thread's own tally, so that for one thread every count is exact.
static void fold_mine(tarn_pool *pool) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    if (cache != NULL) tn_pool_count_fold(cache, pool);
}

// ---- statistics

uint64_t tn_pool_refusals(const tarn_pool *pool) {
    return tn_load_relaxed(&pool->reports.refusals);
}

void tn_pool_fill_stats(tarn_pool *pool, tarn_pool_stats *s) {
    fold_mine(pool);
    const struct sums sums = sum_tags(pool, 0, TARN_POOL_TAGS);
    s->live_blocks = live_blocks(&sums);
    s->live_bytes = at_least_0(sums.live);
    s->used_bytes = at_least_0(sums.used);
    s->peak_live_bytes = peak_of(&pool->reports.totals.live.peak, sums.live_top);
    s->peak_used_bytes = peak_of(&pool->reports.totals.used.peak, sums.used_top);
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
        begin_anew(&pool->reports.totals.live);
        for (unsigned t = 0; t < TARN_POOL_TAGS; t++) begin_anew(&pool->reports.totals.tag[t].live);
    }
    if ((which & TARN_PEAK_USED) != 0) begin_anew(&pool->reports.totals.used);
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
    const struct sums sums = sum_tags(pool, tag, tag + 1);
    tarn_pool_tag_stats s = {sizeof s, live_blocks(&sums), at_least_0(sums.tag_live),
                             peak_of(&pool->reports.totals.tag[tag].live.peak, sums.tag_top)};
    return TN_DONE(tn_struct_write(stats, &s, sizeof s, "tarn_pool_tag_stats"));
}
