/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/array_copy.h - copies to and from arrays.
 *
 * The rules of hip/detail/copy.h apply to linear memory and streams. Offsets into rows, widths and
 * counts are bytes and multiples of the element size; other offsets count rows. Arrays may be of
 * any device. hipMemcpyParam2D(), hipMemcpy3D(), hipDrvMemcpy3D() and similar functions accept
 * arrays too; hipMemcpy3D() then counts elements, in the extent and in positions within arrays.
 *
 * hipErrorInvalidHandle: an unknown array, NULL included. hipErrorInvalidValue: a value that is
 * not a multiple of the element size, a range that leaves its array, arrays with different element
 * sizes, overlapping ranges of one array, a deferred array without memory;
 * hipErrorInvalidPitchValue: a pitch below the width.
 */
#ifndef HIP_DETAIL_ARRAY_COPY_H
#define HIP_DETAIL_ARRAY_COPY_H

#include <hip/detail/types.h>

HIP_EXTERN_C_BEGIN

/* Copies `height` rows of `width` bytes to or from a position in the array. */
HIP_API hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t wOffset, size_t hOffset,
                                      const void *src, size_t spitch, size_t width, size_t height,
                                      hipMemcpyKind kind);
HIP_API hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t wOffset, size_t hOffset,
                                           const void *src, size_t spitch, size_t width,
                                           size_t height, hipMemcpyKind kind,
                                           hipStream_t stream HIP_DEFAULT(0));
HIP_API hipError_t hipMemcpy2DFromArray(void *dst, size_t dpitch, hipArray_const_t src,
                                        size_t wOffset, size_t hOffset, size_t width, size_t height,
                                        hipMemcpyKind kind);
HIP_API hipError_t hipMemcpy2DFromArrayAsync(void *dst, size_t dpitch, hipArray_const_t src,
                                             size_t wOffset, size_t hOffset, size_t width,
                                             size_t height, hipMemcpyKind kind,
                                             hipStream_t stream HIP_DEFAULT(0));

/* From array to array. */
HIP_API hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                           hipArray_const_t src, size_t wOffsetSrc,
                                           size_t hOffsetSrc, size_t width, size_t height,
                                           hipMemcpyKind kind);

/*
 * Copies `count` bytes from or to a run of elements, which continues at the start of the next row.
 * If linear memory after the first row is invalid, a part may have been copied.
 */
HIP_API hipError_t hipMemcpyToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                    size_t count, hipMemcpyKind kind);
HIP_API hipError_t hipMemcpyFromArray(void *dst, hipArray_const_t srcArray, size_t wOffset,
                                      size_t hOffset, size_t count, hipMemcpyKind kind);

/* Copies within the first row, which is all of an array of one dimension: host to array, array to
 * host, device to array, array to device, array to array. */
HIP_API hipError_t hipMemcpyHtoA(hipArray_t dstArray, size_t dstOffset, const void *srcHost,
                                 size_t count);
HIP_API hipError_t hipMemcpyAtoH(void *dst, hipArray_t srcArray, size_t srcOffset, size_t count);
HIP_API hipError_t hipMemcpyHtoAAsync(hipArray_t dstArray, size_t dstOffset, const void *srcHost,
                                      size_t ByteCount, hipStream_t stream);
HIP_API hipError_t hipMemcpyAtoHAsync(void *dstHost, hipArray_t srcArray, size_t srcOffset,
                                      size_t ByteCount, hipStream_t stream);
HIP_API hipError_t hipMemcpyDtoA(hipArray_t dstArray, size_t dstOffset, hipDeviceptr_t srcDevice,
                                 size_t ByteCount);
HIP_API hipError_t hipMemcpyAtoD(hipDeviceptr_t dstDevice, hipArray_t srcArray, size_t srcOffset,
                                 size_t ByteCount);
HIP_API hipError_t hipMemcpyAtoA(hipArray_t dstArray, size_t dstOffset, hipArray_t srcArray,
                                 size_t srcOffset, size_t ByteCount);

/* Some of them with hipStreamPerThread instead of the NULL stream. */
HIP_API hipError_t hipMemcpy2DToArray_spt(hipArray_t dst, size_t wOffset, size_t hOffset,
                                          const void *src, size_t spitch, size_t width,
                                          size_t height, hipMemcpyKind kind);
HIP_API hipError_t hipMemcpy2DToArrayAsync_spt(hipArray_t dst, size_t wOffset, size_t hOffset,
                                               const void *src, size_t spitch, size_t width,
                                               size_t height, hipMemcpyKind kind,
                                               hipStream_t stream HIP_DEFAULT(0));
HIP_API hipError_t hipMemcpy2DFromArray_spt(void *dst, size_t dpitch, hipArray_const_t src,
                                            size_t wOffset, size_t hOffset, size_t width,
                                            size_t height, hipMemcpyKind kind);
HIP_API hipError_t hipMemcpy2DFromArrayAsync_spt(void *dst, size_t dpitch, hipArray_const_t src,
                                                 size_t wOffset, size_t hOffset, size_t width,
                                                 size_t height, hipMemcpyKind kind,
                                                 hipStream_t stream HIP_DEFAULT(0));
HIP_API hipError_t hipMemcpyFromArray_spt(void *dst, hipArray_const_t srcArray, size_t wOffset,
                                          size_t hOffset, size_t count, hipMemcpyKind kind);

HIP_EXTERN_C_END
#endif
