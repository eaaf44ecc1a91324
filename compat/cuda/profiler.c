// SPDX-License-Identifier: Apache-2.0
// Controls of the vendor's profiler, which is not there: they have no effect.
#include "compat/cuda/face.h"

#pragma GCC visibility push(default)
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>
#pragma GCC visibility pop

static tn_rt_error do_nothing(void) { return TN_RT_OK; }

CUresult cuProfilerStart(void) { return TN_CU_CALL(do_nothing()); }
CUresult cuProfilerStop(void) { return TN_CU_CALL(do_nothing()); }
TN_CUDART_PLAIN(cudaError_t, cudaProfilerStart, void, ) { return TN_CUDART_CALL(do_nothing()); }
TN_CUDART_PLAIN(cudaError_t, cudaProfilerStop, void, ) { return TN_CUDART_CALL(do_nothing()); }
