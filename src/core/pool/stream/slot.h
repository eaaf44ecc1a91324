// SPDX-License-Identifier: Apache-2.0
// Look-ups of slots that the other rooms make.
#pragma once

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

// The reuse that the pool allows, TARN_REUSE_ bits; whether one of them is set.
static inline uint32_t tn_pool_reuse_bits(const tarn_pool *pool) {
    return tn_load_relaxed(&pool->streams.reuse);
}

static inline bool tn_pool_reuses(const tarn_pool *pool, uint32_t bit) {
    return (tn_pool_reuse_bits(pool) & bit) != 0;
}

// The bytes of freed blocks that wait for other streams.
static inline uint64_t tn_pool_queued_bytes(const tarn_pool *pool) {
    return tn_load_relaxed(&pool->streams.queue_bytes);
}
