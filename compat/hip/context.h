// SPDX-License-Identifier: Apache-2.0
// Contexts, which HIP has kept from CUDA's driver API: names for devices. They own nothing:
// streams, memory and the rest belong to the device, whichever context was current.
#ifndef TARN_COMPAT_HIP_CONTEXT_H
#define TARN_COMPAT_HIP_CONTEXT_H

// What hipSetDevice() does: makes the primary context of that device, which exists, the calling
// thread's current one, in the place of what was.
void tn_hip_context_select(int device);

#endif
