// SPDX-License-Identifier: Apache-2.0
// HIP's functions that CUDA's runtime API has under the same names. See compat/runtime/functions.h.
#include <hip/hip_runtime_api.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_kernel.h"

#define TN_RT_EXTENTS                    dim3
#define API(name)                        hip##name
#define SPOT                             TN_HIP_SPOT
#define ROW(name, work, ...)             TN_HIP_ROW(hip##name, work, __VA_ARGS__)
#define DIRECT_ROW(name, work, ...)      TN_HIP_SPT_ROW(hip##name, work, __VA_ARGS__)
#define STREAM_ROW(name, work, ...)      TN_HIP_SPT_ROW(hip##name, work, __VA_ARGS__)
#define BOTH_ROW(name, work, ...)        TN_HIP_ROW(hip##name, work, __VA_ARGS__)
#define BOTH_STREAM_ROW(name, work, ...) TN_HIP_SPT_ROW(hip##name, work, __VA_ARGS__)
#define WAITING_ROW(name, work, ...)     TN_HIP_ROW(hip##name, work, __VA_ARGS__)

#include "compat/runtime/functions.h"
