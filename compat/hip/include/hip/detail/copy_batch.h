/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/copy_batch.h - several copies by one call. Release 7. The rules of hip/detail/copy.h
 * and hip/detail/copy_box.h apply. The copies of a call run in the order of the list. Copies before
 * one that is refused are submitted.
 */
#ifndef HIP_DETAIL_COPY_BATCH_H
#define HIP_DETAIL_COPY_BATCH_H

#include <hip/detail/types.h>

/* When a source may be read: in stream order, during the call, or at any time after the call. */
typedef enum hipMemcpySrcAccessOrder {
    hipMemcpySrcAccessOrderInvalid = 0x0,
    hipMemcpySrcAccessOrderStream = 0x1,
    hipMemcpySrcAccessOrderDuringApiCall = 0x2, /* the call waits for the copy */
    hipMemcpySrcAccessOrderAny = 0x3,           /* treated as stream order */
    hipMemcpySrcAccessOrderMax = 0x7FFFFFFF
} hipMemcpySrcAccessOrder;

typedef enum hipMemcpyFlags {
    hipMemcpyFlagDefault = 0x0,
    hipMemcpyFlagPreferOverlapWithCompute = 0x1 /* a hint without effect */
} hipMemcpyFlags;

typedef struct hipMemcpyAttributes {
    hipMemcpySrcAccessOrder srcAccessOrder;
    hipMemLocation srcLocHint; /* ignored, as the next: the addresses determine the direction */
    hipMemLocation dstLocHint;
    unsigned int flags;
} hipMemcpyAttributes;

typedef enum hipMemcpy3DOperandType {
    hipMemcpyOperandTypePointer = 0x1,
    hipMemcpyOperandTypeArray = 0x2,
    hipMemcpyOperandTypeMax = 0x7FFFFFFF
} hipMemcpy3DOperandType;

typedef struct hipOffset3D {
    size_t x;
    size_t y;
    size_t z;
} hipOffset3D;

/* One side of a copy. Lengths of rows count elements of the array on the other side, else bytes. */
typedef struct hipMemcpy3DOperand {
    hipMemcpy3DOperandType type;
    union {
        struct {
            void *ptr;
            size_t rowLength;   /* 0: the width of the extent */
            size_t layerHeight; /* 0: the height of the extent */
            hipMemLocation locHint;
        } ptr;
        struct {
            hipArray_t array;
            hipOffset3D offset;
        } array;
    } op;
} hipMemcpy3DOperand;

typedef struct hipMemcpy3DBatchOp {
    hipMemcpy3DOperand src;
    hipMemcpy3DOperand dst;
    hipExtent extent;
    hipMemcpySrcAccessOrder srcAccessOrder;
    unsigned int flags;
} hipMemcpy3DBatchOp;

HIP_EXTERN_C_BEGIN

/*
 * Copies sizes[i] bytes from srcs[i] to dsts[i], for each i below `count`. attrs[k] applies to the
 * copies from attrsIdxs[k] on; without attributes all copies are in stream order. failIdx may be
 * NULL. It receives the number of the first copy of 0 bytes, which is hipErrorInvalidValue, else
 * SIZE_MAX, also if the call fails. hipErrorInvalidValue also: a list NULL, count 0, attributes
 * whose indices do not rise from 0 to below count, or another order of access;
 * hipErrorInvalidHandle: unknown stream; hipErrorStreamCaptureUnsupported:
 * hipMemcpySrcAccessOrderDuringApiCall in a capture.
 */
HIP_API hipError_t hipMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                                       hipMemcpyAttributes *attrs, size_t *attrsIdxs,
                                       size_t numAttrs, size_t *failIdx,
                                       hipStream_t stream HIP_DEFAULT(NULL));

/*
 * The same for `numOps` boxes, as hipMemcpy3DAsync() copies them. failIdx receives the number of
 * the first copy that is refused, else SIZE_MAX; it may be NULL. hipErrorInvalidValue also: opList
 * NULL, numOps 0, flags not 0, an unknown type of operand.
 */
HIP_API hipError_t hipMemcpy3DBatchAsync(size_t numOps, hipMemcpy3DBatchOp *opList, size_t *failIdx,
                                         unsigned long long flags,
                                         hipStream_t stream HIP_DEFAULT(NULL));

HIP_EXTERN_C_END
#endif
