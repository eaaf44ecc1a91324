// SPDX-License-Identifier: Apache-2.0
// The need of a pool: the most that its blocks took at the same time, within windows of time. The
// present window's peak is kept by the fast path, without a clock. A pool that is collected forgets
// windows that lie longer ago than the idle age; other pools have one window. Under the growth lock.
#ifndef TARN_CORE_POOL_GROW_NEED_H
#define TARN_CORE_POOL_GROW_NEED_H

#include <stdbool.h>
#include <stdint.h>

#include <tarn/pool.h>

enum { TN_NEED_WINDOWS = 12, TN_NEED_PARTS = 8 }; // windows in an idle age

// A window ends where the next one starts. The last is the present one, whose peak is the pool's
// `peak_taken_units`.
typedef struct tn_pool_need {
    uint64_t idle_ns; // 0: never collected
    unsigned count;
    struct {
        uint64_t start_ns;
        uint64_t peak; // in units
    } windows[TN_NEED_WINDOWS];
} tn_pool_need;

void tn_need_init(tn_pool_need *need, uint64_t now_ns);

// Begins a new window if the present one has lasted a part of the idle age, and forgets old ones.
// Takes fit.
void tn_need_roll(tarn_pool *pool, uint64_t now_ns);

// Returns the need in units, with a request of `units` now. Takes fit.
uint64_t tn_need_units(tarn_pool *pool, uint64_t units);

// Lowers the need to at least what blocks take now, and at most `units` beyond that. Takes fit.
void tn_need_lower(tarn_pool *pool, uint64_t units);

#endif
