// SPDX-License-Identifier: Apache-2.0
// Judges frees. Finds the region that a free names, and reports a free that names none. Called with
// the model's lock held.
#ifndef TARN_CHECK_FREES_H
#define TARN_CHECK_FREES_H

#include "annotate/mem_event.h"
#include "check/model.h"

// Finds the region that a client names by handle or by start, to end it (`ends`) or to change it.
// `what` is the verb for the report, such as "unregistered". If there is no such region, reports
// that and returns NULL.
struct tn_check_region *tn_check_free_by_handle(struct tn_check_call *call,
                                                struct tn_check_domain *domain, uint64_t handle,
                                                const char *what, bool ends);
struct tn_check_region *tn_check_free_by_start(struct tn_check_call *call,
                                               struct tn_check_domain *domain, uint32_t space,
                                               uint64_t address, const char *what, bool ends);

// Reports that no region which the caller may end or change starts at the address.
void tn_check_free_unknown(struct tn_check_call *call, uint32_t space, uint64_t address,
                           const char *what, bool ends);

// Reports a second end of a heap. `what` is the verb, such as "unregistered".
void tn_check_free_heap_again(struct tn_check_call *call, const struct tn_check_heap *ended,
                              const char *what);

// Explains why a call refused to free an address. Returns false if the model knows nothing about the
// address.
bool tn_check_free_refused(struct tn_check_call *call, const struct tn_mem_event *event);

#endif
