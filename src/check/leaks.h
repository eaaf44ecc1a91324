// SPDX-License-Identifier: Apache-2.0
// Leaks: regions that are live when the program or their heap ends, or that outlive the step after
// the one in which they began. Called with the model's lock held.
#ifndef TARN_CHECK_LEAKS_H
#define TARN_CHECK_LEAKS_H

#include "check/model.h"

// A step of the program ends and the next one begins.
void tn_check_leaks_step(struct tn_check_call *call);

// A call ends a heap that has live regions.
void tn_check_leaks_heap(struct tn_check_call *call, const struct tn_check_heap *heap);

// The program ends.
void tn_check_leaks_end(struct tn_check_call *call);

#endif
