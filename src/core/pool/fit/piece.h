// SPDX-License-Identifier: Apache-2.0
// The pieces of the range as other rooms see them, and the hot part of piece.c: the search in the
// one list that serves most requests, and the free into it. Everything under fit, unless stated
// otherwise.
#pragma once

#include "algo/fit_hot.h"
#include "core/pool/pool.h"

#define TN_POOL_HOT static inline __attribute__((always_inline))

// ---- the lock

// The fit lock is held for tens of nanoseconds, and never across a call of the device. Its holder
// sees all pieces in the pool's fit.
static inline void tn_pool_fit_lock(tarn_pool *pool) {
    (void)tn_biased_lock(&pool->range.lock);
    void (*unify)(tarn_pool *) = tn_load_relaxed(&pool->range.unify);
    if (__builtin_expect(unify != NULL, 0)) unify(pool);
}

static inline void tn_pool_fit_unlock(tarn_pool *pool) { tn_biased_unlock(&pool->range.lock); }

// The fit lock for growth, which may leave the pieces of shards where they are. Free pieces are in
// the free list. Under grow.
static inline void tn_pool_fit_lock_growing(tarn_pool *pool) {
    if (pool->range.apart != TN_APART_NOT)
        (void)tn_biased_lock(&pool->range.lock);
    else
        tn_pool_fit_lock(pool);
    tn_pool_piece_ungather(pool);
}

static inline tarn_pool *tn_pool_fit_hold(tarn_pool *pool) {
    tn_pool_fit_lock(pool);
    return pool;
}

static inline void tn_pool_fit_release(tarn_pool *const *pool) { tn_pool_fit_unlock(*pool); }

// A declaration: holds the lock until the end of the block. One in a block.
#define TN_FIT_LOCKED(pool)                                                                        \
    __attribute__((cleanup(tn_pool_fit_release), unused)) tarn_pool *const fit_locked_here =       \
        tn_pool_fit_hold(pool)

// Makes the calling thread the owner of the lock, if it never had one.
static inline void tn_pool_fit_adopt(tarn_pool *pool) {
    (void)tn_biased_lock(&pool->range.lock);
    tn_biased_adopt(&pool->range.lock);
    tn_biased_unlock(&pool->range.lock);
}

// The same lock for those that need not see the pieces of shards. Returns true if the thread had to
// wait for another.
static inline bool tn_pool_main_lock(tarn_pool *pool) { return tn_biased_lock(&pool->range.lock); }

static inline void tn_pool_main_unlock(tarn_pool *pool) { tn_biased_unlock(&pool->range.lock); }

static inline tarn_addr tn_pool_addr(const tarn_pool *pool, uint64_t unit) {
    return pool->range.base + (unit << pool->unit_shift);
}

static inline uint64_t tn_pool_units(const tarn_pool *pool, uint64_t bytes) {
    return (bytes + (UINT64_C(1) << pool->unit_shift) - 1) >> pool->unit_shift;
}

// Returns the units of the piece of a large block that occupies so many bytes.
static inline uint64_t tn_pool_block_units(const tarn_pool *pool, uint64_t occupied) {
    return tn_pool_units(pool, occupied > pool->large_min ? occupied : pool->large_min);
}

// ---- pieces, by the number of their node; node 0 is none

static inline tarn_addr tn_piece_addr(const tarn_pool *pool, uint32_t node) {
    return tn_pool_addr(pool, tn_fit_start(&pool->range.fit, node));
}

static inline uint64_t tn_piece_units(const tarn_pool *pool, uint32_t node) {
    return tn_fit_units(&pool->range.fit, node);
}

static inline tarn_addr tn_piece_end(const tarn_pool *pool, uint32_t node) {
    return tn_piece_addr(pool, node) + (tn_piece_units(pool, node) << pool->unit_shift);
}

static inline uint32_t tn_piece_before(const tarn_pool *pool, uint32_t node) {
    return tn_fit_before(&pool->range.fit, node);
}

static inline uint32_t tn_piece_after(const tarn_pool *pool, uint32_t node) {
    return tn_fit_after(&pool->range.fit, node);
}

static inline bool tn_piece_is_taken(const tarn_pool *pool, uint32_t node) {
    return tn_fit_state(&pool->range.fit, node) == TN_FIT_TAKEN;
}

// Returns true if the granule entry `node` is that of a large block that starts at `addr`.
static inline bool tn_piece_is_at(const tarn_pool *pool, uint32_t node, tarn_addr addr) {
    bool found = node != 0 && (node & TN_SLAB_BIT) == 0 && tn_piece_addr(pool, node) == addr;
    TARN_ASSERT(!found || tn_piece_is_taken(pool, node));
    return found;
}

// Returns true for a piece that is free for all streams.
static inline bool tn_piece_is_free(const tarn_pool *pool, uint32_t node) {
    return tn_fit_is_free(&pool->range.fit, node, pool->range.free_list) ||
           tn_fit_is_free(&pool->range.fit, node, TN_LIST_SHORT);
}

// Returns true for a piece without physical memory.
static inline bool tn_piece_is_hole(const tarn_pool *pool, uint32_t node) {
    return tn_fit_is_free(&pool->range.fit, node, TN_LIST_ASIDE);
}

// The mark, the slot, and the word of a taken piece. The word of a block is the bytes requested.
static inline uint32_t tn_piece_mark(const tarn_pool *pool, uint32_t node) {
    return tn_fit_mark(&pool->range.fit, node);
}

static inline unsigned tn_piece_slot(const tarn_pool *pool, uint32_t node) {
    return tn_fit_list(&pool->range.fit, node);
}

static inline uint64_t tn_piece_word(const tarn_pool *pool, uint32_t node) {
    return tn_fit_word(&pool->range.fit, node);
}

static inline void tn_piece_set_mark(tarn_pool *pool, uint32_t node, uint32_t mark) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && node != 0);
    tn_fit_set_mark(&pool->range.fit, node, mark);
}

static inline void tn_piece_assign(tarn_pool *pool, uint32_t node, unsigned slot, uint32_t mark,
                                   uint64_t word) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && tn_piece_is_taken(pool, node));
    tn_fit_assign(&pool->range.fit, node, slot, mark, word);
}

// Takes `units` out of a free piece, from `skip` units after its start. There are records left.
static inline uint32_t tn_piece_carve(tarn_pool *pool, uint32_t node, uint64_t skip,
                                      uint64_t units) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && !tn_piece_is_taken(pool, node));
    return tn_fit_carve(&pool->range.fit, node, skip, units);
}

// Frees a taken piece for all streams, or makes it a hole. Returns the merged piece.
static inline uint32_t tn_piece_release(tarn_pool *pool, uint32_t node, bool hole) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && tn_piece_is_taken(pool, node));
    return tn_fit_free(&pool->range.fit, node, hole ? TN_LIST_ASIDE : pool->range.free_list);
}

// The lists of free pieces that a slot may use: for i = 0 that of pieces free for all, and for 1
// and 2 those of the slot alone, which slot 0 has not. TN_LIST_ASIDE is the list of holes.
static inline unsigned tn_piece_list(const tarn_pool *pool, unsigned slot, unsigned i) {
    return i == 0 ? pool->range.free_list : tn_pool_slot_at(pool, slot)->lists.ids[i - 1];
}

// Walk a list: from the largest piece down, or from those of at least `units` up.
static inline uint32_t tn_piece_largest(const tarn_pool *pool, unsigned list) {
    return tn_fit_largest(&pool->range.fit, list);
}

static inline uint32_t tn_piece_next_smaller(const tarn_pool *pool, uint32_t node) {
    return tn_fit_next_smaller(&pool->range.fit, node);
}

static inline uint32_t tn_piece_at_least(const tarn_pool *pool, unsigned list, uint64_t units) {
    return tn_fit_at_least(&pool->range.fit, list, units);
}

static inline uint32_t tn_piece_next_larger(const tarn_pool *pool, uint32_t node) {
    return tn_fit_next_larger(&pool->range.fit, node);
}

// Joins a taken piece with the taken one right behind it, or splits it after `units` and returns
// the rest, 0 if no record is left.
static inline void tn_piece_join(tarn_pool *pool, uint32_t node) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && tn_piece_is_taken(pool, node));
    tn_fit_join(&pool->range.fit, node);
}

static inline uint32_t tn_piece_split(tarn_pool *pool, uint32_t node, uint64_t units) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && units != 0 && units < tn_piece_units(pool, node));
    return tn_fit_split(&pool->range.fit, node, units);
}

// Makes a sleeping block a remnant.
static inline void tn_piece_forget(tarn_pool *pool, uint32_t node) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && tn_piece_units(pool, node) <= pool->range.taken_units);
    pool->range.taken_units -= tn_piece_units(pool, node);
    tn_piece_assign(pool, node, 0, TN_MARK_REMNANT, 0);
}

// The number of pieces ever made, and whether a few more can be made.
static inline uint32_t tn_piece_records(const tarn_pool *pool) { return pool->range.fit.used; }

static inline bool tn_piece_has_records(const tarn_pool *pool) {
    return tn_fit_room(&pool->range.fit) >= TN_POOL_NODE_RESERVE;
}

// Returns the first piece of a span, by its number, or 0 if there is no such span.
static inline uint32_t tn_piece_first(const tarn_pool *pool, size_t span) {
    return span < pool->range.span_count ? tn_piece_after(pool, pool->range.spans[span].head) : 0;
}

// Returns true if unfinished work may use pieces that are free for all.
static inline bool tn_piece_may_be_used(const tarn_pool *pool) { return pool->range.unsettled; }

// ---- take and free

// The parts that are called seldom.
__attribute__((noinline)) uint32_t tn_pool_piece_search_shared(tarn_pool *pool,
                                                               const tn_pool_want *want);
__attribute__((noinline)) uint32_t tn_pool_piece_take_short(tarn_pool *pool,
                                                            const tn_pool_want *want);
__attribute__((noinline)) uint32_t tn_pool_piece_take_tail(tarn_pool *pool,
                                                           const tn_pool_want *want);
__attribute__((noinline)) void tn_pool_piece_extend_high(tarn_pool *pool, uint64_t end);
__attribute__((noinline)) void tn_pool_piece_free_tail(tarn_pool *pool, uint32_t node,
                                                       unsigned slot);

TN_POOL_HOT void tn_pool_piece_count(tarn_pool *pool, uint64_t units) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    uint64_t taken = pool->range.taken_units + units;
    pool->range.taken_units = taken;
    if (taken > pool->range.peak_taken_units) pool->range.peak_taken_units = taken;
}

// Records what a node of the fit was taken for.
TN_POOL_HOT void tn_pool_piece_assign(tarn_pool *pool, const tn_pool_want *want, uint32_t node) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && tn_piece_units(pool, node) == want->units);
    uint64_t start = tn_fit_start(&pool->range.fit, node);
    uint64_t end = start + want->units;
    tn_fit_assign(&pool->range.fit, node, want->slot, want->mark, want->bytes);
    tn_pool_piece_count(pool, want->units);
    if (__builtin_expect(end > pool->range.high_units, 0)) tn_pool_piece_extend_high(pool, end);
    if ((want->mark & TN_MARK_SLAB) == 0)
        tn_granule_put(&pool->map, tn_pool_addr(pool, start), node);
}

// Returns the list of the sole slot's pieces of a length, at most TN_FIT_MAX_UNITS. Programs mix
// short and long blocks, so a branch would be mispredicted, and compilers make one of a comparison.
TN_POOL_HOT unsigned tn_pool_piece_common(const tarn_pool *pool, uint64_t units) {
    TARN_ASSERT(units <= TN_FIT_MAX_UNITS);
    unsigned list = pool->range.free_list;
    unsigned is_short = (unsigned)((units - pool->range.short_units) >> 63);
    return list ^ ((list ^ TN_LIST_SHORT) & (0 - is_short));
}

// Takes a piece of the sole slot for a large block without an alignment, by the means that serve
// almost every request, and sets the granule entry of its start. Writes its address. Returns 0 if
// there is none; then tn_pool_piece_take() may still find one. Under fit.
TN_POOL_HOT uint32_t tn_pool_piece_take_quick(tarn_pool *pool, uint64_t units, tn_fit_data data,
                                              tarn_addr *addr) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && units != 0);
    tn_fit *fit = &pool->range.fit;
    if (__builtin_expect(tn_fit_room(fit) < TN_POOL_NODE_RESERVE || data.list != pool->range.sole,
                         0))
        return 0;
    uint32_t node = tn_fit_take_quick(fit, tn_pool_piece_common(pool, units), units, data);
    if (__builtin_expect(node == 0, 0)) return 0;
    uint64_t start = tn_fit_start(fit, node);
    pool->range.streak++;
    tn_pool_piece_count(pool, units);
    if (__builtin_expect(start + units > pool->range.high_units, 0))
        tn_pool_piece_extend_high(pool, start + units);
    *addr = tn_pool_addr(pool, start);
    tn_granule_put(&pool->map, *addr, node);
    return node;
}

// Takes units of the lists that the slot may use, which is all of `want` that counts.
TN_POOL_HOT uint32_t tn_pool_piece_search(tarn_pool *pool, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && want->units != 0);
    if (__builtin_expect(want->slot == pool->range.sole, 1)) {
        pool->range.streak++;
        if (want->units < pool->range.short_units) return tn_pool_piece_take_short(pool, want);
        return tn_fit_take(&pool->range.fit, pool->range.free_list, want->units,
                           want->align >> pool->unit_shift);
    }
    return pool->range.sole == TN_POOL_SHARED ? tn_pool_piece_search_shared(pool, want) : 0;
}

// See tn_pool_piece_take().
TN_POOL_HOT uint32_t tn_pool_piece_take_inline(tarn_pool *pool, const tn_pool_want *want) {
    if (__builtin_expect(tn_fit_room(&pool->range.fit) < TN_POOL_NODE_RESERVE, 0)) return 0;
    uint32_t node = tn_pool_piece_search(pool, want);
    if (__builtin_expect(node == 0, 0) && pool->range.tail != 0 &&
        (want->slot == pool->range.sole || pool->range.sole == TN_POOL_SHARED))
        node = tn_pool_piece_take_tail(pool, want);
    if (node != 0) tn_pool_piece_assign(pool, want, node);
    return node;
}

// Returns the list that pieces of a slot are freed into.
TN_POOL_HOT unsigned tn_pool_piece_list(tarn_pool *pool, unsigned slot, uint64_t units) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    bool sole = slot == pool->range.sole;
    if (slot != 0) pool->range.unsettled |= sole;
    if (sole) return tn_pool_piece_common(pool, units);
    if (slot == 0) return pool->range.free_list;
    const tn_pool_lists *own = &tn_pool_slot_at(pool, slot)->lists;
    return own->ids[own->young];
}

// Describes a large block that ends. `fit` is the pool's, or that of a shard. Under fit, or for its
// owner.
TN_POOL_HOT tn_pool_freed tn_pool_piece_describe(const tn_fit *fit, uint32_t node, bool keep) {
    return (tn_pool_freed){.node = node,
                           .mark = tn_fit_mark(fit, node),
                           .slot = keep ? tn_fit_list(fit, node) : 0,
                           .bytes = tn_fit_word(fit, node)};
}

// See tn_pool_piece_free().
TN_POOL_HOT void tn_pool_piece_free_inline(tarn_pool *pool, uint32_t node) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && tn_piece_is_taken(pool, node));
    TARN_ASSERT(tn_piece_units(pool, node) <= pool->range.taken_units);
    tn_fit *fit = &pool->range.fit;
    unsigned slot = tn_fit_list(fit, node);
    uint64_t units = tn_fit_units(fit, node);
    uint64_t end = tn_fit_start(fit, node) + units;
    pool->range.taken_units -= units;
    node = tn_fit_free_units(fit, node, units, tn_pool_piece_list(pool, slot, units));
    if (__builtin_expect(pool->range.tail_bytes != 0, 0) && end > pool->range.tail_start)
        tn_pool_piece_free_tail(pool, node, slot);
}
