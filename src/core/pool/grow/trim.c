// SPDX-License-Identifier: Apache-2.0
// The limit of a pool, and the release of memory on request. Any thread; the growth lock guards all
// of it.
#include "base/error.h"
#include "core/pool/grow/grow.h"
#include "core/pool/plan/plan.h"
#include "core/pool/small/cache.h"

// ---- release

// Releases free handles until at most `keep` bytes are held.
static void drop_pages(tarn_pool *pool, uint64_t keep) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    tn_pool_source *source = pool->growth.source;
    uint64_t held = tn_pool_held_bytes(pool) - source->handles.spare_bytes;
    tn_pool_source_drain(source);
    if (held <= keep) return;
    uint64_t pages = (held - keep + source->page_bytes - 1) / source->page_bytes;
    tn_pool_fit_lock_growing(pool);
    tn_movables movables = tn_movables_take(pool, pages, UINT64_MAX);
    tn_pool_fit_unlock(pool);
    (void)tn_movables_unmap(pool, &movables);
    tn_pool_source_drain(source);
}

void tn_pool_release_to(tarn_pool *pool, uint64_t keep, uint32_t flags) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && pool->growth.source != NULL);
    if (pool->growth.source->ops->map == NULL)
        (void)tn_pool_drop_segments(pool, keep, flags);
    else
        drop_pages(pool, keep);
}

uint64_t tn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, bool wait) {
    tn_pool_source *source = pool->growth.source;
    TN_GROW_LOCKED(pool);
    uint64_t held = source != NULL ? tn_pool_held_bytes(pool) : 0;
    tn_pool_reclaim(pool, true, wait);
    tn_pool_drop_need(pool, keep_bytes);
    if (held <= keep_bytes) return 0;
    tn_pool_release_to(pool, keep_bytes, wait ? 0 : TARN_NO_WAIT);
    return held - tn_pool_held_bytes(pool);
}

void tn_pool_trim_to_need(tarn_pool *pool) {
    const tn_pool_want none = {.units = 0};
    tn_pool_drop_need(pool, 0);
    uint64_t need = tn_pool_need(pool, &none);
    if (pool->growth.source != NULL && tn_pool_held_bytes(pool) > need)
        (void)tn_pool_trim(pool, need, false);
}

// A slab without a live block keeps a plan's memory from its return, so the caches come first.
static void dissolve_plan(tarn_pool *pool, bool wait) {
    TN_GROW_LOCKED(pool);
    if (pool->plan != NULL) tn_pool_reclaim(pool, true, wait);
    (void)tn_plan_arena_return_empty(pool);
}

tarn_status tarn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, uint32_t flags,
                           uint64_t *released_bytes) {
    bool wait = (flags & TARN_NO_WAIT) == 0;
    TN_TRY(wait ? tn_pool_may_wait(pool) : tn_pool_usable(pool));
    TN_REFUSE((flags & ~TARN_NO_WAIT) != 0, TARN_BAD_ARGUMENT, "flags 0x%x are unknown", flags);
    dissolve_plan(pool, wait);
    uint64_t released = tn_pool_trim(pool, keep_bytes, wait);
    if (released_bytes != NULL) *released_bytes = released;
    return TARN_OK;
}

// ---- the limit

tarn_status tarn_pool_set_limit(tarn_pool *pool, uint64_t limit) {
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(pool->kind == TARN_POOL_FIXED, TARN_UNSUPPORTED,
              "a fixed pool cannot change its limit (it manages %llu bytes)",
              (unsigned long long)pool->desc.bytes);
    TN_GROW_LOCKED(pool);
    pool->desc.limit = limit;
    return TARN_OK;
}
