// SPDX-License-Identifier: Apache-2.0
// Captures: which streams take part in which, and what becomes of the work that they are given. A
// stream takes part by a place, the nodes that its next one will depend on; an event recorded in it
// keeps a copy of that place, and a stream that waits for the event takes it over. All captures of
// the process are under one lock; whether there is one at all is asked without it.
#ifndef TARN_COMPAT_HIP_CAPTURE_H
#define TARN_COMPAT_HIP_CAPTURE_H

#include <hip/detail/graph.h>

#include "compat/hip/order.h"

struct tn_hip_capture;

struct tn_hip_place {
    struct tn_hip_capture *capture; // a reference; NULL: none
    uint32_t *nodes;
    uint32_t count;
};

// Guards captures, places, and the plans that captures make. After the lock of no other file.
void tn_hip_capture_lock(void);
void tn_hip_capture_unlock(void);

// ---- for those who give work

// For what has to wait for the stream or run at once: hipSuccess, or the error that HIP has for it,
// in which case the capture is invalid now.
hipError_t tn_hip_capture_refuses(struct tn_hip_stream *stream);

// For hipDeviceSynchronize(): the same of all streams of a device.
hipError_t tn_hip_capture_refuses_device(const struct tn_hip_device *device);

// Whether the work becomes a node: true, and *error says how that went. Also for work that a
// capture elsewhere forbids.
bool tn_hip_capture_takes(struct tn_hip_stream *stream, const struct tn_hip_op *op,
                          hipError_t *error);

// The same of an event's record, and of a wait for an event that was recorded so or, if `recorded`,
// outside.
bool tn_hip_capture_takes_record(struct tn_hip_stream *stream, struct tn_hip_place *event,
                                 hipError_t *error);
bool tn_hip_capture_takes_wait(struct tn_hip_stream *stream, const struct tn_hip_place *event,
                               bool recorded, hipError_t *error);

// hipErrorCapturedEvent if the event was last recorded in a capture.
hipError_t tn_hip_capture_refuses_event(const struct tn_hip_place *event);

// Forgets a place: the event was recorded elsewhere, or is gone.
void tn_hip_place_clear(struct tn_hip_place *place);

// ---- for streams

// The stream is going: its capture becomes invalid, or ends if it began there.
void tn_hip_capture_leave(struct tn_hip_stream *stream);

// Ends all captures of a device, without a graph.
void tn_hip_capture_end_all(const struct tn_hip_device *device);

#endif
