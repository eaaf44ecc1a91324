// SPDX-License-Identifier: Apache-2.0
// Growing a live block in place. A large block takes the free pieces behind it that its stream may
// use; in an expandable pool, holes among them get memory first, as in growth. A small block grows
// within the stride of its class. Large blocks change under the growth lock.
#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/explain.h"
#include "core/pool/grow.h"
#include "core/pool/notify.h"
#include "core/pool/rule.h"

// ---- small blocks

static tarn_status check_size(uint64_t bytes, uint64_t before) {
    return bytes >= before ? TARN_OK
                           : tn_fail(TARN_BAD_ARGUMENT, "%llu bytes are less than the block's %llu",
                                     (unsigned long long)bytes, (unsigned long long)before);
}

static tarn_status extend_small(tarn_pool *pool, const tn_slab *slab, tarn_addr addr,
                                uint64_t bytes) {
    uint64_t occupied = tn_rule_occupied(&pool->rule, bytes);
    uint32_t block;
    uint32_t state = TN_SMALL_FREE;
    uint32_t grown;
    if (tn_pool_small_at(slab, addr, &block)) {
        state = tn_load_relaxed(&slab->states[block]);
    }
    do {
        if (!tn_small_is_live(state)) {
            return tn_pool_no_block(addr);
        }
        TN_TRY(check_size(bytes, tn_small_bytes(state)));
        if (occupied == 0 || occupied > slab->stride) {
            return tn_fail(TARN_NO_ADDRESS_SPACE,
                           "%llu bytes do not fit the block's size class of %u bytes",
                           (unsigned long long)bytes, slab->stride);
        }
        grown = (state & (TN_SMALL_SHARED | TN_SMALL_TAG)) | (uint32_t)bytes
                                                                 << TN_SMALL_BYTES_SHIFT;
    } while (!tn_cas_weak_relaxed(&slab->states[block], &state, grown));
    tn_pool_count_extension(pool, tn_small_tag(state), bytes - tn_small_bytes(state), 0);
    return TARN_OK;
}

// ---- large blocks

// A block that is extended.
struct extension {
    tarn_addr addr;
    uint64_t bytes;    // requested
    uint64_t occupied; // under the rule
    uint64_t units;    // of its piece, after
    bool found;        // the rest is known
    uint32_t node;
    uint32_t mark;
    unsigned slot;
    uint64_t before; // bytes requested before
    uint64_t lack;   // units that it needs behind its piece
};

// Reads the block. Returns false if none starts there. Under fit.
static bool find_extended(const tarn_pool *pool, struct extension *e) {
    e->node = tn_granule_get(&pool->map, e->addr);
    e->found = tn_pool_large_is_at(pool, e->node, e->addr);
    if (e->found) {
        uint64_t have = tn_fit_units(&pool->fit, e->node);
        e->mark = tn_fit_mark(&pool->fit, e->node);
        e->slot = tn_fit_list(&pool->fit, e->node);
        e->before = tn_fit_word(&pool->fit, e->node);
        e->lack = e->units > have ? e->units - have : 0;
    }
    return e->found;
}

// Extends the block by the free pieces right behind it. Returns false if they do not suffice.
static bool extend_into_free(tarn_pool *pool, struct extension *e) {
    tn_pool_fit_lock(pool);
    bool done = find_extended(pool, e) && e->bytes >= e->before &&
                (e->lack == 0 || tn_pool_piece_extend(pool, e->node, e->lack));
    if (done) {
        tn_fit_assign(&pool->fit, e->node, e->slot, e->mark, e->bytes);
    }
    tn_pool_fit_unlock(pool);
    return done;
}

// Tries cheap steps before those that interrupt all threads and wait for streams, as growth does.
static tarn_status extend_by_all_means(tarn_pool *pool, struct extension *e) {
    tn_pool_admit_slot(pool, e->slot);
    if (extend_into_free(pool, e)) {
        return TARN_OK;
    }
    tn_pool_reclaim(pool, false, false);
    if (extend_into_free(pool, e)) {
        return TARN_OK;
    }
    tn_pool_reclaim(pool, true, true);
    return extend_into_free(pool, e) ? TARN_OK : TARN_NO_ADDRESS_SPACE;
}

static tarn_status refuse_extension(tarn_pool *pool, const struct extension *e,
                                    tarn_status status) {
    const tn_pool_refusal refusal = {
        .bytes = e->bytes,
        .occupied = e->occupied,
        .piece = e->lack << pool->unit_shift,
        .align = UINT64_C(1) << pool->unit_shift,
        .stream = tn_load_relaxed(&tn_pool_slot_at(pool, e->slot)->stream),
        .slot = e->slot,
        .tag = e->mark & TN_MARK_TAG,
        .status = status,
    };
    if (status == TARN_NO_ADDRESS_SPACE) {
        status = tn_fail(status, "the %llu bytes behind the block at 0x%llx are not free",
                         (unsigned long long)refusal.piece, (unsigned long long)e->addr);
    }
    return tn_pool_refuse(pool, &refusal);
}

static tarn_status extend_large(tarn_pool *pool, struct extension *e) {
    tarn_status status = TARN_OK;
    tn_mutex_lock(&pool->grow_lock);
    tn_pool_fit_lock(pool);
    bool found = find_extended(pool, e);
    tn_pool_fit_unlock(pool);
    if (!found) {
        status = tn_pool_no_block(e->addr);
    } else {
        status = check_size(e->bytes, e->before);
    }
    if (status == TARN_OK) {
        status = extend_by_all_means(pool, e);
        status = status == TARN_OK ? status : refuse_extension(pool, e, status);
    }
    tn_mutex_unlock(&pool->grow_lock);
    return status;
}

// ---- the call

static tarn_status extend_block(tarn_pool *pool, tarn_addr addr, uint64_t bytes, unsigned *slot) {
    uint32_t record = tn_granule_get(&pool->map, addr);
    if ((record & TN_SLAB_BIT) != 0) {
        const tn_slab *slab = &pool->slabs[record & ~TN_SLAB_BIT];
        *slot = slab->slot;
        return extend_small(pool, slab, addr, bytes);
    }
    struct extension e = {addr, .bytes = bytes, .occupied = tn_rule_occupied(&pool->rule, bytes)};
    e.units = tn_pool_units(pool, e.occupied);
    if (e.occupied == 0 || e.units >= TN_FIT_MAX_UNITS / 2) {
        return tn_fail(TARN_NO_DEVICE_MEMORY, "%llu bytes are more than any pool can hold",
                       (unsigned long long)bytes);
    }
    TN_TRY(extend_large(pool, &e));
    tn_pool_count_extension(pool, e.mark & TN_MARK_TAG, e.bytes - e.before,
                            e.occupied - tn_rule_occupied(&pool->rule, e.before));
    *slot = e.slot;
    return TARN_OK;
}

tarn_status tn_pool_extend(tarn_pool *pool, tarn_addr addr, uint64_t bytes) {
    unsigned slot = 0;
    tarn_status status = extend_block(pool, addr, bytes, &slot);
    if (status == TARN_OK && tn_subscribed()) {
        tn_pool_emit_extend(pool, addr, bytes, slot);
    }
    return status;
}

tarn_status tarn_pool_extend(tarn_pool *pool, tarn_addr addr, uint64_t bytes) {
    TN_TRY(tn_pool_usable(pool));
    if (bytes == 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "bytes is 0");
    }
    if (pool->ops->extend == NULL) {
        return tn_fail(TARN_UNSUPPORTED, "blocks of a pool with a fence have pages of their own");
    }
    return pool->ops->extend(pool, addr, bytes);
}
