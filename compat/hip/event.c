// SPDX-License-Identifier: Apache-2.0
// HIP's functions about events. See compat/runtime/stream/event.h.
#include <hip/detail/event.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream/event.h"

#define RELEASES (hipEventReleaseToDevice | hipEventReleaseToSystem)
#define ALL_FLAGS                                                                                  \
    (hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |                         \
     hipEventDisableSystemFence | RELEASES)

_Static_assert(hipEventDisableTiming == TN_RT_EVENT_NO_TIMING &&
                   hipEventInterprocess == TN_RT_EVENT_SHARED &&
                   hipEventRecordExternal == TN_RT_EVENT_EXTERNAL &&
                   hipEventWaitExternal == TN_RT_EVENT_EXTERNAL,
               "flags have the same numbers");

static tn_rt_error create_event(hipEvent_t *event, unsigned flags) {
    TN_RT_REFUSE((flags & ~(unsigned)ALL_FLAGS) != 0 || (flags & RELEASES) == RELEASES,
                 TN_RT_INVALID_VALUE, "flags 0x%x", flags);
    return tn_rt_event_new(event, flags);
}

TN_HIP_ROW(hipEventCreate, TN_FACE_EXPRESSION(create_event(event, hipEventDefault)), hipEvent_t *,
           event)
TN_HIP_ROW(hipEventCreateWithFlags, create_event, hipEvent_t *, event, unsigned, flags)
TN_HIP_ROW(hipEventElapsedTime, tn_rt_event_elapsed, float *, ms, hipEvent_t, start, hipEvent_t,
           stop)

// ---- events between processes

_Static_assert(sizeof(hipIpcEventHandle_t) == sizeof(tarn_key), "a handle holds a key");

TN_HIP_FUNCTION(hipIpcGetEventHandle, hipIpcEventHandle_t *, handle, hipEvent_t, event) {
    TN_RT_TRY(tn_rt_check_pointer(handle, "handle"));
    TN_RT_TRY(tn_rt_check_pointer(event, "event"));
    return tn_rt_event_export(event, handle);
}

TN_HIP_ROW(hipIpcOpenEventHandle, TN_FACE_EXPRESSION(tn_rt_event_import(event, &handle)),
           hipEvent_t *, event, hipIpcEventHandle_t, handle)
