// SPDX-License-Identifier: Apache-2.0
// The budget of kernel mappings. The sum of the process is atomic, because platforms do not share a
// lock. See budget.h.
#include "backend/host/budget.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/atomic.h"
#include "base/error.h"
#include "base/text_file.h"

static _Atomic int64_t process_used;
// The kernel's default until the limit has been read. Threads that race read the same number.
static _Atomic int64_t kernel_limit = 65530;
static _Atomic bool limit_is_read;

// A limit that cannot be read now is read when the next platform opens.
static void read_kernel_limit(void) {
    char text[32];
    long long value = 0;
    if (tn_text_file_read("/proc/sys/vm/max_map_count", text, sizeof text))
        value = strtoll(text, NULL, 10);
    if (value > 0) {
        tn_store_relaxed(&kernel_limit, value);
        tn_store_relaxed(&limit_is_read, true);
    }
}

// Returns the share of the rest of the process: 4096 or an eighth, but at most half of the limit.
static int64_t margin_of(int64_t limit) {
    int64_t eighth = limit / 8;
    TARN_ASSERT(limit > 0);
    int64_t wish = eighth > 4096 ? eighth : 4096;
    return wish < limit / 2 ? wish : limit / 2;
}

void tn_host_budget_open(struct tn_host_budget *budget, uint64_t limit) {
    if (!tn_load_relaxed(&limit_is_read)) read_kernel_limit();
    budget->used = 0;
    budget->limit = limit != 0 ? limit : UINT64_MAX;
}

void tn_host_budget_close(struct tn_host_budget *budget) {
    tn_host_budget_adjust(budget, -(int64_t)budget->used);
    TARN_ASSERT(budget->used == 0);
}

// A platform's own limit raises the limit of the process if it is larger, because the user
// requested it.
static int64_t limit_for(const struct tn_host_budget *budget) {
    int64_t limit = tn_load_relaxed(&kernel_limit);
    limit -= margin_of(limit);
    if (budget->limit != UINT64_MAX && (int64_t)budget->limit > limit)
        limit = (int64_t)budget->limit;
    return limit;
}

bool tn_host_budget_reserve(struct tn_host_budget *budget, int64_t mappings) {
    if (mappings > 0) {
        uint64_t wish = budget->used + (uint64_t)mappings + TN_HOST_BUDGET_SPARE;
        if (wish > budget->limit) return false;
        int64_t limit = limit_for(budget) - TN_HOST_BUDGET_SPARE - mappings;
        int64_t used = tn_load_relaxed(&process_used);
        do {
            if (used > limit) return false;
        } while (!tn_cas_weak_relaxed(&process_used, &used, used + mappings));
        budget->used += (uint64_t)mappings;
        TARN_ASSERT(budget->used + TN_HOST_BUDGET_SPARE <= budget->limit);
        return true;
    }
    tn_host_budget_adjust(budget, mappings);
    return true;
}

void tn_host_budget_adjust(struct tn_host_budget *budget, int64_t mappings) {
    TARN_ASSERT(mappings >= 0 || budget->used >= (uint64_t)-mappings);
    if (mappings != 0) {
        budget->used += (uint64_t)mappings;
        int64_t before = tn_add_relaxed(&process_used, mappings);
        TARN_ASSERT(before + mappings >= 0); // the sum of platforms that each count from 0
        (void)before;
    }
}

bool tn_host_budget_may_split(int64_t mappings) {
    int64_t limit = tn_load_relaxed(&kernel_limit);
    int64_t used = tn_load_relaxed(&process_used);
    return mappings <= 0 || used + mappings <= limit - margin_of(limit) / 2;
}

void tn_host_budget_query(const struct tn_host_budget *budget, uint64_t *used, uint64_t *limit) {
    *used = (uint64_t)tn_load_relaxed(&process_used);
    *limit = (uint64_t)limit_for(budget);
    if (budget->limit != UINT64_MAX && budget->used + TN_HOST_BUDGET_SPARE >= budget->limit / 2) {
        *used = budget->used;
        *limit = budget->limit;
    }
}

tarn_status tn_host_budget_exceeded(const struct tn_host_budget *budget, const char *what,
                                    int64_t mappings) {
    uint64_t used;
    uint64_t limit;
    tn_host_budget_query(budget, &used, &limit);
    return tn_fail(TARN_NO_MAPPINGS,
                   "%s needs %lld more kernel mappings; %llu of %llu are used (vm.max_map_count)",
                   what, (long long)mappings, (unsigned long long)used, (unsigned long long)limit);
}
