// SPDX-License-Identifier: Apache-2.0
// HIP's functions that CUDA has under the same names. See compat/runtime/functions.h.
#include <stddef.h>

#include <hip/hip_runtime_api.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_kernel.h"
#include "compat/runtime/memory/pool.h"

_Static_assert(sizeof(hipMemPoolProps) == sizeof(struct tn_rt_pool_props) &&
                   offsetof(hipMemPoolProps, maxSize) == offsetof(struct tn_rt_pool_props, limit) &&
                   sizeof(hipMemPoolPtrExportData) == sizeof(struct tn_rt_pool_pointer) &&
                   (int)hipMemPoolReuseFollowEventDependencies == TN_RT_POOL_FOLLOW_EVENTS &&
                   (int)hipMemPoolAttrUsedMemHigh == TN_RT_POOL_USED_HIGH,
               "descriptions and attributes have the same layout and numbers");

#define TN_RT_EXTENTS                    dim3
#define API(name)                        hip##name
#define CONTEXT                          hipCtx_t
#define SPOT                             TN_HIP_SPOT
#define ROW(name, work, ...)             TN_HIP_ROW(hip##name, work, __VA_ARGS__)
#define DIRECT_ROW(name, work, ...)      TN_HIP_SPT_ROW(hip##name, work, __VA_ARGS__)
#define STREAM_ROW(name, work, ...)      TN_HIP_SPT_ROW(hip##name, work, __VA_ARGS__)
#define ASYNC_ROW(name, work, ...)       TN_HIP_ROW(hip##name, work, __VA_ARGS__)
#define UNCAPTURED_ROW(name, work, ...)  TN_HIP_UNCAPTURED_ROW(hip##name, work, __VA_ARGS__)
#define DRIVER_ROW(name, work, ...)      TN_HIP_ROW(hip##name, work, __VA_ARGS__)
#define BARE_ROW(name, work, ...)        TN_HIP_ROW(hip##name, work, __VA_ARGS__)
#define BOTH_ROW(name, work, ...)        TN_HIP_ROW(hip##name, work, __VA_ARGS__)
#define CONTEXT_ROW(name, work, ...)     TN_HIP_ROW(hip##name, work, __VA_ARGS__)
#define SETTING_ROW(name, work, ...)     TN_HIP_UNCAPTURED_SETTING_ROW(hip##name, work, __VA_ARGS__)
#define BOTH_STREAM_ROW(name, work, ...) TN_HIP_SPT_ROW(hip##name, work, __VA_ARGS__)
#define WAITING_ROW(name, work, ...)     TN_HIP_ROW(hip##name, work, __VA_ARGS__)

#include "compat/runtime/functions.h"
