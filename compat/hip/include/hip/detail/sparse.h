/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/sparse.h - arrays without memory of their own: an extension of Tarn, which needs
 * TARN_HIP_SPARSE=1. AMD's library has hipMemMapArrayAsync(), but no arrays for it.
 *
 * hipExtArraySparse makes an array of two or three dimensions, also layered and mipmapped, whose
 * tiles get memory one by one from hipMemMapArrayAsync(). Levels that are too small for tiles form
 * the mip tail. Copies read zeros where no memory is mapped, and writes there are dropped.
 * hipExtArrayDeferredMapping makes an array of any shape that gets all of its memory at once;
 * before that, copies are hipErrorInvalidValue.
 */
#ifndef HIP_DETAIL_SPARSE_H
#define HIP_DETAIL_SPARSE_H

#include <hip/detail/types.h>

/* The tiles of a sparse array. 48 bytes, as in CUDA. */
typedef struct hipExtArraySparseProperties {
    struct {
        unsigned int width; /* elements */
        unsigned int height;
        unsigned int depth;
    } tileExtent;
    unsigned int miptailFirstLevel; /* first level in the mip tail, if there is one */
    unsigned long long miptailSize; /* bytes of a tail; 0: no tail */
    unsigned int flags;             /* hipExtArraySparsePropertiesSingleMiptail */
    unsigned int reserved[4];       /* 0 */
} hipExtArraySparseProperties;

/* All layers share the tail of layer 0. Otherwise each layer has its own. */
#define hipExtArraySparsePropertiesSingleMiptail 0x1

/* The memory that a deferred array needs. 32 bytes, as in CUDA. */
typedef struct hipExtArrayMemoryRequirements {
    size_t size;              /* bytes */
    size_t alignment;         /* of the offset into the memory */
    unsigned int reserved[4]; /* 0 */
} hipExtArrayMemoryRequirements;

HIP_EXTERN_C_BEGIN

/* Returns the tiles of a sparse array. miptailFirstLevel of an array without levels is 0.
 * hipErrorInvalidValue: properties NULL, an array that is not sparse, or a level. */
HIP_API hipError_t hipExtArrayGetSparseProperties(hipExtArraySparseProperties *properties,
                                                  hipArray_t array);
HIP_API hipError_t hipExtMipmappedArrayGetSparseProperties(hipExtArraySparseProperties *properties,
                                                           hipMipmappedArray_t mipmappedArray);

/* Returns the memory that a deferred array needs on its device. hipErrorInvalidValue: requirements
 * NULL, an array that is not deferred, a level, or another device than the array's;
 * hipErrorInvalidDevice. */
HIP_API hipError_t hipExtArrayGetMemoryRequirements(hipExtArrayMemoryRequirements *requirements,
                                                    hipArray_t array, hipDevice_t device);
HIP_API hipError_t
hipExtMipmappedArrayGetMemoryRequirements(hipExtArrayMemoryRequirements *requirements,
                                          hipMipmappedArray_t mipmappedArray, hipDevice_t device);

HIP_EXTERN_C_END
#endif
