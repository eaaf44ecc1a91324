// SPDX-License-Identifier: Apache-2.0
// Growing a live block in place. A large block takes the free pieces behind it that its stream may
// use; in an expandable pool, holes among them get memory first, as in growth. A small block grows
// within the stride of its class. Large blocks change under the growth lock.
#include "algo/rule.h"
#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/grow/grow.h"
#include "core/pool/notify.h"
#include "core/pool/pool.h"
#include "core/pool/small/count.h"
#include "fail/point.h"

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
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    e->node = tn_granule_get(&pool->map, e->addr);
    e->found = tn_piece_is_at(pool, e->node, e->addr);
    if (e->found) {
        uint64_t have = tn_piece_units(pool, e->node);
        e->mark = tn_piece_mark(pool, e->node);
        e->slot = tn_piece_slot(pool, e->node);
        e->before = tn_piece_word(pool, e->node);
        e->lack = e->units > have ? e->units - have : 0;
    }
    return e->found;
}

// ---- what lies behind

// Returns the units that the block's stream may use right behind it, `most` at most; with `holes`
// those without memory too. Under fit.
static uint64_t units_behind(const tarn_pool *pool, const struct extension *e, bool holes,
                             uint64_t most) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && e->node != 0);
    uint64_t units = 0;
    for (uint32_t k = tn_piece_after(pool, e->node);
         units < most &&
         (tn_pool_piece_is_usable(pool, k, e->slot) || (holes && tn_piece_is_hole(pool, k)));
         k = tn_piece_after(pool, k))
        units += tn_piece_units(pool, k);
    return units < most ? units : most;
}

// Gives memory to the hole right behind the piece, by the means of growth.
static tarn_status fill_hole(tarn_pool *pool, struct extension *e) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    // The hole is taken out of the fit, as far as the block is to reach.
    uint64_t per = tn_pool_page_units(pool);
    uint64_t pages = 0;
    uint32_t hole = 0;
    tn_pool_fit_lock(pool);
    uint32_t behind = e->found ? tn_piece_after(pool, e->node) : 0;
    if (tn_piece_is_hole(pool, behind) && tn_piece_has_records(pool)) {
        uint64_t have = tn_piece_units(pool, behind) / per;
        uint64_t lack = (e->lack + per - 1) / per;
        pages = lack < have ? lack : have;
        hole = tn_piece_carve(pool, behind, 0, pages * per);
        tn_piece_set_mark(pool, hole, TN_MARK_GROWING);
    }
    tn_pool_fit_unlock(pool);
    if (hole == 0) return TARN_NO_ADDRESS_SPACE;
    tarn_addr addr = tn_piece_addr(pool, hole);
    tn_emit_for_pool(true);
    tarn_status status = tn_pool_back(pool, tn_pool_page_at(pool, addr), pages);
    tn_emit_for_pool(false);
    TN_FIT_LOCKED(pool);
    uint32_t node = tn_piece_release(pool, hole, status != TARN_OK);
    if (status == TARN_OK) { // the rest of the last page is free
        if (find_extended(pool, e) && node == tn_piece_after(pool, e->node))
            (void)tn_pool_piece_extend(pool, e->node, units_behind(pool, e, false, e->lack));
        (void)find_extended(pool, e);
    }
    return status;
}

// Extends the block by free pieces, and with `holes` by holes among them, or leaves it as it was.
static tarn_status extend_piece(tarn_pool *pool, struct extension *e, bool holes) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    tn_pool_fit_lock(pool);
    bool reaches = find_extended(pool, e) && units_behind(pool, e, holes, e->lack) == e->lack;
    uint64_t before = tn_piece_units(pool, e->node);
    tn_pool_fit_unlock(pool);
    tarn_status status = reaches ? TARN_OK : TARN_NO_ADDRESS_SPACE;
    while (status == TARN_OK && e->found && e->lack != 0) {
        tn_pool_fit_lock(pool);
        bool found = find_extended(pool, e);
        uint64_t units = found ? units_behind(pool, e, false, e->lack) : 0;
        bool taken = units != 0 && tn_pool_piece_extend(pool, e->node, units);
        e->lack -= taken ? units : 0;
        tn_pool_fit_unlock(pool);
        if (!taken) status = holes ? fill_hole(pool, e) : TARN_NO_ADDRESS_SPACE;
    }
    TN_FIT_LOCKED(pool);
    if (!find_extended(pool, e)) return TARN_BAD_ADDRESS; // freed meanwhile
    if (status == TARN_OK) {
        tn_piece_assign(pool, e->node, e->slot, e->mark, e->bytes);
    } else if (reaches && tn_piece_units(pool, e->node) > before) {
        uint32_t rest = tn_piece_split(pool, e->node, before);
        if (rest != 0) tn_pool_piece_free(pool, rest);
    }
    return status;
}

static tarn_status refuse_extension(tarn_pool *pool, const struct extension *e,
                                    tarn_status status) {
    const tn_pool_refusal refusal = {
        .bytes = e->bytes,
        .occupied = e->occupied,
        .piece = e->lack << pool->unit_shift,
        .align = UINT64_C(1) << pool->unit_shift,
        .stream = tn_pool_slot_stream(pool, e->slot),
        .slot = e->slot,
        .tag = e->mark & TN_MARK_TAG,
        .status = status,
    };
    if (status == TARN_NO_ADDRESS_SPACE) {
        (void)tn_fail(status, "the %llu bytes behind the block at 0x%llx are not free",
                      (unsigned long long)refusal.piece, (unsigned long long)e->addr);
    }
    return tn_pool_refuse(pool, &refusal);
}

static tarn_status extend_large(tarn_pool *pool, struct extension *e) {
    TN_GROW_LOCKED(pool);
    tn_pool_fit_lock(pool);
    bool found = find_extended(pool, e);
    tn_pool_fit_unlock(pool);
    if (!found) return tn_pool_no_block(e->addr);
    TN_TRY(tn_pool_check_growth(e->bytes, e->before));
    TN_REFUSE((e->mark & TN_MARK_ASLEEP) != 0, TARN_BUSY, "the block at 0x%llx sleeps",
              (unsigned long long)e->addr);
    // Cheap steps come before those that interrupt all threads and wait for streams, as in growth.
    tn_pool_admit_slot(pool, e->slot);
    const tn_pool_holding before = tn_pool_growth_holding(pool);
    tarn_status status = extend_piece(pool, e, false);
    for (int last = 0; last < 2 && status != TARN_OK; last++) {
        tn_pool_reclaim(pool, last != 0, last != 0);
        status = extend_piece(pool, e, pool->desc.kind == TARN_POOL_EXPANDABLE);
    }
    if (status == TARN_OK) return TARN_OK;
    // Bytes that the attempt added to the block may have returned to the lists of its slot.
    if (tn_pool_growth_holding(pool).bytes > before.bytes) tn_pool_reclaim(pool, true, true);
    tn_pool_undo_growth(pool, before);
    return status == TARN_BAD_ADDRESS ? tn_pool_no_block(e->addr)
                                      : refuse_extension(pool, e, status);
}

// ---- the call

tarn_status tn_pool_extend(tarn_pool *pool, tarn_addr addr, uint64_t bytes) {
    unsigned slot = 0;
    uint32_t record = tn_granule_get(&pool->map, addr);
    if ((record & TN_SLAB_BIT) != 0) {
        TN_TRY(tn_pool_small_extend(pool, record, addr, bytes, &slot));
    } else {
        struct extension e = {addr, bytes, .occupied = tn_rule_occupied(&pool->rule, bytes)};
        e.units = tn_pool_units(pool, e.occupied);
        TN_REFUSE(e.occupied == 0 || e.units >= TN_FIT_MAX_UNITS / 2, TARN_NO_DEVICE_MEMORY,
                  "%llu bytes are more than any pool can hold", (unsigned long long)bytes);
        TN_TRY(extend_large(pool, &e));
        tn_pool_count_extension(pool, e.mark & TN_MARK_TAG, e.bytes - e.before,
                                e.occupied - tn_rule_occupied(&pool->rule, e.before));
        slot = e.slot;
    }
    if (tn_subscribed()) tn_pool_emit_extend(pool, addr, bytes, slot);
    return TARN_OK;
}

tarn_status tarn_pool_extend(tarn_pool *pool, tarn_addr addr, uint64_t bytes) {
    TN_FAIL_POINT(addr, bytes);
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(bytes == 0, TARN_BAD_ARGUMENT, "bytes is 0");
    TN_REFUSE(pool->ops->extend == NULL, TARN_UNSUPPORTED,
              "blocks of a pool with a fence have pages of their own");
    return TN_DONE(pool->ops->extend(pool, addr, bytes));
}
