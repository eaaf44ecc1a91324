// SPDX-License-Identifier: Apache-2.0
// Memory set aside for a tag: handles without an address, which only growth for blocks of that tag
// uses. So they cannot be lost to other blocks, and blocks of the tag get handles of their own. The
// growth lock guards all of it. Any thread.
#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/grow/grow.h"
#include "core/pool/grow/policy.h"
#include "core/pool/small/cache.h"
#include "fail/point.h"

// Creates handles of `pages` pages together. On failure all spare handles are released.
static tarn_status create_all(tarn_pool *pool, uint64_t pages) {
    tn_pool_source *source = pool->growth.source;
    uint64_t limit = pool->desc.limit != 0 ? pool->desc.limit : UINT64_MAX;
    uint64_t held = tn_pool_held_bytes(pool);
    if (held > limit || pages > (limit - held) / source->page_bytes) {
        return tn_pool_over_limit(pool);
    }
    uint64_t cap = tn_policy_cap(pool, pages);
    tarn_status status = TARN_OK;
    while (pages > 0 && status == TARN_OK) {
        uint64_t part = pages < cap ? pages : cap;
        status = source->ops->create(source, part);
        pages -= status == TARN_OK ? part : 0;
    }
    if (status != TARN_OK) {
        source->ops->drain(source);
    }
    return status;
}

static tarn_status set_aside(tarn_pool *pool, uint32_t tag, uint64_t pages) {
    tn_pool_handles *handles = &pool->growth.source->handles;
    size_t before = handles->spare_count;
    TN_TRY(create_all(pool, pages));
    tarn_status status = tn_pool_handles_keep(handles, tag, before, handles->spare_count - before);
    if (status != TARN_OK) {
        pool->growth.source->ops->drain(pool->growth.source);
    }
    return status;
}

static tarn_status give_back(tarn_pool *pool, uint32_t tag, uint64_t bytes) {
    TN_TRY(tn_pool_handles_spare(&pool->growth.source->handles, tag, bytes));
    pool->growth.source->ops->drain(pool->growth.source);
    return TARN_OK;
}

tarn_status tarn_pool_reserve(tarn_pool *pool, uint32_t tag, uint64_t bytes) {
    TN_FAIL_POINT(0, bytes);
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (tag >= TARN_POOL_TAGS) {
        return tn_fail(TARN_BAD_ARGUMENT, "tag %u is not below %u", tag, TARN_POOL_TAGS);
    }
    if (pool->growth.source == NULL || pool->growth.source->ops->map == NULL) {
        return tn_fail(TARN_UNSUPPORTED, "only EXPANDABLE pools without a fence set memory aside");
    }
    uint64_t page = pool->growth.source->page_bytes;
    if (bytes > UINT64_MAX - page) {
        return tn_fail(TARN_NO_DEVICE_MEMORY, "%llu bytes are more than any pool can hold",
                       (unsigned long long)bytes);
    }
    tn_mutex_lock(&pool->growth.lock);
    uint64_t have = tn_pool_handles_kept(&pool->growth.source->handles, tag) / page;
    uint64_t want = (bytes + page - 1) / page;
    tn_emit_for_pool(true);
    status = want > have ? set_aside(pool, tag, want - have) : TARN_OK;
    status = want < have ? give_back(pool, tag, (have - want) * page) : status;
    tn_emit_for_pool(false);
    tn_mutex_unlock(&pool->growth.lock);
    return status;
}
