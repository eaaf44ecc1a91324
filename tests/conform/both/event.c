// SPDX-License-Identifier: Apache-2.0
// Events: flags, states, times, and the order that they make.
#include "begin.h"

#define TN_GROUP "event"

QUESTION(created_with_flags, EITHER("cuEventCreate", "hipEventCreateWithFlags")) {
    static const unsigned flags[] = {0, 1, 2, 3, 6, 7, 8, 0x10, 4, 5};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        CUevent event = NULL;
        if (ASK(cuEventCreate, &event, flags[i]) == 0) MUST(cuEventDestroy, event);
    }
    ASK(cuEventCreate, NULL, 0);
}

QUESTION(created_with_flags_by_the_runtime,
         EITHER("cudaEventCreateWithFlags", "hipEventCreateWithFlags")) {
    static const unsigned flags[] = {0, 1, 2, 3, 6, 8, 4};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        cudaEvent_t event = NULL;
        if (ASK(cudaEventCreateWithFlags, &event, flags[i]) == 0) MUST(cudaEventDestroy, event);
    }
    ASK(cudaEventCreate, NULL);
}

QUESTION(never_recorded, EITHER("cuEventQuery", "hipEventQuery")) {
    CUevent event = make_event(0);
    CUstream stream = make_stream();
    ASK(cuEventQuery, event);
    ASK(cuEventSynchronize, event);
    ASK(cuStreamWaitEvent, stream, event, 0);
    ASK(cuStreamQuery, stream);
    MUST(cuEventDestroy, event);
    MUST(cuStreamDestroy, stream);
}

QUESTION(null_events, EITHER("cuEventQuery", "hipEventQuery")) {
    ASK(cuEventQuery, NULL);
    ASK(cuEventSynchronize, NULL);
    ASK(cuEventRecord, NULL, NULL);
    ASK(cuEventDestroy, NULL);
    ASK(cuStreamWaitEvent, NULL, NULL, 0);
    ASK(cudaEventQuery, NULL);
    ASK(cudaEventDestroy, NULL);
}

QUESTION(destroyed_twice, EITHER("cuEventDestroy", "hipEventDestroy")) {
    CUevent event = make_event(0);
    ASK(cuEventDestroy, event);
    ASK(cuEventDestroy, event);
}

QUESTION(queried_after_its_end, EITHER("cuEventQuery", "hipEventQuery")) {
    CUevent event = make_event(0);
    MUST(cuEventDestroy, event);
    ASK(cuEventQuery, event);
}

QUESTION(destroyed_while_pending, EITHER("cuEventDestroy", "hipEventDestroy")) {
    CUevent event = make_event(0);
    CUstream stream = make_stream();
    int gate;
    close_gate(stream, &gate);
    MUST(cuEventRecord, event, stream);
    ASK(cuEventDestroy, event);
    open_gate(&gate);
    ASK(cuStreamSynchronize, stream);
    MUST(cuStreamDestroy, stream);
}

QUESTION(times_of_events_that_were_not_recorded,
         EITHER("cuEventElapsedTime: 400", "hipEventElapsedTime")) {
    CUevent a = make_event(0), b = make_event(0);
    float ms = -1;
    ASK(cuEventElapsedTime, &ms, a, b);
    MUST(cuEventRecord, a, NULL);
    MUST(cuEventSynchronize, a);
    ASK(cuEventElapsedTime, &ms, a, b);
    ASK(cuEventElapsedTime, &ms, b, a);
    ASK(cuEventElapsedTime, &ms, a, a);
    SAY("zero", ms == 0);
    ASK(cuEventElapsedTime, NULL, a, a);
    ASK(cuEventElapsedTime, &ms, NULL, a);
    ASK(cudaEventElapsedTime, &ms, b, a);
    MUST(cuEventDestroy, a);
    MUST(cuEventDestroy, b);
}

QUESTION(times_without_timing, EITHER("CU_EVENT_DISABLE_TIMING", "hipEventDisableTiming")) {
    CUevent a = make_event(0), b = make_event(CU_EVENT_DISABLE_TIMING);
    float ms = -1;
    MUST(cuEventRecord, a, NULL);
    MUST(cuEventRecord, b, NULL);
    MUST0(cuCtxSynchronize);
    ASK(cuEventElapsedTime, &ms, a, b);
    ASK(cuEventElapsedTime, &ms, b, b);
    MUST(cuEventDestroy, a);
    MUST(cuEventDestroy, b);
}

QUESTION(times_of_work_that_goes_on, EITHER("cuEventElapsedTime: 600", "hipEventElapsedTime")) {
    CUevent a = make_event(0), b = make_event(0);
    CUstream stream = make_stream();
    float ms = -1;
    int gate;
    MUST(cuEventRecord, a, stream);
    close_gate(stream, &gate);
    MUST(cuEventRecord, b, stream);
    ASK(cuEventElapsedTime, &ms, a, b);
    open_gate(&gate);
    MUST(cuStreamSynchronize, stream);
    ASK(cuEventElapsedTime, &ms, a, b);
    SAY("positive", ms > 0);
    ASK(cuEventElapsedTime, &ms, b, a);
    SAY("negative", ms < 0);
    MUST(cuEventDestroy, a);
    MUST(cuEventDestroy, b);
    MUST(cuStreamDestroy, stream);
}

QUESTION(recorded_again, EITHER("cuEventRecord replaces the earlier record", "hipEventRecord")) {
    CUevent event = make_event(0);
    CUstream stream = make_stream();
    int gate;
    MUST(cuEventRecord, event, NULL);
    MUST(cuEventSynchronize, event);
    close_gate(stream, &gate);
    MUST(cuEventRecord, event, stream);
    ASK(cuEventQuery, event);
    MUST(cuEventRecord, event, CU_STREAM_PER_THREAD);
    MUST(cuStreamSynchronize, CU_STREAM_PER_THREAD);
    ASK(cuEventQuery, event);
    open_gate(&gate);
    MUST(cuStreamSynchronize, stream);
    MUST(cuEventDestroy, event);
    MUST(cuStreamDestroy, stream);
}

QUESTION(waits_see_the_record_at_the_call, EITHER("cuStreamWaitEvent", "hipStreamWaitEvent")) {
    CUevent event = make_event(CU_EVENT_DISABLE_TIMING);
    CUstream a = make_stream(), b = make_stream(), c = make_stream();
    int gate, second;
    close_gate(a, &gate);
    MUST(cuEventRecord, event, a);
    ASK(cuStreamWaitEvent, b, event, 0);
    close_gate(c, &second);
    MUST(cuEventRecord, event, c);
    open_gate(&gate);
    ASK(cuStreamSynchronize, b);
    ASK(cuEventQuery, event);
    open_gate(&second);
    MUST0(cuCtxSynchronize);
    MUST(cuEventDestroy, event);
    MUST(cuStreamDestroy, a);
    MUST(cuStreamDestroy, b);
    MUST(cuStreamDestroy, c);
}

QUESTION(waits_order_streams, EITHER("cuStreamWaitEvent", "hipStreamWaitEvent")) {
    CUevent event = make_event(CU_EVENT_DISABLE_TIMING);
    CUstream a = make_stream(), b = make_stream();
    int gate;
    close_gate(a, &gate);
    MUST(cuEventRecord, event, a);
    ASK(cuStreamWaitEvent, b, event, 0);
    ASK(cuStreamQuery, b);
    open_gate(&gate);
    ASK(cuStreamSynchronize, b);
    ASK(cuStreamWaitEvent, b, event, 2);
    ASK(cuStreamWaitEvent, b, event, 1);
    MUST(cuEventDestroy, event);
    MUST(cuStreamDestroy, a);
    MUST(cuStreamDestroy, b);
}

QUESTION(recorded_with_flags, EITHER("cuEventRecordWithFlags", "hipEventRecordWithFlags")) {
    CUevent event = make_event(0);
    ASK(cuEventRecordWithFlags, event, NULL, 0);
    ASK(cuEventRecordWithFlags, event, NULL, 1);
    ASK(cuEventRecordWithFlags, event, NULL, 2);
    MUST0(cuCtxSynchronize);
    MUST(cuEventDestroy, event);
}

#if !IS_HIP
QUESTION(recorded_in_another_context, "cuEventRecord: event and stream of one context") {
    CUcontext other = NULL;
    CUevent event = make_event(0);
    MUST(cuCtxCreate, &other, NULL, 0, 0);
    CUstream stream = make_stream();
    ASK(cuEventRecord, event, stream);
    ASK(cuStreamWaitEvent, stream, event, 0);
    MUST(cuStreamSynchronize, stream);
    MUST(cuStreamDestroy, stream);
    MUST(cuCtxDestroy, other);
    MUST(cuEventDestroy, event);
}
#endif

QUESTION(synchronised_blocking, EITHER("CU_EVENT_BLOCKING_SYNC", "hipEventBlockingSync")) {
    CUevent event = make_event(CU_EVENT_BLOCKING_SYNC);
    MUST(cuEventRecord, event, NULL);
    ASK(cuEventSynchronize, event);
    ASK(cuEventQuery, event);
    MUST(cuEventDestroy, event);
}
