// SPDX-License-Identifier: Apache-2.0
// The order of means when nothing fits, trimming, and the limit, under the growth lock. How pages
// and segments are added is in grow_pages.c and grow_segments.c.
#include "core/pool/grow.h"
#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/explain.h"
#include "core/pool/movable.h"

// ---- growth

static tarn_status grow_source(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    if (pool->source == NULL) {
        return TARN_NO_DEVICE_MEMORY;
    }
    tn_emit_for_pool(true);
    tarn_status status = pool->source->ops->map != NULL ? tn_pool_grow_by_pages(pool, want, node)
                                                        : tn_pool_grow_by_segment(pool, want, node);
    tn_emit_for_pool(false);
    return status;
}

static bool take_run(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    tn_pool_fit_lock(pool);
    *node = tn_pool_piece_take_run(pool, want);
    tn_pool_fit_unlock(pool);
    return *node != 0;
}

// The cheap steps come first: memory that another thread has freed meanwhile, memory that this
// thread can reclaim, and growth. The last resort interrupts all threads, waits for streams, and
// tries to grow once more, because memory may have returned to the device.
tarn_status tn_pool_grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    tn_mutex_lock(&pool->grow_lock);
    tarn_status status = TARN_OK;
    tn_pool_admit_slot(pool, want->slot);
    if (tn_pool_take(pool, want, node)) {
        goto out;
    }
    tn_pool_reclaim(pool, false, false);
    if (tn_pool_take(pool, want, node) || take_run(pool, want, node)) {
        goto out;
    }
    status = grow_source(pool, want, node);
    if (status == TARN_OK) {
        goto out;
    }
    tn_pool_reclaim(pool, true, true);
    bool taken = tn_pool_take(pool, want, node) || take_run(pool, want, node);
    status = taken ? TARN_OK : grow_source(pool, want, node);
out:
    // Without a slab, the small block is allocated by other means.
    if (status != TARN_OK && (want->mark & TN_MARK_SLAB) == 0) {
        status = tn_pool_refuse_want(pool, want, status);
    }
    tn_mutex_unlock(&pool->grow_lock);
    return status;
}

// ---- limit and trim

tarn_status tarn_pool_set_limit(tarn_pool *pool, uint64_t limit) {
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (pool->kind == TARN_POOL_FIXED) {
        return tn_fail(TARN_UNSUPPORTED,
                       "a fixed pool cannot change its limit (it manages %llu bytes)",
                       (unsigned long long)pool->desc.bytes);
    }
    tn_mutex_lock(&pool->grow_lock);
    pool->desc.limit = limit;
    tn_mutex_unlock(&pool->grow_lock);
    return TARN_OK;
}

// Forgets a need beyond `keep_bytes`, so that the pool does not grow back to it.
static void lower_need(tarn_pool *pool, uint64_t keep_bytes) {
    uint64_t keep = keep_bytes >> pool->unit_shift;
    tn_pool_fit_lock(pool);
    keep = keep > pool->taken_units ? keep : pool->taken_units;
    pool->peak_taken_units = keep < pool->peak_taken_units ? keep : pool->peak_taken_units;
    tn_pool_fit_unlock(pool);
}

uint64_t tn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, bool wait) {
    tn_pool_source *source = pool->source;
    tn_mutex_lock(&pool->grow_lock);
    tn_pool_reclaim(pool, true, wait);
    lower_need(pool, keep_bytes);
    uint64_t held = source != NULL ? tn_pool_held_bytes(pool) : 0;
    if (held > keep_bytes && source->ops->map == NULL) {
        (void)tn_pool_drop_segments(pool, keep_bytes, wait ? 0 : TARN_NO_WAIT);
    } else if (held > keep_bytes) {
        uint64_t spare = source->handles.spare_bytes;
        uint64_t more = held - keep_bytes > spare ? held - keep_bytes - spare : 0;
        uint64_t pages = (more + source->page_bytes - 1) / source->page_bytes;
        tn_pool_fit_lock(pool);
        tn_movables movables = tn_movables_take(pool, pages, UINT64_MAX);
        tn_pool_fit_unlock(pool);
        (void)tn_movables_unmap(pool, &movables);
        source->ops->drain(source);
    }
    uint64_t released = source != NULL ? held - tn_pool_held_bytes(pool) : 0;
    tn_mutex_unlock(&pool->grow_lock);
    return released;
}

tarn_status tarn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, uint32_t flags,
                           uint64_t *released_bytes) {
    bool wait = (flags & TARN_NO_WAIT) == 0;
    tarn_status status = wait ? tn_pool_may_wait(pool) : tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if ((flags & ~TARN_NO_WAIT) != 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "flags 0x%x are unknown", flags);
    }
    uint64_t released = tn_pool_trim(pool, keep_bytes, wait);
    if (released_bytes != NULL) {
        *released_bytes = released;
    }
    return TARN_OK;
}
