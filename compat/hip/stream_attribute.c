// SPDX-License-Identifier: Apache-2.0
// HIP's functions about attributes and numbers of streams, and streams that may use some compute
// units only. See compat/runtime/stream.h.
#include <hip/detail/stream.h>
#include <hip/detail/stream_attribute.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream.h"

_Static_assert(sizeof(hipStreamAttrValue) == 64 && sizeof(hipAccessPolicyWindow) == 32 &&
                   (int)hipStreamAttributeSynchronizationPolicy == TN_RT_ATTRIBUTE_WAITS &&
                   (int)hipStreamAttributePriority == TN_RT_ATTRIBUTE_PRIORITY &&
                   (int)hipSyncPolicyBlockingSync == TN_RT_WAITS_BLOCKING,
               "programs compiled for HIP 7 pass these sizes and numbers");

TN_HIP_ROW(hipExtStreamCreateWithCUMask, tn_rt_stream_make_masked, hipStream_t *, uint32_t,
           const uint32_t *)
TN_HIP_ROW(hipExtStreamGetCUMask, tn_rt_stream_mask, hipStream_t, uint32_t, uint32_t *)
