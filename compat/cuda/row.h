// SPDX-License-Identifier: Apache-2.0
// The macros under the rows of face.h: public functions that are made of a name, the work and the
// types of the parameters.
#pragma once

#include "compat/face/call.h"
#include "compat/runtime/order.h"

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

// The runtime takes enums as int and checks their values. Clang has unsigned enums.
#define TN_CU_ENUMS                                                                                \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"")
#define TN_CU_ENUMS_END _Pragma("GCC diagnostic pop")

#define TN_CU_ROW(call, name, work, ...)                                                           \
    TN_CU_ENUMS                                                                                    \
    CUresult name(TN_CU_DECLARED(__VA_ARGS__)) { return call(work(TN_CU_NAMED(__VA_ARGS__))); }    \
    TN_CU_ENUMS_END

#define TN_CUDART_ROW(call, name, work, ...)                                                       \
    TN_CUDART_ROW_AS(call, name, TN_CUDART_NAME(name), work, __VA_ARGS__)
#define TN_CUDART_ROW_AS(call, name, own, work, ...)                                               \
    TN_CUDA_API cudaError_t own(TN_CU_DECLARED(__VA_ARGS__));                                      \
    TN_CUDART_IS_DECLARED(name, own);                                                              \
    TN_CU_ENUMS                                                                                    \
    cudaError_t own(TN_CU_DECLARED(__VA_ARGS__)) { return call(work(TN_CU_NAMED(__VA_ARGS__))); }  \
    TN_CU_ENUMS_END

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
    TN_CUDA_API type name##ending(TN_CU_DECLARED(__VA_ARGS__));                                    \
    type name##ending(TN_CU_DECLARED(__VA_ARGS__)) {                                               \
        TN_CU_OF_THREAD;                                                                           \
        return name(TN_CU_NAMED(__VA_ARGS__));                                                     \
    }

// While the enclosing block runs, NULL is the stream of the calling thread.
#define TN_CU_OF_THREAD                                                                            \
    __attribute__((cleanup(tn_cu_leave_thread), unused)) bool of_thread_before =                   \
        tn_rt_null_is_of_thread;                                                                   \
    tn_rt_null_is_of_thread = true
static inline void tn_cu_leave_thread(const bool *before) { tn_rt_null_is_of_thread = *before; }

// Parameters a, b, ... of a list of at most eleven types, and their names.
#define TN_CU_DECLARED(...) TN_FACE_PASTE(TN_CU_DECLARED_, TN_CU_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define TN_CU_NAMED(...)    TN_FACE_PASTE(TN_CU_NAMED_, TN_CU_COUNT(__VA_ARGS__))
#define TN_CU_COUNT(...)    TN_CU_12TH(__VA_ARGS__, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

#define TN_CU_12TH(a, b, c, d, e, f, g, h, i, j, k, count, ...) count

#define TN_CU_DECLARED_1(A)                         A a
#define TN_CU_DECLARED_2(A, B)                      A a, B b
#define TN_CU_DECLARED_3(A, B, C)                   A a, B b, C c
#define TN_CU_DECLARED_4(A, B, C, D)                A a, B b, C c, D d
#define TN_CU_DECLARED_5(A, B, C, D, E)             A a, B b, C c, D d, E e
#define TN_CU_DECLARED_6(A, B, C, D, E, F)          A a, B b, C c, D d, E e, F f
#define TN_CU_DECLARED_7(A, B, C, D, E, F, G)       A a, B b, C c, D d, E e, F f, G g
#define TN_CU_DECLARED_8(A, B, C, D, E, F, G, H)    A a, B b, C c, D d, E e, F f, G g, H h
#define TN_CU_DECLARED_9(A, B, C, D, E, F, G, H, I) A a, B b, C c, D d, E e, F f, G g, H h, I i

#define TN_CU_DECLARED_10(A, B, C, D, E, F, G, H, I, J)                                            \
    TN_CU_DECLARED_9(A, B, C, D, E, F, G, H, I), J j
#define TN_CU_DECLARED_11(A, B, C, D, E, F, G, H, I, J, K)                                         \
    TN_CU_DECLARED_10(A, B, C, D, E, F, G, H, I, J), K k

#define TN_CU_NAMED_1  a
#define TN_CU_NAMED_2  a, b
#define TN_CU_NAMED_3  a, b, c
#define TN_CU_NAMED_4  a, b, c, d
#define TN_CU_NAMED_5  a, b, c, d, e
#define TN_CU_NAMED_6  a, b, c, d, e, f
#define TN_CU_NAMED_7  a, b, c, d, e, f, g
#define TN_CU_NAMED_8  a, b, c, d, e, f, g, h
#define TN_CU_NAMED_9  a, b, c, d, e, f, g, h, i
#define TN_CU_NAMED_10 a, b, c, d, e, f, g, h, i, j
#define TN_CU_NAMED_11 a, b, c, d, e, f, g, h, i, j, k
