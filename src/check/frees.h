// SPDX-License-Identifier: Apache-2.0
// Frees. A free that names a region finds it; any other is reported. Called with the model's lock
// held.
#ifndef TARN_CHECK_FREES_H
#define TARN_CHECK_FREES_H

#include "check/model.h"

// Finds the region that a client names by handle or by start, to end it (`ends`) or to change it.
// `what`: the verb for the report, such as "unregistered". Reports and returns NULL if there is
// none.
struct tn_check_region *tn_check_free_by_handle(struct tn_check_call *call,
                                                struct tn_check_domain *domain, uint64_t handle,
                                                const char *what, bool ends);
struct tn_check_region *tn_check_free_by_start(struct tn_check_call *call,
                                               struct tn_check_domain *domain, uint32_t space,
                                               uint64_t address, const char *what);

// Explains why a call refused to free an address. `object`: the pool that was asked; 0: unknown.
// Returns false if the model knows nothing about the address.
bool tn_check_free_refused(struct tn_check_call *call, uint32_t space, uint64_t address,
                           uint64_t object, const char *name);

#endif
