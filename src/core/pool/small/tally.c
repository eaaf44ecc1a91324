// SPDX-License-Identifier: Apache-2.0
// Folding of tallies into totals. See tally.h.
#include "core/pool/small/tally.h"

static void fold_level(tn_pool_level *level, tn_pool_peak *peak) {
    int64_t now = tn_pool_level_now(level);
    int64_t before = tn_add_relaxed(&peak->now, now);
    int64_t top = before + tn_load_relaxed(&level->top);
    int64_t seen = tn_load_relaxed(&peak->peak);
    while (seen < top && !tn_cas_weak_relaxed(&peak->peak, &seen, top)) {
    }
    tn_store_relaxed(&level->top, 0);
    tn_store_relaxed(&level->below, 0);
}

static void fold_count(_Atomic(uint64_t) *from, _Atomic(uint64_t) *into) {
    (void)tn_add_relaxed(into, tn_load_relaxed(from));
    tn_store_relaxed(from, 0);
}

void tn_pool_tally_fold(tn_pool_tally *tally, tn_pool_totals *totals) {
    fold_level(&tally->live, &totals->live);
    fold_level(&tally->used, &totals->used);
    for (uint64_t left = tally->tags; left != 0; left &= left - 1) {
        unsigned tag = (unsigned)__builtin_ctzll(left);
        fold_level(&tally->tag[tag].live, &totals->tag[tag].live);
        fold_count(&tally->tag[tag].allocs, &totals->tag[tag].allocs);
        fold_count(&tally->tag[tag].frees, &totals->tag[tag].frees);
    }
    tally->tags = 0;
    tn_store_relaxed(&tally->slack, (uint64_t)tn_load_relaxed(&totals->live.peak) / 64);
}

void tn_pool_totals_reset(tn_pool_totals *totals) {
    tn_store_relaxed(&totals->live.now, 0);
    tn_store_relaxed(&totals->used.now, 0);
    for (unsigned t = 0; t < TARN_POOL_TAGS; t++) {
        tn_store_relaxed(&totals->tag[t].live.now, 0);
        tn_store_relaxed(&totals->tag[t].dropped, tn_load_relaxed(&totals->tag[t].allocs) -
                                                      tn_load_relaxed(&totals->tag[t].frees));
    }
}
