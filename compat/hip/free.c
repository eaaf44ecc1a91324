// SPDX-License-Identifier: Apache-2.0
// HIP's functions that free memory. See compat/runtime/memory.h.
#include <hip/detail/memory.h>
#include <hip/detail/pool.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory.h"

TN_HIP_UNCAPTURED_ROW(hipFree, tn_rt_free, void *)
TN_HIP_UNCAPTURED_ROW(hipHostFree, tn_rt_free, void *)
TN_HIP_UNCAPTURED_ROW(hipFreeHost, tn_rt_free, void *)
TN_HIP_ROW(hipFreeAsync, tn_rt_free_async, void *, hipStream_t)
