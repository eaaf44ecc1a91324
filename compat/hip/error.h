// SPDX-License-Identifier: Apache-2.0
// Errors: the function that detects one decides the code and its text, and leaving a public
// function records it as the thread's last error. All state belongs to the calling thread.
#ifndef TARN_COMPAT_HIP_ERROR_H
#define TARN_COMPAT_HIP_ERROR_H

#include <hip/detail/types.h>
#include <tarn/tarn.h>

#include "compat/face/call.h"

// Returns from the enclosing function with the error of `step`, unless it is hipSuccess.
#define TN_HIP_TRY(step) TN_FACE_TRY(hipError_t, hipSuccess, step)

// The text of the calling thread's latest failure, at most TN_HIP_TEXT bytes with the final zero.
#define TN_HIP_TEXT 320
const char *tn_hip_text(void);

// Decides an error: keeps the text for the log and hipExtGetLastErrorText(), and returns `error`.
hipError_t tn_hip_fail(hipError_t error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Decides hipErrorInvalidValue with the text "NAME is NULL" if `pointer` is NULL, else hipSuccess.
hipError_t tn_hip_check_pointer(const void *pointer, const char *name);

// Returns the error for a status of Tarn and takes over Tarn's text.
hipError_t tn_hip_from(tarn_status status);

// Returns the same as tn_hip_from() for TARN_OK, out of memory of any kind and UNSUPPORTED, and
// `error` for every other status.
hipError_t tn_hip_translate(tarn_status status, hipError_t error);

// Returns hipSuccess, or the error that a user asks for in TARN_FAIL; see compat/face/fault.h.
hipError_t tn_hip_fault(const char *function);

// Keeps `error` as the thread's last error and, if logging is on, logs it, unless it is hipSuccess
// or hipErrorNotReady. Returns it. `function` is __func__ of the public function.
hipError_t tn_hip_leave(hipError_t error, const char *function);

// Makes tn_hip_leave() keep hipSuccess and hipErrorNotReady as the last error too, as release 6
// does.
void tn_hip_keep_every_result(bool on);

// Returns `error`, which the public function is about to return. Release 6 does not keep it as the
// last error.
hipError_t tn_hip_unkept(hipError_t error);

// Turns logging of failing calls to standard error on or off.
void tn_hip_set_log(bool on);

#endif
