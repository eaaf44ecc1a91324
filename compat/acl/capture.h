// SPDX-License-Identifier: Apache-2.0
// Captures: bytes taken from a program during a call, for a copy that runs later. Each is let go
// when its copy has passed, by whoever comes along. Any thread.
#ifndef TARN_COMPAT_ACL_CAPTURE_H
#define TARN_COMPAT_ACL_CAPTURE_H

#include "compat/acl/context.h"

// Takes `size` bytes of the host from src now, and copies them to dst in stream order. 200000: no
// host memory; 107000.
aclError tn_acl_capture_copy(const struct tn_acl_order *order, void *dst, const void *src,
                             size_t size);

// Lets go what has passed. Quick when there is nothing.
void tn_acl_capture_sweep(void);

#endif
