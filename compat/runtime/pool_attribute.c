// SPDX-License-Identifier: Apache-2.0
// See pool.h. Tarn holds all values except the flags of reuse, which are atomic. Any thread may
// call.
#include <stddef.h>
#include <string.h>

#include "compat/runtime/pool.h"

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

static tn_rt_error check_attribute(int attribute, const void *value) {
    bool known = attribute >= 0 &&
                 (size_t)attribute < sizeof pool_attributes / sizeof pool_attributes[0] &&
                 pool_attributes[attribute].bytes != 0;
    return value != NULL && known
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "attribute %d, value %p", attribute, value);
}

// Another thread may set the other bit meanwhile.
static tn_rt_error set_reuse(struct tn_rt_pool *pool, uint32_t bit, bool on) {
    uint32_t reuse;
    if (on)
        (void)atomic_fetch_or(&pool->reuse, bit);
    else
        (void)atomic_fetch_and(&pool->reuse, ~bit);
    do {
        reuse = atomic_load(&pool->reuse);
        TN_RT_TRY(tn_rt_from(tarn_pool_set_reuse(pool->tarn, reuse)));
    } while (reuse != atomic_load(&pool->reuse));
    return TN_RT_OK;
}

static tn_rt_error set_value(struct tn_rt_pool *pool, int attribute, uint64_t value) {
    uint32_t peak = pool_attributes[attribute].peak;
    switch (attribute) {
    case TN_RT_POOL_FOLLOW_EVENTS:
    case TN_RT_POOL_OPPORTUNISTIC:
        return set_reuse(pool, pool_attributes[attribute].reuse, value != 0);
    case TN_RT_POOL_DEPENDENCIES:
        atomic_store_explicit(&pool->dependencies, value != 0, memory_order_relaxed);
        return TN_RT_OK;
    case TN_RT_POOL_THRESHOLD:
        return tn_rt_from(tarn_pool_set_release_threshold(pool->tarn, value));
    default: break;
    }
    TN_RT_REFUSE(peak == 0, TN_RT_INVALID_VALUE, "attribute %d cannot be set", attribute);
    return value == 0 ? tn_rt_from(tarn_pool_reset_peaks(pool->tarn, peak))
                      : tn_rt_fail(TN_RT_INVALID_VALUE, "a peak can be set to 0, not to %llu",
                                   (unsigned long long)value);
}

static tn_rt_error get_value(const struct tn_rt_pool *pool, int attribute, uint64_t *value) {
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_pool_stats stats = TARN_INIT(tarn_pool_stats);
    switch (attribute) {
    case TN_RT_POOL_FOLLOW_EVENTS:
    case TN_RT_POOL_OPPORTUNISTIC:
        TN_RT_TRY(tn_rt_from(tarn_pool_query(pool->tarn, &info)));
        *value = (info.reuse & pool_attributes[attribute].reuse) != 0;
        return TN_RT_OK;
    case TN_RT_POOL_DEPENDENCIES:
        *value = atomic_load_explicit(&pool->dependencies, memory_order_relaxed);
        return TN_RT_OK;
    case TN_RT_POOL_THRESHOLD:
        TN_RT_TRY(tn_rt_from(tarn_pool_query(pool->tarn, &info)));
        *value = info.release_threshold;
        return TN_RT_OK;
    default:
        TN_RT_TRY(tn_rt_from(tarn_pool_query_stats(pool->tarn, &stats)));
        memcpy(value, (const char *)&stats + pool_attributes[attribute].statistic, sizeof *value);
        return TN_RT_OK;
    }
}

tn_rt_error tn_rt_pool_set_attribute(void *handle, int attribute, const void *value) {
    struct tn_rt_pool *pool = NULL;
    uint64_t wide = 0; // an int fills its low half
    TN_RT_TRY(check_attribute(attribute, value));
    TN_RT_TRY(tn_rt_pool_get(handle, &pool));
    memcpy(&wide, value, pool_attributes[attribute].bytes);
    tn_rt_error error = set_value(pool, attribute, wide);
    tn_rt_pool_put(pool);
    return error;
}

tn_rt_error tn_rt_pool_get_attribute(void *handle, int attribute, void *value) {
    struct tn_rt_pool *pool = NULL;
    uint64_t wide = 0;
    TN_RT_TRY(check_attribute(attribute, value));
    TN_RT_TRY(tn_rt_pool_get(handle, &pool));
    tn_rt_error error = get_value(pool, attribute, &wide);
    tn_rt_pool_put(pool);
    TN_RT_TRY(error);
    memcpy(value, &wide, pool_attributes[attribute].bytes);
    return TN_RT_OK;
}

tn_rt_error tn_rt_pool_trim(void *handle, size_t keep) {
    struct tn_rt_pool *pool = NULL;
    TN_RT_TRY(tn_rt_pool_get(handle, &pool));
    tn_rt_error error = tn_rt_from(tarn_pool_trim(pool->tarn, keep, TARN_NO_WAIT, NULL));
    tn_rt_pool_put(pool);
    return error;
}
