// SPDX-License-Identifier: Apache-2.0
// Counts of blocks and bytes with their peaks. Each thread counts in its own tally and folds it
// into the pool's totals now and then, so that counting touches no shared cache line. With one
// thread the peaks are exact, however seldom it folds. With several each thread may hide a change of
// 1/64 of the peak, or a number of calls; the peak is too high or too low by as much. Only its thread
// writes a tally, except that another one may lower `slack`; any thread reads it and changes totals.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <tarn/pool.h>

#include "base/atomic.h"

// Blocks of a tag; a power of two. A fold takes longer than all but one in a thousand allocations.
enum { TN_FOLD_EVERY = 2048 };

// A count since the last fold: its highest value since then, and how far it lies below that now.
typedef struct tn_pool_level {
    _Atomic(int64_t) top;
    _Atomic(int64_t) below;
} tn_pool_level;

typedef struct tn_pool_tally {
    tn_pool_level live;      // bytes requested
    tn_pool_level used;      // bytes occupied
    uint64_t tags;           // bit t: tag t has counts to fold. For its thread only
    _Atomic(uint64_t) slack; // `live` is folded before it changes by more
    struct tn_pool_tag_tally {
        tn_pool_level live;
        _Atomic(uint64_t) allocs;
        _Atomic(uint64_t) frees;
    } tag[TARN_POOL_TAGS];
} tn_pool_tally;

typedef struct tn_pool_peak {
    _Atomic(int64_t) now;
    _Atomic(int64_t) peak;
} tn_pool_peak;

typedef struct tn_pool_totals {
    tn_pool_peak live;
    tn_pool_peak used;
    struct tn_pool_tag_totals {
        tn_pool_peak live;
        _Atomic(uint64_t) allocs;
        _Atomic(uint64_t) frees;
        _Atomic(uint64_t) dropped; // by resets: neither freed nor live
    } tag[TARN_POOL_TAGS];
} tn_pool_totals;

static inline int64_t tn_pool_level_now(const tn_pool_level *level) {
    return tn_load_relaxed(&level->top) - tn_load_relaxed(&level->below);
}

// Returns the highest value since the last fold if this is it, else 0.
static inline __attribute__((always_inline)) int64_t tn_pool_level_add(tn_pool_level *level,
                                                                       int64_t bytes) {
    int64_t below = tn_load_relaxed(&level->below) - bytes;
    int64_t top = 0;
    if (__builtin_expect(below < 0, 0)) {
        top = tn_load_relaxed(&level->top) - below;
        tn_store_relaxed(&level->top, top);
        below = 0;
    }
    tn_store_relaxed(&level->below, below);
    return top;
}

// Returns how far the count lies below its highest value.
static inline __attribute__((always_inline)) int64_t tn_pool_level_sub(tn_pool_level *level,
                                                                       int64_t bytes) {
    int64_t below = tn_load_relaxed(&level->below) + bytes;
    tn_store_relaxed(&level->below, below);
    return below;
}

// Adds one call of a tag. Returns true if their number suffices for a fold. The first one marks the
// tag.
static inline __attribute__((always_inline)) bool
tn_pool_count_one(tn_pool_tally *tally, uint32_t tag, _Atomic(uint64_t) *count) {
    uint64_t now = tn_load_relaxed(count) + 1;
    tn_store_relaxed(count, now);
    if (__builtin_expect(now == 1, 0)) tally->tags |= UINT64_C(1) << tag;
    return __builtin_expect(now % TN_FOLD_EVERY == 0, 0);
}

// Counts a block. Returns true if the tally is to be folded.
static inline __attribute__((always_inline)) bool
tn_pool_tally_alloc(tn_pool_tally *tally, uint32_t tag, uint64_t live, uint64_t used) {
    struct tn_pool_tag_tally *t = &tally->tag[tag];
    bool many = tn_pool_count_one(tally, tag, &t->allocs);
    (void)tn_pool_level_add(&tally->used, (int64_t)used);
    (void)tn_pool_level_add(&t->live, (int64_t)live);
    int64_t top = tn_pool_level_add(&tally->live, (int64_t)live);
    return many || (top != 0 && (uint64_t)top > tn_load_relaxed(&tally->slack));
}

static inline __attribute__((always_inline)) bool
tn_pool_tally_free(tn_pool_tally *tally, uint32_t tag, uint64_t live, uint64_t used) {
    struct tn_pool_tag_tally *t = &tally->tag[tag];
    bool many = tn_pool_count_one(tally, tag, &t->frees);
    (void)tn_pool_level_sub(&tally->used, (int64_t)used);
    (void)tn_pool_level_sub(&t->live, (int64_t)live);
    uint64_t below = (uint64_t)tn_pool_level_sub(&tally->live, (int64_t)live);
    return many || below > tn_load_relaxed(&tally->slack);
}

// Counts bytes that a live block gains.
static inline void tn_pool_tally_extend(tn_pool_tally *tally, uint32_t tag, uint64_t live,
                                        uint64_t used) {
    (void)tn_pool_level_add(&tally->live, (int64_t)live);
    (void)tn_pool_level_add(&tally->used, (int64_t)used);
    (void)tn_pool_level_add(&tally->tag[tag].live, (int64_t)live);
    tally->tags |= UINT64_C(1) << tag;
}

// Adds a tally to the totals and empties it. Called by its thread, or after that thread has ended.
void tn_pool_tally_fold(tn_pool_tally *tally, tn_pool_totals *totals);

// Sets the live counts to 0. Peaks and counts of calls stay.
void tn_pool_totals_reset(tn_pool_totals *totals);
