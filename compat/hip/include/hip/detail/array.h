/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/array.h - arrays: elements with coordinates instead of addresses.
 *
 * An element has 1, 2 or 4 channels of 8, 16 or 32 bits. Extents count elements; height 0 means
 * one dimension, depth 0 at most two. With hipArrayLayered the depth is the number of layers, of
 * one (height 0) or two dimensions; with hipArrayCubemap it is 6 faces, or with both a multiple of
 * 6. hipArraySurfaceLoadStore and hipArrayTextureGather (two dimensions) have no effect. Only
 * copies access arrays: hip/detail/array_copy.h.
 *
 * The flags hipExtArraySparse and hipExtArrayDeferredMapping are extensions of Tarn:
 * hip/detail/sparse.h.
 *
 * An unknown array, NULL included, is hipErrorInvalidHandle; hipFreeArray() and hipArrayDestroy()
 * answer hipErrorInvalidValue for NULL and hipErrorContextIsDestroyed otherwise. A capture that forbids hipMalloc()
 * also forbids to make or free arrays: hipErrorStreamCaptureUnsupported.
 */
#ifndef HIP_DETAIL_ARRAY_H
#define HIP_DETAIL_ARRAY_H

#include <hip/detail/types.h>

HIP_EXTERN_C_BEGIN

/* Makes a channel description: the bits of each channel, and their kind. */
HIP_API hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                  hipChannelFormatKind f);

/* The most elements of a one-dimensional texture over linear memory: 0, because textures are not
 * supported. hipErrorInvalidValue: NULL, or channels that do not form an element;
 * hipErrorInvalidDevice. */
HIP_API hipError_t hipDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                       const hipChannelFormatDesc *fmtDesc,
                                                       int device);

/*
 * Makes an array of one or two dimensions on the current device; its contents are undefined.
 * hipErrorInvalidValue: array or desc NULL, width 0, channels that do not form an element, an
 * unknown flag or one for layers or a cube, hipArrayTextureGather in one dimension,
 * hipExtArraySparse in one dimension or together with hipExtArrayDeferredMapping, more than 2^46
 * bytes. hipErrorNotSupported: one of these two without TARN_HIP_SPARSE=1, or the device does not
 * support arrays.
 */
HIP_API hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *desc, size_t width,
                                  size_t height HIP_DEFAULT(0),
                                  unsigned int flags HIP_DEFAULT(hipArrayDefault));

/*
 * The same in up to three dimensions, or with layers. hipErrorInvalidValue also: a depth without
 * height or layers; layers or a cube of depth 0; a cube that is not square, is sparse, or has a
 * wrong number of faces; hipArrayTextureGather in three dimensions.
 */
HIP_API hipError_t hipMalloc3DArray(hipArray_t *array, const hipChannelFormatDesc *desc,
                                    hipExtent extent, unsigned int flags);

/* The same from a description with a format and 1, 2 or 4 channels. */
HIP_API hipError_t hipArrayCreate(hipArray_t *pHandle, const HIP_ARRAY_DESCRIPTOR *pAllocateArray);
HIP_API hipError_t hipArray3DCreate(hipArray_t *array,
                                    const HIP_ARRAY3D_DESCRIPTOR *pAllocateArray);

/* Frees an array after all work of the devices. Both names are the same function.
 * hipErrorInvalidValue: NULL, or a level of a mipmapped array. */
HIP_API hipError_t hipFreeArray(hipArray_t array);
HIP_API hipError_t hipArrayDestroy(hipArray_t array);

/* The description of an array or level. Outputs may be NULL. */
HIP_API hipError_t hipArrayGetInfo(hipChannelFormatDesc *desc, hipExtent *extent,
                                   unsigned int *flags, hipArray_t array);

/* Single parts of the description. hipErrorInvalidValue: the output is NULL. */
HIP_API hipError_t hipGetChannelDesc(hipChannelFormatDesc *desc, hipArray_const_t array);
HIP_API hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR *pArrayDescriptor, hipArray_t array);
HIP_API hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *pArrayDescriptor,
                                           hipArray_t array);

HIP_EXTERN_C_END
#endif
