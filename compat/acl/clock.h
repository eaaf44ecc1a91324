// SPDX-License-Identifier: Apache-2.0
// Times of points in streams, on the machine's clock. Any thread may call this function.
#ifndef TARN_COMPAT_ACL_CLOCK_H
#define TARN_COMPAT_ACL_CLOCK_H

#include "compat/acl/face.h"

// Returns when a recorded point of the device passed, in nanoseconds since the machine started.
// NOT_READY if it has not passed.
tarn_status tn_acl_clock_time(const struct tn_face_device *device, tarn_event point, int64_t *ns);

#endif
