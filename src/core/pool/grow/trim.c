// SPDX-License-Identifier: Apache-2.0
// The limits of a pool, and the release of memory: on request, above the soft limit, and when it has
// been idle. Any thread; the growth lock guards all of it.
#include "base/clock.h"
#include "base/error.h"
#include "core/pool/grow/grow.h"
#include "core/pool/grow/movable.h"
#include "core/pool/small/cache.h"
#include "core/pool/stream/reclaim.h"

// ---- release

// Releases free handles until at most `keep` bytes are held, or, if `least` is not 0, as many as
// leave that much.
static void drop_pages(tarn_pool *pool, uint64_t keep, uint64_t least) {
    tn_pool_source *source = pool->growth.source;
    uint64_t held = tn_pool_held_bytes(pool) - source->handles.spare_bytes;
    source->ops->drain(source);
    if (held <= keep) {
        return;
    }
    uint64_t pages = (held - keep + source->page_bytes - 1) / source->page_bytes;
    uint64_t room = least != 0 ? (held - least) / source->page_bytes : UINT64_MAX;
    tn_pool_fit_lock(pool);
    tn_movables movables = tn_movables_take(pool, pages < room ? pages : room, room);
    tn_pool_fit_unlock(pool);
    (void)tn_movables_unmap(pool, &movables);
    source->ops->drain(source);
}

static void drop_memory(tarn_pool *pool, uint64_t keep, uint64_t least, uint32_t flags) {
    if (pool->growth.source == NULL || tn_pool_held_bytes(pool) <= keep) {
        return;
    }
    if (pool->growth.source->ops->map == NULL) {
        (void)tn_pool_drop_segments(pool, keep, flags);
    } else {
        drop_pages(pool, keep, least);
    }
}

// Releases memory without a live block until at most `keep` bytes are held. Returns the bytes.
static uint64_t release_memory(tarn_pool *pool, uint64_t keep, bool wait) {
    uint64_t held = pool->growth.source != NULL ? tn_pool_held_bytes(pool) : 0;
    tn_pool_reclaim(pool, true, wait);
    tn_need_lower(pool, keep >> pool->unit_shift);
    drop_memory(pool, keep, 0, wait ? 0 : TARN_NO_WAIT);
    return pool->growth.source != NULL ? held - tn_pool_held_bytes(pool) : 0;
}

void tn_pool_keep_soft_limit(tarn_pool *pool) {
    uint64_t soft = pool->desc.soft_limit;
    if (soft != 0) {
        drop_memory(pool, soft, soft, TARN_NO_WAIT);
    }
}

uint64_t tn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, bool wait) {
    tn_mutex_lock(&pool->growth.lock);
    uint64_t released = release_memory(pool, keep_bytes, wait);
    tn_mutex_unlock(&pool->growth.lock);
    return released;
}

static tarn_status check_release(tarn_pool *pool, uint32_t flags) {
    bool wait = (flags & TARN_NO_WAIT) == 0;
    tarn_status status = wait ? tn_pool_may_wait(pool) : tn_pool_usable(pool);
    if (status == TARN_OK && (flags & ~TARN_NO_WAIT) != 0) {
        status = tn_fail(TARN_BAD_ARGUMENT, "flags 0x%x are unknown", flags);
    }
    return status;
}

tarn_status tarn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, uint32_t flags,
                           uint64_t *released_bytes) {
    tarn_status status = check_release(pool, flags);
    if (status != TARN_OK) {
        return status;
    }
    uint64_t released = tn_pool_trim(pool, keep_bytes, (flags & TARN_NO_WAIT) == 0);
    if (released_bytes != NULL) {
        *released_bytes = released;
    }
    return TARN_OK;
}

// ---- idle memory

// Returns the bytes that were in use within the idle age, or UINT64_MAX if the pool has not been
// observed that long.
static uint64_t used_of_late(tarn_pool *pool, uint64_t idle_ns) {
    uint64_t now = tn_now_ns();
    pool->growth.need.idle_ns = idle_ns;
    tn_need_roll(pool, now);
    if (now - pool->growth.need.windows[0].start_ns < idle_ns) {
        return UINT64_MAX;
    }
    return tn_need_units(pool, 0) << pool->unit_shift;
}

tarn_status tarn_pool_collect(tarn_pool *pool, uint64_t idle_ns, uint32_t flags,
                              uint64_t *released_bytes) {
    tarn_status status = check_release(pool, flags);
    if (status != TARN_OK) {
        return status;
    }
    if (idle_ns == 0) {
        return tn_fail(TARN_BAD_ARGUMENT,
                       "idle_ns is 0; tarn_pool_trim() releases all free memory");
    }
    tn_mutex_lock(&pool->growth.lock);
    uint64_t keep = used_of_late(pool, idle_ns);
    uint64_t soft = pool->desc.soft_limit != 0 ? pool->desc.soft_limit : UINT64_MAX;
    keep = keep < soft ? keep : soft;
    uint64_t released =
        keep != UINT64_MAX ? release_memory(pool, keep, (flags & TARN_NO_WAIT) == 0) : 0;
    tn_mutex_unlock(&pool->growth.lock);
    if (released_bytes != NULL) {
        *released_bytes = released;
    }
    return TARN_OK;
}

// ---- limits

static tarn_status check_growing(const tarn_pool *pool) {
    tarn_status status = tn_pool_usable(pool);
    if (status == TARN_OK && pool->kind == TARN_POOL_FIXED) {
        status = tn_fail(TARN_UNSUPPORTED,
                         "a fixed pool cannot change its limit (it manages %llu bytes)",
                         (unsigned long long)pool->desc.bytes);
    }
    return status;
}

tarn_status tarn_pool_set_limit(tarn_pool *pool, uint64_t limit) {
    tarn_status status = check_growing(pool);
    if (status != TARN_OK) {
        return status;
    }
    tn_mutex_lock(&pool->growth.lock);
    pool->desc.limit = limit;
    tn_mutex_unlock(&pool->growth.lock);
    return TARN_OK;
}

tarn_status tarn_pool_set_soft_limit(tarn_pool *pool, uint64_t bytes) {
    tarn_status status = check_growing(pool);
    if (status != TARN_OK) {
        return status;
    }
    tn_mutex_lock(&pool->growth.lock);
    pool->desc.soft_limit = bytes;
    if (bytes != 0) {
        (void)release_memory(pool, bytes, false);
    }
    tn_mutex_unlock(&pool->growth.lock);
    return TARN_OK;
}
