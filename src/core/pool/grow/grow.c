// SPDX-License-Identifier: Apache-2.0
// The order of means when nothing fits, under the growth lock. How pages and segments are added is
// in pages.c and segments.c.
#include "core/pool/grow/grow.h"
#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/fit/shard.h"
#include "core/pool/plan/plan.h"
#include "core/pool/pool.h"

// ---- growth

static tarn_status grow_source(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    if (pool->growth.source == NULL) return TARN_NO_DEVICE_MEMORY;
    tn_emit_for_pool(true);
    tarn_status status = pool->growth.source->ops->map != NULL
                             ? tn_pool_grow_by_pages(pool, want, node)
                             : tn_pool_grow_by_segment(pool, want, node);
    tn_emit_for_pool(false);
    if (status == TARN_OK) tn_pool_shard_grown(pool);
    return status;
}

static bool take_run(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TN_FIT_LOCKED(pool);
    *node = tn_pool_piece_take_run(pool, want);
    return *node != 0;
}

// For a guest, once the work of the sole slot has passed.
static bool take_settled(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TN_FIT_LOCKED(pool);
    *node = tn_pool_piece_take_settled(pool, want);
    return *node != 0;
}

// The cheap steps come first: memory of streams that the slot follows, memory that another thread
// has freed meanwhile, memory that this thread can reclaim, and growth. The last resort interrupts
// all threads, waits for streams, and tries to grow once more, because memory may have returned to
// the device.
static tarn_status take_or_grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    if (tn_pool_reuse_take(pool, want, node)) return TARN_OK;
    if (tn_pool_sole_welcomes(pool, want->slot)) {
        tn_pool_reclaim(pool, false, false);
        if (take_settled(pool, want, node)) return TARN_OK;
    }
    if (tn_pool_take(pool, want, node)) return TARN_OK;
    tn_pool_reclaim(pool, false, false);
    if (tn_pool_take(pool, want, node) || take_run(pool, want, node)) return TARN_OK;
    if ((*node = tn_plan_arena_host(pool, want)) != 0) return TARN_OK;
    if (grow_source(pool, want, node) == TARN_OK) return TARN_OK;
    tn_pool_reclaim(pool, true, true);
    (void)tn_plan_arena_dissolve(pool);
    if (tn_pool_take(pool, want, node) || take_run(pool, want, node)) return TARN_OK;
    return grow_source(pool, want, node);
}

tarn_status tn_pool_grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TN_GROW_LOCKED(pool);
    tarn_status status = take_or_grow(pool, want, node);
    // Without a slab, the small block is allocated by other means.
    return status == TARN_OK || (want->mark & TN_MARK_SLAB) != 0
               ? status
               : tn_pool_refuse_want(pool, want, status);
}
