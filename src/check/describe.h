// SPDX-License-Identifier: Apache-2.0
// Describes heaps and regions of the model in a report. Called with the model's lock held, except
// tn_check_describe_place().
#pragma once

#include "check/model.h"
#include "check/resource.h"

// Describes the region, its heap and its stacks. The distance is measured to `address`, which also
// becomes the report's address if that is not set.
void tn_check_describe_region(struct tn_check_report *report, const struct tn_check_region *region,
                              uint64_t address);

// Describes the region that the caller registers, whose stack the report has.
void tn_check_describe_new_region(struct tn_check_report *report,
                                  const struct tn_check_region *region);

// Describes another region of the finding, with its stack: "allocated" or "freed".
void tn_check_describe_second(struct tn_check_report *report, const struct tn_check_region *region,
                              uint64_t address);

// Describes the heap and the place of its registration.
void tn_check_describe_heap(struct tn_check_report *report, const struct tn_check_heap *heap);

// Describes the heap that the caller registers, whose stack the report has.
void tn_check_describe_new_heap(struct tn_check_report *report, const struct tn_check_heap *heap);

// For rules outside the model: describes the region or the resource that contains the byte, or the
// region that last contained it. Takes the model's lock. Leaves out stacks in roles that the report
// already has.
void tn_check_describe_place(struct tn_check_report *report, uint32_t space, uint64_t address);

// Appends ", LEAD a block of device memory of 4096 byte(s) at 0x7f2000000000".
void tn_check_describe_resource(struct tn_check_text *text, const char *lead,
                                const struct tn_check_resource *resource);

// Adds a stack, unless the origin is unset. In a report about a call that frees, an earlier free has
// the role "first freed".
void tn_check_describe_origin(struct tn_check_report *report, const char *role,
                              const struct tn_check_origin *who);
