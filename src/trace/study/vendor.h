// SPDX-License-Identifier: Apache-2.0
// The vendor of the devices of a recording, as far as it shows. A pure function of a constant
// trace; any thread may call.
#pragma once

#include "trace/trace.h"

// X(NAME, "name")
#define TN_VENDOR_LIST(X)                                                                          \
    X(NVIDIA, "NVIDIA")                                                                            \
    X(AMD, "AMD")                                                                                  \
    X(ASCEND, "Ascend")

#define TN_VENDOR_ENUM(name, text) TN_VENDOR_##name,
enum tn_vendor { TN_VENDOR_LIST(TN_VENDOR_ENUM) TN_VENDORS /* not known */ };

// Finds the vendor by the format, the settings of the allocator and the functions on stacks.
enum tn_vendor tn_vendor_find(const struct tn_trace *trace);
// Returns its name, or NULL if it is not known.
const char *tn_vendor_name(enum tn_vendor vendor);
