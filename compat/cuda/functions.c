// SPDX-License-Identifier: Apache-2.0
// CUDA's functions that HIP has under the same names. See compat/runtime/functions.h.
#include "compat/cuda/face.h"
#include "compat/cuda/graph_node.h"

#define TN_RT_EXTENTS                   dim3
#define API(name)                       cuda##name
#define CONTEXT                         CUcontext
#define SPOT                            TN_CU_SPOT
#define ROW(name, work, ...)            TN_CUDART(cuda##name, work, __VA_ARGS__)
#define DIRECT_ROW(name, work, ...)     TN_CUDART_DIRECT(cuda##name, work, __VA_ARGS__)
#define STREAM_ROW(name, work, ...)     TN_CUDART_STREAM(cuda##name, work, __VA_ARGS__)
#define ASYNC_ROW(name, work, ...)      TN_CUDART_STREAM(cuda##name, work, __VA_ARGS__)
#define UNCAPTURED_ROW(name, work, ...) TN_CUDART_UNCAPTURED(cuda##name, work, __VA_ARGS__)
#define DRIVER_ROW(name, work, ...)     TN_CU_BARE(cu##name, work, __VA_ARGS__)
#define BARE_ROW(name, work, ...)                                                                  \
    TN_CU_BARE(cu##name, work, __VA_ARGS__) TN_CUDART_BARE(cuda##name, work, __VA_ARGS__)
#define BOTH_ROW(name, work, ...)        TN_CU_BOTH_BARE(name, work, __VA_ARGS__)
#define CONTEXT_ROW(name, work, ...)     TN_CU_BOTH(name, work, __VA_ARGS__)
#define SETTING_ROW(name, work, ...)     TN_CU_BOTH_BARE(name, work, __VA_ARGS__)
#define BOTH_STREAM_ROW(name, work, ...) TN_CU_BOTH_STREAM(name, work, __VA_ARGS__)
#define WAITING_ROW(name, work, ...)     TN_CU_BOTH_STREAM(name, work, __VA_ARGS__)

#include "compat/runtime/functions.h"
