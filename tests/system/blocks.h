// SPDX-License-Identifier: Apache-2.0
// Steps about the blocks of a pool. The caller holds the lock of the pool.
#pragma once

#include "system/world.h"

static inline bool has_fence(const struct pool *pool) {
    return (pool->desc.flags & (TARN_POOL_FENCE | TARN_POOL_FENCE_EXACT)) != 0;
}

// Counts a block that a recording shows: a new one, one that became longer, and one that woke.
static inline void block_announced(const struct step *step, uint64_t bytes) {
    step->world->blocks++;
    step->world->block_bytes += bytes;
}

// Allocates a block. Returns false if the pool has no memory for it, or a failure was injected.
bool block_alloc(struct step *step, struct pool *pool, struct block *b, tarn_pool_request *request,
                 int stream);
// Ends a block, and orders its streams before if the pool does not know them.
void block_free(struct step *step, struct pool *pool, struct block *b);
// Drops a block, whose range is not live any more, from the model.
void block_forget(struct pool *pool, struct block *b);
// Returns the streams that use a block and that the pool does not know.
uint32_t block_strangers(const struct block *b);
void block_step(struct step *step, struct pool *pool);
