// SPDX-License-Identifier: Apache-2.0
// Look-ups of slots that the other rooms make.
#ifndef TARN_CORE_POOL_STREAM_SLOT_H
#define TARN_CORE_POOL_STREAM_SLOT_H

#include "core/pool/pool.h"

static inline unsigned tn_pool_slot_count(const tarn_pool *pool) {
    return tn_load_acquire(&pool->streams.count);
}

static inline tn_pool_slot *tn_pool_slot_at(const tarn_pool *pool, unsigned slot) {
    return tn_load_acquire(&pool->streams.slots[slot]);
}

static inline tarn_stream tn_pool_slot_stream(const tarn_pool *pool, unsigned slot) {
    return tn_load_relaxed(&tn_pool_slot_at(pool, slot)->stream);
}

// Returns true if the pool asks a device about its streams. Else tarn_pool_passed() reports to it.
static inline bool tn_pool_has_order(const tarn_pool *pool) { return pool->streams.order != NULL; }

// Returns true if the pool allows that reuse, a TARN_REUSE_ bit.
static inline bool tn_pool_reuses(const tarn_pool *pool, uint32_t bit) {
    return (tn_load_relaxed(&pool->streams.reuse) & bit) != 0;
}

#endif
