// SPDX-License-Identifier: Apache-2.0
// hipMemset() and similar functions. See compat/runtime/copy_rows.h.
#include <hip/detail/fill.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy_rows.h"

// ---- one row

TN_HIP_ROW(hipMemsetD8, tn_rt_fill_8, hipDeviceptr_t, unsigned char, size_t)
TN_HIP_ROW(hipMemsetD16, tn_rt_fill_16, hipDeviceptr_t, unsigned short, size_t)
TN_HIP_ROW(hipMemsetD32, tn_rt_fill_32, hipDeviceptr_t, int, size_t)
TN_HIP_ROW(hipMemsetD8Async, tn_rt_fill_8_async, hipDeviceptr_t, unsigned char, size_t, hipStream_t)
TN_HIP_ROW(hipMemsetD16Async, tn_rt_fill_16_async, hipDeviceptr_t, unsigned short, size_t,
           hipStream_t)
TN_HIP_ROW(hipMemsetD32Async, tn_rt_fill_32_async, hipDeviceptr_t, int, size_t, hipStream_t)

// ---- rows, whose width HIP counts in bytes for elements of any size

TN_RT_ROW_FILLS(fill_2d, int, 1, tn_rt_fill_2d)
TN_RT_ROW_FILLS(fill_2d_8, unsigned char, 1, tn_rt_fill_2d)
TN_RT_ROW_FILLS(fill_2d_16, unsigned short, 2, tn_rt_fill_2d)
TN_RT_ROW_FILLS(fill_2d_32, unsigned, 4, tn_rt_fill_2d)

TN_HIP_SPT_ROW(hipMemset2D, fill_2d, void *, size_t, int, size_t, size_t)
TN_HIP_SPT_ROW(hipMemset2DAsync, fill_2d_async, void *, size_t, int, size_t, size_t, hipStream_t)

#define DRIVER_FILLS(bits, element)                                                                \
    TN_HIP_ROW(hipMemsetD2D##bits, fill_2d_##bits, hipDeviceptr_t, size_t, element, size_t,        \
               size_t)                                                                             \
    TN_HIP_ROW(hipMemsetD2D##bits##Async, fill_2d_##bits##_async, hipDeviceptr_t, size_t, element, \
               size_t, size_t, hipStream_t)

DRIVER_FILLS(8, unsigned char)
DRIVER_FILLS(16, unsigned short)
DRIVER_FILLS(32, unsigned int)

// ---- boxes

static tn_rt_error fill_box(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream,
                            enum tn_rt_fill_call call) {
    const struct tn_rt_fill_box box = {to.ptr,       to.pitch,      to.ysize,
                                       extent.width, extent.height, extent.depth};
    return tn_rt_fill_3d(&box, value, stream, call);
}

static tn_rt_error fill_3d(hipPitchedPtr to, int value, hipExtent extent) {
    return fill_box(to, value, extent, NULL, TN_RT_FILL_SYNC);
}

static tn_rt_error fill_3d_async(hipPitchedPtr to, int value, hipExtent extent,
                                 hipStream_t stream) {
    return fill_box(to, value, extent, stream, TN_RT_FILL_ASYNC);
}

TN_HIP_SPT_ROW(hipMemset3D, fill_3d, hipPitchedPtr, int, hipExtent)
TN_HIP_SPT_ROW(hipMemset3DAsync, fill_3d_async, hipPitchedPtr, int, hipExtent, hipStream_t)
