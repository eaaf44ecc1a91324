// SPDX-License-Identifier: Apache-2.0
// The self-check of a pool, tarn_pool_verify(): every record against every other. Under the pool's
// locks; other threads may continue.
#include "base/error.h"
#include "core/pool/fit/piece.h"
#include "core/pool/plan/plan.h"

tarn_status tarn_pool_verify(tarn_pool *pool) {
    uint64_t backed = 0;
    TN_TRY(tn_pool_usable(pool));
    TN_GROW_LOCKED(pool);
    TN_TRY(tn_pool_small_verify(pool));
    {
        TN_FIT_LOCKED(pool);
        TN_TRY(tn_pool_range_verify(pool, &backed));
        TN_TRY(tn_pool_slabs_verify(pool));
        TN_TRY(tn_plan_verify(pool));
    }
    return TN_DONE(tn_pool_growth_verify(pool, backed << pool->unit_shift));
}
