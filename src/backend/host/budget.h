// SPDX-License-Identifier: Apache-2.0
// The budget of kernel mappings (vm.max_map_count). Near the kernel's limit the whole process
// suffers (malloc and pthread_create fail), so growth is refused well before it. The library knows
// the layout it makes, so it counts exactly and asks the kernel nothing. Each platform has a budget
// of its own; all of the process share one sum.
#ifndef TARN_HOST_BUDGET_H
#define TARN_HOST_BUDGET_H

#include <tarn/base.h>

// An unmap of part of a merged mapping needs up to two more; they are kept free for it.
#define TN_HOST_BUDGET_SPARE 2

struct tn_host_budget {
    uint64_t used;  // by this platform; guarded by its MMU lock
    uint64_t limit; // for this platform alone, or UINT64_MAX; constant
};

// `limit` 0: only the limit of the process counts.
void tn_host_budget_open(struct tn_host_budget *budget, uint64_t limit);

// Gives everything back.
void tn_host_budget_close(struct tn_host_budget *budget);

// Grows (or shrinks, which always succeeds) the count. False: it would leave less than the spare;
// nothing has changed.
bool tn_host_budget_take(struct tn_host_budget *budget, int64_t mappings);

// The same without a limit: for what must not fail.
void tn_host_budget_move(struct tn_host_budget *budget, int64_t mappings);

// May an unmap still split mappings, or is the kernel's own limit too near?
bool tn_host_budget_may_split(int64_t mappings);

// Returns the count and the limit of the platform if that is the tighter one, else of the process.
void tn_host_budget_query(const struct tn_host_budget *budget, uint64_t *used, uint64_t *limit);

// Fails with NO_MAPPINGS because `what` needs so many more mappings.
tarn_status tn_host_budget_exceeded(const struct tn_host_budget *budget, const char *what,
                                    int64_t mappings);

#endif
