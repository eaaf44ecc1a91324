// SPDX-License-Identifier: Apache-2.0
// Captures: bytes copied from a program during a call, for a copy that runs later in a stream. A
// later call frees each capture whose copy is done. Any thread may call these functions.
#pragma once

#include "compat/acl/order.h"

// Captures `size` bytes of the host at src now, and copies them to dst in stream order. 200000 if
// host memory is exhausted; 107000.
aclError tn_acl_capture_copy(const struct tn_acl_order *order, void *dst, const void *src,
                             size_t size);

// Frees the captures whose copies are done. Costs one load if there are none.
void tn_acl_capture_sweep(void);
