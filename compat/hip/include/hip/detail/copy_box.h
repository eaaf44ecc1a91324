/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/copy_box.h - copies of boxes: slices of rows of bytes. hip/detail/array_copy.h
 * describes copies with arrays.
 *
 * The rules of hip/detail/copy.h about memory, rights, waits and errors apply. In addition:
 * hipErrorInvalidPitchValue: a pitch below the width; hipErrorInvalidValue: a box that leaves its
 * rows or slices, or overlapping source and destination. A box of width, height or depth 0
 * succeeds and copies nothing.
 */
#ifndef HIP_DETAIL_COPY_BOX_H
#define HIP_DETAIL_COPY_BOX_H

#include <hip/detail/types.h>

/* hipMemcpy3DParms with the devices of both sides. From HIP 7. */
typedef struct hipMemcpy3DPeerParms {
    hipArray_t srcArray;
    struct hipPos srcPos;
    struct hipPitchedPtr srcPtr;
    int srcDevice;
    hipArray_t dstArray;
    struct hipPos dstPos;
    struct hipPitchedPtr dstPtr;
    int dstDevice;
    struct hipExtent extent;
} hipMemcpy3DPeerParms;

HIP_EXTERN_C_BEGIN

/* Copies `height` rows of `width` bytes; rows of the two sides begin `dpitch` and `spitch` bytes
 * apart. */
HIP_API hipError_t hipMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch,
                               size_t width, size_t height, hipMemcpyKind kind);
HIP_API hipError_t hipMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                    size_t width, size_t height, hipMemcpyKind kind,
                                    hipStream_t stream HIP_DEFAULT(0));

/*
 * The same from a description. The memory type of a side selects its member: ...Host for Host and
 * Unregistered, ...Device for Device, Managed and Unified, ...Array for Array, which ignores the
 * pitch. A pitch of 0 is as large as needed. hipErrorInvalidValue also: pCopy NULL, another memory
 * type.
 */
HIP_API hipError_t hipMemcpyParam2D(const hip_Memcpy2D *pCopy);
HIP_API hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *pCopy,
                                         hipStream_t stream HIP_DEFAULT(0));

/* The same, which needs no alignment either. It returns when the copy is complete.
 * hipErrorInvalidValue also: an array that is NULL. */
HIP_API hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *pCopy);

/* The same in three dimensions. ...Height is the number of rows in a slice; 0 means as many as
 * needed. hipErrorInvalidValue also: a level (LOD) that is not 0. */
HIP_API hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *pCopy);
HIP_API hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *pCopy, hipStream_t stream);

/*
 * Copies p->extent from one pitched memory to another, starting at the positions. `ysize` is the
 * number of rows in a slice; it may be 0 for a single slice at z 0. hipErrorInvalidValue also: p
 * NULL, a side with neither or both of pointer and array.
 */
HIP_API hipError_t hipMemcpy3D(const hipMemcpy3DParms *p);
HIP_API hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *p, hipStream_t stream HIP_DEFAULT(0));

/* The same with devices whose rights count too. hipErrorInvalidDevice. */
HIP_API hipError_t hipMemcpy3DPeer(const hipMemcpy3DPeerParms *p);
HIP_API hipError_t hipMemcpy3DPeerAsync(const hipMemcpy3DPeerParms *p,
                                        hipStream_t stream HIP_DEFAULT(0));

/* hipMemcpy2D(), hipMemcpy2DAsync(), hipMemcpy3D() and hipMemcpy3DAsync() with hipStreamPerThread
 * instead of the NULL stream. */
HIP_API hipError_t hipMemcpy2D_spt(void *dst, size_t dpitch, const void *src, size_t spitch,
                                   size_t width, size_t height, hipMemcpyKind kind);
HIP_API hipError_t hipMemcpy2DAsync_spt(void *dst, size_t dpitch, const void *src, size_t spitch,
                                        size_t width, size_t height, hipMemcpyKind kind,
                                        hipStream_t stream HIP_DEFAULT(0));
HIP_API hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms *p);
HIP_API hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms *p,
                                        hipStream_t stream HIP_DEFAULT(0));

HIP_EXTERN_C_END
#endif
