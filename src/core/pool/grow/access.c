// SPDX-License-Identifier: Apache-2.0
// Rights and keys to a pool's memory. The source of an expandable pool holds its rights; the growth
// lock is held, so that no page is mapped or unmapped meanwhile. A block of a pool of segments lies
// in one segment, which is plain memory with a key of its own. The block is live meanwhile, so its
// segment stays. Any thread.
#include "base/error.h"
#include "core/pool/notify.h"
#include "core/pool/pool.h"
#include "fail/point.h"

static tarn_status check_rights(const tarn_pool *pool) {
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(pool->growth.source == NULL || pool->growth.source->ops->set_access == NULL,
              TARN_UNSUPPORTED,
              "only EXPANDABLE pools have rights of their own; this pool is of kind %d",
              (int)pool->desc.kind);
    return TARN_OK;
}

tarn_status tarn_pool_set_access(tarn_pool *pool, const tarn_grant *grants, size_t count) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(check_rights(pool));
    TN_REFUSE(grants == NULL || count == 0, TARN_BAD_ARGUMENT, "%s",
              grants == NULL ? "grants is NULL" : "count is 0");
    TN_GROW_LOCKED(pool);
    if (tn_subscribed())
        tn_pool_emit_rights(pool, pool->growth.source->base, pool->growth.source->bytes);
    return TN_DONE(pool->growth.source->ops->set_access(pool->growth.source, grants, count));
}

tarn_status tarn_pool_get_access(tarn_pool *pool, tarn_location location, tarn_access *access) {
    TN_TRY(check_rights(pool));
    TN_REFUSE(access == NULL, TARN_BAD_ARGUMENT, "access is NULL");
    TN_GROW_LOCKED(pool);
    return TN_DONE(pool->growth.source->ops->get_access(pool->growth.source, location, access));
}

tarn_status tarn_pool_export(tarn_pool *pool, tarn_addr addr, tarn_key *key, uint64_t *offset) {
    TN_FAIL_POINT(addr, 0);
    tarn_block block;
    tarn_addr base = 0;
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(key == NULL || offset == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              key == NULL ? "key" : "offset");
    TN_REFUSE(pool->desc.kind != TARN_POOL_SEGMENTS || pool->growth.source == NULL,
              TARN_UNSUPPORTED, "only SEGMENTS pools have keys; this pool is of kind %d",
              (int)pool->desc.kind);
    if (!pool->ops->find(pool, addr, &block) || block.addr != addr)
        return TN_DONE(tn_pool_no_block(addr));
    TN_TRY(tn_owner_export(&pool->growth.source->owner.base, addr, &base, key));
    *offset = addr - base;
    return TARN_OK;
}
