// SPDX-License-Identifier: Apache-2.0
// See pool.h. Tarn holds all values except the flags of reuse, which are atomic. Any thread may
// call.
#include <stddef.h>
#include <string.h>

#include "compat/face/fidelity.h"
#include "compat/face/scope.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/memory/pool.h"

// An attribute is a statistic of Tarn's pool, whose peak can be reset, or a setting.
struct pool_attribute {
    size_t bytes;     // of a value; 0: there is no such attribute
    size_t statistic; // offset in tarn_pool_stats; 0 for a setting
    uint32_t peak;    // TARN_PEAK_ bit that a value of 0 resets; 0: not a peak
    uint32_t reuse;   // TARN_REUSE_ bit; 0: not one of them
};

static const struct pool_attribute pool_attributes[] = {
    [TN_RT_POOL_FOLLOW_EVENTS] = {sizeof(int), 0, 0, TARN_REUSE_FOLLOWED},
    [TN_RT_POOL_OPPORTUNISTIC] = {sizeof(int), 0, 0, TARN_REUSE_PASSED},
    [TN_RT_POOL_DEPENDENCIES] = {sizeof(int), 0, 0, 0},
    [TN_RT_POOL_THRESHOLD] = {sizeof(uint64_t), 0, 0, 0},
    [TN_RT_POOL_RESERVED] = {sizeof(uint64_t), offsetof(tarn_pool_stats, held_bytes), 0, 0},
    [TN_RT_POOL_RESERVED_HIGH] = {sizeof(uint64_t), offsetof(tarn_pool_stats, peak_held_bytes),
                                  TARN_PEAK_HELD, 0},
    [TN_RT_POOL_USED] = {sizeof(uint64_t), offsetof(tarn_pool_stats, live_bytes), 0, 0},
    [TN_RT_POOL_USED_HIGH] = {sizeof(uint64_t), offsetof(tarn_pool_stats, peak_live_bytes),
                              TARN_PEAK_LIVE, 0},
};

// USED and USED_HIGH where padding counts.
static const struct pool_attribute padded[] = {
    {sizeof(uint64_t), offsetof(tarn_pool_stats, used_bytes), 0, 0},
    {sizeof(uint64_t), offsetof(tarn_pool_stats, peak_used_bytes), TARN_PEAK_USED, 0},
};

static tn_rt_error find_attribute(int attribute, const struct pool_attribute **found) {
    bool known = attribute >= 0 &&
                 (size_t)attribute < sizeof pool_attributes / sizeof pool_attributes[0] &&
                 pool_attributes[attribute].bytes != 0;
    bool used = attribute == TN_RT_POOL_USED || attribute == TN_RT_POOL_USED_HIGH;
    TN_RT_REFUSE(!known, TN_RT_INVALID_VALUE, "attr %d is unknown", attribute);
    TN_FACE_DIFFERS(reuse_followed, attribute == TN_RT_POOL_FOLLOW_EVENTS);
    TN_FACE_DIFFERS(reuse_passed, attribute == TN_RT_POOL_OPPORTUNISTIC);
    TN_FACE_DIFFERS(pool_reuse, attribute <= TN_RT_POOL_DEPENDENCIES);
    TN_FACE_DIFFERS(reuse_dependencies, attribute == TN_RT_POOL_DEPENDENCIES);
    TN_FACE_DIFFERS(pool_reserved,
                    attribute == TN_RT_POOL_RESERVED || attribute == TN_RT_POOL_RESERVED_HIGH);
    *found = used && tn_rt_memory_policy.pool_counts_padding
                 ? &padded[attribute == TN_RT_POOL_USED_HIGH]
                 : &pool_attributes[attribute];
    return TN_RT_OK;
}

// Another thread may set the other bit meanwhile, so the loop ends when Tarn has the present bits.
static tn_rt_error set_reuse(struct tn_rt_pool *pool, uint32_t bit, bool on) {
    bool selects = (tn_rt_memory_policy.pool_flags & TARN_POOL_SELECT_REUSE) != 0;
    uint32_t reuse;
    TN_RT_REFUSE(!selects && !on && bit == TARN_REUSE_PASSED, TN_RT_NOT_SUPPORTED,
                 "memory whose work has passed is always reused");
    if (on)
        (void)atomic_fetch_or(&pool->reuse, bit);
    else
        (void)atomic_fetch_and(&pool->reuse, ~bit);
    do {
        reuse = atomic_load(&pool->reuse);
        if (selects) TN_RT_TRY(tn_rt_error_of(tarn_pool_set_reuse(pool->tarn, reuse)));
    } while (reuse != atomic_load(&pool->reuse));
    return TN_RT_OK;
}

static tn_rt_error set_value(struct tn_rt_pool *pool, int attribute,
                             const struct pool_attribute *traits, uint64_t value) {
    switch (attribute) {
    case TN_RT_POOL_FOLLOW_EVENTS:
    case TN_RT_POOL_OPPORTUNISTIC: return set_reuse(pool, traits->reuse, value != 0);
    case TN_RT_POOL_DEPENDENCIES:
        atomic_store_explicit(&pool->dependencies, value != 0, memory_order_relaxed);
        return TN_RT_OK;
    case TN_RT_POOL_THRESHOLD:
        return tn_rt_error_of(tarn_pool_set_release_threshold(pool->tarn, value));
    default: break;
    }
    return value == 0
               ? tn_rt_error_of(tarn_pool_reset_peaks(pool->tarn, traits->peak))
               : tn_rt_fail(TN_RT_INVALID_VALUE, "a high mark can be set to 0 only, not to %llu",
                            (unsigned long long)value);
}

static tn_rt_error get_value(const struct tn_rt_pool *pool, int attribute,
                             const struct pool_attribute *traits, uint64_t *value) {
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_pool_stats stats = TARN_INIT(tarn_pool_stats);
    switch (attribute) {
    case TN_RT_POOL_FOLLOW_EVENTS:
    case TN_RT_POOL_OPPORTUNISTIC:
        *value = (atomic_load(&pool->reuse) & traits->reuse) != 0;
        return TN_RT_OK;
    case TN_RT_POOL_DEPENDENCIES:
        *value = atomic_load_explicit(&pool->dependencies, memory_order_relaxed);
        return TN_RT_OK;
    case TN_RT_POOL_THRESHOLD:
        TN_RT_TRY(tn_rt_error_of(tarn_pool_query(pool->tarn, &info)));
        *value = info.release_threshold;
        return TN_RT_OK;
    default:
        TN_RT_TRY(tn_rt_error_of(tarn_pool_query_stats(pool->tarn, &stats)));
        memcpy(value, (const char *)&stats + traits->statistic, sizeof *value);
        return TN_RT_OK;
    }
}

tn_rt_error tn_rt_pool_set_attribute(void *handle, int attribute, const void *value) {
    const struct pool_attribute *traits = NULL;
    uint64_t wide = 0; // an int fills its low half
    TN_RT_TRY(tn_rt_check_pointer(value, "value"));
    TN_RT_GET(tn_rt_pool, pool, tn_rt_pool_get_own(handle, &pool));
    TN_RT_TRY(find_attribute(attribute, &traits));
    TN_RT_REFUSE(traits->statistic != 0 && traits->peak == 0, TN_RT_INVALID_VALUE,
                 "attr %d cannot be set", attribute); // before the value is read
    memcpy(&wide, value, traits->bytes);
    tn_rt_pool_settle(pool);
    return set_value(pool, attribute, traits, wide);
}

tn_rt_error tn_rt_pool_get_attribute(void *handle, int attribute, void *value) {
    const struct pool_attribute *traits = NULL;
    uint64_t wide = 0;
    TN_RT_TRY(tn_rt_check_pointer(value, "value"));
    TN_RT_GET(tn_rt_pool, pool, tn_rt_pool_get_own(handle, &pool));
    TN_RT_TRY(find_attribute(attribute, &traits));
    tn_rt_pool_settle(pool);
    TN_RT_TRY(get_value(pool, attribute, traits, &wide));
    memcpy(value, &wide, traits->bytes);
    return TN_RT_OK;
}

tn_rt_error tn_rt_pool_trim(void *handle, size_t keep) {
    TN_RT_GET(tn_rt_pool, pool, tn_rt_pool_get_own(handle, &pool));
    tn_rt_pool_settle(pool);
    return tn_rt_error_of(tarn_pool_trim(pool->tarn, keep, TARN_NO_WAIT, NULL));
}
