// SPDX-License-Identifier: Apache-2.0
// Names that tell calls from each other: where two short names would be equal, a file shows as many of
// its folders as make a difference, or a function its arguments. Any thread may call.
#pragma once

#include "trace/trace.h"

// Stores for each text of a trace the detail that the names of some calls need (name.h). `wanted` is 1
// for these calls. Their lines do not count. Returns false if out of memory.
bool tn_distinct_find(const struct tn_trace *trace, const uint8_t *wanted, uint8_t *detail);
