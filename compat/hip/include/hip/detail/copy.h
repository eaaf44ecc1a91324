/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/copy.h - copies of one row of bytes.
 *
 * Source and destination may be any two of: device memory, memory mapped into a reservation, pinned
 * and managed memory, and ordinary memory of the CPU, which is every address the library does not
 * know. A range may begin anywhere and cross mappings, also of different devices. Every byte must
 * be mapped; the source must be readable and the destination writable for one of: the device of the
 * stream, the current device, the device that owns the bytes, a device that the call names. If not,
 * or when the range leaves its memory, the answer is hipErrorInvalidValue. So it is when source and
 * destination overlap, but for a copy onto itself, which does nothing.
 *
 * A call without "Async" in its name works in the NULL stream of the current device, or in the
 * stream it names, and returns when the work is done. With "Async" it works in the order of the
 * stream and returns before that, except that ordinary memory is the caller's again at return: such
 * calls wait for their copy. While the stream is captured the copy is recorded, and the checks of
 * memory are made when the graph runs.
 *
 * `kind` must be one of the enum, and is a hint beyond that. Sizes are bytes. A copy of nothing
 * succeeds whatever the addresses are; NULL is hipErrorInvalidValue in all others. What any of
 * these calls may answer beside that: hipErrorInvalidMemcpyDirection: kind; hipErrorInvalidHandle:
 * stream; hipErrorIllegalAddress: work in the stream has failed at run time; the errors of a
 * capture, in which a call that waits cannot take part.
 */
#ifndef HIP_DETAIL_COPY_H
#define HIP_DETAIL_COPY_H

#include <hip/detail/types.h>

HIP_EXTERN_C_BEGIN

/* Copies `sizeBytes` bytes. */
HIP_API hipError_t hipMemcpy(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind);

/* The same in a stream, and waits. */
HIP_API hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t sizeBytes,
                                       hipMemcpyKind kind, hipStream_t stream);

/* The same in a stream. */
HIP_API hipError_t hipMemcpyAsync(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                                  hipStream_t stream HIP_DEFAULT(0));

/* With the direction in the name: host to device, device to host, device to device. As much of a
 * hint as `kind`. */
HIP_API hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void *src, size_t sizeBytes);
HIP_API hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t sizeBytes);
HIP_API hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes);
HIP_API hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void *src, size_t sizeBytes,
                                      hipStream_t stream);
HIP_API hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t sizeBytes,
                                      hipStream_t stream);
HIP_API hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes,
                                      hipStream_t stream);

/* Names devices whose rights count as well. Peer access need not be enabled.
 * hipErrorInvalidDevice: one that is not there. */
HIP_API hipError_t hipMemcpyPeer(void *dst, int dstDeviceId, const void *src, int srcDeviceId,
                                 size_t sizeBytes);
HIP_API hipError_t hipMemcpyPeerAsync(void *dst, int dstDeviceId, const void *src, int srcDevice,
                                      size_t sizeBytes, hipStream_t stream HIP_DEFAULT(0));

/* hipMemcpy() and hipMemcpyAsync() with hipStreamPerThread in the place of the NULL stream. */
HIP_API hipError_t hipMemcpy_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind);
HIP_API hipError_t hipMemcpyAsync_spt(void *dst, const void *src, size_t sizeBytes,
                                      hipMemcpyKind kind, hipStream_t stream HIP_DEFAULT(0));

HIP_EXTERN_C_END
#endif
