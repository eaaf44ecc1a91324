// SPDX-License-Identifier: Apache-2.0
// Rows: public functions that are made of a name, the function that does the work, and the type and
// name of each parameter. The work takes the parameters as they are.
#pragma once

#include "compat/face/call.h"

// Rows pass enums as the ints of the work, which checks their values. Clang has unsigned enums. A
// row may leave out parameters that have no effect.
#define TN_FACE_ROW(error_type, call, name, work, ...)                                             \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"")         \
        _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") error_type                        \
        name(TN_FACE_PARAMETERS(__VA_ARGS__)) {                                                    \
        TN_FACE_GIVEN(TN_FACE_WORDS(__VA_ARGS__))                                                  \
        return call(work(TN_FACE_ARGUMENTS(__VA_ARGS__)));                                         \
    }                                                                                              \
    _Pragma("GCC diagnostic pop")

// The work of a row that passes on other arguments than its parameters: an expression.
//
//     TN_HIP_ROW(hipEventCreate, TN_FACE_AS(create_event(event, hipEventDefault)), hipEvent_t *, event)
#define TN_FACE_AS(...) (__VA_ARGS__) TN_FACE_NOTHING
#define TN_FACE_NOTHING(...)

// ---- rows without the names of the parameters, which are a, b, and so on

#define TN_FACE_TYPED_ROW(error_type, call, name, work, ...)                                       \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"")         \
        _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") error_type                        \
        name(TN_FACE_TYPED_PARAMETERS(__VA_ARGS__)) {                                              \
        TN_FACE_GIVEN(TN_FACE_TYPED_WORDS(__VA_ARGS__))                                            \
        return call(work(TN_FACE_TYPED_ARGUMENTS(__VA_ARGS__)));                                   \
    }                                                                                              \
    _Pragma("GCC diagnostic pop")

// Parameters a, b, ... of a list of at most eleven types, and their names.
#define TN_FACE_TYPED_PARAMETERS(...)                                                              \
    TN_FACE_PASTE(TN_FACE_PARAMETERS_, TN_FACE_TYPES(__VA_ARGS__))(__VA_ARGS__)
#define TN_FACE_TYPED_ARGUMENTS(...) TN_FACE_PASTE(TN_FACE_ARGUMENTS_, TN_FACE_TYPES(__VA_ARGS__))
#define TN_FACE_TYPES(...)           TN_FACE_12TH(__VA_ARGS__, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

#define TN_FACE_12TH(a, b, c, d, e, f, g, h, i, j, k, count, ...) count

#define TN_FACE_PARAMETERS_1(A)                         A a
#define TN_FACE_PARAMETERS_2(A, B)                      A a, B b
#define TN_FACE_PARAMETERS_3(A, B, C)                   A a, B b, C c
#define TN_FACE_PARAMETERS_4(A, B, C, D)                A a, B b, C c, D d
#define TN_FACE_PARAMETERS_5(A, B, C, D, E)             A a, B b, C c, D d, E e
#define TN_FACE_PARAMETERS_6(A, B, C, D, E, F)          A a, B b, C c, D d, E e, F f
#define TN_FACE_PARAMETERS_7(A, B, C, D, E, F, G)       A a, B b, C c, D d, E e, F f, G g
#define TN_FACE_PARAMETERS_8(A, B, C, D, E, F, G, H)    A a, B b, C c, D d, E e, F f, G g, H h
#define TN_FACE_PARAMETERS_9(A, B, C, D, E, F, G, H, I) A a, B b, C c, D d, E e, F f, G g, H h, I i

#define TN_FACE_PARAMETERS_10(A, B, C, D, E, F, G, H, I, J)                                        \
    TN_FACE_PARAMETERS_9(A, B, C, D, E, F, G, H, I), J j
#define TN_FACE_PARAMETERS_11(A, B, C, D, E, F, G, H, I, J, K)                                     \
    TN_FACE_PARAMETERS_10(A, B, C, D, E, F, G, H, I, J), K k

#define TN_FACE_ARGUMENTS_1  a
#define TN_FACE_ARGUMENTS_2  a, b
#define TN_FACE_ARGUMENTS_3  a, b, c
#define TN_FACE_ARGUMENTS_4  a, b, c, d
#define TN_FACE_ARGUMENTS_5  a, b, c, d, e
#define TN_FACE_ARGUMENTS_6  a, b, c, d, e, f
#define TN_FACE_ARGUMENTS_7  a, b, c, d, e, f, g
#define TN_FACE_ARGUMENTS_8  a, b, c, d, e, f, g, h
#define TN_FACE_ARGUMENTS_9  a, b, c, d, e, f, g, h, i
#define TN_FACE_ARGUMENTS_10 a, b, c, d, e, f, g, h, i, j
#define TN_FACE_ARGUMENTS_11 a, b, c, d, e, f, g, h, i, j, k

// Their words, see compat/face/inject.h.
#define TN_FACE_TYPED_WORDS(...) TN_FACE_PASTE(TN_FACE_WORDS_, TN_FACE_TYPES(__VA_ARGS__))
#define TN_FACE_WORDS_1          TN_FACE_WORD(a)
#define TN_FACE_WORDS_2          TN_FACE_WORDS_1, TN_FACE_WORD(b)
#define TN_FACE_WORDS_3          TN_FACE_WORDS_2, TN_FACE_WORD(c)
#define TN_FACE_WORDS_4          TN_FACE_WORDS_3, TN_FACE_WORD(d)
#define TN_FACE_WORDS_5          TN_FACE_WORDS_4, TN_FACE_WORD(e)
#define TN_FACE_WORDS_6          TN_FACE_WORDS_5, TN_FACE_WORD(f)
#define TN_FACE_WORDS_7          TN_FACE_WORDS_6, TN_FACE_WORD(g)
#define TN_FACE_WORDS_8          TN_FACE_WORDS_7, TN_FACE_WORD(h)
#define TN_FACE_WORDS_9          TN_FACE_WORDS_8, TN_FACE_WORD(i)
#define TN_FACE_WORDS_10         TN_FACE_WORDS_9, TN_FACE_WORD(j)
#define TN_FACE_WORDS_11         TN_FACE_WORDS_10, TN_FACE_WORD(k)
