// SPDX-License-Identifier: Apache-2.0
// HIP's functions about events. See compat/runtime/event.h.
#include <hip/detail/event.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/face.h"
#include "compat/runtime/event.h"

#define RELEASES (hipEventReleaseToDevice | hipEventReleaseToSystem)
#define ALL_FLAGS                                                                                  \
    (hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |                         \
     hipEventDisableSystemFence | RELEASES)

_Static_assert(hipEventDisableTiming == TN_RT_EVENT_NO_TIMING &&
                   hipEventInterprocess == TN_RT_EVENT_SHARED,
               "flags have the same numbers");

static tn_rt_error create_event(hipEvent_t *event, unsigned flags) {
    const unsigned shared = hipEventInterprocess | hipEventDisableTiming;
    uintptr_t handle = 0;
    TN_RT_TRY(tn_rt_check_pointer(event, "event"));
    TN_RT_REFUSE((flags & shared) == hipEventInterprocess, TN_RT_INVALID_VALUE,
                 "flags 0x%x: an event between processes has no timing "
                 "(hipEventDisableTiming)",
                 flags);
    TN_RT_REFUSE((flags & ~(unsigned)ALL_FLAGS) != 0 || (flags & RELEASES) == RELEASES,
                 TN_RT_INVALID_VALUE, "flags 0x%x", flags);
    TN_RT_TRY(tn_rt_event_new(flags, &handle));
    *event = (hipEvent_t)handle;
    return TN_RT_OK;
}

static tn_rt_error create_default(hipEvent_t *event) {
    return create_event(event, hipEventDefault);
}

TN_HIP_ROW(hipEventCreate, create_default, hipEvent_t *)
TN_HIP_ROW(hipEventCreateWithFlags, create_event, hipEvent_t *, unsigned)

static tn_rt_error record(hipEvent_t event, hipStream_t stream) {
    return tn_rt_event_record(event, stream, false);
}

static tn_rt_error record_with(hipEvent_t event, hipStream_t stream, unsigned flags) {
    return flags == hipEventRecordDefault || flags == hipEventRecordExternal
               ? tn_rt_event_record(event, stream, flags == hipEventRecordExternal)
               : tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x", flags);
}

static tn_rt_error wait_for(hipStream_t stream, hipEvent_t event, unsigned flags) {
    return flags == hipEventWaitDefault || flags == hipEventWaitExternal
               ? tn_rt_event_wait(stream, event, flags == hipEventWaitExternal)
               : tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x", flags);
}

TN_HIP_SPT_ROW(hipEventRecord, record, hipEvent_t, hipStream_t)
TN_HIP_ROW(hipEventRecordWithFlags, record_with, hipEvent_t, hipStream_t, unsigned int)
TN_HIP_SPT_ROW(hipStreamWaitEvent, wait_for, hipStream_t, hipEvent_t, unsigned int)
TN_HIP_ROW(hipEventQuery, tn_rt_event_query, hipEvent_t)
TN_HIP_ROW(hipEventSynchronize, tn_rt_event_synchronize, hipEvent_t)

TN_HIP_FUNCTION(hipEventElapsedTime, float *, ms, hipEvent_t, start, hipEvent_t, stop) {
    TN_RT_TRY(tn_rt_check_pointer(ms, "ms"));
    return tn_rt_event_elapsed(start, stop, ms);
}

// ---- events between processes

_Static_assert(sizeof(hipIpcEventHandle_t) == sizeof(tarn_event_key), "a handle holds a key");

TN_HIP_FUNCTION(hipIpcGetEventHandle, hipIpcEventHandle_t *, handle, hipEvent_t, event) {
    TN_RT_TRY(tn_rt_check_pointer(handle, "handle"));
    TN_RT_TRY(tn_rt_check_pointer(event, "event"));
    return tn_rt_event_export(event, handle);
}

hipError_t hipIpcOpenEventHandle(hipEvent_t *event, hipIpcEventHandle_t handle) {
    return TN_HIP_CALL(tn_rt_event_import(event, &handle));
}
