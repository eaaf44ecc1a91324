// SPDX-License-Identifier: Apache-2.0
// The face as a process sees it: its devices, opened at the first call, and how every function of
// HIP begins and ends. Devices are opened once and stay open; a child of fork() opens its own.
#ifndef TARN_COMPAT_HIP_FACE_H
#define TARN_COMPAT_HIP_FACE_H

#include <stdbool.h>
#include <stdint.h>

#include <hip/detail/types.h>
#include <tarn/tarn.h>

#include "compat/face/call.h"

#define TN_HIP_DEVICES 32

struct tn_hip_device {
    tarn_device *tarn;
    int hip; // the ordinal that programs see
    int tarn_ordinal;
    tarn_device_info info;
};

// Filled once by the first tn_hip_enter(), then only read.
struct tn_hip_face {
    int count;
    struct tn_hip_device devices[TN_HIP_DEVICES];
    int compat;  // 6 or 7
    bool sparse; // sparse arrays are there
    bool log;    // failing calls are written to standard error
};
extern struct tn_hip_face tn_hip_face;

// What belongs to a thread.
struct tn_hip_thread {
    int device; // current, as HIP numbers them
    hipError_t last;
};
struct tn_hip_thread *tn_hip_self(void);

// Why the calling thread's last call failed: TN_HIP_TEXT bytes at most, the final zero among them.
#define TN_HIP_TEXT 320
const char *tn_hip_text(void);

// The frame of every public function that needs a device; see compat/face/call.h.
#define TN_HIP_CALL(work) TN_FACE_CALL(tn_hip, work)

// Returns from the enclosing function with the error of `step`, unless it is hipSuccess.
#define TN_HIP_TRY(step) TN_FACE_TRY(hipError_t, hipSuccess, step)

// Opens the devices at the first call. Returns false if the face cannot work; tn_hip_refusal() then
// decides the error: hipErrorNoDevice or hipErrorNotInitialized.
bool tn_hip_ready(void);
hipError_t tn_hip_refusal(void);
static inline hipError_t tn_hip_enter(void) {
    return tn_hip_ready() ? hipSuccess : tn_hip_refusal();
}

// Records and logs `error` unless it is hipSuccess or hipErrorNotReady, and returns it. `function`
// is __func__ of the public function.
hipError_t tn_hip_leave(hipError_t error, const char *function);

// For the few that must work without a device. Reads the environment, opens nothing.
void tn_hip_configure(void);

// Decides an error: keeps the text for the log and hipExtGetLastErrorText(), returns `error`.
hipError_t tn_hip_fail(hipError_t error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The error for a status of Tarn, whose last-error text it takes over. The plain translation; where
// HIP wants another code for the same status the caller says so with tn_hip_translate().
hipError_t tn_hip_from(tarn_status status);

// The same, but `error` where `status` is not TARN_OK, out of memory of any kind, or UNSUPPORTED.
hipError_t tn_hip_translate(tarn_status status, hipError_t error);

// A device by the ordinal that programs use; NULL when there is none. By platform ordinal: -1 when
// it is not visible.
struct tn_hip_device *tn_hip_device(int hip);
int tn_hip_ordinal_of(int tarn_ordinal);

// The calling thread's current device. Never NULL after tn_hip_enter().
struct tn_hip_device *tn_hip_current(void);

#endif
