// SPDX-License-Identifier: Apache-2.0
// Blocks used on other streams than their own. Such a block has a record from its first use
// elsewhere on, so that a free of it cannot fail. The free marks the end of each of those streams
// and puts the record into a queue. When all marks have passed, the block returns to its own
// stream's free memory. The order lock guards the records.
#include <stdlib.h>

#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/fit/piece.h"
#include "core/pool/notify.h"
#include "core/pool/plan/plan.h"
#include "fail/point.h"

enum { POLL_MAX = 8 }; // waiting blocks that a free looks at

// ---- freed blocks

static void use_drop(tarn_pool *pool, tn_pool_use *use) {
    TARN_ASSERT(use != NULL);
    tn_pool_waits_drop(pool, &use->waits);
    free(use);
}

// Returns the slot of the block, whose piece or slab keeps it until the block is free.
static unsigned use_slot(const tarn_pool *pool, const tn_pool_use *use) {
    return use->node != 0 ? tn_piece_slot(pool, use->node) : tn_pool_small_slot(pool, use->packed);
}

bool tn_pool_use_poll(tarn_pool *pool, unsigned max, bool query, bool wait) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    bool any = false;
    tn_pool_use **link = &pool->streams.queue_first;
    tn_pool_use *last = NULL;
    while (*link != NULL && max > 0) {
        tn_pool_use *use = *link;
        if (tn_pool_waits_passed(pool, use_slot(pool, use), &use->waits, query, wait)) {
            *link = use->next;
            if (pool->streams.queue_last == use) pool->streams.queue_last = last;
            unsigned own = use_slot(pool, use);
            // Work that has passed for the block's own stream alone counts as work of that stream.
            if (own != 0) tn_pool_follow_freed(tn_pool_slot_at(pool, own));
            if (use->node != 0) {
                tn_pool_fit_lock(pool);
                tn_pool_block_free(pool, use->node);
                tn_pool_fit_unlock(pool);
            } else {
                tn_pool_small_finish(pool, use->packed);
            }
            (void)tn_sub_relaxed(&pool->streams.queue_bytes, use->bytes);
            use_drop(pool, use);
            any = true;
        } else {
            last = use;
            link = &use->next;
            max--;
        }
    }
    return any;
}

uint64_t tn_pool_queued_for(const tarn_pool *pool, unsigned slot) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    uint64_t bytes = 0;
    for (const tn_pool_use *use = pool->streams.queue_first; use != NULL; use = use->next) {
        unsigned i = 0; // the first wait that has not passed
        while (i < use->waits.count && use->waits.list[i].passed) i++;
        bytes += i < use->waits.count && use->waits.list[i].slot == slot ? use->bytes : 0;
    }
    return bytes;
}

// The link to the record of a block; it points to NULL if there is none.
static tn_pool_use **use_link(tarn_pool *pool, tarn_addr addr) {
    TARN_ASSERT(tn_pool_order_is_held(pool) && addr != 0);
    tn_pool_use **link = &pool->streams.uses[(addr >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 54];
    while (*link != NULL && (*link)->addr != addr) link = &(*link)->next;
    return link;
}

void tn_pool_use_forget(tarn_pool *pool, tarn_addr addr) {
    TN_LOCKED(&pool->streams.lock);
    tn_pool_use **link = use_link(pool, addr);
    tn_pool_use *use = *link;
    *link = use->next;
    use_drop(pool, use);
}

void tn_pool_defer(tarn_pool *pool, tarn_addr addr, uint32_t node, uint64_t packed,
                   uint64_t bytes) {
    TN_LOCKED(&pool->streams.lock);
    tn_pool_use **link = use_link(pool, addr);
    tn_pool_use *use = *link;
    *link = use->next;
    use->next = NULL;
    use->node = node;
    use->packed = packed;
    use->bytes = bytes;
    tn_pool_waits_mark(pool, &use->waits);
    if (pool->streams.queue_last != NULL)
        pool->streams.queue_last->next = use;
    else
        pool->streams.queue_first = use;
    pool->streams.queue_last = use;
    (void)tn_add_relaxed(&pool->streams.queue_bytes, bytes);
    (void)tn_pool_use_poll(pool, POLL_MAX, tn_pool_reuses(pool, TARN_REUSE_PASSED), false);
}

// ---- live blocks

bool tn_pool_block_slot(tarn_pool *pool, tarn_addr addr, bool share, unsigned *slot) {
    uint32_t entry = tn_granule_get(&pool->map, addr);
    if ((entry & TN_SLAB_BIT) != 0) return tn_pool_small_share(pool, entry, addr, share, slot);
    tn_pool_fit_lock(pool);
    uint32_t node = tn_granule_get(&pool->map, addr);
    bool found = tn_piece_is_at(pool, node, addr);
    if (found) *slot = tn_piece_slot(pool, node);
    if (found && share) tn_piece_set_mark(pool, node, tn_piece_mark(pool, node) | TN_MARK_SHARED);
    tn_pool_fit_unlock(pool);
    return found;
}

// Adds a stream to a block. The record exists before the block is marked, because a free of a
// marked block searches for it.
static tarn_status use_add(tarn_pool *pool, tarn_addr addr, unsigned slot) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    if (pool->streams.uses == NULL)
        pool->streams.uses = (tn_pool_use **)calloc(TN_USE_BUCKETS, sizeof *pool->streams.uses);
    tn_pool_use **link = pool->streams.uses != NULL ? use_link(pool, addr) : NULL;
    bool fresh = link != NULL && *link == NULL;
    if (fresh) *link = (tn_pool_use *)calloc(1, sizeof **link);
    TN_REFUSE(link == NULL || *link == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for the uses of a block");
    tn_pool_use *use = *link;
    use->addr = addr;
    unsigned own;
    tarn_status status = tn_pool_waits_add(pool, &use->waits, slot);
    if (status == TARN_OK && !tn_pool_block_slot(pool, addr, true, &own)) {
        status =
            tn_fail(TARN_BAD_ADDRESS, "block 0x%llx was freed meanwhile", (unsigned long long)addr);
    }
    // A free that is running needs the record, unless it is new.
    if (status != TARN_OK && fresh) {
        *link = NULL;
        use_drop(pool, use);
    }
    return status;
}

// The host's own work has passed when the block is freed; the own stream is known.
tarn_status tn_pool_use_on(tarn_pool *pool, tarn_addr addr, unsigned own, tarn_stream stream) {
    unsigned slot = 0;
    if (stream == 0 || stream == tn_pool_slot_stream(pool, own)) return TARN_OK;
    tn_mutex_lock(&pool->streams.lock);
    tarn_status status = tn_pool_slot_get(pool, stream, &slot);
    if (status == TARN_OK && slot != own) status = use_add(pool, addr, slot);
    tn_mutex_unlock(&pool->streams.lock);
    if (status == TARN_OK && tn_subscribed()) tn_pool_emit_used_on(pool, addr, stream);
    return status;
}

tarn_status tn_pool_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream) {
    unsigned own;
    bool found = tn_pool_block_slot(pool, addr, false, &own);
    return found ? tn_pool_use_on(pool, addr, own, stream) : tn_pool_no_block(addr);
}

tarn_status tarn_pool_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream) {
    TN_FAIL_POINT(addr, 0);
    TN_TRY(tn_pool_usable(pool));
    return TN_DONE(pool->ops->used_on(pool, addr, stream));
}

static void uses_drop(tarn_pool *pool, tn_pool_use **list) {
    while (*list != NULL) {
        tn_pool_use *next = (*list)->next;
        use_drop(pool, *list);
        *list = next;
    }
}

void tn_pool_use_reset(tarn_pool *pool) {
    for (unsigned b = 0; pool->streams.uses != NULL && b < TN_USE_BUCKETS; b++)
        uses_drop(pool, &pool->streams.uses[b]);
    uses_drop(pool, &pool->streams.queue_first);
    pool->streams.queue_last = NULL;
    tn_store_relaxed(&pool->streams.queue_bytes, 0);
}
