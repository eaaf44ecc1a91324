// SPDX-License-Identifier: Apache-2.0
// The growth of a pool as the other rooms see it: its lock, its memory for statistics, queries and
// checks, and its beginning and end.
#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/grow/grow.h"
#include "core/pool/notify.h"

static bool has_pages(const tarn_pool *pool) {
    return pool->growth.source != NULL && pool->growth.source->ops->map != NULL;
}

void tn_pool_grow_lock(tarn_pool *pool) { tn_mutex_lock(&pool->growth.lock); }

void tn_pool_grow_unlock(tarn_pool *pool) { tn_mutex_unlock(&pool->growth.lock); }

// ---- beginning and end

void tn_pool_growth_init(tarn_pool *pool, tn_pool_source *source) {
    tn_mutex_init(&pool->growth.lock, TN_RANK_POOL_GROW, "pool growth");
    pool->growth.source = source;
    tn_store_relaxed(&pool->growth.release_threshold, UINT64_MAX);
}

bool tn_pool_growth_range(const tarn_pool *pool, tarn_addr *base, uint64_t *bytes) {
    const tn_pool_source *source = pool->growth.source;
    *base = source == NULL ? pool->desc.base : has_pages(pool) ? source->base : 0;
    *bytes = source == NULL ? pool->desc.bytes : has_pages(pool) ? source->bytes : 0;
    return has_pages(pool);
}

void tn_pool_growth_attach(tarn_pool *pool) {
    tn_pool_source *source = pool->growth.source;
    if (source != NULL) tn_pool_owner_attach(&source->owner, pool);
    if (has_pages(pool) && tn_subscribed()) {
        tn_pool_emit_heap(pool, TN_MEM_HEAP_BEGIN, source->base, source->bytes, false);
        source->announced = true;
    }
}

void tn_pool_growth_detach(tarn_pool *pool) {
    if (pool->growth.source != NULL) tn_pool_owner_detach(&pool->growth.source->owner);
}

// Segments are the pool's own until the end; the reservation of pages is released by its source.
void tn_pool_growth_end(tarn_pool *pool) {
    tn_pool_source *source = pool->growth.source;
    tn_pool_span span;
    if (source == NULL) return;
    for (size_t i = 0; !has_pages(pool) && tn_pool_span_get(pool, i, &span); i++)
        tn_pool_release_segment(pool, span.addr, span.bytes, 0);
    source->ops->destroy(source);
}

void tn_pool_growth_fini(tarn_pool *pool) { tn_mutex_fini(&pool->growth.lock); }

// ---- numbers

void tn_pool_growth_stats(const tarn_pool *pool, tarn_pool_stats *s) {
    const tn_pool_source *source = pool->growth.source;
    s->held_bytes = s->peak_held_bytes = pool->desc.bytes;
    if (source != NULL) {
        s->held_bytes = tn_load_relaxed(&source->held_bytes);
        s->peak_held_bytes = tn_load_relaxed(&source->peak_held_bytes);
        s->driver_calls = tn_load_relaxed(&source->driver_calls);
        s->map_calls = tn_load_relaxed(&source->map_calls);
        s->unmap_calls = tn_load_relaxed(&source->unmap_calls);
        s->created_handles = tn_load_relaxed(&source->created_handles);
        s->created_bytes = tn_load_relaxed(&source->created_bytes);
        s->mapped_handles = tn_load_relaxed(&source->mapped_handles);
        s->mapped_bytes = tn_load_relaxed(&source->mapped_bytes);
        s->device_ns = tn_pool_source_ns(source);
    }
    s->moved_bytes = tn_load_relaxed(&pool->growth.moved_bytes);
    s->sleeping_bytes = tn_load_relaxed(&pool->growth.asleep_bytes);
    s->moved_handles = tn_load_relaxed(&pool->growth.moved_handles);
}

void tn_pool_growth_reset_peak(tarn_pool *pool) {
    tn_pool_source *source = pool->growth.source;
    if (source == NULL) return;
    TN_LOCKED(&pool->growth.lock);
    tn_store_relaxed(&source->peak_held_bytes, tn_load_relaxed(&source->held_bytes));
}

void tn_pool_growth_info(tarn_pool *pool, tarn_pool_info *info) {
    const tn_pool_source *source = pool->growth.source;
    (void)tn_pool_growth_range(pool, &info->base, &info->bytes);
    info->page_bytes = has_pages(pool) ? source->page_bytes : 0;
    info->segment_bytes = source != NULL && !has_pages(pool) ? pool->desc.segment_bytes : 0;
    info->release_threshold = tn_load_relaxed(&pool->growth.release_threshold);
    TN_LOCKED(&pool->growth.lock);
    info->limit = pool->desc.limit;
}

uint64_t tn_pool_growth_spare(const tarn_pool *pool) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    return has_pages(pool) ? pool->growth.source->handles.spare_bytes : 0;
}

// Spare handles and mapped pages are held; those of sleeping blocks are not.
tarn_status tn_pool_growth_verify(const tarn_pool *pool, uint64_t backed) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    if (!has_pages(pool)) return TARN_OK;
    backed += tn_pool_growth_spare(pool) - tn_load_relaxed(&pool->growth.asleep_bytes);
    if (tn_pool_held_bytes(pool) == backed) return TARN_OK;
    return tn_fail(TARN_CORRUPT, "the pool holds %llu bytes, %llu of them mapped or spare",
                   (unsigned long long)tn_pool_held_bytes(pool), (unsigned long long)backed);
}
