// SPDX-License-Identifier: Apache-2.0
// hipMemset() and similar functions. See compat/runtime/copy/copy_rows.h.
#include <hip/detail/fill.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy/copy_rows.h"

// ---- one row

TN_HIP_PAIR(hipMemsetD8, hipMemsetD8Async, tn_rt_fill_8, TN_RT_COPY_SYNC, hipDeviceptr_t, dest,
            unsigned char, value, size_t, count)
TN_HIP_PAIR(hipMemsetD16, hipMemsetD16Async, tn_rt_fill_16, TN_RT_COPY_SYNC, hipDeviceptr_t, dest,
            unsigned short, value, size_t, count)
TN_HIP_PAIR(hipMemsetD32, hipMemsetD32Async, tn_rt_fill_32, TN_RT_COPY_SYNC, hipDeviceptr_t, dest,
            int, value, size_t, count)

// ---- rows, whose width HIP counts in bytes for elements of any size

TN_RT_ROW_FILL(fill_2d_8, 1, tn_rt_fill_2d)
TN_RT_ROW_FILL(fill_2d_16, 2, tn_rt_fill_2d)
TN_RT_ROW_FILL(fill_2d_32, 4, tn_rt_fill_2d)

TN_HIP_SPT_PAIR(hipMemset2D, hipMemset2D_spt, hipMemset2DAsync, hipMemset2DAsync_spt, fill_2d_8,
                TN_RT_COPY_SYNC, void *, dst, size_t, pitch, int, value, size_t, width, size_t,
                height)
TN_HIP_PAIR(hipMemsetD2D8, hipMemsetD2D8Async, fill_2d_8, TN_RT_COPY_SYNC, hipDeviceptr_t, dst,
            size_t, dstPitch, unsigned char, value, size_t, width, size_t, height)
TN_HIP_PAIR(hipMemsetD2D16, hipMemsetD2D16Async, fill_2d_16, TN_RT_COPY_SYNC, hipDeviceptr_t, dst,
            size_t, dstPitch, unsigned short, value, size_t, width, size_t, height)
TN_HIP_PAIR(hipMemsetD2D32, hipMemsetD2D32Async, fill_2d_32, TN_RT_COPY_SYNC, hipDeviceptr_t, dst,
            size_t, dstPitch, unsigned int, value, size_t, width, size_t, height)
