/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_profiler_api.h - marks for a profiler of the vendor. They have no effect.
 */
#ifndef CUDA_PROFILER_API_H
#define CUDA_PROFILER_API_H

#include <driver_types.h>

CUDA_EXTERN_C_BEGIN

/* Begin and end the part of the program that is of interest. */
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

CUDA_EXTERN_C_END
#endif
