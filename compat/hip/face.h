// SPDX-License-Identifier: Apache-2.0
// The devices of the face. They are opened at the first call that needs one and stay open; a child
// of fork() opens its own.
#ifndef TARN_COMPAT_HIP_FACE_H
#define TARN_COMPAT_HIP_FACE_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/hip/error.h"

#define TN_HIP_DEVICES 32

struct tn_hip_device {
    tarn_device *tarn;
    int hip; // the ordinal that programs use
    int tarn_ordinal;
    tarn_device_info info;
};

// Written when the devices are opened, then only read.
struct tn_hip_face {
    int count;
    struct tn_hip_device devices[TN_HIP_DEVICES];
    int compat;  // 6 or 7: the release to follow where releases differ
    bool sparse; // sparse arrays are supported
};
extern struct tn_hip_face tn_hip_face;

// The frame of every public function that needs a device; see compat/face/call.h.
#define TN_HIP_CALL(work) TN_FACE_CALL(tn_hip, work)

// Opens the devices unless they are open. Returns false if the face cannot work; tn_hip_refusal()
// then returns the error: TN_RT_NO_DEVICE, which stays, or TN_RT_OUT_OF_MEMORY or
// TN_RT_NOT_INITIALIZED, after which the next call tries again.
bool tn_hip_ready(void);
tn_rt_error tn_hip_refusal(void);

// Returns tn_hip_face.compat. It may be called while no device is open.
int tn_hip_level(void);

// The device with an ordinal that programs use, or NULL.
struct tn_hip_device *tn_hip_device(int hip);

// TN_RT_OK, or TN_RT_INVALID_DEVICE if no device has that ordinal.
tn_rt_error tn_hip_check_device(int hip);

// The ordinal that programs use for a device of the platform, or -1 if it is not visible.
int tn_hip_ordinal_of(int tarn_ordinal);

// The calling thread's current device; never NULL once the face is ready. The setter takes a valid
// ordinal.
struct tn_hip_device *tn_hip_current(void);
void tn_hip_set_current(int hip);

#endif
