// SPDX-License-Identifier: Apache-2.0
// Events: points in streams that others wait for, and whose distance in time can be asked for.
#ifndef TARN_COMPAT_HIP_EVENT_H
#define TARN_COMPAT_HIP_EVENT_H

#include "compat/hip/handle.h"
#include "compat/hip/stream.h"

struct tn_hip_event {
    struct tn_face_object object;
    struct tn_hip_device *device;
    unsigned flags;
    tarn_event tarn;
    // Of the last record, under event.c's lock.
    bool recorded;
    struct tn_hip_failure *failure; // of the stream; NULL: none yet
    struct tn_hip_place place;      // in a capture; under the capture's lock
};

// Closes the handle. hipErrorInvalidHandle.
hipError_t tn_hip_event_close(hipEvent_t handle);

#endif
