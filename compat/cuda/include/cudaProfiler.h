/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cudaProfiler.h - marks for a profiler of the vendor. They have no effect.
 */
#ifndef CUDAPROFILER_H
#define CUDAPROFILER_H

#include <cuda.h>

CUDA_EXTERN_C_BEGIN

/* Begin and end the part of the program that is of interest. */
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

CUDA_EXTERN_C_END
#endif
