// SPDX-License-Identifier: Apache-2.0
// Copies by HIP's own structs; see compat/runtime/copy.h.
#ifndef TARN_COMPAT_HIP_COPY_H
#define TARN_COMPAT_HIP_COPY_H

#include <hip/detail/types.h>

#include "compat/runtime/copy.h"

// Describes the copy of a box and submits it.
tn_rt_error tn_hip_copy_3d(const hipMemcpy3DParms *parms, hipStream_t stream, bool wait);

#endif
