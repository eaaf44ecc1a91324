// SPDX-License-Identifier: Apache-2.0
// The lists of the slots, and the sole slot. While one stream only allocates, its frees go to the
// free list, so that its blocks lie where those of a program without streams would. The list is
// unsettled then: unfinished work of the stream may use its pieces. A slot that allocates seldom is
// a guest, which waits for the list to settle. When another slot allocates often, or cannot wait,
// an unsettled free list becomes the sole slot's young list as a whole, and the pool is shared.
#include "core/pool/fit/piece.h"

enum {
    PROMOTE_BATCH = 64, // nodes that are moved without releasing the fit lock
    EXAMINED = 16,      // pieces among which the untouched one is searched for
    STREAK = 1024, // allocations more than those of others, by which a slot becomes the sole one
};

// ---- the lists of slots

static tn_pool_lists *lists_of(tarn_pool *pool, unsigned slot) {
    return &tn_pool_slot_at(pool, slot)->lists;
}

void tn_pool_lists_init(tarn_pool *pool, unsigned number, tn_pool_slot *slot) {
    TARN_ASSERT(number < TN_POOL_SLOTS);
    for (unsigned i = 0; i < 2 && number != 0; i++) {
        slot->lists.ids[i] = 2 * number + i;
        slot->bins[i].owner = number;
        tn_pool_fit_lock(pool);
        tn_fit_set_list(&pool->range.fit, slot->lists.ids[i], &slot->bins[i]);
        tn_pool_fit_unlock(pool);
    }
}

bool tn_pool_lists_close(tarn_pool *pool, unsigned slot) {
    tn_pool_lists *lists = lists_of(pool, slot);
    tn_pool_fit_lock(pool);
    bool tail = pool->range.tail_slot == slot && !pool->range.tail_marked;
    bool any = tail || pool->range.lists[lists->ids[lists->young]]->count != 0;
    if (any) {
        lists->young ^= 1u;
        pool->range.tail_marked = pool->range.tail_marked || tail;
    }
    tn_pool_fit_unlock(pool);
    return any;
}

// Moves all nodes of a list to the list that all streams may use.
static void promote(tarn_pool *pool, unsigned list) {
    TARN_ASSERT(list != TN_LIST_ASIDE && list != TN_LIST_PLAN);
    bool more;
    do {
        tn_pool_fit_lock(pool);
        more = tn_pool_piece_promote(pool, list, PROMOTE_BATCH);
        tn_pool_fit_unlock(pool);
    } while (more);
}

void tn_pool_lists_passed(tarn_pool *pool, unsigned slot) {
    const tn_pool_lists *lists = lists_of(pool, slot);
    promote(pool, lists->ids[lists->young ^ 1u]);
    tn_pool_fit_lock(pool);
    if (pool->range.tail_slot == slot && pool->range.tail_marked) pool->range.tail_slot = 0;
    tn_pool_fit_unlock(pool);
}

void tn_pool_lists_release(tarn_pool *pool, unsigned slot) {
    promote(pool, lists_of(pool, slot)->ids[0]);
    promote(pool, lists_of(pool, slot)->ids[1]);
}

void tn_pool_lists_find_used(tarn_pool *pool, bool used[TN_POOL_SLOTS]) {
    tn_pool_fit_lock(pool);
    for (uint32_t node = 1; node < pool->range.fit.used; node++)
        if (tn_piece_is_taken(pool, node)) used[tn_piece_slot(pool, node)] = true;
    for (unsigned s = 1; s < tn_pool_slot_count(pool); s++)
        used[s] = used[s] || (s == pool->range.sole && pool->range.unsettled) ||
                  tn_pool_lists_bytes(pool, s) != 0;
    pool->range.tail_slot = used[pool->range.tail_slot] ? pool->range.tail_slot : 0;
    tn_pool_fit_unlock(pool);
}

// ---- the sole slot

// Makes `slot` the sole one and moves its own pieces to the free list, which no other slot uses.
static void adopt_slot(tarn_pool *pool, unsigned slot) {
    TARN_ASSERT(tn_pool_order_is_held(pool) && slot < TN_POOL_SLOTS);
    tn_pool_fit_lock(pool);
    tn_pool_piece_ungather(pool);
    pool->range.sole = slot;
    pool->range.streak = 0;
    pool->range.unsettled = slot != 0 && tn_pool_lists_bytes(pool, slot) != 0;
    tn_pool_fit_unlock(pool);
    if (slot != 0) tn_pool_lists_release(pool, slot);
}

bool tn_pool_sole_welcomes(tarn_pool *pool, unsigned slot) {
    tn_pool_fit_lock(pool);
    bool other =
        tn_pool_has_order(pool) && pool->range.sole != TN_POOL_SHARED && pool->range.sole != slot;
    bool welcome = other && pool->range.streak >= TN_STREAK_GUEST;
    if (other) {
        uint32_t streak = pool->range.streak < STREAK ? pool->range.streak : STREAK;
        pool->range.streak = welcome ? streak - TN_STREAK_GUEST : streak;
    }
    tn_pool_fit_unlock(pool);
    return welcome;
}

void tn_pool_sole_end(tarn_pool *pool, unsigned slot) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    tn_pool_fit_lock(pool);
    bool other = pool->range.sole != TN_POOL_SHARED && pool->range.sole != slot;
    bool settled = !pool->range.unsettled;
    if (other && !settled) {
        tn_pool_piece_ungather(pool);
        // The free list becomes the young list of the sole slot, which is empty, and the other way
        // round.
        tn_pool_lists *own = lists_of(pool, pool->range.sole);
        unsigned from = pool->range.free_list;
        pool->range.free_list = own->ids[own->young];
        own->ids[own->young] = from;
        pool->range.lists[from]->owner = pool->range.sole;
        pool->range.lists[pool->range.free_list]->owner = 0;
        // Memory that no block has ever had stays free for all. It is the end of a fixed range, so
        // it is one of the longest pieces.
        uint64_t high = pool->range.high_units;
        int left = EXAMINED;
        uint32_t node = pool->desc.kind == TARN_POOL_FIXED ? tn_piece_largest(pool, from) : 0;
        for (; node != 0 && left > 0 &&
               tn_fit_start(&pool->range.fit, node) + tn_piece_units(pool, node) <= high;
             left--)
            node = tn_piece_next_smaller(pool, node);
        if (node != 0 && left > 0) {
            uint64_t start = tn_fit_start(&pool->range.fit, node);
            uint64_t skip = high > start ? high - start : 0;
            node = tn_piece_carve(pool, node, skip, tn_piece_units(pool, node) - skip);
            if (node != 0) (void)tn_piece_release(pool, node, false);
        }
        pool->range.streak_slot = pool->range.sole;
        pool->range.sole = TN_POOL_SHARED;
        pool->range.unsettled = false;
        pool->range.streak = 0;
    }
    tn_pool_fit_unlock(pool);
    if (other && settled) adopt_slot(pool, slot);
}

// Later frees of the slot do not merge with the memory that other slots may have from now on.
void tn_pool_sole_passed(tarn_pool *pool, unsigned slot) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    tn_pool_fit_lock(pool);
    if (pool->range.sole == slot) {
        pool->range.sole = 0;
        pool->range.unsettled = false;
    }
    pool->range.tail_slot = pool->range.tail_slot == slot ? 0 : pool->range.tail_slot;
    tn_pool_fit_unlock(pool);
}

// A pool without a device would wait for a report until other slots have their memory back.
void tn_pool_sole_again(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    tn_pool_fit_lock(pool);
    bool again = tn_pool_has_order(pool) && pool->range.sole == TN_POOL_SHARED &&
                 pool->range.streak >= STREAK;
    unsigned slot = pool->range.streak_slot;
    tn_pool_fit_unlock(pool);
    if (again) adopt_slot(pool, slot);
}

unsigned tn_pool_sole_unsettled(tarn_pool *pool) {
    tn_pool_fit_lock(pool);
    unsigned sole = pool->range.unsettled ? pool->range.sole : 0;
    tn_pool_fit_unlock(pool);
    return sole;
}

void tn_pool_sole_settle(tarn_pool *pool, unsigned sole, bool begin, bool passed) {
    tn_pool_fit_lock(pool);
    pool->range.unsettled = !begin && (pool->range.unsettled || !passed);
    if (!begin && !pool->range.unsettled && pool->range.tail_slot == sole)
        pool->range.tail_slot = 0;
    tn_pool_fit_unlock(pool);
}
