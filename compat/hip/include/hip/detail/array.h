/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/array.h - arrays: elements known by coordinates, not by addresses.
 *
 * An element has 1, 2 or 4 channels of 8, 16 or 32 bits. Extents count elements; height 0: one
 * dimension, depth 0: at most two. With hipArrayLayered the depth is the number of layers, of one
 * (height 0) or two dimensions; with hipArrayCubemap it is 6 faces, or with both a multiple of 6.
 * hipArraySurfaceLoadStore and hipArrayTextureGather (two dimensions) change nothing. Arrays are
 * reached by copies only: hip/detail/array_copy.h.
 *
 * The flags hipExtArraySparse and hipExtArrayDeferredMapping are Tarn's own: hip/detail/sparse.h.
 *
 * An array that is not there, NULL included, is hipErrorInvalidHandle. A capture forbids calls that
 * make or free one as it forbids hipMalloc(): hipErrorStreamCaptureUnsupported.
 */
#ifndef HIP_DETAIL_ARRAY_H
#define HIP_DETAIL_ARRAY_H

#include <hip/detail/types.h>

HIP_EXTERN_C_BEGIN

/* A channel description: the bits of each channel, and what they are. */
HIP_API hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                  hipChannelFormatKind f);

/*
 * Makes an array of one or two dimensions on the current device; its contents are undefined.
 * hipErrorInvalidValue: array or desc NULL, width 0, channels that are no element, a flag that is
 * unknown or asks for layers or a cube, hipArrayTextureGather in one dimension, hipExtArraySparse
 * in one dimension or together with hipExtArrayDeferredMapping, more than 2^46 bytes.
 * hipErrorNotSupported: one of these two without TARN_HIP_SPARSE=1, or the device has no arrays.
 */
HIP_API hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *desc, size_t width,
                                  size_t height HIP_DEFAULT(0),
                                  unsigned int flags HIP_DEFAULT(hipArrayDefault));

/*
 * The same in up to three dimensions, or with layers. hipErrorInvalidValue also: a depth without
 * height or layers; layers or a cube of depth 0; a cube that is not square, is sparse, or has not
 * as many faces as it must; hipArrayTextureGather in three dimensions.
 */
HIP_API hipError_t hipMalloc3DArray(hipArray_t *array, const hipChannelFormatDesc *desc,
                                    hipExtent extent, unsigned int flags);

/* The same from a description with a format and 1, 2 or 4 channels. */
HIP_API hipError_t hipArrayCreate(hipArray_t *pHandle, const HIP_ARRAY_DESCRIPTOR *pAllocateArray);
HIP_API hipError_t hipArray3DCreate(hipArray_t *array,
                                    const HIP_ARRAY3D_DESCRIPTOR *pAllocateArray);

/* Frees an array once all work of the devices is done, for which it waits. Both names do the same.
 * hipErrorInvalidValue: NULL, or a level of a mipmapped array. */
HIP_API hipError_t hipFreeArray(hipArray_t array);
HIP_API hipError_t hipArrayDestroy(hipArray_t array);

/* What an array was made as; of a level: what that level is. Outputs that are NULL are left out. */
HIP_API hipError_t hipArrayGetInfo(hipChannelFormatDesc *desc, hipExtent *extent,
                                   unsigned int *flags, hipArray_t array);

/* The same, one by one. hipErrorInvalidValue: the output is NULL. */
HIP_API hipError_t hipGetChannelDesc(hipChannelFormatDesc *desc, hipArray_const_t array);
HIP_API hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR *pArrayDescriptor, hipArray_t array);
HIP_API hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *pArrayDescriptor,
                                           hipArray_t array);

HIP_EXTERN_C_END
#endif
