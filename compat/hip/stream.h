// SPDX-License-Identifier: Apache-2.0
// Streams from the inside, for the files about order: stream.c makes and finds them, order.c gives
// them work. A stream is an object behind a handle, but for two kinds: the NULL stream of a device,
// which is part of the process and never freed, and the stream of a thread, which its thread keeps.
//
// A stream that takes part in HIP's old rule is `blocking`: what is given to the NULL stream waits
// for what the blocking streams of its device were given before, and they wait for it. Nothing
// waits unless there is something to wait for, so each stream counts what it was given and
// remembers up to where it was once seen idle.
#ifndef TARN_COMPAT_HIP_STREAM_H
#define TARN_COMPAT_HIP_STREAM_H

#include <stdatomic.h>

#include "compat/hip/capture.h"
#include "compat/hip/handle.h"
#include "compat/hip/order.h"

enum tn_hip_stream_role { TN_HIP_STREAM_MADE, TN_HIP_STREAM_NULL, TN_HIP_STREAM_OF_THREAD };

struct tn_hip_call;

// What a host function or kernel failed with, for good. Shared by the stream and the events that
// were recorded in it.
struct tn_hip_failure {
    _Atomic(uint32_t) refs;
    char text[TN_HIP_TEXT]; // written before `error`
    _Atomic(hipError_t) error;
};

struct tn_hip_stream {
    struct tn_face_object object; // the NULL stream's is not used
    struct tn_hip_device *device;
    enum tn_hip_stream_role role;
    bool blocking;
    unsigned flags;
    int priority;
    // 0: the NULL stream was not needed yet. A number with a generation: a stale one is refused.
    _Atomic(tarn_stream) tarn;
    _Atomic(bool) gone; // reset has taken it away from its thread

    _Atomic(uint64_t) given;  // pieces of work; counted once they are in the stream
    _Atomic(uint64_t) done;   // how many of them it was seen to have done; never more
    _Atomic(uint64_t) behind; // of the NULL stream's: how many this one waits for already
    _Atomic(uint64_t) ahead;  // of this one's: how many the NULL stream waits for already
    _Atomic(tarn_event) tail; // for others to wait for; 0 until needed
    struct tn_hip_stream *next, *previous; // of the same device, under the list's lock

    struct tn_hip_call *calls;                // given and not begun; order.c's lock
    _Atomic(struct tn_hip_failure *) failure; // never NULL once there is a tarn stream

    _Atomic(bool) capturing;
    struct tn_hip_place place;   // under the capture's lock, as the next
    hipGraphNode_t *place_names; // last told by hipStreamGetCaptureInfo_v2()
};

// ---- stream.c

// The stream of a handle, with one more reference: NULL, hipStreamLegacy and hipStreamPerThread are
// those of the current device. hipErrorInvalidHandle.
hipError_t tn_hip_stream_get(hipStream_t handle, struct tn_hip_stream **stream);
void tn_hip_stream_put(struct tn_hip_stream *stream);

// Makes a stream with a handle; closes the handle, which lets the work finish. The errors of
// hipStreamCreateWithFlags() for lack of something; hipErrorInvalidHandle.
hipError_t tn_hip_stream_new(struct tn_hip_device *device, unsigned flags, int priority,
                             hipStream_t *handle);
hipError_t tn_hip_stream_close(hipStream_t handle);

// What is in the list of all streams but the NULL streams. Between the two no stream of the list is
// destroyed; only quick calls.
struct tn_hip_stream *tn_hip_streams_lock(const struct tn_hip_device *device);
void tn_hip_streams_unlock(void);

// The NULL stream of a device, whether it was needed already or not; and makes it ready for work.
struct tn_hip_stream *tn_hip_null_stream(const struct tn_hip_device *device);
hipError_t tn_hip_null_stream_open(struct tn_hip_stream *null);

// ---- order.c

// hipSuccess: nothing is pending; hipErrorNotReady; or why the stream has failed, for good.
hipError_t tn_hip_stream_look(struct tn_hip_stream *stream);

// The same of all that comes before what is given next, by the old rule too.
hipError_t tn_hip_stream_look_around(struct tn_hip_stream *stream);

// Whether the stream is done with its work, and waits for that. The NULL stream speaks for the
// blocking streams of its device too.
hipError_t tn_hip_stream_query(struct tn_hip_stream *stream);
hipError_t tn_hip_stream_wait(struct tn_hip_stream *stream);

// Has what is given next wait for what the old rule says comes first. Fails if the stream has, or
// one that it waits for.
hipError_t tn_hip_stream_line_up(struct tn_hip_stream *stream);

// Says that something was given.
void tn_hip_stream_gave(struct tn_hip_stream *stream);

// hipSuccess, or the failure with its text; NULL: none. Drops a reference; NULL is fine.
hipError_t tn_hip_failure_tell(const struct tn_hip_failure *failure);
void tn_hip_failure_put(struct tn_hip_failure *failure);

// Forgets calls that a failed stream has dropped. The stream is idle.
void tn_hip_stream_drop_calls(struct tn_hip_stream *stream);

#endif
