// SPDX-License-Identifier: Apache-2.0
// The machine's clock, as points in streams have it. Any thread may ask.
#ifndef TARN_COMPAT_ACL_CLOCK_H
#define TARN_COMPAT_ACL_CLOCK_H

#include "compat/acl/face.h"

// When a recorded point of the device passed, in nanoseconds since the machine started.
// NOT_READY: it has not.
tarn_status tn_acl_clock_time(const struct tn_acl_device *device, tarn_event point, int64_t *ns);

#endif
