// SPDX-License-Identifier: Apache-2.0
// The sole slot. While one stream only allocates, its frees go to the free list, so that its blocks
// lie where those of a program without streams would. The list is unsettled then: unfinished work
// of the stream may use its pieces. A slot that allocates seldom is a guest, which waits for the
// list to settle. When another slot allocates often, or cannot wait, an unsettled free list becomes
// the sole slot's young list as a whole, and the pool is shared.
#include "core/pool/pool.h"

enum {
    PROMOTE_BATCH = 64, // nodes that are moved without releasing the fit lock
    EXAMINED = 16,      // pieces among which the untouched one is searched for
    STREAK = 1024, // allocations more than those of others, by which a slot becomes the sole one
};

void tn_pool_promote(tarn_pool *pool, unsigned list) {
    uint32_t node = 0;
    do {
        tn_pool_fit_lock(pool);
        for (int i = 0; i < PROMOTE_BATCH; i++) {
            node = tn_fit_largest(&pool->range.fit, list);
            if (node == 0) break;
            node = tn_fit_carve(&pool->range.fit, node, 0, tn_fit_units(&pool->range.fit, node));
            (void)tn_fit_free(&pool->range.fit, node, pool->range.free_list);
        }
        tn_pool_fit_unlock(pool);
    } while (node != 0);
}

// Makes `slot` the sole one and moves its own pieces to the free list, which no other slot uses.
static void adopt_slot(tarn_pool *pool, unsigned slot) {
    const unsigned *own = tn_pool_slot_at(pool, slot)->lists;
    tn_pool_fit_lock(pool);
    pool->range.sole = slot;
    pool->range.streak = 0;
    pool->range.unsettled =
        slot != 0 && pool->range.lists[own[0]]->count + pool->range.lists[own[1]]->count != 0;
    tn_pool_fit_unlock(pool);
    for (unsigned i = 0; i < 2 && slot != 0; i++)
        tn_pool_promote(pool, own[i]);
}

// Memory that no block has ever had stays free for all. It is the end of a fixed range, so it is one
// of the longest pieces.
static void keep_untouched(tarn_pool *pool, unsigned from) {
    tn_fit *fit = &pool->range.fit;
    uint32_t node = pool->growth.source == NULL ? tn_fit_largest(fit, from) : 0;
    int left = EXAMINED;
    while (node != 0 && left > 0 &&
           tn_fit_start(fit, node) + tn_fit_units(fit, node) <= pool->range.high_units) {
        node = tn_fit_next_smaller(fit, node);
        left--;
    }
    if (node == 0 || left == 0) return;
    uint64_t start = tn_fit_start(fit, node);
    uint64_t skip = pool->range.high_units > start ? pool->range.high_units - start : 0;
    node = tn_fit_carve(fit, node, skip, tn_fit_units(fit, node) - skip);
    if (node != 0) (void)tn_fit_free(fit, node, pool->range.free_list);
}

// The free list becomes the young list of the sole slot, which is empty, and the other way round.
// Under fit.
static void swap_free_list(tarn_pool *pool) {
    tn_pool_slot *own = tn_pool_slot_at(pool, pool->range.sole);
    unsigned empty = own->lists[own->young];
    own->lists[own->young] = pool->range.free_list;
    pool->range.lists[pool->range.free_list]->owner = pool->range.sole;
    pool->range.free_list = empty;
    pool->range.lists[empty]->owner = 0;
    keep_untouched(pool, own->lists[own->young]);
}

bool tn_pool_sole_welcomes(tarn_pool *pool, unsigned slot) {
    tn_pool_fit_lock(pool);
    bool other = pool->streams.order != NULL && pool->range.sole != TN_POOL_SHARED &&
                 pool->range.sole != slot;
    bool welcome = other && pool->range.streak >= TN_STREAK_GUEST;
    if (other) {
        uint32_t streak = pool->range.streak < STREAK ? pool->range.streak : STREAK;
        pool->range.streak = welcome ? streak - TN_STREAK_GUEST : streak;
    }
    tn_pool_fit_unlock(pool);
    return welcome;
}

void tn_pool_sole_end(tarn_pool *pool, unsigned slot) {
    tn_pool_fit_lock(pool);
    bool other = pool->range.sole != TN_POOL_SHARED && pool->range.sole != slot;
    bool settled = !pool->range.unsettled;
    if (other && !settled) {
        swap_free_list(pool);
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
    tn_pool_fit_lock(pool);
    bool again = pool->streams.order != NULL && pool->range.sole == TN_POOL_SHARED &&
                 pool->range.streak >= STREAK;
    unsigned slot = pool->range.streak_slot;
    tn_pool_fit_unlock(pool);
    if (again) adopt_slot(pool, slot);
}

// A mark covers the frees before it. The flag is cleared before a mark is made, so that a free
// after that sets it again.
bool tn_pool_settle(tarn_pool *pool, bool wait) {
    tn_pool_fit_lock(pool);
    unsigned sole = pool->range.sole;
    bool settled = !pool->range.unsettled;
    tn_pool_fit_unlock(pool);
    if (settled) return true;
    tn_pool_slot *slot = tn_pool_slot_at(pool, sole);
    bool passed = slot->sole_mark == 0 || tn_pool_mark_passed(pool, slot, &slot->sole_mark, wait);
    if (passed) {
        tn_pool_fit_lock(pool);
        pool->range.unsettled = false;
        tn_pool_fit_unlock(pool);
        passed = tn_pool_mark_passed(pool, slot, &slot->sole_mark, wait);
    }
    tn_pool_fit_lock(pool);
    pool->range.unsettled = pool->range.unsettled || !passed;
    if (!pool->range.unsettled && pool->range.tail_slot == sole) pool->range.tail_slot = 0;
    tn_pool_fit_unlock(pool);
    return passed;
}
