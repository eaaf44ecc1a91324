// SPDX-License-Identifier: Apache-2.0
// Queries about the blocks of an ordinary pool: the walk, the block that holds an address, and user
// words. Large blocks are read under the fit lock. The state of a small block is one atomic word.
#include "base/error.h"
#include "core/pool/fit/large.h"
#include "core/pool/pool.h"

// ---- describing blocks

static void describe_small(tarn_pool *pool, const tn_slab *slab, uint32_t block, tarn_block *out) {
    uint32_t state = tn_load_relaxed(&slab->states[block]);
    *out = (tarn_block){
        .addr = slab->base + (uint64_t)block * slab->stride,
        .occupied = slab->stride,
        .bytes = tn_small_bytes(state),
        .state = state == TN_SMALL_FREE ? TARN_BLOCK_FREE : TARN_BLOCK_PENDING,
        .stream = tn_load_relaxed(&tn_pool_slot_at(pool, slab->slot)->stream),
    };
    if (tn_small_is_live(state)) {
        out->state = TARN_BLOCK_LIVE;
        out->tag = tn_small_tag(state);
        out->usable = tn_pool_usable_bytes(pool, slab->stride);
        out->user = slab->words != NULL ? tn_load_relaxed(&slab->words[block]) : 0;
    }
}

// Returns the slab over a taken node, or NULL if the node is not a slab or not open yet.
static const tn_slab *slab_of(tarn_pool *pool, uint32_t node) {
    if (!tn_piece_is_taken(pool, node) || (tn_piece_mark(pool, node) & TN_MARK_SLAB) == 0)
        return NULL;
    uint32_t entry = tn_granule_get(&pool->map, tn_piece_addr(pool, node));
    return (entry & TN_SLAB_BIT) != 0 ? &pool->small.slabs[entry & ~TN_SLAB_BIT] : NULL;
}

// ---- the walk

struct visitor {
    bool (*visit)(const tarn_block *, void *);
    void *arg;
};

static bool walk_slab(tarn_pool *pool, const tn_slab *slab, const struct visitor *to) {
    tarn_block block;
    for (uint32_t b = 0; b < slab->blocks; b++) {
        describe_small(pool, slab, b, &block);
        if (!to->visit(&block, to->arg)) return false;
    }
    uint64_t used = (uint64_t)slab->blocks * slab->stride;
    uint64_t all = pool->small.classes.slab_bytes[slab->class_index];
    const tarn_block rest = {.addr = slab->base + used,
                             .occupied = all - used,
                             .state = TARN_BLOCK_FREE,
                             .stream = block.stream};
    return used == all || to->visit(&rest, to->arg);
}

static bool walk_node(tarn_pool *pool, uint32_t node, const struct visitor *to) {
    const tn_slab *slab = slab_of(pool, node);
    if (slab != NULL) return walk_slab(pool, slab, to);
    tarn_block block;
    tn_piece_look(pool, node, &block);
    return to->visit(&block, to->arg);
}

void tn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg) {
    const struct visitor to = {visit, arg};
    bool more = true;
    TN_LOCKED(&pool->growth.lock);
    tn_pool_fit_lock(pool);
    uint32_t node;
    for (size_t i = 0; (node = tn_piece_first(pool, i)) != 0 && more; i++)
        for (; node != 0 && more; node = tn_piece_after(pool, node))
            more = walk_node(pool, node, &to);
    tn_pool_fit_unlock(pool);
}

tarn_status tarn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg) {
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(visit == NULL, TARN_BAD_ARGUMENT, "visit is NULL");
    pool->ops->walk(pool, visit, arg);
    return TARN_OK;
}

// ---- the block that holds an address

bool tn_pool_find(tarn_pool *pool, tarn_addr addr, tarn_block *block) {
    bool found = false;
    tn_pool_fit_lock(pool);
    uint32_t entry = tn_granule_get(&pool->map, addr);
    if ((entry & TN_SLAB_BIT) != 0) {
        const tn_slab *slab = &pool->small.slabs[entry & ~TN_SLAB_BIT];
        uint64_t number = (addr - slab->base) / slab->stride;
        if (number < slab->blocks) {
            describe_small(pool, slab, (uint32_t)number, block);
            found = block->state == TARN_BLOCK_LIVE;
        }
    } else {
        uint32_t node = tn_piece_block_before(pool, addr);
        if (node != 0) {
            tn_piece_look(pool, node, block);
            found = addr - block->addr < block->occupied;
        }
    }
    tn_pool_fit_unlock(pool);
    return found;
}

tarn_status tarn_pool_query_block(tarn_pool *pool, tarn_addr addr, tarn_block *block) {
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(block == NULL, TARN_BAD_ARGUMENT, "block is NULL");
    tarn_block found;
    TN_REFUSE(!pool->ops->find(pool, addr, &found), TARN_BAD_ADDRESS,
              "0x%llx lies in no live block of this pool", (unsigned long long)addr);
    *block = found;
    return TARN_OK;
}

// ---- user words

bool tn_pool_set_user(tarn_pool *pool, tarn_addr addr, uint64_t user) {
    uint32_t entry = tn_granule_get(&pool->map, addr);
    if ((pool->desc.flags & TARN_POOL_USER_WORDS) == 0) return false;
    if ((entry & TN_SLAB_BIT) != 0) {
        const tn_slab *slab = &pool->small.slabs[entry & ~TN_SLAB_BIT];
        uint32_t block;
        bool live = tn_pool_small_at(slab, addr, &block) &&
                    tn_small_is_live(tn_load_relaxed(&slab->states[block]));
        if (live) tn_store_relaxed(&slab->words[block], user);
        return live;
    }
    return tn_pool_large_set_user(pool, addr, user);
}
