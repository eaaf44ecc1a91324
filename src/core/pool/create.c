// SPDX-License-Identifier: Apache-2.0
// Creation, destruction and reset of pools. A pool is built over a source of memory and an order of
// streams; a fence replaces its operations. Any thread may create a pool; the caller knows that no
// other thread uses the one that it destroys.
#include <stdlib.h>
#include <string.h>

#include "algo/rule.h"
#include "base/error.h"
#include "base/struct.h"
#include "core/address/notify.h"
#include "core/pool/fit/shard.h"
#include "core/pool/grow/policy.h"
#include "core/pool/grow/source.h"
#include "core/pool/notify.h"
#include "core/pool/plan/plan.h"
#include "core/pool/pool.h"
#include "core/pool/small/cache.h"
#include "fail/point.h"

#define EXACT_MAX       (UINT64_C(8) << 20) // FIXED ranges below have no size classes
#define SEGMENT_DEFAULT (UINT64_C(32) << 20)
#define FLAGS                                                                                      \
    ((uint32_t)(TARN_POOL_STRICT | TARN_POOL_FENCE | TARN_POOL_FENCE_EXACT |                       \
                TARN_POOL_USER_WORDS | TARN_POOL_SELECT_REUSE | TARN_POOL_LEARN))

// ---- the parts of a pool

static tarn_status check_desc(tarn_pool_desc *desc) {
    const tarn_rule *rule = &desc->rule;
    if (rule->start == 0 && rule->rounding == 0 && rule->padding == 0)
        (void)tarn_rule_get(TARN_RULE_GPU_256, &desc->rule);
    TN_REFUSE(!tn_rule_is_valid(rule), TARN_BAD_ARGUMENT,
              "rule has start %u, rounding %u, padding %u: the first two are powers of two "
              "up to 4096, the last a multiple of rounding",
              rule->start, rule->rounding, rule->padding);
    TN_REFUSE(desc->kind < TARN_POOL_FIXED || desc->kind > TARN_POOL_EXPANDABLE, TARN_BAD_ARGUMENT,
              "kind %d is unknown", (int)desc->kind);
    TN_REFUSE((unsigned)desc->policy > TARN_POOL_MEMORY, TARN_BAD_ARGUMENT, "policy %d is unknown",
              (int)desc->policy);
    TN_REFUSE((desc->flags & ~FLAGS) != 0, TARN_BAD_ARGUMENT, "flags 0x%x are unknown",
              desc->flags & ~FLAGS);
    TN_REFUSE(desc->plan != NULL && (desc->flags & TARN_POOL_LEARN) != 0, TARN_BAD_ARGUMENT,
              "the flag TARN_POOL_LEARN and a plan exclude each other");
    TN_REFUSE(desc->kind == TARN_POOL_FIXED &&
                  (desc->bytes == 0 || desc->base + desc->bytes - 1 < desc->base),
              TARN_BAD_ARGUMENT,
              "a range of %llu bytes from 0x%llx is empty or leaves the address space",
              (unsigned long long)desc->bytes, (unsigned long long)desc->base);
    desc->segment_bytes = desc->segment_bytes != 0 ? desc->segment_bytes : SEGMENT_DEFAULT;
    return TARN_OK;
}

// Decides the bytes of a unit, and whether small blocks have classes.
static void set_units(tarn_pool *pool, uint64_t bytes) {
    uint64_t unit = pool->rule.start;
    bool classes = pool->desc.kind != TARN_POOL_FIXED || bytes >= EXACT_MAX;
    if (classes && unit < 16) unit = 16;
    while (bytes / unit >= TN_FIT_MAX_UNITS) unit *= 2;
    pool->unit_shift = (unsigned)__builtin_ctzll(unit);
    if (classes && unit <= TN_SMALL_MAX) {
        tn_pool_small_begin(pool);
        pool->large_min = TN_SMALL_MAX;
    }
}

// Initialises all parts of a pool except its growth, in the order in which they need each other.
// The granule map has all addresses that the pool can ever have. Segments may lie anywhere.
static tarn_status make_parts(tarn_pool *pool) {
    tarn_addr first;
    uint64_t bytes;
    TN_TRY(check_desc(&pool->desc));
    pool->rule = pool->desc.rule;
    pool->kind = pool->asked = pool->desc.kind;
    bool pages = tn_pool_growth_range(pool, &first, &bytes);
    set_units(pool, bytes);
    tarn_addr base = first & ~(TN_POOL_ALIGN_MAX - 1);
    unsigned shift = pool->large_min != 0 ? TN_SMALL_SHIFT : pool->unit_shift;
    uint64_t mapped = bytes != 0 ? bytes + (first - base) : UINT64_MAX;
    TN_TRY(tn_granule_init(&pool->map, base, mapped, shift));
    bool gathers = pool->kind == TARN_POOL_EXPANDABLE;
    TN_TRY(tn_pool_piece_init(pool, base, bytes, gathers ? tn_policy_short(pool) : 0));
    TN_TRY(tn_pool_slot_init(pool));
    TN_TRY(tn_pool_slab_init(pool));
    if (pages) return tn_pool_add_span(pool, TN_LIST_ASIDE, first, bytes);
    return bytes != 0 ? tn_pool_add_range(pool) : TARN_OK;
}

// Releases all parts but the source and the order.
static void unmake(tarn_pool *pool) {
    tn_pool_plan_destroy(pool);
    tn_pool_shard_destroy(pool);
    tn_pool_slot_destroy(pool);
    tn_pool_slab_destroy(pool);
    tn_pool_piece_destroy(pool);
    tn_granule_destroy(&pool->map);
    tn_pool_growth_fini(pool);
    free(pool);
}

// ---- creation

tarn_status tn_pool_create_over(const tarn_pool_desc *desc, tn_pool_source *source,
                                tn_pool_order *order, tarn_pool **pool) {
    tarn_pool *p = (tarn_pool *)calloc(1, sizeof *p);
    TN_REFUSE(p == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a pool");
    tn_fork_watch();
    tn_pool_growth_init(p, source);
    p->generation = tn_load_relaxed(&tn_fork_generation);
    p->desc = *desc;
    tarn_status status = make_parts(p);
    if (status == TARN_OK) status = tn_pool_plan_attach(p, desc);
    p->desc.plan = NULL; // the caller's
    if (status != TARN_OK) {
        unmake(p);
        return status;
    }
    bool selects = tn_pool_slot_order(p, order);
    p->ops = &tn_pool_ordinary;
    p->plain = (p->desc.flags & TARN_POOL_USER_WORDS) == 0 && !selects;
    tn_pool_cache_enlist(p);
    p->plain_id = p->plain ? p->id : UINT64_MAX;
    tn_pool_growth_attach(p);
    if (tn_subscribed()) tn_pool_emit_birth(p);
    *pool = p;
    return TARN_OK;
}

tarn_status tarn_pool_create(const tarn_pool_desc *desc, tarn_pool **pool) {
    TN_FAIL_POINT(0, 0);
    tarn_pool_desc own;
    struct tn_pool_fence *fence = NULL;
    tn_pool_source *source = NULL;
    tn_pool_order *order = NULL;
    tarn_pool *made = NULL;
    char reason[TARN_POOL_REASON] = "";
    uint32_t fence_flags = 0;
    TN_REFUSE(desc == NULL || pool == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              desc == NULL ? "desc" : "pool");
    TN_TRY(tn_struct_read(&own, sizeof own, desc, "tarn_pool_desc"));
    TN_TRY(check_desc(&own));
    TN_REFUSE(own.kind != TARN_POOL_FIXED && own.device == NULL, TARN_BAD_ARGUMENT,
              "device is NULL, and a pool of kind %d needs one", (int)own.kind);
    const tarn_pool_kind asked = own.kind;
    tarn_status status = tn_fence_wanted(&own, &fence_flags);
    if (status == TARN_OK && fence_flags != 0)
        status = tn_fence_create(&own, fence_flags, &fence); // own.kind is FIXED afterwards
    if (status != TARN_OK) return TN_DONE(status);
    if (own.kind != TARN_POOL_FIXED) {
        tn_emit_for_pool(true);
        status = tn_pool_source_choose(&own, &source, reason);
        tn_emit_for_pool(false);
        if (status != TARN_OK) goto err_fence;
    }
    if (own.device != NULL) {
        status = tn_pool_order_events(own.device, &order);
        if (status != TARN_OK) goto err_source;
    }
    own.grants = NULL; // the source has copied them
    if (fence != NULL) {
        own.plan = NULL;
        own.flags &= ~(uint32_t)TARN_POOL_LEARN;
    }
    status = tn_pool_create_over(&own, source, order, &made);
    if (status != TARN_OK) goto err_order;
    made->asked = asked;
    memcpy(made->reason, reason, sizeof reason);
    if (fence != NULL) {
        made->kind = asked;
        tn_fence_attach(fence, made);
    }
    *pool = made;
    return TARN_OK;

err_order:
    if (order != NULL) order->ops->destroy(order);
err_source:
    if (source != NULL) source->ops->destroy(source);
err_fence:
    if (fence != NULL) tn_fence_destroy(fence);
    return TN_DONE(status);
}

tarn_status tarn_pool_create_over(const char *allocator, tarn_addr base, uint64_t bytes,
                                  tarn_pool **pool) {
    TN_FAIL_POINT(base, bytes);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    desc.kind = TARN_POOL_FIXED;
    desc.base = base;
    desc.bytes = bytes;
    TN_TRY(tarn_rule_find(allocator, &desc.rule));
    return TN_DONE(tarn_pool_create(&desc, pool));
}

// ---- the end

tarn_status tarn_pool_destroy(tarn_pool *pool) {
    if (pool == NULL) return TARN_OK;
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    TN_TRY(tn_pool_may_wait(pool));
    pool->ops->fill_stats(pool, &stats);
    TN_REFUSE(stats.live_blocks != 0, TARN_BUSY, "%llu blocks of the pool are live",
              (unsigned long long)stats.live_blocks);
    tn_pool_threshold_forget(pool);
    tn_pool_growth_detach(pool);
    // Its memory ends here, and the device waits for its own streams only.
    if (pool->growth.source != NULL) (void)tn_pool_wait_for_streams(pool);
    if (pool->fence != NULL) tn_fence_detach(pool->fence);
    if (tn_subscribed()) tn_pool_emit_death(pool);
    tn_pool_cache_delist(pool);
    tn_pool_forget_streams(pool);
    if (pool->fence != NULL) tn_fence_finish(pool);
    tn_pool_growth_end(pool);
    tn_pool_slot_end_order(pool);
    unmake(pool);
    return TARN_OK;
}

tarn_status tarn_pool_reset(tarn_pool *pool) {
    TN_TRY(tn_pool_may_wait(pool));
    if (tn_subscribed()) tn_pool_emit_reset(pool);
    pool->ops->reset(pool);
    return TARN_OK;
}
