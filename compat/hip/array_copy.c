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

TN_HIP_ROW(hipMemcpyHtoA,
           TN_FACE_EXPRESSION(tn_rt_part_to(dstArray, dstOffset, srcHost, count, NULL,
                                            TN_RT_COPY_COMPLETE)),
           hipArray_t, dstArray, size_t, dstOffset, const void *, srcHost, size_t, count)
TN_HIP_ROW(hipMemcpyDtoA,
           TN_FACE_EXPRESSION(tn_rt_part_to(dstArray, dstOffset, srcDevice, ByteCount, NULL,
                                            TN_RT_COPY_COMPLETE)),
           hipArray_t, dstArray, size_t, dstOffset, hipDeviceptr_t, srcDevice, size_t, ByteCount)
TN_HIP_ROW(hipMemcpyAtoH,
           TN_FACE_EXPRESSION(tn_rt_part_from(dst, srcArray, srcOffset, count, NULL,
                                              TN_RT_COPY_COMPLETE)),
           void *, dst, hipArray_t, srcArray, size_t, srcOffset, size_t, count)
TN_HIP_ROW(hipMemcpyAtoD,
           TN_FACE_EXPRESSION(tn_rt_part_from(dstDevice, srcArray, srcOffset, ByteCount, NULL,
                                              TN_RT_COPY_COMPLETE)),
           hipDeviceptr_t, dstDevice, hipArray_t, srcArray, size_t, srcOffset, size_t, ByteCount)
TN_HIP_ROW(hipMemcpyAtoA, tn_rt_row_between, hipArray_t, dstArray, size_t, dstOffset, hipArray_t,
           srcArray, size_t, srcOffset, size_t, ByteCount)
TN_HIP_ROW(hipMemcpyHtoAAsync,
           TN_FACE_EXPRESSION(tn_rt_part_to(dstArray, dstOffset, srcHost, ByteCount, stream,
                                            TN_RT_COPY_ASYNC)),
           hipArray_t, dstArray, size_t, dstOffset, const void *, srcHost, size_t, ByteCount,
           hipStream_t, stream)
TN_HIP_ROW(hipMemcpyAtoHAsync,
           TN_FACE_EXPRESSION(tn_rt_part_from(dstHost, srcArray, srcOffset, ByteCount, stream,
                                              TN_RT_COPY_ASYNC)),
           void *, dstHost, hipArray_t, srcArray, size_t, srcOffset, size_t, ByteCount, hipStream_t,
           stream)

// ---- a run of elements, which continues in the next row

TN_HIP_ROW(hipMemcpyToArray,
           TN_FACE_EXPRESSION(tn_rt_copy_elements(dst, wOffset, hOffset, src, count, kind, true,
                                                  NULL)),
           hipArray_t, dst, size_t, wOffset, size_t, hOffset, const void *, src, size_t, count,
           hipMemcpyKind, kind)
TN_HIP_SPT_ROW(hipMemcpyFromArray, hipMemcpyFromArray_spt,
               TN_FACE_EXPRESSION(tn_rt_copy_elements(srcArray, wOffset, hOffset, dst, count, kind,
                                                      false, NULL)),
               void *, dst, hipArray_const_t, srcArray, size_t, wOffset, size_t, hOffset, size_t,
               count, hipMemcpyKind, kind)
