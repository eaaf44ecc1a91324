/* SPDX-License-Identifier: Apache-2.0 */
/*
<<<<<<< HEAD
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

=======
 * cuda_profiler_api.h - marks for a profiler of the vendor. They have no effect.
 */
#ifndef CUDA_CUDA_PROFILER_API_H
#define CUDA_CUDA_PROFILER_API_H

#include <driver_types.h>

CUDA_EXTERN_C_BEGIN

/* Begin and end the part of the program that is of interest. */
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

CUDA_EXTERN_C_END
>>>>>>> c1
#endif
