// SPDX-License-Identifier: Apache-2.0
// What an owner must give back: plain and pinned memory, reservations, handles, mappings, exported
// descriptors. Followed from their beginning to their end; what is left at the end of the program
// is told, grouped by where it began. A refused free is looked up here: what was it really, or when
// was it freed before? Any thread; one lock, given back before anything is reported.
#ifndef TARN_CHECK_RESOURCE_H
#define TARN_CHECK_RESOURCE_H

#include <stdbool.h>

#include "annotate/mem_event.h"

// True: the note was about something known here, and was reported (TN_MEM_REFUSED only).
bool tn_check_resource_event(const struct tn_mem_event *event);

// Tells what is left. Returns the bytes.
uint64_t tn_check_resource_leaks(void);

// Around fork(): before it, and after it on both sides.
void tn_check_resource_fork_prepare(void);
void tn_check_resource_fork_done(void);

// For tests: forgets everything.
void tn_check_resource_reset(void);

#endif
