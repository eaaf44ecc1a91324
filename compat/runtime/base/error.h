// SPDX-License-Identifier: Apache-2.0
// Errors of the runtime: the function that detects one decides the code and its text, and leaving a
// public function records it as the thread's last error. All state belongs to the calling thread.
//
// The values are the numbers that CUDA and HIP have in common, so a face of either converts an
// error by a cast. A face whose vendor has another number converts it where its public functions
// leave.
#pragma once

#include <tarn/face.h>
#include <tarn/software.h>
#include <tarn/tarn.h>

#include "compat/face/call.h"
#include "compat/face/scope.h"

typedef enum tn_rt_error {
    TN_RT_OK = 0,
    TN_RT_INVALID_VALUE = 1,
    TN_RT_OUT_OF_MEMORY = 2,
    TN_RT_NOT_INITIALIZED = 3,
    TN_RT_INVALID_CONFIGURATION = 9,
    TN_RT_INVALID_PITCH = 12,
    TN_RT_INVALID_SYMBOL = 13,
    TN_RT_INVALID_DEVICE_POINTER = 17,
    TN_RT_INVALID_CHANNELS = 20,
    TN_RT_INVALID_DIRECTION = 21,
    TN_RT_MISSING_CONFIGURATION = 52,
    TN_RT_INVALID_DEVICE_FUNCTION = 98,
    TN_RT_NO_DEVICE = 100,
    TN_RT_INVALID_DEVICE = 101,
    TN_RT_INVALID_IMAGE = 200,
    TN_RT_INVALID_CONTEXT = 201,
    TN_RT_MAP_FAILED = 205,
    TN_RT_NO_BINARY = 209,
    TN_RT_UNSUPPORTED_LIMIT = 215,
    TN_RT_PEER_UNSUPPORTED = 217,
    TN_RT_UNSUPPORTED_AFFINITY = 224,
    TN_RT_FILE_NOT_FOUND = 301,
    TN_RT_OPERATING_SYSTEM = 304,
    TN_RT_INVALID_HANDLE = 400,
    TN_RT_ILLEGAL_STATE = 401,
    TN_RT_NOT_FOUND = 500,
    TN_RT_NOT_READY = 600,
    TN_RT_ILLEGAL_ADDRESS = 700,
    TN_RT_LAUNCH_TOO_LARGE = 701,
    TN_RT_PEER_ALREADY_ENABLED = 704,
    TN_RT_PEER_NOT_ENABLED = 705,
    TN_RT_CONTEXT_DESTROYED = 709,
    TN_RT_ASSERT = 710,
    TN_RT_ALREADY_REGISTERED = 712,
    TN_RT_NOT_REGISTERED = 713,
    TN_RT_LAUNCH_FAILURE = 719,
    TN_RT_COOPERATIVE_TOO_LARGE = 720,
    TN_RT_NOT_PERMITTED = 800,
    TN_RT_NOT_SUPPORTED = 801,
    TN_RT_CAPTURE_UNSUPPORTED = 900,
    TN_RT_CAPTURE_INVALIDATED = 901,
    TN_RT_CAPTURE_MERGE = 902,
    TN_RT_CAPTURE_UNMATCHED = 903,
    TN_RT_CAPTURE_UNJOINED = 904,
    TN_RT_CAPTURE_ISOLATION = 905,
    TN_RT_CAPTURE_IMPLICIT = 906,
    TN_RT_CAPTURED_EVENT = 907,
    TN_RT_CAPTURE_WRONG_THREAD = 908,
    TN_RT_UPDATE_FAILED = 910,
    TN_RT_UNKNOWN = 999
} tn_rt_error;

// Returns from the enclosing function with the error of `step`, unless it is TN_RT_OK.
#define TN_RT_TRY(step) TN_FACE_TRY(tn_rt_error, TN_RT_OK, step)

// A declaration: a pointer to an object, held until the end of the block. `step` sets it, or returns
// the error with which the enclosing function returns.
#define TN_RT_GET(type, name, step)                                                                \
    TN_FACE_HELD struct type *name = NULL;                                                         \
    TN_RT_TRY(step)

// The text of the calling thread's latest failure, at most TN_RT_TEXT bytes with the final zero.
#define TN_RT_TEXT 384
const char *tn_rt_text(void);

// Decides an error: keeps the text for the log and for the program, and returns `error`.
tn_rt_error tn_rt_fail(tn_rt_error error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Returns from the enclosing function with tn_rt_fail(error, format, ...) if `condition` holds.
#define TN_RT_REFUSE(condition, ...) TN_FACE_REFUSE(condition, tn_rt_fail(__VA_ARGS__))

// Decides INVALID_VALUE with the text "NAME is NULL" if `pointer` is NULL, else TN_RT_OK.
tn_rt_error tn_rt_null_pointer(const char *name);
static inline tn_rt_error tn_rt_check_pointer(const void *pointer, const char *name) {
    return pointer != NULL ? TN_RT_OK : tn_rt_null_pointer(name);
}

// Checks the runs into which a list of `count` entries is divided: first[n] is the first entry of
// run n. Fails with INVALID_VALUE if `first` is NULL, if there is no run or there are more runs
// than entries, if the first run does not begin at 0, or if another one does not begin behind the
// one before and inside the list.
tn_rt_error tn_rt_check_starts(const size_t *first, size_t runs, size_t count);

// Returns the error for a status of Tarn and takes over Tarn's text. A policy may have errors of its
// own for statuses, which no other error of the runtime has.
tn_rt_error tn_rt_error_of_failure(tarn_status status);
static inline tn_rt_error tn_rt_error_of(tarn_status status) {
    return __builtin_expect(status == TARN_OK, 1) ? TN_RT_OK : tn_rt_error_of_failure(status);
}

// Returns the same as tn_rt_error_of() for TARN_OK, out of memory of any kind and UNSUPPORTED, and
// `error` for every other status.
tn_rt_error tn_rt_error_or(tarn_status status, tn_rt_error error);

// Returns TN_RT_OK, or the error that a user asks for in TARN_FAIL by a name or number of `codes`;
// see compat/face/inject.h.
tn_rt_error tn_rt_inject(const char *function, const struct tn_face_code *codes, size_t count);

// Ends a call that failed: tools get to know it, and it is logged unless logging is off. Returns
// `error`: for functions that leave the last error as it is.
tn_rt_error tn_rt_log(tn_rt_error error, const char *function);

// Keeps `error` as the thread's last error and, if logging is on, logs it, unless it is TN_RT_OK or
// NOT_READY. Returns it. `function` is __func__ of the public function.
tn_rt_error tn_rt_leave(tn_rt_error error, const char *function);

// Returns `error`, which the public function is about to return, and which does not become the last
// error.
tn_rt_error tn_rt_not_last_error(tn_rt_error error);

// Returns the thread's last error. The second function also resets it. The third does so with the
// result of the last call, which is the last error with the policy `keeps_every_result`.
tn_rt_error tn_rt_last_error(void);
tn_rt_error tn_rt_take_last_error(void);
tn_rt_error tn_rt_take_last_result(void);

// Returns the element of `codes` with this number, or NULL.
const struct tn_face_code *tn_rt_find_code(const struct tn_face_code *codes, size_t count,
                                           int code);
