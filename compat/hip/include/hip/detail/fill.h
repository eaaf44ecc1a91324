/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/fill.h - fills of memory, by the row and by the box.
 *
 * The rules of hip/detail/copy.h about memory, rights, waits and errors apply, with these
 * differences. A function without "Async" returns early if the memory starts a block of a device
 * that has no SYNC_MEMOPS. Ordinary memory of the CPU is hipErrorInvalidValue. So are an address or
 * pitch that is not a multiple of the element size, and a pitch below the width. In a stream of
 * another device than the current one, the rights of the stream's device count. A width, height or
 * depth of 0 succeeds and fills nothing.
 */
#ifndef HIP_DETAIL_FILL_H
#define HIP_DETAIL_FILL_H

#include <hip/detail/types.h>

HIP_EXTERN_C_BEGIN

/* Fills `sizeBytes` bytes with the low byte of `value`. */
HIP_API hipError_t hipMemset(void *dst, int value, size_t sizeBytes);
HIP_API hipError_t hipMemsetAsync(void *dst, int value, size_t sizeBytes,
                                  hipStream_t stream HIP_DEFAULT(0));

/* Fills `count` elements of 1, 2 or 4 bytes. */
HIP_API hipError_t hipMemsetD8(hipDeviceptr_t dest, unsigned char value, size_t count);
HIP_API hipError_t hipMemsetD16(hipDeviceptr_t dest, unsigned short value, size_t count);
HIP_API hipError_t hipMemsetD32(hipDeviceptr_t dest, int value, size_t count);
HIP_API hipError_t hipMemsetD8Async(hipDeviceptr_t dest, unsigned char value, size_t count,
                                    hipStream_t stream HIP_DEFAULT(0));
HIP_API hipError_t hipMemsetD16Async(hipDeviceptr_t dest, unsigned short value, size_t count,
                                     hipStream_t stream HIP_DEFAULT(0));
HIP_API hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count,
                                     hipStream_t stream HIP_DEFAULT(0));

/* Fills `height` rows of `width` bytes, which begin `pitch` bytes apart. */
HIP_API hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height);
HIP_API hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                                    hipStream_t stream HIP_DEFAULT(0));

/* Rows of elements of 1, 2 or 4 bytes. `width` is in bytes, a multiple of an element's. From HIP
 * 7. */
HIP_API hipError_t hipMemsetD2D8(hipDeviceptr_t dst, size_t dstPitch, unsigned char value,
                                 size_t width, size_t height);
HIP_API hipError_t hipMemsetD2D16(hipDeviceptr_t dst, size_t dstPitch, unsigned short value,
                                  size_t width, size_t height);
HIP_API hipError_t hipMemsetD2D32(hipDeviceptr_t dst, size_t dstPitch, unsigned int value,
                                  size_t width, size_t height);
HIP_API hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, size_t dstPitch, unsigned char value,
                                      size_t width, size_t height,
                                      hipStream_t stream HIP_DEFAULT(0));
HIP_API hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, size_t dstPitch, unsigned short value,
                                       size_t width, size_t height,
                                       hipStream_t stream HIP_DEFAULT(0));
HIP_API hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, size_t dstPitch, unsigned int value,
                                       size_t width, size_t height,
                                       hipStream_t stream HIP_DEFAULT(0));

/* Fills extent.depth slices of extent.height rows of extent.width bytes. A slice has
 * pitchedDevPtr.ysize rows. hipErrorInvalidValue also: several slices, and more rows than ysize. */
HIP_API hipError_t hipMemset3D(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent);
HIP_API hipError_t hipMemset3DAsync(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent,
                                    hipStream_t stream HIP_DEFAULT(0));

/* The functions for bytes with hipStreamPerThread instead of the NULL stream. */
HIP_API hipError_t hipMemset_spt(void *dst, int value, size_t sizeBytes);
HIP_API hipError_t hipMemsetAsync_spt(void *dst, int value, size_t sizeBytes,
                                      hipStream_t stream HIP_DEFAULT(0));
HIP_API hipError_t hipMemset2D_spt(void *dst, size_t pitch, int value, size_t width, size_t height);
HIP_API hipError_t hipMemset2DAsync_spt(void *dst, size_t pitch, int value, size_t width,
                                        size_t height, hipStream_t stream HIP_DEFAULT(0));
HIP_API hipError_t hipMemset3D_spt(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent);
HIP_API hipError_t hipMemset3DAsync_spt(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent,
                                        hipStream_t stream HIP_DEFAULT(0));

HIP_EXTERN_C_END
#endif
