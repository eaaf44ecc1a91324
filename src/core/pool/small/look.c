// SPDX-License-Identifier: Apache-2.0
// Small blocks as the other rooms see them. The state of a block is one atomic word, so no lock is
// needed. `entry` is the granule entry of a slab.
#include "algo/rule.h"
#include "base/error.h"
#include "core/pool/fit/piece.h"
#include "core/pool/small/count.h"

static tn_slab *slab_at(const tarn_pool *pool, uint32_t entry) {
    return &pool->small.slabs[entry & ~TN_SLAB_BIT];
}

static void describe_small(const tarn_pool *pool, const tn_slab *slab, uint32_t block,
                           tarn_block *out) {
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

bool tn_pool_small_find(const tarn_pool *pool, uint32_t entry, tarn_addr addr, tarn_block *out) {
    const tn_slab *slab = slab_at(pool, entry);
    uint32_t number = tn_pool_small_number(slab, addr);
    if (number >= slab->blocks) return false;
    describe_small(pool, slab, number, out);
    return out->state == TARN_BLOCK_LIVE;
}

bool tn_pool_slab_walk(const tarn_pool *pool, uint32_t entry,
                       bool (*visit)(const tarn_block *, void *), void *arg) {
    const tn_slab *slab = slab_at(pool, entry);
    tarn_block block;
    for (uint32_t b = 0; b < slab->blocks; b++) {
        describe_small(pool, slab, b, &block);
        if (!visit(&block, arg)) return false;
    }
    uint64_t used = (uint64_t)slab->blocks * slab->stride;
    uint64_t all = tn_piece_units(pool, slab->node) << pool->unit_shift;
    const tarn_block rest = {.addr = slab->base + used,
                             .occupied = all - used,
                             .state = TARN_BLOCK_FREE,
                             .stream = block.stream};
    return used == all || visit(&rest, arg);
}

// Reads the state of the block that starts at `addr`, if one does.
static _Atomic(uint32_t) *state_at(const tn_slab *slab, tarn_addr addr, uint32_t *state) {
    uint32_t block;
    if (!tn_pool_small_at(slab, addr, &block)) return NULL;
    *state = tn_load_relaxed(&slab->states[block]);
    return tn_small_is_live(*state) ? &slab->states[block] : NULL;
}

bool tn_pool_small_set_user(tarn_pool *pool, uint32_t entry, tarn_addr addr, uint64_t user) {
    const tn_slab *slab = slab_at(pool, entry);
    uint32_t state;
    const _Atomic(uint32_t) *place = state_at(slab, addr, &state);
    if (place != NULL) tn_store_relaxed(&slab->words[place - slab->states], user);
    return place != NULL;
}

bool tn_pool_small_share(tarn_pool *pool, uint32_t entry, tarn_addr addr, bool share,
                         unsigned *slot) {
    const tn_slab *slab = slab_at(pool, entry);
    uint32_t state;
    _Atomic(uint32_t) *place = state_at(slab, addr, &state);
    if (place == NULL) return false;
    *slot = slab->slot;
    while (share && tn_small_is_live(state) &&
           !tn_cas_weak_relaxed(place, &state, state | TN_SMALL_SHARED)) {
    }
    return tn_small_is_live(state);
}

tarn_status tn_pool_small_extend(tarn_pool *pool, uint32_t entry, tarn_addr addr, uint64_t bytes,
                                 unsigned *slot) {
    const tn_slab *slab = slab_at(pool, entry);
    uint64_t occupied = tn_rule_occupied(&pool->rule, bytes);
    uint32_t state, grown;
    _Atomic(uint32_t) *place = state_at(slab, addr, &state);
    do {
        if (place == NULL || !tn_small_is_live(state)) return tn_pool_no_block(addr);
        TN_TRY(tn_pool_check_growth(bytes, tn_small_bytes(state)));
        TN_REFUSE(occupied == 0 || occupied > slab->stride, TARN_NO_ADDRESS_SPACE,
                  "%llu bytes do not fit the block's size class of %u bytes",
                  (unsigned long long)bytes, slab->stride);
        grown = (state & (TN_SMALL_SHARED | TN_SMALL_TAG)) | (uint32_t)bytes
                                                                 << TN_SMALL_BYTES_SHIFT;
    } while (!tn_cas_weak_relaxed(place, &state, grown));
    tn_pool_count_extension(pool, tn_small_tag(state), bytes - tn_small_bytes(state), 0);
    *slot = slab->slot;
    return TARN_OK;
}

unsigned tn_pool_small_slot(const tarn_pool *pool, uint64_t packed) {
    return pool->small.slabs[packed >> 32].slot;
}

void tn_pool_small_finish(tarn_pool *pool, uint64_t packed) {
    const tn_slab *slab = &pool->small.slabs[packed >> 32];
    tn_store_relaxed(&slab->states[(uint32_t)packed], TN_SMALL_FREE);
    tn_pool_slab_flush(pool, slab->slot, slab->class_index, &packed, 1);
}

uint64_t tn_pool_small_host_bytes(tarn_pool *pool) {
    (void)tn_pool_main_lock(pool);
    uint64_t made = pool->small.made;
    tn_pool_main_unlock(pool);
    return made * sizeof(tn_slab);
}
