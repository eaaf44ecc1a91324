// SPDX-License-Identifier: Apache-2.0
// Streams that follow each other, as far as the core knows (core/work/vector_clock.h), and reuse
// across them without a wait. Each slot keeps the number of the first record on its stream that
// covers everything in its young list, and the same for its waiting list. Before a pool grows, it
// takes memory of a list whose record the requesting stream follows. A free after a record that is
// awaited closes the young list first, so that the list remains usable. The order lock guards the
// slots; frees only raise a number.
#include "core/pool/small/cache.h"

#include "base/error.h"
#include "core/work/vector_clock.h"

// ---- frees

// Called before the free of a block of a slot, in pools that `selects_reuse`.
static void follow_free(tarn_pool *pool, unsigned slot) {
    tn_pool_slot *own = tn_pool_slot_at(pool, slot);
    // Another stream may wait for a record that covers all frees so far, but not this one.
    uint64_t young = tn_load_relaxed(&own->young_record);
    if (tn_pool_reuses(pool, TARN_REUSE_FOLLOWED) && own->clock != NULL && young != 0 &&
        tn_load_relaxed(&own->clock->waited) >= young) {
        tn_mutex_lock(&pool->streams.lock);
        tn_pool_close_young(pool, slot);
        tn_mutex_unlock(&pool->streams.lock);
    }
    tn_pool_follow_freed(own);
}

tarn_status tn_pool_free_begin(tarn_pool *pool, tarn_addr addr, uint32_t entry,
                               tarn_stream stream) {
    unsigned own;
    if ((entry & TN_SLAB_BIT) != 0)
        own = tn_pool_small_slot(pool, TN_PACK(entry & ~TN_SLAB_BIT, 0));
    else if (!tn_pool_block_slot(pool, addr, false, &own))
        return tn_pool_no_block(addr);
    TN_TRY(tn_pool_use_on(pool, addr, own, stream));
    if (own != 0 && pool->streams.selects_reuse) follow_free(pool, own);
    return TARN_OK;
}

static uint32_t take_of(tarn_pool *pool, const tn_pool_want *want, unsigned s) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    const tn_pool_slot *own = tn_pool_slot_at(pool, want->slot);
    const tn_pool_slot *slot = tn_pool_slot_at(pool, s);
    uint64_t young = tn_load_relaxed(&slot->young_record);
    uint32_t node = 0;
    if (tn_pool_follows(pool, own, slot, young)) {
        tn_pool_cache_flush(pool, s);
        tn_pool_slab_trim(pool, s);
        node = tn_pool_piece_take_of(pool, want, s, true, young);
    }
    if (node == 0 && slot->waiting && tn_pool_follows(pool, own, slot, slot->waiting_record))
        node = tn_pool_piece_take_of(pool, want, s, false, 0);
    return node;
}

bool tn_pool_reuse_take(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    uint32_t found = 0;
    const tn_pool_slot *own = tn_pool_slot_at(pool, want->slot);
    if (own->clock == NULL || !tn_pool_reuses(pool, TARN_REUSE_FOLLOWED) ||
        !tn_clock_follows_any(own->clock))
        return false;
    tn_mutex_lock(&pool->streams.lock);
    // A block that its own stream used on others is that stream's once it follows them.
    (void)tn_pool_use_poll(pool, UINT32_MAX, false, false);
    for (unsigned s = 1; s < tn_pool_slot_count(pool) && found == 0; s++)
        if (s != want->slot) found = take_of(pool, want, s);
    tn_mutex_unlock(&pool->streams.lock);
    *node = found != 0 ? found : *node;
    return found != 0;
}

// ---- what a pool allows

tarn_status tarn_pool_set_reuse(tarn_pool *pool, uint32_t reuse) {
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE((reuse & ~(uint32_t)(TARN_REUSE_PASSED | TARN_REUSE_FOLLOWED)) != 0,
              TARN_BAD_ARGUMENT, "reuse 0x%x has unknown bits", reuse);
    TN_REFUSE(!pool->streams.selects_reuse, TARN_UNSUPPORTED,
              "the pool was created without TARN_POOL_SELECT_REUSE, or has no device");
    tn_store_relaxed(&pool->streams.reuse, reuse);
    return TARN_OK;
}
