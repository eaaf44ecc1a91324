// SPDX-License-Identifier: Apache-2.0
// Reclaiming: freed memory becomes free for all streams. Blocks leave the magazines, slabs without
// a live block are freed, and the memory of streams that have passed is promoted. The order lock is
// held across marks and queries of events; these do not wait, except with `wait`, which is the last
// step before an allocation fails.
#include "base/error.h"
#include "core/pool/notify.h"
#include "core/pool/small/cache.h"

// Makes the young list of a slot its waiting list, if it has pieces and no list waits. Frees go to
// the other list from then on. While one slot is the sole one, its pieces are in the free list.
void tn_pool_close_young(tarn_pool *pool, unsigned s) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    tn_pool_slot *slot = tn_pool_slot_at(pool, s);
    if (slot->waiting || !tn_pool_lists_close(pool, s)) return;
    slot->waiting = true;
    slot->waiting_record = tn_load_relaxed(&slot->young_record);
}

static void promote_waiting(tarn_pool *pool, unsigned s) {
    TARN_ASSERT(tn_pool_order_is_held(pool) && tn_pool_slot_at(pool, s)->waiting);
    tn_pool_slot_at(pool, s)->waiting = false;
    tn_pool_lists_passed(pool, s);
}

void tn_pool_reclaim(tarn_pool *pool, bool all_threads, bool wait) {
    bool passed = all_threads || tn_pool_reuses(pool, TARN_REUSE_PASSED);
    if (all_threads) tn_pool_cache_flush_all(pool);
    // Blocks that other streams used come first: the last block of a slab may be among them.
    tn_mutex_lock(&pool->streams.lock);
    (void)tn_pool_use_poll(pool, UINT32_MAX, passed, wait);
    tn_mutex_unlock(&pool->streams.lock);
    for (unsigned s = 0; s < tn_pool_slot_count(pool); s++) {
        tn_pool_cache_flush(pool, s);
        tn_pool_slab_trim(pool, s);
    }
    if (passed) {
        tn_mutex_lock(&pool->streams.lock);
        tn_pool_sole_again(pool);
        for (unsigned s = 1; s < tn_pool_slot_count(pool); s++) {
            tn_pool_slot *slot = tn_pool_slot_at(pool, s);
            for (int round = 0; round < 2; round++) { // the waiting list, and then the young one
                bool closed = !slot->waiting;
                tn_pool_close_young(pool, s);
                // A mark that cannot be made now is made at the next check.
                if (closed && slot->waiting) (void)tn_pool_mark_make(pool, slot, &slot->mark);
                if (!slot->waiting || !tn_pool_mark_passed(pool, slot, &slot->mark, wait)) break;
                promote_waiting(pool, s);
            }
        }
        // The free list of a sole slot settles. A mark covers the frees before it.
        unsigned sole = tn_pool_sole_unsettled(pool);
        if (sole != 0) {
            tn_pool_slot *slot = tn_pool_slot_at(pool, sole);
            bool settled =
                slot->sole_mark == 0 || tn_pool_mark_passed(pool, slot, &slot->sole_mark, wait);
            if (settled) {
                tn_pool_sole_settle(pool, sole, true, true);
                settled = tn_pool_mark_passed(pool, slot, &slot->sole_mark, wait);
            }
            tn_pool_sole_settle(pool, sole, false, settled);
        }
        tn_mutex_unlock(&pool->streams.lock);
    }
}

tarn_status tn_pool_wait_for_streams(tarn_pool *pool) {
    tarn_status status = TARN_OK;
    tn_pool_reclaim(pool, true, true);
    TN_LOCKED(&pool->streams.lock);
    for (unsigned s = 1; tn_pool_has_order(pool) && s < tn_pool_slot_count(pool); s++) {
        tn_pool_slot *slot = tn_pool_slot_at(pool, s);
        tn_pool_mark mark = 0;
        if (!slot->spare && !tn_pool_mark_passed(pool, slot, &mark, true))
            status = tn_fail(TARN_BUSY, "stream 0x%llx of the pool cannot be waited for",
                             (unsigned long long)tn_load_relaxed(&slot->stream));
    }
    return status;
}

tarn_status tarn_pool_passed(tarn_pool *pool, tarn_stream stream) {
    unsigned s = 0;
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK || tn_pool_has_order(pool) || stream == 0) return TN_DONE(status);
    if (tn_subscribed()) tn_pool_emit_passed(pool, stream);
    TN_LOCKED(&pool->streams.lock);
    if (tn_pool_slot_search(pool, stream, &s)) {
        tn_pool_slot *slot = tn_pool_slot_at(pool, s);
        slot->passed = slot->issued;
        (void)tn_pool_use_poll(pool, UINT32_MAX, true, false);
        tn_pool_cache_flush(pool, s);
        tn_pool_slab_trim(pool, s);
        if (slot->waiting) promote_waiting(pool, s);
        tn_pool_close_young(pool, s);
        if (slot->waiting) promote_waiting(pool, s);
        tn_pool_sole_passed(pool, s);
    }
    return TARN_OK;
}

void tn_pool_forget_streams(tarn_pool *pool) {
    TN_LOCKED(&pool->streams.lock);
    tn_pool_use_reset(pool);
    for (unsigned s = 1; s < tn_pool_slot_count(pool); s++) {
        tn_pool_slot *slot = tn_pool_slot_at(pool, s);
        tn_pool_mark_drop(pool, slot->mark);
        tn_pool_mark_drop(pool, slot->sole_mark);
        slot->mark = slot->sole_mark = 0;
        slot->waiting = false;
        tn_pool_lists_release(pool, s);
    }
}
