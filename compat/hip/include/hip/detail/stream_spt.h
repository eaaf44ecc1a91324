/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/stream_spt.h - functions of streams for which NULL means the stream of the calling
 * thread (hipStreamPerThread). Otherwise they are the functions without _spt.
 */
#ifndef HIP_DETAIL_STREAM_SPT_H
#define HIP_DETAIL_STREAM_SPT_H

#include <hip/detail/types.h>

HIP_EXTERN_C_BEGIN

HIP_API hipError_t hipStreamQuery_spt(hipStream_t stream);
HIP_API hipError_t hipStreamSynchronize_spt(hipStream_t stream);
HIP_API hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags);
HIP_API hipError_t hipStreamGetPriority_spt(hipStream_t stream, int *priority);
HIP_API hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags);

HIP_EXTERN_C_END
#endif
