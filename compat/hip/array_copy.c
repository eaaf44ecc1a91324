// SPDX-License-Identifier: Apache-2.0
// HIP's copies between arrays and linear memory, and between arrays. The file has no state, so any
// thread may call its functions. See compat/runtime/copy/copy_rows.h.
#include <hip/detail/array_copy.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy/copy_rows.h"

// ---- two dimensions

TN_HIP_ROW(hipMemcpy2DArrayToArray, tn_rt_rows_between, hipArray_t, size_t, size_t,
           hipArray_const_t, size_t, size_t, size_t, size_t, hipMemcpyKind)

// ---- one row

TN_HIP_ROW(hipMemcpyHtoA, tn_rt_row_to, hipArray_t, size_t, const void *, size_t)
TN_HIP_ROW(hipMemcpyDtoA, tn_rt_row_to, hipArray_t, size_t, hipDeviceptr_t, size_t)
TN_HIP_ROW(hipMemcpyAtoH, tn_rt_row_from, void *, hipArray_t, size_t, size_t)
TN_HIP_ROW(hipMemcpyAtoD, tn_rt_row_from, hipDeviceptr_t, hipArray_t, size_t, size_t)
TN_HIP_ROW(hipMemcpyAtoA, tn_rt_row_between, hipArray_t, size_t, hipArray_t, size_t, size_t)
TN_HIP_ROW(hipMemcpyHtoAAsync, tn_rt_row_to_async, hipArray_t, size_t, const void *, size_t,
           hipStream_t)
TN_HIP_ROW(hipMemcpyAtoHAsync, tn_rt_row_from_async, void *, hipArray_t, size_t, size_t,
           hipStream_t)

// ---- a run of elements, which continues in the next row

TN_HIP_ROW(hipMemcpyToArray, TN_FACE_AS(tn_rt_copy_elements(a, b, c, d, e, f, true, NULL)),
           hipArray_t, size_t, size_t, const void *, size_t, hipMemcpyKind)
TN_HIP_SPT_ROW(hipMemcpyFromArray, TN_FACE_AS(tn_rt_copy_elements(b, c, d, a, e, f, false, NULL)),
               void *, hipArray_const_t, size_t, size_t, size_t, hipMemcpyKind)
