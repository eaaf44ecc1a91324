// SPDX-License-Identifier: Apache-2.0
// The checks of slabs and of the classes' lists.
#include "base/error.h"
#include "core/pool/fit/piece.h"

static tarn_status check_slab(const tarn_pool *pool, uint32_t node) {
    tarn_addr addr = tn_piece_addr(pool, node);
    uint64_t bytes = tn_piece_units(pool, node) << pool->unit_shift;
    uint32_t entry = tn_granule_get(&pool->map, addr);
    if (entry == 0) return TARN_OK; // the slab is being opened or closed
    const tn_slab *slab = &pool->small.slabs[entry & ~TN_SLAB_BIT];
    TN_REFUSE((entry & TN_SLAB_BIT) == 0 || slab->base != addr || slab->node != node ||
                  (uint64_t)slab->blocks * slab->stride > bytes,
              TARN_CORRUPT, "node %u at 0x%llx and its slab disagree", node,
              (unsigned long long)addr);
    for (uint64_t at = 0; at < bytes; at += TN_SMALL_MAX) {
        bool leads = tn_granule_get(&pool->map, addr + at) == entry;
        if (!leads && tn_granule_get(&pool->map, addr) == entry) { // else it is being closed
            return tn_fail(TARN_CORRUPT, "granule 0x%llx does not lead to its slab",
                           (unsigned long long)(addr + at));
        }
    }
    return TARN_OK;
}

tarn_status tn_pool_slabs_verify(const tarn_pool *pool) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    tarn_status status = TARN_OK;
    for (uint32_t node = 1; node < tn_piece_records(pool) && status == TARN_OK; node++)
        if (tn_piece_is_taken(pool, node) && (tn_piece_mark(pool, node) & TN_MARK_SLAB) != 0)
            status = check_slab(pool, node);
    return status;
}

// ---- lists: under the class's lock

static tarn_status check_listed(const tarn_pool *pool, uint32_t index, unsigned home, unsigned slot,
                                unsigned class_index) {
    const tn_slab *slab = &pool->small.slabs[index];
    uint32_t count = 0;
    for (uint32_t b = 0; b < slab->blocks; b++) {
        bool in_room = (slab->room[b / 64] >> (b % 64) & 1) != 0;
        TN_REFUSE(in_room && tn_load_relaxed(&slab->states[b]) != TN_SMALL_FREE, TARN_CORRUPT,
                  "slab %u: block %u is live and in the slab's room", index, b);
    }
    for (uint32_t word = 0; word < (slab->blocks + 63u) / 64; word++)
        count += (uint32_t)__builtin_popcountll(slab->room[word]);
    TN_REFUSE(count != slab->count || count == 0 || slab->slot != slot ||
                  slab->class_index != class_index || slab->home != home || !slab->listed ||
                  slab->node == 0,
              TARN_CORRUPT, "slab %u: counts %u blocks with room, has %u", index, slab->count,
              count);
    return TARN_OK;
}

static tarn_status check_list(const tarn_pool *pool, const tn_pool_class *c, unsigned home,
                              unsigned slot, unsigned class_index, uint32_t *empty) {
    uint32_t prev = 0;
    uint32_t room = 0;
    for (uint32_t i = c->first[home]; i != 0; prev = i, i = pool->small.slabs[i].next) {
        TN_TRY(check_listed(pool, i, home, slot, class_index));
        *empty += pool->small.slabs[i].count == pool->small.slabs[i].blocks;
        room += pool->small.slabs[i].count;
        TN_REFUSE(pool->small.slabs[i].prev != prev, TARN_CORRUPT,
                  "slab %u does not follow slab %u", i, prev);
    }
    TN_REFUSE(room != c->room[home], TARN_CORRUPT,
              "class %u of slot %u counts %u blocks with room in home %u, has %u", class_index,
              slot, c->room[home], home, room);
    return TARN_OK;
}

static tarn_status check_class(tarn_pool *pool, unsigned slot, unsigned class_index) {
    tn_pool_class *c = &tn_pool_slot_at(pool, slot)->classes[class_index];
    tarn_status status = TARN_OK;
    uint32_t empty = 0;
    tn_spin_lock(&c->lock);
    for (unsigned h = 0; h < TN_HOMES && status == TARN_OK; h++)
        status = check_list(pool, c, h, slot, class_index, &empty);
    if (status == TARN_OK && (empty != c->empty || empty > 1)) {
        status = tn_fail(TARN_CORRUPT, "class %u of slot %u counts %u empty slabs, has %u",
                         class_index, slot, c->empty, empty);
    }
    tn_spin_unlock(&c->lock);
    return status;
}

tarn_status tn_pool_small_verify(tarn_pool *pool) {
    tarn_status status = TARN_OK;
    for (unsigned s = 0; s < tn_pool_slot_count(pool); s++)
        for (unsigned c = 0; c < pool->classes.count && status == TARN_OK; c++)
            status = check_class(pool, s, c);
    return status;
}
