// SPDX-License-Identifier: Apache-2.0
// Describes heaps and regions of the model in a report. Called with the model's lock held, except
// tn_check_describe_place().
#ifndef TARN_CHECK_DESCRIBE_H
#define TARN_CHECK_DESCRIBE_H

#include "check/model.h"

// Describes the region, its heap and its stacks. The distance is measured to `address`, which also
// becomes the report's address if that is not set.
void tn_check_describe_region(struct tn_check_report *report, const struct tn_check_region *region,
                              uint64_t address);

// Describes another region of the finding, with its stack: "allocated" or "freed".
void tn_check_describe_second(struct tn_check_report *report, const struct tn_check_region *region,
                              uint64_t address);

// Describes the heap and the place of its registration.
void tn_check_describe_heap(struct tn_check_report *report, const struct tn_check_heap *heap);

// For rules outside the model: describes the region that contains the byte, or that last contained
// it. Takes the model's lock. Leaves out stacks in roles that the report already has.
void tn_check_describe_place(struct tn_check_report *report, uint32_t space, uint64_t address);

void tn_check_describe_origin(struct tn_check_report *report, const char *role,
                              const struct tn_check_origin *who);

#endif
