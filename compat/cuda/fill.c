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

TN_CUDART_PAIR(cudaMemset2D, fill_2d_8, TN_RT_COPY_SYNC, void *, size_t, int, size_t, size_t)

#define DRIVER_FILLS(bits, element)                                                                \
    TN_CU_PAIR(cuMemsetD##bits, tn_rt_fill_##bits, TN_RT_COPY_SYNC, CUdeviceptr, element, size_t)  \
    TN_CU_PAIR(cuMemsetD2D##bits, fill_2d_##bits, TN_RT_COPY_SYNC, CUdeviceptr, size_t, element,   \
               size_t, size_t)

DRIVER_FILLS(8, unsigned char)
DRIVER_FILLS(16, unsigned short)
DRIVER_FILLS(32, unsigned int)
