// SPDX-License-Identifier: Apache-2.0
// Events. See compat/runtime/event.h.
#include "compat/runtime/event.h"

#include "compat/cuda/face.h"

#define ALL_FLAGS (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess)

_Static_assert(cudaEventDisableTiming == TN_RT_EVENT_NO_TIMING &&
                   cudaEventInterprocess == TN_RT_EVENT_SHARED &&
                   cudaEventRecordExternal == TN_RT_EVENT_EXTERNAL &&
                   (int)CU_EVENT_RECORD_EXTERNAL == TN_RT_EVENT_EXTERNAL &&
                   cudaEventWaitExternal == TN_RT_EVENT_EXTERNAL &&
                   (int)CU_EVENT_WAIT_EXTERNAL == TN_RT_EVENT_EXTERNAL,
               "flags have the same numbers");

static tn_rt_error create_event(CUevent *event, unsigned flags) {
    const unsigned shared = cudaEventInterprocess | cudaEventDisableTiming;
    uintptr_t handle = 0;
    TN_RT_TRY(tn_rt_check_pointer(event, "event"));
    TN_RT_REFUSE((flags & ~(unsigned)ALL_FLAGS) != 0, TN_RT_INVALID_VALUE, "flags 0x%x are unknown",
                 flags);
    TN_RT_REFUSE((flags & shared) == cudaEventInterprocess, TN_RT_INVALID_VALUE,
                 "flags 0x%x: an event between processes has no timing", flags);
    TN_RT_TRY(tn_rt_event_new(flags, &handle));
    *event = (CUevent)handle;
    return TN_RT_OK;
}

TN_CU(cuEventCreate, create_event, CUevent *, unsigned int)
TN_CUDART(cudaEventCreate, TN_FACE_AS(create_event(a, cudaEventDefault)), cudaEvent_t *)
TN_CUDART(cudaEventCreateWithFlags, create_event, cudaEvent_t *, unsigned int)

static tn_rt_error get_elapsed(float *ms, CUevent start, CUevent end) {
    TN_RT_REFUSE(ms == NULL, TN_RT_INVALID_HANDLE, "ms is NULL");
    return tn_rt_event_elapsed(ms, start, end);
}

TN_CU_BOTH(EventElapsedTime, get_elapsed, float *, CUevent, CUevent)
