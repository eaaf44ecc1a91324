/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_profiler_api.h - when the vendor's profiler records. Tarn has no profiler: the calls succeed and do nothing.
 */
#ifndef CUDA_PROFILER_API_H
#define CUDA_PROFILER_API_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
