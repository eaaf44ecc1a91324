/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/functions.h - the functions of one API, for cuda.h and cuda_runtime_api.h. They
 * define CUDA_PICK_(), which selects the driver or the runtime.
 *
 * Functions that both APIs have are declared once: CUDA_API_(StreamQuery, CUstream stream) is
 * cuStreamQuery() of the driver, and cudaStreamQuery() of the runtime. The types of both are the
 * same, or are one of the macros of cuda/detail/parameters.h.
 */
#ifdef CUDA_PICK_

#define CUDA_RESULT_              CUDA_PICK_(CUresult, cudaError_t)
#define CUDA_NAME_(name)          CUDA_PICK_(cu##name, cuda##name)
#define CUDA_API_(name, ...)      CUDA_RESULT_ CUDA_NAME_(name)(__VA_ARGS__)
#define CUDA_API_PTDS_(name, ...) CUDA_PTDS_(CUDA_NAME_(name), __VA_ARGS__)
#define CUDA_API_PTSZ_(name, ...) CUDA_PTSZ_(CUDA_NAME_(name), __VA_ARGS__)

/* Functions with a second symbol, to which the calls of programs with streams of threads go. */
#define CUDA_PTDS_(name, ...) CUDA_RENAMED_(name, _ptds, __VA_ARGS__)
#define CUDA_PTSZ_(name, ...) CUDA_RENAMED_(name, _ptsz, __VA_ARGS__)
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define CUDA_RENAMED_(name, form, ...)                                                             \
    CUDA_PRAGMA_(redefine_extname name name##form) CUDA_RESULT_ name(__VA_ARGS__)
#define CUDA_PRAGMA_(text) _Pragma(#text)
#else
#define CUDA_RENAMED_(name, form, ...) CUDA_RESULT_ name(__VA_ARGS__)
#endif

/* The default of a parameter, in C++ and in the runtime only. */
#ifdef __cplusplus
#define CUDA_DEFAULT_(value) CUDA_PICK_(, = value)
#else
#define CUDA_DEFAULT_(value)
#endif

#define CUDA_STREAM_ CUstream stream CUDA_DEFAULT_(0)

CUDA_EXTERN_C_BEGIN

#include <cuda/detail/copy.h>
#include <cuda/detail/device.h>
#include <cuda/detail/graph.h>
#include <cuda/detail/kernel.h>
#include <cuda/detail/memory.h>
#include <cuda/detail/pool.h>
#include <cuda/detail/stream.h>
#include <cuda/detail/vmm.h>

CUDA_EXTERN_C_END

#undef CUDA_PICK_
#endif
