// SPDX-License-Identifier: Apache-2.0
// Programs that tell MSTX alone are heard by ASan, Valgrind and NVTX through the checker, where
// those are there and the options let them. Programs that carry Tarn tell them themselves. With the
// model's lock held, so that what is told of one range comes one at a time.
#ifndef TARN_CHECK_FORWARD_H
#define TARN_CHECK_FORWARD_H

#include "check/model.h"

// Of MSTX's clients, after they began and before they are gone.
void tn_check_forward_heap_begin(struct tn_check_heap *heap);
void tn_check_forward_heap_end(const struct tn_check_heap *heap);
void tn_check_forward_region_begin(const struct tn_check_region *region);
void tn_check_forward_region_end(const struct tn_check_region *region);
void tn_check_forward_permission(const struct tn_check_region *region);

// Around fork(): before it, and after it on both sides.
void tn_check_forward_fork_prepare(void);
void tn_check_forward_fork_done(void);

#endif
