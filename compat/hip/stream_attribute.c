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

hipError_t hipStreamSetAttribute(hipStream_t stream, hipStreamAttrID attr,
                                 const hipStreamAttrValue *value) {
    return TN_HIP_CALL(tn_rt_stream_set_attribute(stream, (int)attr, value));
}

hipError_t hipStreamGetAttribute(hipStream_t stream, hipStreamAttrID attr,
                                 hipStreamAttrValue *value) {
    return TN_HIP_CALL(tn_rt_stream_get_attribute(stream, (int)attr, value));
}

hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src) {
    return TN_HIP_CALL(tn_rt_stream_copy_attributes(dst, src));
}

hipError_t hipStreamGetId(hipStream_t stream, unsigned long long *streamId) {
    return TN_HIP_CALL(tn_rt_stream_id(stream, streamId));
}

hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t cuMaskSize,
                                        const uint32_t *cuMask) {
    return TN_HIP_CALL(tn_rt_stream_make_masked(stream, cuMaskSize, cuMask));
}

hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t cuMaskSize, uint32_t *cuMask) {
    return TN_HIP_CALL(tn_rt_stream_mask(stream, cuMaskSize, cuMask));
}
