// SPDX-License-Identifier: Apache-2.0
// The memory of a plan's arena: it is taken by the means of any large block, and given back when a
// pass ends that used little of it. Any thread.
#include "base/error.h"
#include "core/pool/grow/grow.h"
#include "core/pool/plan/plan.h"
#include "fail/point.h"

static tarn_status grow_for_arena(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TN_GROW_LOCKED(pool);
    return tn_pool_grow(pool, want, node);
}

// Creates no memory as long as free memory can move there. Memory for several lanes must be free for
// all streams, which is what slot 0 gets.
void tn_pool_grow_arena(tarn_pool *pool, unsigned slot) {
    const tn_pool_want want = tn_plan_arena_want(pool, slot);
    const struct tn_error_saved error = tn_error_now();
    uint32_t node = 0;
    tarn_status status = pool->plan->yielded ? TARN_OK : grow_for_arena(pool, &want, &node);
    if (status != TARN_OK && status != TARN_NO_HOST_MEMORY) tn_error_restore(&error);
    if (tn_plan_arena_make(pool, &want, node)) tn_pool_trim_to_need(pool);
}

tarn_status tarn_pool_mark(tarn_pool *pool) {
    TN_FAIL_POINT(0, 0);
    bool gave_back = false;
    TN_TRY(tn_pool_usable(pool));
    if (pool->plan == NULL) return TARN_OK;
    tarn_status status = tn_plan_mark_pass(pool, &gave_back);
    if (gave_back) tn_pool_trim_to_need(pool);
    return TN_DONE(status);
}
