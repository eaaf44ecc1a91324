// SPDX-License-Identifier: Apache-2.0
// A stack of calls that is written as text, innermost first: one call on each line or between
// semicolons, or several "FILE:LINE FUNCTION" in a row. Any thread may call.
#pragma once

#include "trace/builder.h"
#include "trace/parse/cell.h"

// Adds the calls of the text, called by the stack `caller`. Deeper stacks lose their outermost
// calls.
#define TN_CALLSTACK_DEPTH 256
tarn_status tn_callstack_add(struct tn_builder *builder, struct tn_cell text, uint32_t caller,
                             uint32_t *stack);
