// SPDX-License-Identifier: Apache-2.0
// Looking at a pool: the walk over all blocks, and the question which block holds an address. Under
// the pool's locks and without changing anything.
#include "base/error.h"
#include "core/pool/fence.h"
#include "core/pool/pool.h"

// ---- blocks

// The most bytes of a piece that may hold a block under the rule.
static uint64_t usable_bytes(const tarn_pool *pool, uint64_t occupied) {
    return (occupied - pool->rule.padding) & ~(uint64_t)(pool->rule.rounding - 1);
}

static void describe_small(const tarn_pool *pool, const tn_slab *slab, uint32_t block,
                           tarn_stream stream, tarn_block *out) {
    uint32_t state = tn_load_relaxed(&slab->states[block]);
    bool live = tn_small_is_live(state);
    out->addr = slab->base + (uint64_t)block * slab->stride;
    out->occupied = slab->stride;
    out->bytes = tn_small_bytes(state);
    out->state = live                     ? TARN_BLOCK_LIVE
                 : state == TN_SMALL_FREE ? TARN_BLOCK_FREE
                                          : TARN_BLOCK_PENDING;
    out->stream = stream;
    out->tag = live ? tn_small_tag(state) : 0;
    out->usable = live ? usable_bytes(pool, slab->stride) : 0;
    out->user = live && slab->words != NULL ? tn_load_relaxed(&slab->words[block]) : 0;
}

static tarn_block_state state_of(const tarn_pool *pool, uint32_t node) {
    uint32_t mark = tn_fit_mark(&pool->fit, node);
    unsigned list = tn_fit_list(&pool->fit, node);
    if (tn_fit_state(&pool->fit, node) == TN_FIT_FREE) {
        return list == TN_LIST_FREE                      ? TARN_BLOCK_FREE
               : list > TN_LIST_ASIDE                    ? TARN_BLOCK_PENDING
               : pool->desc.kind == TARN_POOL_EXPANDABLE ? TARN_BLOCK_UNMAPPED
                                                         : TARN_BLOCK_FREE;
    }
    if ((mark & TN_MARK_GROWING) != 0) {
        return TARN_BLOCK_UNMAPPED;
    }
    return (mark & TN_MARK_PENDING) != 0 ? TARN_BLOCK_PENDING : TARN_BLOCK_LIVE;
}

// A node that is no slab. Free ones of a stream, and all taken ones, have a slot.
static void describe_node(tarn_pool *pool, uint32_t node, tarn_block *out) {
    const tn_fit *fit = &pool->fit;
    unsigned list = tn_fit_list(fit, node);
    bool taken = tn_fit_state(fit, node) == TN_FIT_TAKEN;
    unsigned slot = taken ? list : list / 2;
    uint64_t start = tn_fit_start(fit, node);
    uint64_t end = start + tn_fit_units(fit, node);
    out->addr = tn_pool_addr(pool, start);
    out->occupied = (end - start) << pool->unit_shift;
    if (pool->tail_bytes != 0 && end > pool->tail_start) {
        out->occupied -= (UINT64_C(1) << pool->unit_shift) - pool->tail_bytes;
    }
    out->state = state_of(pool, node);
    out->bytes = taken && out->state != TARN_BLOCK_UNMAPPED ? tn_fit_word(fit, node) : 0;
    out->stream = tn_load_relaxed(&tn_pool_slot_at(pool, slot)->stream);
    out->tag = out->bytes != 0 ? tn_fit_mark(fit, node) & TN_MARK_TAG : 0;
    bool live = out->state == TARN_BLOCK_LIVE;
    out->usable = live ? usable_bytes(pool, out->occupied) : 0;
    out->user = live && pool->words != NULL ? tn_load_relaxed(&pool->words[node]) : 0;
}

// The slab of a taken node that is one, NULL when it is none or not open yet.
static const tn_slab *slab_of(tarn_pool *pool, uint32_t node) {
    if (tn_fit_state(&pool->fit, node) != TN_FIT_TAKEN ||
        (tn_fit_mark(&pool->fit, node) & TN_MARK_SLAB) == 0) {
        return NULL;
    }
    uint32_t entry = tn_granule_get(&pool->map, tn_pool_addr(pool, tn_fit_start(&pool->fit, node)));
    return (entry & TN_SLAB_BIT) != 0 ? &pool->slabs[entry & ~TN_SLAB_BIT] : NULL;
}

// ---- the walk

struct visitor {
    bool (*visit)(const tarn_block *, void *);
    void *arg;
};

static bool walk_slab(tarn_pool *pool, const tn_slab *slab, const struct visitor *to) {
    tarn_stream stream = tn_load_relaxed(&tn_pool_slot_at(pool, slab->slot)->stream);
    tarn_block block;
    for (uint32_t b = 0; b < slab->blocks; b++) {
        describe_small(pool, slab, b, stream, &block);
        if (!to->visit(&block, to->arg)) {
            return false;
        }
    }
    uint64_t used = (uint64_t)slab->blocks * slab->stride;
    uint64_t all = pool->classes.slab_bytes[slab->class_index];
    tarn_block rest = {.addr = slab->base + used,
                       .occupied = all - used,
                       .state = TARN_BLOCK_FREE,
                       .stream = stream};
    return used == all || to->visit(&rest, to->arg);
}

static bool walk_node(tarn_pool *pool, uint32_t node, const struct visitor *to) {
    const tn_slab *slab = slab_of(pool, node);
    if (slab != NULL) {
        return walk_slab(pool, slab, to);
    }
    tarn_block block;
    describe_node(pool, node, &block);
    return to->visit(&block, to->arg);
}

tarn_status tarn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg) {
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (visit == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "visit NULL");
    }
    if (pool->fence != NULL) {
        tn_fence_walk(pool, visit, arg);
        return TARN_OK;
    }
    struct visitor to = {visit, arg};
    tn_mutex_lock(&pool->grow_lock);
    tn_spin_lock(&pool->fit_lock);
    bool more = true;
    for (size_t i = 0; i < pool->span_count && more; i++) {
        for (uint32_t node = tn_fit_after(&pool->fit, pool->spans[i].head); node != 0 && more;) {
            more = walk_node(pool, node, &to);
            node = tn_fit_after(&pool->fit, node);
        }
    }
    tn_spin_unlock(&pool->fit_lock);
    tn_mutex_unlock(&pool->grow_lock);
    return TARN_OK;
}

// ---- which block holds an address

static tarn_status query_small(tarn_pool *pool, tarn_addr addr, uint32_t entry, tarn_block *out) {
    const tn_slab *slab = &pool->slabs[entry & ~TN_SLAB_BIT];
    uint64_t block = (addr - slab->base) / slab->stride;
    if (block >= slab->blocks) {
        return TARN_BAD_ADDRESS;
    }
    describe_small(pool, slab, (uint32_t)block,
                   tn_load_relaxed(&tn_pool_slot_at(pool, slab->slot)->stream), out);
    return out->state == TARN_BLOCK_LIVE ? TARN_OK : TARN_BAD_ADDRESS;
}

// The node of the last large block that starts at or before `addr`: granule by granule down.
static uint32_t large_before(const tarn_pool *pool, tarn_addr addr) {
    uint64_t step = UINT64_C(1) << pool->map.shift;
    for (;;) {
        uint32_t entry = tn_granule_get(&pool->map, addr);
        if ((entry & TN_SLAB_BIT) != 0) {
            return 0;
        }
        if (entry != 0 && tn_pool_addr(pool, tn_fit_start(&pool->fit, entry)) <= addr) {
            return entry;
        }
        if (addr - pool->map.base < step) {
            return 0;
        }
        // The last byte of the granule before.
        addr = ((addr - pool->map.base) & ~(step - 1)) - 1 + pool->map.base;
    }
}

static tarn_status query(tarn_pool *pool, tarn_addr addr, tarn_block *out) {
    uint32_t entry = tn_granule_get(&pool->map, addr);
    if ((entry & TN_SLAB_BIT) != 0) {
        return query_small(pool, addr, entry, out);
    }
    uint32_t node = addr - pool->map.base < pool->map.bytes ? large_before(pool, addr) : 0;
    if (node == 0) {
        return TARN_BAD_ADDRESS;
    }
    describe_node(pool, node, out);
    return addr - out->addr < out->occupied ? TARN_OK : TARN_BAD_ADDRESS;
}

tarn_status tarn_pool_query_block(tarn_pool *pool, tarn_addr addr, tarn_block *block) {
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (block == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "block NULL");
    }
    tarn_block found;
    if (pool->fence != NULL) {
        status = tn_fence_query(pool, addr, &found);
    } else {
        tn_spin_lock(&pool->fit_lock);
        status = query(pool, addr, &found);
        tn_spin_unlock(&pool->fit_lock);
    }
    if (status != TARN_OK) {
        return tn_fail(status, "0x%llx lies in no live block of this pool",
                       (unsigned long long)addr);
    }
    *block = found;
    return TARN_OK;
}

// ---- user words

bool tn_pool_set_block_user(tarn_pool *pool, tarn_addr addr, uint64_t user) {
    uint32_t entry = tn_granule_get(&pool->map, addr);
    uint32_t block;
    if (pool->words == NULL) {
        return false;
    }
    if ((entry & TN_SLAB_BIT) != 0) {
        const tn_slab *slab = &pool->slabs[entry & ~TN_SLAB_BIT];
        if (!tn_pool_small_at(pool, addr, entry, &block) ||
            !tn_small_is_live(tn_load_relaxed(&slab->states[block]))) {
            return false;
        }
        tn_store_relaxed(&slab->words[block], user);
        return true;
    }
    tn_spin_lock(&pool->fit_lock);
    uint32_t node = tn_pool_large_at(pool, addr);
    if (node != 0) {
        tn_store_relaxed(&pool->words[node], user);
    }
    tn_spin_unlock(&pool->fit_lock);
    return node != 0;
}
