// SPDX-License-Identifier: Apache-2.0
// Fills. See compat/runtime/copy/copy_rows.h.
#include "compat/runtime/copy/copy_rows.h"

#include "compat/cuda/face.h"

// ---- one row: elements of a width, by the driver; bytes, by the runtime API

// Rows of `width` elements.
static tn_rt_error fill_rows(void *dst, size_t pitch, uint32_t value, unsigned element,
                             size_t width, size_t height, void *stream, enum tn_rt_copy_call call) {
    size_t bytes = 0;
    TN_RT_REFUSE(__builtin_mul_overflow(width, element, &bytes), TN_RT_INVALID_VALUE,
                 "rows of %zu elements", width);
    return tn_rt_fill_2d(dst, pitch, value, element, bytes, height, stream, call);
}

TN_RT_ROW_FILL(fill_2d_8, 1, fill_rows)
TN_RT_ROW_FILL(fill_2d_16, 2, fill_rows)
TN_RT_ROW_FILL(fill_2d_32, 4, fill_rows)

TN_CUDART_PAIR(cudaMemset2D, cudaMemset2D_ptds, cudaMemset2DAsync, cudaMemset2DAsync_ptsz,
               fill_2d_8, TN_RT_COPY_SYNC, void *, address, size_t, pitch, int, value, size_t,
               width, size_t, height)

TN_CU_PAIR(cuMemsetD8_v2, cuMemsetD8_v2_ptds, cuMemsetD8Async, cuMemsetD8Async_ptsz, tn_rt_fill_8,
           TN_RT_COPY_SYNC, CUdeviceptr, address, unsigned char, value, size_t, count)
TN_CU_PAIR(cuMemsetD2D8_v2, cuMemsetD2D8_v2_ptds, cuMemsetD2D8Async, cuMemsetD2D8Async_ptsz,
           fill_2d_8, TN_RT_COPY_SYNC, CUdeviceptr, address, size_t, pitch, unsigned char, value,
           size_t, width, size_t, height)
TN_CU_PAIR(cuMemsetD16_v2, cuMemsetD16_v2_ptds, cuMemsetD16Async, cuMemsetD16Async_ptsz,
           tn_rt_fill_16, TN_RT_COPY_SYNC, CUdeviceptr, address, unsigned short, value, size_t,
           count)
TN_CU_PAIR(cuMemsetD2D16_v2, cuMemsetD2D16_v2_ptds, cuMemsetD2D16Async, cuMemsetD2D16Async_ptsz,
           fill_2d_16, TN_RT_COPY_SYNC, CUdeviceptr, address, size_t, pitch, unsigned short, value,
           size_t, width, size_t, height)
TN_CU_PAIR(cuMemsetD32_v2, cuMemsetD32_v2_ptds, cuMemsetD32Async, cuMemsetD32Async_ptsz,
           tn_rt_fill_32, TN_RT_COPY_SYNC, CUdeviceptr, address, unsigned int, value, size_t, count)
TN_CU_PAIR(cuMemsetD2D32_v2, cuMemsetD2D32_v2_ptds, cuMemsetD2D32Async, cuMemsetD2D32Async_ptsz,
           fill_2d_32, TN_RT_COPY_SYNC, CUdeviceptr, address, size_t, pitch, unsigned int, value,
           size_t, width, size_t, height)
