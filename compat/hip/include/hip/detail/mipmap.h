/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/mipmap.h - mipmapped arrays: an array with smaller levels of itself. Each dimension is
 * halved from level to level, rounded down, at least 1; layers stay as many. What is said in
 * hip/detail/array.h holds here too.
 */
#ifndef HIP_DETAIL_MIPMAP_H
#define HIP_DETAIL_MIPMAP_H

#include <hip/detail/types.h>

HIP_EXTERN_C_BEGIN

/*
 * Makes a mipmapped array on the current device. The number of levels is brought into the range
 * from 1 to what reaches 1 in every dimension. What is returned points to memory of the library:
 * programs copy the struct into hipArrayMapInfo, where its `data` says which array it is. Errors as
 * hipMalloc3DArray().
 */
HIP_API hipError_t hipMallocMipmappedArray(hipMipmappedArray_t *mipmappedArray,
                                           const hipChannelFormatDesc *desc, hipExtent extent,
                                           unsigned int numLevels,
                                           unsigned int flags HIP_DEFAULT(0));
HIP_API hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *pHandle,
                                           HIP_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                           unsigned int numMipmapLevels);

/* Frees it, with its levels, once all work of the devices is done. hipErrorInvalidValue: NULL. */
HIP_API hipError_t hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray);
HIP_API hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t hMipmappedArray);

/* A level as an array to copy to and from. It goes with its mipmapped array; each call gives the
 * same handle. hipErrorInvalidValue: levelArray NULL, no such level. */
HIP_API hipError_t hipGetMipmappedArrayLevel(hipArray_t *levelArray,
                                             hipMipmappedArray_const_t mipmappedArray,
                                             unsigned int level);
HIP_API hipError_t hipMipmappedArrayGetLevel(hipArray_t *pLevelArray,
                                             hipMipmappedArray_t hMipMappedArray,
                                             unsigned int level);

HIP_EXTERN_C_END
#endif
