// SPDX-License-Identifier: Apache-2.0
// The properties of a device, in the struct of HIP 6. Attributes are read from that struct too, so
// that the two cannot disagree.
#pragma once

#include <hip/detail/attributes.h>

#include "compat/hip/face.h"

// The rate of the timer that kernels read, nominal like the other rates.
#define TN_HIP_TIMER_KHZ 100000

void tn_hip_properties(const struct tn_face_device *device, hipDeviceProp_tR0600 *out);
