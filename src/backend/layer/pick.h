// SPDX-License-Identifier: Apache-2.0
// Selects calls by their number, address and size. The text is the fields of a fault's spec without
// its name, such as "3", "2-5:every=2" or "size=1M-" (docs/faults.md). Any thread may count.
#ifndef TARN_BACKEND_LAYER_PICK_H
#define TARN_BACKEND_LAYER_PICK_H

#include "fail/spec.h"

struct tn_layer_pick {
    struct tn_fail_spec spec; // its name has no meaning
};

// Parses `length` bytes of text; none select each call. BAD_CONFIG: a field is wrong, or it is one
// that only a call that fails has.
tarn_status tn_layer_pick_parse(const char *text, size_t length, struct tn_layer_pick *pick);

// Counts a call, and returns true if it is selected.
bool tn_layer_pick_next(struct tn_layer_pick *pick, tarn_addr address, uint64_t bytes);

#endif
