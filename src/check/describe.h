// SPDX-License-Identifier: Apache-2.0
// Puts what the model knows of a heap or region into a report. With the model's lock held, but for
// tn_check_describe_place().
#ifndef TARN_CHECK_DESCRIBE_H
#define TARN_CHECK_DESCRIBE_H

#include "check/model.h"

// The region, its heap and its stacks. `address`: what the distance is measured to; that to the
// region's own start is 0 bytes into it.
void tn_check_describe_region(struct tn_check_report *report, const struct tn_check_region *region,
                              uint64_t address);

// Another region that takes part; with its stack, "allocated" or "freed".
void tn_check_describe_second(struct tn_check_report *report, const struct tn_check_region *region,
                              uint64_t address);

// The heap, and where it was registered.
void tn_check_describe_heap(struct tn_check_report *report, const struct tn_check_heap *heap);

// The heap that is named beside: where it was registered.
void tn_check_describe_other_heap(struct tn_check_report *report, const struct tn_check_heap *heap);

// The region that the byte is in, or was last, for rules beside the model. Takes the model's lock.
// Stacks in roles that the report has already are left out.
void tn_check_describe_place(struct tn_check_report *report, uint32_t space, uint64_t address);

void tn_check_describe_origin(struct tn_check_report *report, const char *role,
                              const struct tn_check_origin *who);

#endif
