// SPDX-License-Identifier: Apache-2.0
// NULL as the stream of the calling thread.
#include <hip/detail/event.h>
#include <hip/detail/stream.h>
#include <hip/detail/stream_spt.h>

static hipStream_t meant(hipStream_t stream) {
    return stream == NULL ? hipStreamPerThread : stream;
}

hipError_t hipStreamQuery_spt(hipStream_t stream) {
    return hipStreamQuery(meant(stream));
}

hipError_t hipStreamSynchronize_spt(hipStream_t stream) {
    return hipStreamSynchronize(meant(stream));
}

hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags) {
    return hipStreamGetFlags(meant(stream), flags);
}

hipError_t hipStreamGetPriority_spt(hipStream_t stream, int *priority) {
    return hipStreamGetPriority(meant(stream), priority);
}

hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags) {
    return hipStreamWaitEvent(meant(stream), event, flags);
}
