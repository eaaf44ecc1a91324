// SPDX-License-Identifier: Apache-2.0
// Forwards the annotations of MSTX clients to ASan, Valgrind and NVTX, where those are present and
// the options allow it. Images that contain Tarn notify them directly. Called with the model's lock
// held, so that the events of one range stay in order.
#pragma once

#include "check/model.h"

// For heaps of MSTX clients. Called after the heap's beginning and before its end.
void tn_check_forward_heap_begin(struct tn_check_heap *heap);
void tn_check_forward_heap_end(const struct tn_check_heap *heap);

// Forwards an event about a region of an MSTX client: TN_MEM_REGION_BEGIN, TN_MEM_REGION_END or
// TN_MEM_PERMISSION with the permission in `flags`. Called while the region lies in its heap.
void tn_check_forward_region(uint16_t kind, const struct tn_check_region *region, uint32_t flags);

// Called before fork(), and after it in the parent and in the child.
void tn_check_forward_fork_prepare(void);
void tn_check_forward_fork_done(void);
