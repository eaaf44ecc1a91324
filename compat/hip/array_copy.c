// SPDX-License-Identifier: Apache-2.0
// HIP's copies between arrays and linear memory, and between arrays. The file has no state, so any
// thread may call its functions. See compat/runtime/copy/copy_rows.h.
#include <hip/detail/array_copy.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy/copy_rows.h"

// ---- two dimensions

TN_HIP_ROW(hipMemcpy2DArrayToArray, tn_rt_rows_between, hipArray_t, dst, size_t, wOffsetDst, size_t,
           hOffsetDst, hipArray_const_t, src, size_t, wOffsetSrc, size_t, hOffsetSrc, size_t, width,
           size_t, height, hipMemcpyKind, kind)

// ---- one row

TN_HIP_ROW(hipMemcpyHtoA, tn_rt_row_to, hipArray_t, dstArray, size_t, dstOffset, const void *,
           srcHost, size_t, count)
TN_HIP_ROW(hipMemcpyDtoA, tn_rt_row_to, hipArray_t, dstArray, size_t, dstOffset, hipDeviceptr_t,
           srcDevice, size_t, ByteCount)
TN_HIP_ROW(hipMemcpyAtoH, tn_rt_row_from, void *, dst, hipArray_t, srcArray, size_t, srcOffset,
           size_t, count)
TN_HIP_ROW(hipMemcpyAtoD, tn_rt_row_from, hipDeviceptr_t, dstDevice, hipArray_t, srcArray, size_t,
           srcOffset, size_t, ByteCount)
TN_HIP_ROW(hipMemcpyAtoA, tn_rt_row_between, hipArray_t, dstArray, size_t, dstOffset, hipArray_t,
           srcArray, size_t, srcOffset, size_t, ByteCount)
TN_HIP_ROW(hipMemcpyHtoAAsync, tn_rt_row_to_async, hipArray_t, dstArray, size_t, dstOffset,
           const void *, srcHost, size_t, ByteCount, hipStream_t, stream)
TN_HIP_ROW(hipMemcpyAtoHAsync, tn_rt_row_from_async, void *, dstHost, hipArray_t, srcArray, size_t,
           srcOffset, size_t, ByteCount, hipStream_t, stream)

// ---- a run of elements, which continues in the next row

TN_HIP_ROW(hipMemcpyToArray,
           TN_FACE_AS(tn_rt_copy_elements(dst, wOffset, hOffset, src, count, kind, true, NULL)),
           hipArray_t, dst, size_t, wOffset, size_t, hOffset, const void *, src, size_t, count,
           hipMemcpyKind, kind)
TN_HIP_SPT_ROW(hipMemcpyFromArray, hipMemcpyFromArray_spt,
               TN_FACE_AS(tn_rt_copy_elements(srcArray, wOffset, hOffset, dst, count, kind, false,
                                              NULL)),
               void *, dst, hipArray_const_t, srcArray, size_t, wOffset, size_t, hOffset, size_t,
               count, hipMemcpyKind, kind)
