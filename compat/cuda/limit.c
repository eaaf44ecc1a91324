// SPDX-License-Identifier: Apache-2.0
// Limits of kernels and preferences of a program, which are stored and returned. See
// compat/runtime/device/preference.h.
#include "compat/cuda/face.h"
#include "compat/runtime/context/context.h"
#include "compat/runtime/device/preference.h"

_Static_assert((int)CU_LIMIT_MALLOC_HEAP_SIZE == TN_RT_LIMIT_HEAP &&
                   (int)CU_FUNC_CACHE_PREFER_EQUAL == TN_RT_CACHE_EQUAL &&
                   (int)CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE == TN_RT_BANKS_8 &&
                   cudaDeviceScheduleMask == TN_RT_SCHEDULE_MASK &&
                   cudaDeviceMapHost == TN_RT_MAP_HOST &&
                   cudaDeviceLmemResizeToMax == TN_RT_RESIZE_TO_MAX,
               "preferences have the same numbers");

TN_CU(cuCtxGetLimit, tn_rt_limit_get, size_t *, value, CUlimit, limit)
TN_CUDART(cudaDeviceGetLimit, tn_rt_limit_get, size_t *, value, enum cudaLimit, limit)
TN_CU(cuCtxSetLimit, tn_rt_limit_set, CUlimit, limit, size_t, value)
TN_CUDART(cudaDeviceSetLimit, tn_rt_limit_set, enum cudaLimit, limit, size_t, value)

TN_CU(cuCtxGetCacheConfig, tn_rt_cache_get, CUfunc_cache *, config)
TN_CUDART(cudaDeviceGetCacheConfig, tn_rt_cache_get, enum cudaFuncCache *, config)
TN_CU(cuCtxSetCacheConfig, tn_rt_cache_set, CUfunc_cache, config)
TN_CUDART(cudaDeviceSetCacheConfig, tn_rt_cache_set, enum cudaFuncCache, config)

TN_CU(cuCtxGetSharedMemConfig, tn_rt_banks_get, CUsharedconfig *, config)
TN_CU(cuCtxSetSharedMemConfig, tn_rt_banks_set, CUsharedconfig, config)
TN_CUDART(cudaDeviceSetSharedMemConfig, tn_rt_banks_set, enum cudaSharedMemConfig, config)

TN_CUDART(cudaSetDeviceFlags,
          TN_FACE_EXPRESSION(tn_rt_set_device_flags(tn_rt_current()->ordinal, flags)), unsigned int,
          flags)
