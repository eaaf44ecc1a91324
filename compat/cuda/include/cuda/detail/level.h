/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/level.h - the release whose names the headers declare, and linkage, for all other
 * CUDA headers.
 *
 * These headers need a plain C99 or C++11 compiler and no device compiler. Sizes are bytes unless
 * stated otherwise. Every function may be called from any thread.
 *
 * TARN_CUDA_LEVEL is 13, the default, or 12. It selects the names and layouts of release 13.0 or
 * 12.9. A program of level 12 needs libcudart.so.12.
 *
 * CUDA_API_PER_THREAD_DEFAULT_STREAM makes stream 0 mean the calling thread's own stream: each
 * function with such a meaning is called by its second name, which ends with _ptsz or _ptds.
 */
#ifndef CUDA_DETAIL_LEVEL_H
#define CUDA_DETAIL_LEVEL_H

#include <stddef.h>
#include <stdint.h>

#ifndef TARN_CUDA_LEVEL
#define TARN_CUDA_LEVEL 13
#endif

/* The name of a function or the members of a struct that differ between the levels. */
#if TARN_CUDA_LEVEL == 12
#define CUDA_RELEASE_          12090
#define CUDA_13_(name, suffix) name##suffix
#define CUDA_ONLY_12_(members) members
#define CUDA_ONLY_13_(members)
#elif TARN_CUDA_LEVEL == 13
#define CUDA_RELEASE_          13000
#define CUDA_13_(name, suffix) name
#define CUDA_ONLY_12_(members)
#define CUDA_ONLY_13_(members) members
#else
#error "TARN_CUDA_LEVEL is neither 12 nor 13"
#endif

#ifdef __cplusplus
#define CUDA_EXTERN_C_BEGIN extern "C" {
#define CUDA_EXTERN_C_END   }
#else
#define CUDA_EXTERN_C_BEGIN
#define CUDA_EXTERN_C_END
#endif

#define CUDAAPI
#define CUDA_CB
#define CUDARTAPI
#define CUDART_CB

/* One enumerator under its names in the runtime API and in the driver API. */
#define CUDA_BOTH_(runtime, driver, value) runtime = value, driver = value

#endif
