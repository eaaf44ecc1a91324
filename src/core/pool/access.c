// SPDX-License-Identifier: Apache-2.0
// Rights to the memory of an expandable pool. Its source holds them; the growth lock is held, so
// that no page is mapped or unmapped meanwhile.
#include "base/error.h"
#include "core/pool/pool.h"
#include "core/pool/report/notify.h"
#include "fail/point.h"

static tarn_status check_rights(const tarn_pool *pool) {
    tarn_status status = tn_pool_usable(pool);
    if (status == TARN_OK &&
        (pool->growth.source == NULL || pool->growth.source->ops->set_access == NULL)) {
        status = tn_fail(TARN_UNSUPPORTED,
                         "only EXPANDABLE pools have rights of their own; this pool is of kind %d",
                         (int)pool->desc.kind);
    }
    return status;
}

tarn_status tarn_pool_set_access(tarn_pool *pool, const tarn_grant *grants, size_t count) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(check_rights(pool));
    TN_REFUSE(grants == NULL || count == 0, TARN_BAD_ARGUMENT, "%s",
              grants == NULL ? "grants is NULL" : "count is 0");
    TN_LOCKED(&pool->growth.lock);
    if (tn_subscribed()) tn_pool_emit_rights(pool);
    return pool->growth.source->ops->set_access(pool->growth.source, grants, count);
}

tarn_status tarn_pool_get_access(tarn_pool *pool, tarn_location location, tarn_access *access) {
    TN_TRY(check_rights(pool));
    TN_REFUSE(access == NULL, TARN_BAD_ARGUMENT, "access is NULL");
    TN_LOCKED(&pool->growth.lock);
    tarn_status status =
        pool->growth.source->ops->get_access(pool->growth.source, location, access);
    return status;
}
