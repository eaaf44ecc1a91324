// SPDX-License-Identifier: Apache-2.0
// Who may use a pool's memory: a question to its source, under the growth lock, so that no page
// comes or goes meanwhile.
#include "base/error.h"
#include "core/pool/pool.h"

static tarn_status check(const tarn_pool *pool) {
    tarn_status status = tn_pool_usable(pool);
    if (status == TARN_OK && (pool->source == NULL || pool->source->ops->set_access == NULL)) {
        status = tn_fail(TARN_UNSUPPORTED,
                         "only pools of kind EXPANDABLE have rights of their own, "
                         "this one is of kind %d",
                         (int)pool->desc.kind);
    }
    return status;
}

tarn_status tarn_pool_set_access(tarn_pool *pool, const tarn_grant *grants, size_t count) {
    tarn_status status = check(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (grants == NULL || count == 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "%s", grants == NULL ? "grants is NULL" : "count is 0");
    }
    tn_mutex_lock(&pool->grow_lock);
    status = pool->source->ops->set_access(pool->source, grants, count);
    tn_mutex_unlock(&pool->grow_lock);
    return status;
}

tarn_status tarn_pool_get_access(tarn_pool *pool, tarn_location location, tarn_access *access) {
    tarn_status status = check(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (access == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "access is NULL");
    }
    tn_mutex_lock(&pool->grow_lock);
    status = pool->source->ops->get_access(pool->source, location, access);
    tn_mutex_unlock(&pool->grow_lock);
    return status;
}
