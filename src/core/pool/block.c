// SPDX-License-Identifier: Apache-2.0
// Queries about the blocks of an ordinary pool: the walk, the block that holds an address, and user
// words. Large blocks are read under the fit lock. The state of a small block is one atomic word.
#include "base/error.h"
#include "core/pool/fit/piece.h"
#include "core/pool/pool.h"

// ---- the walk

// Until a slab is open, its node leads nowhere.
static bool walk_node(tarn_pool *pool, uint32_t node, bool (*visit)(const tarn_block *, void *),
                      void *arg) {
    if (tn_piece_is_taken(pool, node) && (tn_piece_mark(pool, node) & TN_MARK_SLAB) != 0) {
        uint32_t entry = tn_granule_get(&pool->map, tn_piece_addr(pool, node));
        if ((entry & TN_SLAB_BIT) != 0) return tn_pool_slab_walk(pool, entry, visit, arg);
    }
    tarn_block block;
    tn_piece_look(pool, node, &block);
    return visit(&block, arg);
}

void tn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg) {
    bool more = true;
    uint32_t node;
    TN_GROW_LOCKED(pool);
    TN_FIT_LOCKED(pool);
    for (size_t i = 0; (node = tn_piece_first(pool, i)) != 0 && more; i++)
        for (; node != 0 && more; node = tn_piece_after(pool, node))
            more = walk_node(pool, node, visit, arg);
}

tarn_status tarn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg) {
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(visit == NULL, TARN_BAD_ARGUMENT, "visit is NULL");
    pool->ops->walk(pool, visit, arg);
    return TARN_OK;
}

// ---- the block that holds an address

bool tn_pool_find(tarn_pool *pool, tarn_addr addr, tarn_block *block) {
    TN_FIT_LOCKED(pool);
    uint32_t entry = tn_granule_get(&pool->map, addr);
    if ((entry & TN_SLAB_BIT) != 0) return tn_pool_small_find(pool, entry, addr, block);
    uint32_t node = tn_piece_block_before(pool, addr);
    if (node == 0) return false;
    tn_piece_look(pool, node, block);
    return addr - block->addr < block->occupied;
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
    if ((entry & TN_SLAB_BIT) != 0) return tn_pool_small_set_user(pool, entry, addr, user);
    return tn_pool_large_set_user(pool, addr, user);
}
