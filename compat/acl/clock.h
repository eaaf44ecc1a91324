// SPDX-License-Identifier: Apache-2.0
// The machine's clock, and the times of points in streams on it. Any thread may call these
// functions.
#pragma once

#include "compat/acl/face.h"

// Returns the nanoseconds since the machine started.
int64_t tn_acl_clock_now(void);

// Returns when a recorded point of the device passed, in nanoseconds since the machine started.
// NOT_READY if it has not passed.
tarn_status tn_acl_clock_time(const struct tn_face_device *device, tarn_event point, int64_t *ns);
