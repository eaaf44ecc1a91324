// SPDX-License-Identifier: Apache-2.0
// Contexts, which HIP keeps from CUDA's driver API. A context names a device and owns nothing:
// streams and memory belong to the device, whichever context was current.
#ifndef TARN_COMPAT_HIP_CONTEXT_H
#define TARN_COMPAT_HIP_CONTEXT_H

// For hipSetDevice(): replaces the calling thread's current context by the primary context of an
// existing device.
void tn_hip_context_select(int device);

#endif
