// SPDX-License-Identifier: Apache-2.0
// Fills. See compat/runtime/copy_rows.h.
#include "compat/runtime/copy_rows.h"

#include "compat/cuda/face.h"

// ---- one row: elements of a width, by the driver; bytes, by the runtime API

// Rows of `width` elements.
static tn_rt_error fill_rows(void *dst, size_t pitch, uint32_t value, unsigned element,
                             size_t width, size_t height, void *stream, enum tn_rt_fill_call call) {
    size_t bytes = 0;
    TN_RT_REFUSE(__builtin_mul_overflow(width, element, &bytes), TN_RT_INVALID_VALUE,
                 "rows of %zu elements", width);
    return tn_rt_fill_2d(dst, pitch, value, element, bytes, height, stream, call);
}

TN_RT_ROW_FILLS(fill_2d, int, 1, fill_rows)
TN_RT_ROW_FILLS(fill_2d_8, unsigned char, 1, fill_rows)
TN_RT_ROW_FILLS(fill_2d_16, unsigned short, 2, fill_rows)
TN_RT_ROW_FILLS(fill_2d_32, unsigned, 4, fill_rows)

TN_CUDART_DIRECT(cudaMemset2D, fill_2d, void *, size_t, int, size_t, size_t)
TN_CUDART_STREAM(cudaMemset2DAsync, fill_2d_async, void *, size_t, int, size_t, size_t,
                 cudaStream_t)

#define DRIVER_FILLS(bits, element)                                                                \
    TN_CU_DIRECT(cuMemsetD##bits, tn_rt_fill_##bits, CUdeviceptr, element, size_t)                 \
    TN_CU_STREAM(cuMemsetD##bits##Async, tn_rt_fill_##bits##_async, CUdeviceptr, element, size_t,  \
                 CUstream)                                                                         \
    TN_CU_DIRECT(cuMemsetD2D##bits, fill_2d_##bits, CUdeviceptr, size_t, element, size_t, size_t)  \
    TN_CU_STREAM(cuMemsetD2D##bits##Async, fill_2d_##bits##_async, CUdeviceptr, size_t, element,   \
                 size_t, size_t, CUstream)

DRIVER_FILLS(8, unsigned char)
DRIVER_FILLS(16, unsigned short)
DRIVER_FILLS(32, unsigned int)

// ---- boxes

static tn_rt_error fill_box(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                            void *stream, enum tn_rt_fill_call call) {
    const struct tn_rt_fill_box box = {to.ptr,       to.pitch,      to.ysize,
                                       extent.width, extent.height, extent.depth};
    return tn_rt_fill_3d(&box, value, stream, call);
}

static tn_rt_error fill_3d(struct cudaPitchedPtr to, int value, struct cudaExtent extent) {
    return fill_box(to, value, extent, NULL, TN_RT_FILL_SYNC);
}

static tn_rt_error fill_3d_async(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                                 void *stream) {
    return fill_box(to, value, extent, stream, TN_RT_FILL_ASYNC);
}

TN_CUDART_DIRECT(cudaMemset3D, fill_3d, struct cudaPitchedPtr, int, struct cudaExtent)
TN_CUDART_STREAM(cudaMemset3DAsync, fill_3d_async, struct cudaPitchedPtr, int, struct cudaExtent,
                 cudaStream_t)
