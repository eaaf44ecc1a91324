// SPDX-License-Identifier: Apache-2.0
// Functions for which NULL means the stream of the calling thread.
#include <hip/detail/event.h>
#include <hip/detail/stream.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/order.h"

hipError_t hipStreamQuery_spt(hipStream_t stream) {
    return hipStreamQuery(tn_hip_spt(stream));
}

hipError_t hipStreamSynchronize_spt(hipStream_t stream) {
    return hipStreamSynchronize(tn_hip_spt(stream));
}

hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags) {
    return hipStreamGetFlags(tn_hip_spt(stream), flags);
}

hipError_t hipStreamGetPriority_spt(hipStream_t stream, int *priority) {
    return hipStreamGetPriority(tn_hip_spt(stream), priority);
}

hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags) {
    return hipStreamWaitEvent(tn_hip_spt(stream), event, flags);
}
