// SPDX-License-Identifier: Apache-2.0
// The frame of HIP's public functions, and the policy by which the runtime works for HIP.
#ifndef TARN_COMPAT_HIP_FACE_H
#define TARN_COMPAT_HIP_FACE_H

#include "compat/hip/error.h"
#include "compat/runtime/device.h"

// The frame of every public function that needs a device; see compat/face/call.h.
#define TN_HIP_CALL(work) TN_FACE_CALL(tn_hip, work)

// Opens the devices unless they are open; see tn_rt_open().
bool tn_hip_ready(void);
static inline tn_rt_error tn_hip_refusal(void) {
    return tn_rt_refusal();
}

// Returns the policy. It may be called while no device is open.
const struct tn_rt_policy *tn_hip_policy(void);

#endif
