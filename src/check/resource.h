// SPDX-License-Identifier: Apache-2.0
// Resources that an owner must release: plain and pinned memory, reservations, handles, mappings,
// exported descriptors. Resources that are live at exit are reported by the place of their
// beginning. A refused free is explained: the address is another kind of resource, or was freed
// before. Any thread may call. One lock guards everything; it is released before anything is
// reported.
#ifndef TARN_CHECK_RESOURCE_H
#define TARN_CHECK_RESOURCE_H

#include <stdbool.h>

#include "annotate/mem_event.h"

// Returns true if the event was a refusal (TN_MEM_REFUSED) that was explained and reported.
bool tn_check_resource_event(const struct tn_mem_event *event);

// Returns true if the refused call ends resources that contain no regions, or if it names a handle.
// The model of memory then cannot explain the refusal.
bool tn_check_resource_decides(const struct tn_mem_event *event);

// Reports the live resources that began in this process. Returns the sum of their bytes.
uint64_t tn_check_resource_leaks(void);

// Called before fork(), and after it in the parent and in the child.
void tn_check_resource_fork_prepare(void);
void tn_check_resource_fork_done(bool child);

// For tests: forgets everything.
void tn_check_resource_reset(void);

#endif
