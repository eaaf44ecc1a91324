// SPDX-License-Identifier: Apache-2.0
// Events: points in streams that other streams wait for, and between which time is measured.
#ifndef TARN_COMPAT_HIP_EVENT_H
#define TARN_COMPAT_HIP_EVENT_H

#include "compat/hip/order.h"

// Destroys all events of a device.
void tn_hip_events_reset(const struct tn_hip_device *device);

#endif
