// SPDX-License-Identifier: Apache-2.0
// The need of a pool over time. See need.h.
#include "core/pool/grow/need.h"

#include <string.h>

#include "core/pool/pool.h"

void tn_need_init(tn_pool_need *need, uint64_t now_ns) {
    need->count = 1;
    need->windows[0].start_ns = now_ns;
}

static uint64_t higher_need(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static void drop_window(tn_pool_need *need, unsigned at) {
    need->count--;
    memmove(&need->windows[at], &need->windows[at + 1],
            (need->count - at) * sizeof need->windows[0]);
}

// Ends the present window, whose peak becomes that of a closed one.
static void close_window(tarn_pool *pool, uint64_t now_ns) {
    tn_pool_need *need = &pool->growth.need;
    tn_pool_fit_lock(pool);
    need->windows[need->count - 1].peak = pool->range.peak_taken_units;
    pool->range.peak_taken_units = pool->range.taken_units;
    tn_pool_fit_unlock(pool);
    if (need->count == TN_NEED_WINDOWS) { // after a change of the age: two become one
        need->windows[1].peak = higher_need(need->windows[0].peak, need->windows[1].peak);
        need->windows[1].start_ns = need->windows[0].start_ns;
        drop_window(need, 0);
    }
    need->windows[need->count++].start_ns = now_ns;
}

void tn_need_roll(tarn_pool *pool, uint64_t now_ns) {
    tn_pool_need *need = &pool->growth.need;
    if (need->idle_ns == 0) {
        return;
    }
    if (now_ns - need->windows[need->count - 1].start_ns >= need->idle_ns / TN_NEED_PARTS) {
        close_window(pool, now_ns);
    }
    while (need->count > 1 && now_ns - need->windows[1].start_ns >= need->idle_ns) {
        drop_window(need, 0);
    }
}

uint64_t tn_need_units(tarn_pool *pool, uint64_t units) {
    const tn_pool_need *need = &pool->growth.need;
    tn_pool_fit_lock(pool);
    uint64_t most = higher_need(pool->range.peak_taken_units, pool->range.taken_units + units);
    tn_pool_fit_unlock(pool);
    for (unsigned i = 0; i + 1 < need->count; i++) {
        most = higher_need(most, need->windows[i].peak);
    }
    return most;
}

void tn_need_lower(tarn_pool *pool, uint64_t units) {
    tn_pool_need *need = &pool->growth.need;
    tn_pool_fit_lock(pool);
    units = higher_need(units, pool->range.taken_units);
    pool->range.peak_taken_units =
        units < pool->range.peak_taken_units ? units : pool->range.peak_taken_units;
    tn_pool_fit_unlock(pool);
    for (unsigned i = 0; i + 1 < need->count; i++) {
        need->windows[i].peak = units < need->windows[i].peak ? units : need->windows[i].peak;
    }
}
