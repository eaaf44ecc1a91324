/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cudaProfiler.h - when the vendor's profiler records. Tarn has no profiler: the calls succeed and do nothing.
 */
#ifndef CUDA_PROFILER_H
#define CUDA_PROFILER_H

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
