// SPDX-License-Identifier: Apache-2.0
// The frame of a face's public functions. Every public function enters the face, does its work and
// leaves; leaving records the thread's last error and logs a failure under the function's name.
// These macros need no state and no lock.
//
//     hipError_t hipFree(void *ptr) {
//         return TN_FACE_CALL(tn_hip, free_memory(ptr));
//     }
//
// The work is a static function, which converts the arguments, calls Tarn and converts the status.
// Its checks come before anything that must be undone, or scope.h undoes it, so each is one line:
//
//     static tn_rt_error trim_pool(void *handle, size_t keep) {
//         TN_FACE_HELD struct tn_rt_pool *pool = NULL;
//         TN_FACE_TRY(tn_rt_error, TN_RT_OK, tn_rt_pool_get(handle, &pool));
//         return tn_rt_error_of(tarn_pool_trim(pool->tarn, keep, TARN_NO_WAIT, NULL));
//     }
//
// A face gives both a short name in its face.h, such as TN_HIP_CALL(work) and TN_HIP_TRY(step).
#pragma once

#include <tarn/face.h>

#include "compat/face/inject.h"

// The value of `work`, an expression. Reports of memory tools about it name the function.
#define TN_FACE_WORK(function, work) (tarn_annotate_caller(function), (work))

// The arguments of a function whose frame is not that of a row or a head. The latter have a variable
// of this name, which costs nothing unless the process asks for failures.
__attribute__((unused)) static const struct tn_face_given tn_face_args = {{0}};
#define TN_FACE_NOTE                                                                               \
    tn_face_note(tn_face_args.words[0], tn_face_args.words[1], tn_face_args.words[2],              \
                 tn_face_args.words[3], tn_face_args.words[4], tn_face_args.words[5],              \
                 tn_face_args.words[6], tn_face_args.words[7], tn_face_args.words[8],              \
                 tn_face_args.words[9], tn_face_args.words[10])
#define TN_FACE_GIVEN(...)                                                                         \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")                  \
        __attribute__((unused)) const struct tn_face_given tn_face_args = {{__VA_ARGS__}};         \
    _Pragma("GCC diagnostic pop")

// The value that a public function returns: that of `work`, an expression, or the error for which
// the face cannot work at all. `face` is the prefix of four functions:
//   bool FACE_ready(void)                 opens the devices at the first call
//   ERROR FACE_refusal(void)              decides the error of a face that is not ready
//   ERROR FACE_leave(ERROR, function)     records and logs a failure, returns its first argument
//   ERROR FACE_inject(function)            returns success, or the error that a user asks for
// `work` is an argument of FACE_leave(), so the public function stays on the stack while it runs.
// Success is 0.
#define TN_FACE_CALL(face, work) TN_FACE_CALL_AS(face, __func__, work)

// The same for a public function that programs know by another name.
#define TN_FACE_CALL_AS(face, function, work)                                                      \
    face##_leave(                                                                                  \
        __extension__(                                                                             \
            (TN_FACE_MAY_FAIL ? (TN_FACE_NOTE, tn_face_enter(), face##_inject(function)) : 0)      \
                ?: (face##_ready() ? TN_FACE_WORK(function, work) : face##_refusal())),            \
        function)

// The head of a public function whose work takes the same arguments, at least one and at most
// eleven. Each is written as its type and its name. `work_type` is the error of the work, and `call`
// the face's macro for TN_FACE_CALL, which converts it. The body of the work follows:
//
//     TN_FACE_FUNCTION(aclError, aclError, TN_ACL_CALL, aclrtGetDevice, int32_t *, deviceId) {
//         ...
//         return ACL_SUCCESS;
//     }
#define TN_FACE_FUNCTION(error_type, work_type, call, name, ...)                                   \
    static work_type name##_work(TN_FACE_PARAMETERS(__VA_ARGS__));                                 \
    error_type name(TN_FACE_PARAMETERS(__VA_ARGS__)) {                                             \
        TN_FACE_GIVEN(TN_FACE_WORDS(__VA_ARGS__))                                                  \
        return call(name##_work(TN_FACE_ARGUMENTS(__VA_ARGS__)));                                  \
    }                                                                                              \
    static work_type name##_work(TN_FACE_PARAMETERS(__VA_ARGS__))

// The parameters of a list of types and names, the arguments that pass them on, and their words,
// see compat/face/inject.h.
#define TN_FACE_PARAMETERS(...)      TN_FACE_PAIRS(TN_FACE_DECLARED, __VA_ARGS__)
#define TN_FACE_ARGUMENTS(...)       TN_FACE_PAIRS(TN_FACE_NAMED, __VA_ARGS__)
#define TN_FACE_WORDS(...)           TN_FACE_PAIRS(TN_FACE_WORD_OF, __VA_ARGS__)
#define TN_FACE_DECLARED(type, name) type name
#define TN_FACE_NAMED(type, name)    name
#define TN_FACE_WORD_OF(type, name)  TN_FACE_WORD(name)

// Applies a macro to each pair of the arguments behind it, with commas between the results.
#define TN_FACE_PAIRS(macro, ...)                                                                  \
    TN_FACE_PASTE(TN_FACE_PAIRS_, TN_FACE_COUNT(__VA_ARGS__))(macro, __VA_ARGS__)
#define TN_FACE_PASTE(a, b)  TN_FACE_PASTED(a, b)
#define TN_FACE_PASTED(a, b) a##b

// The number of pairs.
#define TN_FACE_COUNT(...)                                                                         \
    TN_FACE_23RD(__VA_ARGS__, 11, 11, 10, 10, 9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1,   \
                 1, 0)

#define TN_FACE_23RD(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, count, ...) \
    count

#define TN_FACE_PAIRS_1(m, t, n)       m(t, n)
#define TN_FACE_PAIRS_2(m, t, n, ...)  m(t, n), TN_FACE_PAIRS_1(m, __VA_ARGS__)
#define TN_FACE_PAIRS_3(m, t, n, ...)  m(t, n), TN_FACE_PAIRS_2(m, __VA_ARGS__)
#define TN_FACE_PAIRS_4(m, t, n, ...)  m(t, n), TN_FACE_PAIRS_3(m, __VA_ARGS__)
#define TN_FACE_PAIRS_5(m, t, n, ...)  m(t, n), TN_FACE_PAIRS_4(m, __VA_ARGS__)
#define TN_FACE_PAIRS_6(m, t, n, ...)  m(t, n), TN_FACE_PAIRS_5(m, __VA_ARGS__)
#define TN_FACE_PAIRS_7(m, t, n, ...)  m(t, n), TN_FACE_PAIRS_6(m, __VA_ARGS__)
#define TN_FACE_PAIRS_8(m, t, n, ...)  m(t, n), TN_FACE_PAIRS_7(m, __VA_ARGS__)
#define TN_FACE_PAIRS_9(m, t, n, ...)  m(t, n), TN_FACE_PAIRS_8(m, __VA_ARGS__)
#define TN_FACE_PAIRS_10(m, t, n, ...) m(t, n), TN_FACE_PAIRS_9(m, __VA_ARGS__)
#define TN_FACE_PAIRS_11(m, t, n, ...) m(t, n), TN_FACE_PAIRS_10(m, __VA_ARGS__)

// The first statement of a public function that does not use TN_FACE_CALL. If a user asks for a
// failure, the function returns `failure`, an expression that may name `injected`, the error.
#define TN_FACE_POINT(error_type, success, face, failure)                                          \
    do {                                                                                           \
        tarn_annotate_caller(__func__);                                                            \
        if (TN_FACE_MAY_FAIL) {                                                                    \
            TN_FACE_NOTE;                                                                          \
            error_type injected = face##_inject(__func__);                                         \
            if (injected != (success)) {                                                           \
                (void)face##_leave(injected, __func__);                                            \
                return failure;                                                                    \
            }                                                                                      \
        }                                                                                          \
    } while (0)

// Returns from the enclosing function with the error of `step`, an expression, unless it is
// `success`. The function may hold only what scope.h releases.
#define TN_FACE_TRY(error_type, success, step)                                                     \
    do {                                                                                           \
        error_type step_error = (step);                                                            \
        if (step_error != (success)) return step_error;                                            \
    } while (0)

// Returns `failure`, an expression that keeps the text, from the enclosing function if `condition`
// holds.
#define TN_FACE_REFUSE(condition, failure)                                                         \
    do {                                                                                           \
        if (condition) return failure;                                                             \
    } while (0)
