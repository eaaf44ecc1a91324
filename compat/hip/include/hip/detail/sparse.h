/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/sparse.h - arrays without memory of their own. Tarn's extension, and there only with
 * TARN_HIP_SPARSE=1; AMD's library has hipMemMapArrayAsync() but nothing to use it with.
 *
 * hipExtArraySparse makes an array of two or three dimensions, also layered and mipmapped, whose
 * tiles get memory by hipMemMapArrayAsync(), each by itself. Levels too small for tiles form the
 * mip tail. Copies read zero where there is no memory, and what they write there is lost.
 * hipExtArrayDeferredMapping makes an array of any shape that gets all of its memory in one piece;
 * copies are hipErrorInvalidValue while it has none.
 */
#ifndef HIP_DETAIL_SPARSE_H
#define HIP_DETAIL_SPARSE_H

#include <hip/detail/types.h>

/* How a sparse array is cut into tiles. 48 bytes, as CUDA has it. */
typedef struct hipExtArraySparseProperties {
    struct {
        unsigned int width; /* elements */
        unsigned int height;
        unsigned int depth;
    } tileExtent;
    unsigned int miptailFirstLevel; /* levels from here on are in the mip tail, if there is one */
    unsigned long long miptailSize; /* bytes of a tail; 0: there is none */
    unsigned int flags;             /* hipExtArraySparsePropertiesSingleMiptail */
    unsigned int reserved[4];       /* 0 */
} hipExtArraySparseProperties;

/* One tail for all layers: it is that of layer 0. Else each layer has its own. */
#define hipExtArraySparsePropertiesSingleMiptail 0x1

/* What must be put under a deferred array. 32 bytes, as CUDA has it. */
typedef struct hipExtArrayMemoryRequirements {
    size_t size;              /* bytes */
    size_t alignment;         /* of the offset into the memory */
    unsigned int reserved[4]; /* 0 */
} hipExtArrayMemoryRequirements;

HIP_EXTERN_C_BEGIN

/* How a sparse array is cut. miptailFirstLevel of a plain array is 0. hipErrorInvalidValue:
 * properties NULL, an array that is not sparse, or a level of a mipmapped one. */
HIP_API hipError_t hipExtArrayGetSparseProperties(hipExtArraySparseProperties *properties,
                                                  hipArray_t array);
HIP_API hipError_t hipExtMipmappedArrayGetSparseProperties(hipExtArraySparseProperties *properties,
                                                           hipMipmappedArray_t mipmappedArray);

/* What must be put under a deferred array on `device`, which is its own. hipErrorInvalidValue:
 * requirements NULL, an array that is not deferred, or a level of a mipmapped one, or another
 * device than the array's; hipErrorInvalidDevice. */
HIP_API hipError_t hipExtArrayGetMemoryRequirements(hipExtArrayMemoryRequirements *requirements,
                                                    hipArray_t array, hipDevice_t device);
HIP_API hipError_t
hipExtMipmappedArrayGetMemoryRequirements(hipExtArrayMemoryRequirements *requirements,
                                          hipMipmappedArray_t mipmappedArray, hipDevice_t device);

HIP_EXTERN_C_END
#endif
