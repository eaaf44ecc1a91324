/* SPDX-License-Identifier: Apache-2.0 */
/*
<<<<<<< HEAD
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

=======
 * cudaProfiler.h - marks for a profiler of the vendor. They have no effect.
 */
#ifndef CUDA_CUDAPROFILER_H
#define CUDA_CUDAPROFILER_H

#include <cuda.h>

CUDA_EXTERN_C_BEGIN

/* Begin and end the part of the program that is of interest. */
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

CUDA_EXTERN_C_END
>>>>>>> c1
#endif
