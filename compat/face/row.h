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
//     TN_HIP_ROW(hipEventCreate, TN_FACE_EXPRESSION(create_event(event, hipEventDefault)), hipEvent_t *, event)
#define TN_FACE_EXPRESSION(...) (__VA_ARGS__) TN_FACE_NOTHING
#define TN_FACE_NOTHING(...)
