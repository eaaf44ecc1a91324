// SPDX-License-Identifier: Apache-2.0
// The macros under the rows of face.h: public functions that are made of a name, the work and the
// types of the parameters.
#pragma once

#include "compat/face/row.h"
#include "compat/runtime/stream/order.h"

// Rows pass enums of CUDA as the runtime's ints. Of clang's warnings, this one is about enums too.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wsign-conversion"
#endif

#define TN_CUDA_API __attribute__((visibility("default")))

#define TN_CUDART_NAME(name)   TN_CUDART_PASTED(name)
#define TN_CUDART_PASTED(name) tn_cudart_##name

// The name by which programs know the function that uses it.
#define TN_CUDART_CALLER (&__func__[sizeof "tn_cudart_" - 1])

// The other definition has the type that the header declares.
#define TN_CUDART_IS_DECLARED(name, own)                                                           \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), __typeof__(own)),                \
                   "the function has the type that the header declares")

#define TN_CU_ROW(call, name, work, ...) TN_FACE_TYPED_ROW(CUresult, call, name, work, __VA_ARGS__)

#define TN_CUDART_ROW(call, name, work, ...)                                                       \
    TN_CUDART_ROW_AS(call, name, TN_CUDART_NAME(name), work, __VA_ARGS__)
#define TN_CUDART_ROW_AS(call, name, own, work, ...)                                               \
    TN_CUDA_API cudaError_t own(TN_FACE_TYPED_PARAMETERS(__VA_ARGS__));                            \
    TN_CUDART_IS_DECLARED(name, own);                                                              \
    TN_FACE_TYPED_ROW(cudaError_t, call, own, work, __VA_ARGS__)

#define TN_CUDART_HEAD(call, name, own, ...)                                                       \
    TN_CUDA_API cudaError_t own(TN_FACE_PAIRS(TN_FACE_DECLARED, __VA_ARGS__));                     \
    TN_CUDART_IS_DECLARED(name, own);                                                              \
    TN_FACE_FUNCTION(cudaError_t, tn_rt_error, call, own, __VA_ARGS__)

// The head of a function that needs no frame, such as one that returns no error.
#define TN_CUDART_PLAIN(type, name, ...)                                                           \
    TN_CUDART_PLAIN_AS(type, name, TN_CUDART_NAME(name), __VA_ARGS__)
#define TN_CUDART_PLAIN_AS(type, name, own, ...)                                                   \
    TN_CUDA_API type own(TN_FACE_PAIRS(TN_FACE_DECLARED, __VA_ARGS__));                            \
    TN_CUDART_IS_DECLARED(name, own);                                                              \
    type own(TN_FACE_PAIRS(TN_FACE_DECLARED, __VA_ARGS__))

// The second form of a function, for which NULL is the stream of the calling thread.
#define TN_CU_TWIN(type, name, ending, ...) TN_CU_TWIN_AS(type, name, ending, __VA_ARGS__)
#define TN_CU_TWIN_AS(type, name, ending, ...)                                                     \
    TN_CUDA_API type name##ending(TN_FACE_TYPED_PARAMETERS(__VA_ARGS__));                          \
    type name##ending(TN_FACE_TYPED_PARAMETERS(__VA_ARGS__)) {                                     \
        TN_RT_OF_THREAD;                                                                           \
        return name(TN_FACE_TYPED_ARGUMENTS(__VA_ARGS__));                                         \
    }
