// SPDX-License-Identifier: Apache-2.0
// The macros under the rows of face.h: public functions that are made of a name, the work, and the type
// and name of each parameter.
#pragma once

#include "compat/face/row.h"
#include "compat/runtime/stream/order.h"

// Rows pass enums of CUDA as the runtime's ints. Of clang's warnings, this one is about enums too.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wsign-conversion"
#endif

#define TN_CUDA_API __attribute__((visibility("default")))

// Declares a function with named parameters, a second time if a header declares it; the compiler then
// compares the types. A function of the runtime API or of NVML is exported by a second symbol with a
// prefix, so that the fronts have a target with another name than their own.
#define TN_CU_DECLARED(type, name, ...) TN_CUDA_API type name(TN_FACE_PARAMETERS(__VA_ARGS__));
#define TN_CUDART_DECLARED(type, name, ...)                                                        \
    TN_CU_DECLARED(type, name, __VA_ARGS__)                                                        \
    TN_CUDA_EXPORTED(name, tn_cudart_##name)
#define TN_CUDA_EXPORTED(name, symbol)                                                             \
    extern __typeof__(name) symbol __attribute__((alias(#name), visibility("default")));

#define TN_CU_ROW(call, name, work, ...)                                                           \
    TN_CU_DECLARED(CUresult, name, __VA_ARGS__)                                                    \
    TN_FACE_ROW(CUresult, call, name, work, __VA_ARGS__)
#define TN_CUDART_ROW(call, name, work, ...)                                                       \
    TN_CUDART_DECLARED(cudaError_t, name, __VA_ARGS__)                                             \
    TN_FACE_ROW(cudaError_t, call, name, work, __VA_ARGS__)

#define TN_CUDART_HEAD(call, name, ...)                                                            \
    TN_CUDART_DECLARED(cudaError_t, name, __VA_ARGS__)                                             \
    TN_FACE_FUNCTION(cudaError_t, tn_rt_error, call, name, __VA_ARGS__)

// The head of a function that needs no frame, such as one that returns no error.
#define TN_CUDART_PLAIN(type, name, ...)                                                           \
    TN_CUDART_DECLARED(type, name, __VA_ARGS__)                                                    \
    type name(TN_FACE_PARAMETERS(__VA_ARGS__))

// The second form of a function, for which NULL is the stream of the calling thread.
#define TN_CU_TWIN(name, twin, ...)                                                                \
    TN_CU_DECLARED(CUresult, twin, __VA_ARGS__)                                                    \
    TN_CU_TWIN_OF(CUresult, name, twin, __VA_ARGS__)
#define TN_CUDART_TWIN(name, twin, ...)                                                            \
    TN_CUDART_DECLARED(cudaError_t, twin, __VA_ARGS__)                                             \
    TN_CU_TWIN_OF(cudaError_t, name, twin, __VA_ARGS__)
#define TN_CU_TWIN_OF(type, name, twin, ...)                                                       \
    type twin(TN_FACE_PARAMETERS(__VA_ARGS__)) {                                                   \
        TN_RT_OF_THREAD;                                                                           \
        return name(TN_FACE_ARGUMENTS(__VA_ARGS__));                                               \
    }

// The form of a function in release 12. Programs know it as `caller`.
#define TN_CUDART_12(name, caller, work, ...)                                                      \
    TN_CUDART_DECLARED(cudaError_t, name, __VA_ARGS__)                                             \
    cudaError_t name(TN_FACE_PARAMETERS(__VA_ARGS__)) {                                            \
        return TN_FACE_CALL_AS(tn_cudart, caller, work(TN_FACE_ARGUMENTS(__VA_ARGS__)));           \
    }
