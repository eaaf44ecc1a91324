/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/mipmap.h - mipmapped arrays: an array with smaller levels. From level to level each
 * dimension is halved, rounded down, to at least 1; the number of layers is the same. The rules of
 * hip/detail/array.h apply.
 */
#ifndef HIP_DETAIL_MIPMAP_H
#define HIP_DETAIL_MIPMAP_H

#include <hip/detail/types.h>

HIP_EXTERN_C_BEGIN

/*
 * Makes a mipmapped array on the current device. 0 levels give one; more than up to the level in
 * which every dimension is 1 are hipErrorInvalidValue, and so are cubemaps that are not sparse. The
 * result points to memory of the library;
 * programs copy the struct into hipArrayMapInfo, where its `data` identifies the array. Errors of
 * hipMalloc3DArray().
 */
HIP_API hipError_t hipMallocMipmappedArray(hipMipmappedArray_t *mipmappedArray,
                                           const hipChannelFormatDesc *desc, hipExtent extent,
                                           unsigned int numLevels,
                                           unsigned int flags HIP_DEFAULT(0));
HIP_API hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *pHandle,
                                           HIP_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                           unsigned int numMipmapLevels);

/* Frees it and its levels after all work of the devices. hipErrorInvalidValue: NULL;
 * hipErrorContextIsDestroyed: an unknown one, or one that was freed. */
HIP_API hipError_t hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray);
HIP_API hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t hMipmappedArray);

/* Returns a level as an array for copies; each call returns the same handle. The level is freed
 * with its mipmapped array. hipErrorInvalidValue: levelArray NULL, no such level. */
HIP_API hipError_t hipGetMipmappedArrayLevel(hipArray_t *levelArray,
                                             hipMipmappedArray_const_t mipmappedArray,
                                             unsigned int level);
HIP_API hipError_t hipMipmappedArrayGetLevel(hipArray_t *pLevelArray,
                                             hipMipmappedArray_t hMipMappedArray,
                                             unsigned int level);

HIP_EXTERN_C_END
#endif
