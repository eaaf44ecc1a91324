// SPDX-License-Identifier: Apache-2.0
// The memory beneath heaps: what the process allocated from Tarn or announced, and whether a
// client's heap may lie there. All functions are called with the model's lock held.
#ifndef TARN_CHECK_BACKING_H
#define TARN_CHECK_BACKING_H

#include "check/model.h"

// Records that memory was allocated to an owner. `own` means that a pool of this process owns it
// and instructions reach it.
void tn_check_backing_begin(uint32_t space, uint64_t lo, uint64_t hi, bool own);

// Instructions may no longer reach the memory.
void tn_check_backing_regrant(uint64_t lo, uint64_t hi);

// Judges the place of a client's heap that begins: in memory that was freed, larger than its
// memory, on a device that does not exist, or, on request, where no memory is known. Changes the
// range to what is legal of it, so that later findings do not blame the neighbours: no bytes in
// freed memory, the bytes of the block, any device. Returns the report, to which the caller adds
// the heap, or NULL.
struct tn_check_report *tn_check_backing_judge(struct tn_check_call *call,
                                               struct tn_check_heap_range *range);

#endif
