// SPDX-License-Identifier: Apache-2.0
// The frames of CUDA's public functions, and the policy by which the runtime works for CUDA.
//
// The library exports driver functions by their names, and those of the runtime API as
// tn_cudart_cudaNAME: the libraries libcudart.so.12 and .13 jump to them, so that all of them share
// one state.
//
// Most functions are rows: a name, the function that does the work, and the type and name of each
// parameter. The work takes the parameters as they are.
//
//     TN_CUDART(cudaMemPoolTrimTo, tn_rt_pool_trim, cudaMemPool_t, pool, size_t, keep)
//
// A function with work of its own has a head, with types and names, and a body that returns an
// error of the runtime:
//
//     TN_CUDART_FUNCTION(cudaGetDevice, int *, device) { ... return TN_RT_OK; }
//
// A row spells the name of the symbol, such as cuMemAlloc_v2. The headers turn cuMemAlloc into it.
#pragma once

// The libraries export every function that the headers declare. Programs see addresses and handles of
// memory as numbers; in these sources they are pointers.
#define TN_CUDA_SOURCES
#pragma GCC visibility push(default)
#include <cuda.h>
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#include "compat/cuda/row.h"
#include "compat/runtime/device/device.h"
#include "compat/runtime/stream/order.h"

// ---- what a call needs before its work; see compat/face/call.h

// tn_cu: cuInit() and a current context. tn_cu_bare: cuInit(). tn_cu_free: cuInit(), and a context
// that is current must live. tn_cudart: nothing, because it
// initialises itself and adopts the primary context of the thread's device. tn_cudart_bare: the
// same without a context.
bool tn_cu_ready(void);
bool tn_cu_bare_ready(void);
bool tn_cu_free_ready(void);
bool tn_cudart_ready(void);
bool tn_cudart_bare_ready(void);
tn_rt_error tn_cu_refusal(void);
#define tn_cu_bare_refusal     tn_cu_refusal
#define tn_cu_free_refusal     tn_cu_refusal
#define tn_cudart_refusal      tn_cu_refusal
#define tn_cudart_bare_refusal tn_cu_refusal

tn_rt_error tn_cu_inject(const char *function);
#define tn_cu_bare_inject tn_cu_inject
#define tn_cu_free_inject tn_cu_inject
tn_rt_error tn_cudart_inject(const char *function);
#define tn_cudart_bare_inject tn_cudart_inject

// The driver has no numbers for no kernel, and for rows that overlap, which the runtime has.
static inline tn_rt_error tn_cu_number(tn_rt_error error) {
    return error == TN_RT_INVALID_DEVICE_FUNCTION ? TN_RT_INVALID_HANDLE
           : error == TN_RT_INVALID_PITCH         ? TN_RT_INVALID_VALUE
                                                  : error;
}

// A function of the driver keeps no last error.
static inline CUresult tn_cu_leave(tn_rt_error error, const char *function) {
    return (CUresult)tn_rt_log(tn_cu_number(error), function);
}
#define tn_cu_bare_leave tn_cu_leave
#define tn_cu_free_leave tn_cu_leave
static inline cudaError_t tn_cudart_leave(tn_rt_error error, const char *function) {
    return (cudaError_t)tn_rt_leave(error, function);
}
#define tn_cudart_bare_leave tn_cudart_leave

// Opens the devices and lets the functions of the driver work. NO_DEVICE; NOT_INITIALIZED: in a
// child of fork().
tn_rt_error tn_cu_initialize(void);

// The number of devices of this process or, in a child of fork(), of its parent. 0: not initialised.
extern _Atomic(int) tn_cu_device_count;

// Sets the policy. The second function also returns the version of the driver, as CUDA writes it. Both
// may be called while no device is open.
void tn_cu_set_policy(void);
int tn_cu_version(void);

// The types of handles of physical memory and of pools. INVALID_VALUE: one that other systems have.
tn_rt_error tn_cu_check_handle_types(unsigned types);

// Refuses the legacy stream, in which lists of copies, prefetches and discards cannot run: INVALID_VALUE.
tn_rt_error tn_cu_check_list_stream(const void *stream);

// ---- frames

#define TN_CU_CALL(work)          TN_FACE_CALL(tn_cu, work)
#define TN_CU_BARE_CALL(work)     TN_FACE_CALL(tn_cu_bare, work)
#define TN_CUDART_CALL(work)      TN_FACE_CALL(tn_cudart, work)
#define TN_CUDART_BARE_CALL(work) TN_FACE_CALL(tn_cudart_bare, work)

// Of functions that allocate or free, and others that a capture, or a function in stream order,
// forbids.
#define TN_CU_ALLOWED(work)                                                                        \
    __extension__(tn_rt_function_check()                                                           \
                      ?: tn_rt_capture_allows() != TN_RT_OK ? TN_RT_CAPTURE_UNSUPPORTED            \
                                                            : (work))
#define TN_CU_UNCAPTURED_CALL(work)     TN_CU_CALL(TN_CU_ALLOWED(work))
#define TN_CU_FREE_CALL(work)           TN_FACE_CALL(tn_cu_free, TN_CU_ALLOWED(work))
#define TN_CUDART_UNCAPTURED_CALL(work) TN_CUDART_CALL(TN_CU_ALLOWED(work))

// ---- rows

#define TN_CU(name, work, ...)            TN_CU_ROW(TN_CU_CALL, name, work, __VA_ARGS__)
#define TN_CU_BARE(name, work, ...)       TN_CU_ROW(TN_CU_BARE_CALL, name, work, __VA_ARGS__)
#define TN_CU_UNCAPTURED(name, work, ...) TN_CU_ROW(TN_CU_UNCAPTURED_CALL, name, work, __VA_ARGS__)
// A block knows its context, so a free needs no current one: programs free memory at their end.
#define TN_CU_FREE(name, work, ...)     TN_CU_ROW(TN_CU_FREE_CALL, name, work, __VA_ARGS__)
#define TN_CUDART(name, work, ...)      TN_CUDART_ROW(TN_CUDART_CALL, name, work, __VA_ARGS__)
#define TN_CUDART_BARE(name, work, ...) TN_CUDART_ROW(TN_CUDART_BARE_CALL, name, work, __VA_ARGS__)
#define TN_CUDART_UNCAPTURED(name, work, ...)                                                      \
    TN_CUDART_ROW(TN_CUDART_UNCAPTURED_CALL, name, work, __VA_ARGS__)

// Functions of the driver and of the runtime API, of the same work and types.
#define TN_CU_BOTH(cu, cuda, work, ...)                                                            \
    TN_CU(cu, work, __VA_ARGS__) TN_CUDART(cuda, work, __VA_ARGS__)
#define TN_CU_BOTH_BARE(cu, cuda, work, ...)                                                       \
    TN_CU_BARE(cu, work, __VA_ARGS__) TN_CUDART(cuda, work, __VA_ARGS__)

// Rows of functions that have a second form for programs whose NULL stream is that of the calling
// thread. Its name ends in _ptsz, or in _ptds if the function takes no stream.
#define TN_CU_STREAM(name, twin, work, ...)                                                        \
    TN_CU(name, work, __VA_ARGS__) TN_CU_TWIN(name, twin, __VA_ARGS__)
#define TN_CUDART_STREAM(name, twin, work, ...)                                                    \
    TN_CUDART(name, work, __VA_ARGS__) TN_CUDART_TWIN(name, twin, __VA_ARGS__)
#define TN_CU_BOTH_STREAM(cu, cu_twin, cuda, cuda_twin, work, ...)                                 \
    TN_CU_STREAM(cu, cu_twin, work, __VA_ARGS__)                                                   \
    TN_CUDART_STREAM(cuda, cuda_twin, work, __VA_ARGS__)

// Rows of two functions of one work: the first returns by the rule `sync`, the second has a stream,
// see compat/runtime/copy/copy_rows.h.
#define TN_CU_PAIR(name, twin, async, async_twin, work, sync, ...)                                 \
    TN_CU_STREAM(name, twin, TN_RT_SYNC(work, sync, __VA_ARGS__), __VA_ARGS__)                     \
    TN_CU_STREAM(async, async_twin, TN_RT_ASYNC(work, __VA_ARGS__), __VA_ARGS__, CUstream, stream)
#define TN_CUDART_PAIR(name, twin, async, async_twin, work, sync, ...)                             \
    TN_CUDART_STREAM(name, twin, TN_RT_SYNC(work, sync, __VA_ARGS__), __VA_ARGS__)                 \
    TN_CUDART_STREAM(async, async_twin, TN_RT_ASYNC(work, __VA_ARGS__), __VA_ARGS__, cudaStream_t, \
                     stream)

// ---- heads

#define TN_CU_FUNCTION(name, ...)                                                                  \
    TN_FACE_FUNCTION(CUresult, tn_rt_error, TN_CU_CALL, name, __VA_ARGS__)
#define TN_CU_BARE_FUNCTION(name, ...)                                                             \
    TN_FACE_FUNCTION(CUresult, tn_rt_error, TN_CU_BARE_CALL, name, __VA_ARGS__)
#define TN_CUDART_FUNCTION(name, ...)      TN_CUDART_HEAD(TN_CUDART_CALL, name, __VA_ARGS__)
#define TN_CUDART_BARE_FUNCTION(name, ...) TN_CUDART_HEAD(TN_CUDART_BARE_CALL, name, __VA_ARGS__)
