// SPDX-License-Identifier: Apache-2.0
// Streams that follow each other, as far as the core knows (core/work/vector_clock.h). Each slot
// keeps the number of the first record on its stream that covers everything in its young list, and the
// same for its waiting list. A stream that follows the slot up to that record may use the list
// (reuse.c). The order lock guards the slots; frees only raise a number.
#include "core/pool/stream/follow.h"

#include "core/work/vector_clock.h"

void tn_pool_follow_attach(tarn_pool *pool, tn_pool_slot *slot) {
    tn_pool_follow_detach(slot);
    slot->waiting_record = 0;
    tn_store_relaxed(&slot->young_record, 0);
    if (pool->streams.selects_reuse) {
        slot->clock =
            pool->streams.order->ops->clock(pool->streams.order, tn_load_relaxed(&slot->stream));
    }
}

void tn_pool_follow_detach(tn_pool_slot *slot) {
    tn_vector_clock_put(slot->clock);
    slot->clock = NULL;
}

// Without a clock no record covers the free.
void tn_pool_follow_freed(tn_pool_slot *slot) {
    uint64_t next = slot->clock != NULL ? tn_clock_next(slot->clock) : UINT64_MAX;
    tn_raise_relaxed(&slot->young_record, next);
}

bool tn_pool_follows(const tarn_pool *pool, const tn_pool_slot *slot, const tn_pool_slot *first,
                     uint64_t record) {
    return tn_pool_reuses(pool, TARN_REUSE_FOLLOWED) && slot->clock != NULL &&
           first->clock != NULL && tn_clock_follows(slot->clock, first->clock, record);
}
