// SPDX-License-Identifier: Apache-2.0
// Preferences of programs for devices, which are stored and returned and have no other effect.
#ifndef TARN_COMPAT_HIP_PREFERENCE_H
#define TARN_COMPAT_HIP_PREFERENCE_H

#include "compat/hip/face.h"

// TN_RT_INVALID_VALUE: unknown flags, or two ways of scheduling.
tn_rt_error tn_hip_check_device_flags(unsigned flags);

// The flags of a device; the setter checks them.
unsigned tn_hip_device_flags(int device);
tn_rt_error tn_hip_set_device_flags(int device, unsigned flags);

// Returns all preferences and limits of a device to their defaults.
void tn_hip_preferences_reset(int device);

#endif
