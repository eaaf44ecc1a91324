// SPDX-License-Identifier: Apache-2.0
// Events. See compat/runtime/event.h.
#include "compat/runtime/event.h"

#include "compat/cuda/face.h"

#define ALL_FLAGS (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess)

_Static_assert(cudaEventDisableTiming == TN_RT_EVENT_NO_TIMING &&
                   cudaEventInterprocess == TN_RT_EVENT_SHARED &&
                   (int)CU_EVENT_RECORD_EXTERNAL == cudaEventRecordExternal &&
                   (int)CU_EVENT_WAIT_EXTERNAL == cudaEventWaitExternal,
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

static tn_rt_error make_default(CUevent *event) { return create_event(event, cudaEventDefault); }

TN_CU(cuEventCreate, create_event, CUevent *, unsigned int)
TN_CUDART(cudaEventCreate, make_default, cudaEvent_t *)
TN_CUDART(cudaEventCreateWithFlags, create_event, cudaEvent_t *, unsigned int)

static tn_rt_error record(CUevent event, CUstream stream) {
    return tn_rt_event_record(event, stream, false);
}

static tn_rt_error record_with(CUevent event, CUstream stream, unsigned flags) {
    TN_RT_REFUSE(flags > cudaEventRecordExternal, TN_RT_INVALID_VALUE, "flags 0x%x", flags);
    return tn_rt_event_record(event, stream, flags == cudaEventRecordExternal);
}

static tn_rt_error wait_for(CUstream stream, CUevent event, unsigned flags) {
    TN_RT_REFUSE(flags > cudaEventWaitExternal, TN_RT_INVALID_VALUE, "flags 0x%x", flags);
    return tn_rt_event_wait(stream, event, flags == cudaEventWaitExternal);
}

static tn_rt_error get_elapsed(float *ms, CUevent start, CUevent end) {
    TN_RT_TRY(tn_rt_check_pointer(ms, "ms"));
    return tn_rt_event_elapsed(start, end, ms);
}

TN_CU_BOTH_STREAM(EventRecord, record, CUevent, CUstream)
TN_CU_BOTH_STREAM(EventRecordWithFlags, record_with, CUevent, CUstream, unsigned int)
TN_CU_BOTH_STREAM(StreamWaitEvent, wait_for, CUstream, CUevent, unsigned int)
TN_CU_BOTH(EventQuery, tn_rt_event_query, CUevent)
TN_CU_BOTH(EventSynchronize, tn_rt_event_synchronize, CUevent)
TN_CU_BOTH(EventElapsedTime, get_elapsed, float *, CUevent, CUevent)
