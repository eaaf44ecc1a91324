// SPDX-License-Identifier: Apache-2.0
// Events. See compat/runtime/stream/event.h.
#include "compat/runtime/stream/event.h"

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
    TN_RT_REFUSE((flags & ~(unsigned)ALL_FLAGS) != 0, TN_RT_INVALID_VALUE, "flags 0x%x are unknown",
                 flags);
    return tn_rt_event_new(event, flags);
}

TN_CU(cuEventCreate, create_event, CUevent *, event, unsigned int, flags)
TN_CUDART(cudaEventCreate, TN_FACE_EXPRESSION(create_event(event, cudaEventDefault)), cudaEvent_t *,
          event)
TN_CUDART(cudaEventCreateWithFlags, create_event, cudaEvent_t *, event, unsigned int, flags)

static tn_rt_error get_elapsed(float *ms, CUevent start, CUevent end) {
    TN_RT_REFUSE(ms == NULL, TN_RT_INVALID_HANDLE, "ms is NULL");
    return tn_rt_event_elapsed(ms, start, end);
}

TN_CU_BOTH(cuEventElapsedTime_v2, cudaEventElapsedTime, get_elapsed, float *, ms, CUevent, start,
           CUevent, end)
