// SPDX-License-Identifier: Apache-2.0
// HIP's copies between arrays and linear memory, and between arrays. The file has no state, so any
// thread may call its functions. See compat/runtime/copy_rows.h.
#include <hip/detail/array_copy.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy_rows.h"

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

static tn_rt_error elements_to(hipArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
                               int kind) {
    return tn_rt_copy_elements(dst, x, y, src, bytes, kind, true, NULL);
}

static tn_rt_error elements_from(void *dst, hipArray_const_t src, size_t x, size_t y, size_t bytes,
                                 int kind) {
    return tn_rt_copy_elements(src, x, y, dst, bytes, kind, false, NULL);
}

TN_HIP_ROW(hipMemcpyToArray, elements_to, hipArray_t, size_t, size_t, const void *, size_t,
           hipMemcpyKind)
TN_HIP_SPT_ROW(hipMemcpyFromArray, elements_from, void *, hipArray_const_t, size_t, size_t, size_t,
               hipMemcpyKind)
