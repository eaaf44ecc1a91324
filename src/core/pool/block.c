// SPDX-License-Identifier: Apache-2.0
// Queries about the blocks of an ordinary pool: the walk, the block that holds an address, and user
// words. Large blocks are read under the fit lock. The state of a small block is one atomic word.
#include "base/error.h"
#include "core/pool/fit/large.h"
#include "core/pool/pool.h"

// ---- describing blocks

// Returns the largest request that occupies that many bytes under the rule.
static uint64_t usable_bytes(const tarn_pool *pool, uint64_t occupied) {
    return (occupied - pool->rule.padding) & ~(uint64_t)(pool->rule.rounding - 1);
}

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
        out->usable = usable_bytes(pool, slab->stride);
        out->user = slab->words != NULL ? tn_load_relaxed(&slab->words[block]) : 0;
    }
}

static tarn_block_state node_state(const tarn_pool *pool, uint32_t node) {
    uint32_t mark = tn_fit_mark(&pool->range.fit, node);
    unsigned list = tn_fit_list(&pool->range.fit, node);
    if (tn_fit_state(&pool->range.fit, node) == TN_FIT_FREE) {
        if (list == TN_LIST_ASIDE && pool->desc.kind == TARN_POOL_EXPANDABLE)
            return TARN_BLOCK_UNMAPPED;
        return list == pool->range.free_list || list == TN_LIST_ASIDE ? TARN_BLOCK_FREE
                                                                      : TARN_BLOCK_PENDING;
    }
    if ((mark & (TN_MARK_GROWING | TN_MARK_REMNANT)) != 0) return TARN_BLOCK_UNMAPPED;
    tarn_addr addr = tn_pool_addr(pool, tn_fit_start(&pool->range.fit, node));
    bool found = tn_granule_get(&pool->map, addr) == node; // until a free claims the block
    return found ? TARN_BLOCK_LIVE : TARN_BLOCK_PENDING;
}

// Describes a node that is not a slab. The node's list leads to its slot, if it has one. Under fit.
static void describe_node(tarn_pool *pool, uint32_t node, tarn_block *out) {
    const tn_fit *fit = &pool->range.fit;
    bool taken = tn_fit_state(fit, node) == TN_FIT_TAKEN;
    unsigned list = tn_fit_list(fit, node);
    unsigned slot = taken ? list : (unsigned)pool->range.lists[list]->owner;
    uint64_t start = tn_fit_start(fit, node);
    uint64_t end = start + tn_fit_units(fit, node);
    *out = (tarn_block){
        .addr = tn_pool_addr(pool, start),
        .occupied = (end - start) << pool->unit_shift,
        .state = node_state(pool, node),
        .stream = tn_load_relaxed(&tn_pool_slot_at(pool, slot)->stream),
    };
    if (pool->range.tail_bytes != 0 && end > pool->range.tail_start)
        out->occupied -= (UINT64_C(1) << pool->unit_shift) - pool->range.tail_bytes;
    if (taken && out->state != TARN_BLOCK_UNMAPPED) {
        out->bytes = tn_fit_word(fit, node);
        out->tag = tn_fit_mark(fit, node) & TN_MARK_TAG;
    }
    if (out->state == TARN_BLOCK_LIVE) {
        out->asleep = (tn_fit_mark(fit, node) & TN_MARK_ASLEEP) != 0;
        out->usable = usable_bytes(pool, out->occupied);
        out->user = pool->range.words != NULL ? tn_load_relaxed(&pool->range.words[node]) : 0;
    }
}

// Returns the slab over a taken node, or NULL if the node is not a slab or not open yet.
static const tn_slab *slab_of(tarn_pool *pool, uint32_t node) {
    if (tn_fit_state(&pool->range.fit, node) != TN_FIT_TAKEN ||
        (tn_fit_mark(&pool->range.fit, node) & TN_MARK_SLAB) == 0)
        return NULL;
    uint32_t entry =
        tn_granule_get(&pool->map, tn_pool_addr(pool, tn_fit_start(&pool->range.fit, node)));
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
    describe_node(pool, node, &block);
    return to->visit(&block, to->arg);
}

void tn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg) {
    const struct visitor to = {visit, arg};
    bool more = true;
    tn_mutex_lock(&pool->growth.lock);
    tn_pool_fit_lock(pool);
    for (size_t i = 0; i < pool->range.span_count && more; i++) {
        for (uint32_t node = tn_fit_after(&pool->range.fit, pool->range.spans[i].head);
             node != 0 && more;) {
            more = walk_node(pool, node, &to);
            node = tn_fit_after(&pool->range.fit, node);
        }
    }
    tn_pool_fit_unlock(pool);
    tn_mutex_unlock(&pool->growth.lock);
}

tarn_status tarn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg) {
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(visit == NULL, TARN_BAD_ARGUMENT, "visit is NULL");
    pool->ops->walk(pool, visit, arg);
    return TARN_OK;
}

// ---- the block that holds an address

// Searches granule by granule downwards, within the span of `addr`, for the last large block that
// starts at or before it. Returns its node, or 0. Above the highest piece ever taken there is no
// block, so a reservation that is mostly unused is not searched. Under fit.
static uint32_t large_before(const tarn_pool *pool, tarn_addr addr) {
    uint64_t step = UINT64_C(1) << pool->map.shift;
    size_t i = 0;
    while (i < pool->range.span_count &&
           addr - pool->range.spans[i].addr >= pool->range.spans[i].bytes)
        i++;
    if (i == pool->range.span_count || addr >= tn_pool_addr(pool, pool->range.high_units)) return 0;
    tarn_addr lowest = pool->range.spans[i].addr;
    for (;;) {
        uint32_t entry = tn_granule_get(&pool->map, addr);
        if ((entry & TN_SLAB_BIT) != 0) return 0;
        if (entry != 0 && tn_pool_addr(pool, tn_fit_start(&pool->range.fit, entry)) <= addr)
            return entry;
        tarn_addr granule = addr - ((addr - pool->map.base) & (step - 1));
        if (granule <= lowest) return 0;
        addr = granule - 1;
    }
}

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
        uint32_t node = large_before(pool, addr);
        if (node != 0) {
            describe_node(pool, node, block);
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
    if (pool->range.words == NULL) return false;
    if ((entry & TN_SLAB_BIT) != 0) {
        const tn_slab *slab = &pool->small.slabs[entry & ~TN_SLAB_BIT];
        uint32_t block;
        bool live = tn_pool_small_at(slab, addr, &block) &&
                    tn_small_is_live(tn_load_relaxed(&slab->states[block]));
        if (live) tn_store_relaxed(&slab->words[block], user);
        return live;
    }
    tn_pool_fit_lock(pool);
    uint32_t node = tn_granule_get(&pool->map, addr);
    bool live = tn_pool_large_is_at(pool, node, addr);
    if (live) tn_store_relaxed(&pool->range.words[node], user);
    tn_pool_fit_unlock(pool);
    return live;
}
