/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/copy.h - copies of one row of bytes.
 *
 * Source and destination may each be device memory, memory mapped into a reservation, pinned or
 * managed memory, or ordinary memory of the CPU, which is every address that the library does not
 * know. A range may begin anywhere and cross mappings, also of different devices. Every byte must
 * be mapped. One of these devices must have the right to read the source and to write the
 * destination: the device of the stream, the current device, the owner of the bytes, or a device
 * named by the call. Otherwise, and if the range leaves its memory, the error is
 * hipErrorInvalidValue. The same error refuses overlapping ranges. A copy onto itself does nothing.
 * Addresses of freed memory are refused until they belong to other memory.
 *
 * A function without "Async" in its name uses the NULL stream of the current device, or the stream
 * that it names, and returns when the copy is complete. hipMemcpy() and similar functions of one
 * row, and hipMemcpyParam2D(), return earlier if the copy stays on one device, unless both blocks
 * have SYNC_MEMOPS, and hipMemcpyPeer() always does. An "Async" function returns earlier too. None
 * does if one side is ordinary memory, which the caller may reuse after the call. In a capture the
 * copy is recorded, and memory is checked when the graph runs.
 *
 * A copy of memory of one other device runs on the NULL stream of that device, after the earlier
 * work of the function's stream and before its later work. A copy between two devices runs on the
 * function's stream. Unless its name has "Async", it is ordered with the NULL streams of both.
 *
 * The addresses determine the direction. `kind` must be a value of the enum; if both sides are
 * ordinary memory, copies of one row refuse a kind that names a device (hipErrorInvalidValue).
 * Sizes are bytes. A copy of 0 bytes succeeds for all addresses; otherwise NULL is
 * hipErrorInvalidValue. All functions may also return hipErrorInvalidMemcpyDirection: kind;
 * hipErrorContextIsDestroyed: unknown stream; hipErrorIllegalAddress: the
 * stream has failed; and the errors of a capture, which refuses calls that wait.
 */
#ifndef HIP_DETAIL_COPY_H
#define HIP_DETAIL_COPY_H

#include <hip/detail/types.h>

HIP_EXTERN_C_BEGIN

/* Copies `sizeBytes` bytes. */
HIP_API hipError_t hipMemcpy(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind);

/* Copies in a stream and waits. */
HIP_API hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t sizeBytes,
                                       hipMemcpyKind kind, hipStream_t stream);

/* Copies in a stream. */
HIP_API hipError_t hipMemcpyAsync(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                                  hipStream_t stream HIP_DEFAULT(0));

/* The same; the names state a direction, which is ignored like `kind`. */
HIP_API hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void *src, size_t sizeBytes);
HIP_API hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t sizeBytes);
HIP_API hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes);
HIP_API hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void *src, size_t sizeBytes,
                                      hipStream_t stream);
HIP_API hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t sizeBytes,
                                      hipStream_t stream);
HIP_API hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes,
                                      hipStream_t stream);

/* Names devices whose rights count too. Peer access need not be enabled. hipErrorInvalidDevice. */
HIP_API hipError_t hipMemcpyPeer(void *dst, int dstDeviceId, const void *src, int srcDeviceId,
                                 size_t sizeBytes);
HIP_API hipError_t hipMemcpyPeerAsync(void *dst, int dstDeviceId, const void *src, int srcDevice,
                                      size_t sizeBytes, hipStream_t stream HIP_DEFAULT(0));

/* hipMemcpy() and hipMemcpyAsync() with hipStreamPerThread instead of the NULL stream. */
HIP_API hipError_t hipMemcpy_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind);
HIP_API hipError_t hipMemcpyAsync_spt(void *dst, const void *src, size_t sizeBytes,
                                      hipMemcpyKind kind, hipStream_t stream HIP_DEFAULT(0));

HIP_EXTERN_C_END
#endif
