// SPDX-License-Identifier: Apache-2.0
// Frees: those that name a region rightly, and verdicts about those that do not: rows 21 to 23 of
// the table of misuse. With the model's lock held, in a call.
#ifndef TARN_CHECK_FREES_H
#define TARN_CHECK_FREES_H

#include "check/model.h"

// The region that a client means, by handle or by start, to end it (`ends`) or to change it;
// `what`: the verb for the report, "unregistered". NULL: there is none, and that was found.
struct tn_check_region *tn_check_free_by_handle(struct tn_check_call *call,
                                                struct tn_check_domain *domain, uint64_t handle,
                                                const char *what, bool ends);
struct tn_check_region *tn_check_free_by_start(struct tn_check_call *call,
                                               struct tn_check_domain *domain, uint32_t space,
                                               uint64_t address, const char *what);

// A pool refused to free an address: why. `object`: the pool that was asked; 0: not told. False:
// nothing is known of that address.
bool tn_check_free_refused(struct tn_check_call *call, uint32_t space, uint64_t address,
                           uint64_t object, const char *name);

#endif
