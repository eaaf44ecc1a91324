// SPDX-License-Identifier: Apache-2.0
// hipMemset() and similar functions. See compat/runtime/copy/copy_rows.h.
#include <hip/detail/fill.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy/copy_rows.h"

// ---- one row

TN_HIP_PAIR(hipMemsetD8, tn_rt_fill_8, TN_RT_COPY_SYNC, hipDeviceptr_t, unsigned char, size_t)
TN_HIP_PAIR(hipMemsetD16, tn_rt_fill_16, TN_RT_COPY_SYNC, hipDeviceptr_t, unsigned short, size_t)
TN_HIP_PAIR(hipMemsetD32, tn_rt_fill_32, TN_RT_COPY_SYNC, hipDeviceptr_t, int, size_t)

// ---- rows, whose width HIP counts in bytes for elements of any size

TN_RT_ROW_FILL(fill_2d_8, 1, tn_rt_fill_2d)
TN_RT_ROW_FILL(fill_2d_16, 2, tn_rt_fill_2d)
TN_RT_ROW_FILL(fill_2d_32, 4, tn_rt_fill_2d)

TN_HIP_SPT_PAIR(hipMemset2D, fill_2d_8, TN_RT_COPY_SYNC, void *, size_t, int, size_t, size_t)
TN_HIP_PAIR(hipMemsetD2D8, fill_2d_8, TN_RT_COPY_SYNC, hipDeviceptr_t, size_t, unsigned char,
            size_t, size_t)
TN_HIP_PAIR(hipMemsetD2D16, fill_2d_16, TN_RT_COPY_SYNC, hipDeviceptr_t, size_t, unsigned short,
            size_t, size_t)
TN_HIP_PAIR(hipMemsetD2D32, fill_2d_32, TN_RT_COPY_SYNC, hipDeviceptr_t, size_t, unsigned int,
            size_t, size_t)
