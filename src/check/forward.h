// SPDX-License-Identifier: Apache-2.0
// Passes the annotations of programs that use MSTX only on to ASan, Valgrind and NVTX, where those
// are present and the options allow it. Programs that contain Tarn notify them directly. Called
// with the model's lock held, so that the events of one range stay in order.
#ifndef TARN_CHECK_FORWARD_H
#define TARN_CHECK_FORWARD_H

#include "check/model.h"

// For heaps and regions of MSTX clients, after their beginning and before their end.
void tn_check_forward_heap_begin(struct tn_check_heap *heap);
void tn_check_forward_heap_end(const struct tn_check_heap *heap);
void tn_check_forward_region_begin(const struct tn_check_region *region);
void tn_check_forward_region_end(const struct tn_check_region *region);
void tn_check_forward_permission(const struct tn_check_region *region);

// Called before fork(), and after it in the parent and in the child.
void tn_check_forward_fork_prepare(void);
void tn_check_forward_fork_done(void);

#endif
