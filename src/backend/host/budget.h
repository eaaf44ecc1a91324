// SPDX-License-Identifier: Apache-2.0
// The budget of kernel mappings (vm.max_map_count). Near the kernel's limit, malloc and
// pthread_create fail in the complete process, so the platform stops growing well before it. The
// counts are exact without asking the kernel, because the backend knows the layout that it makes.
// Each platform has a budget; the platforms of a process share one sum.
#pragma once

#include <tarn/base.h>

// An unmap of part of a merged mapping needs up to two more mappings, which stay available for it.
#define TN_HOST_BUDGET_SPARE 2

struct tn_host_budget {
    uint64_t used;  // by this platform; guarded by its MMU lock
    uint64_t limit; // of this platform alone, or UINT64_MAX; constant
};

// Zero `limit` means that only the limit of the process applies.
void tn_host_budget_open(struct tn_host_budget *budget, uint64_t limit);

// Subtracts all mappings that are in use.
void tn_host_budget_close(struct tn_host_budget *budget);

// Adds to the count, or subtracts, which always succeeds. Returns false, with nothing changed, if
// that would leave less than the spare.
bool tn_host_budget_reserve(struct tn_host_budget *budget, int64_t mappings);

// The same without a limit, for calls that must not fail.
void tn_host_budget_adjust(struct tn_host_budget *budget, int64_t mappings);

// Returns true unless the kernel's own limit is too near for an unmap to split mappings.
bool tn_host_budget_may_split(int64_t mappings);

// Returns the count and the limit of the platform if that is the tighter one, else of the process.
void tn_host_budget_query(const struct tn_host_budget *budget, uint64_t *used, uint64_t *limit);

// Fails with NO_MAPPINGS because `what` needs so many more mappings.
tarn_status tn_host_budget_exceeded(const struct tn_host_budget *budget, const char *what,
                                    int64_t mappings);
