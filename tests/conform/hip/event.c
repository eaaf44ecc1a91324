// SPDX-License-Identifier: Apache-2.0
// Events: flags, states, times, and the order that they make.
#include "begin.h"

#define TN_GROUP "event"

QUESTION(created_with_flags, "hipEventCreateWithFlags") {
    static const unsigned flags[] = {0, 1, 2, 3, 6, 7, 8, 0x10, 4, 5};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        hipEvent_t event = NULL;
        if (ASK(hipEventCreateWithFlags, &event, flags[i]) == 0) MUST(hipEventDestroy, event);
    }
    ASK(hipEventCreateWithFlags, NULL, 0);
}

QUESTION(created_with_flags_by_the_runtime, "hipEventCreateWithFlags") {
    static const unsigned flags[] = {0, 1, 2, 3, 6, 8, 4};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        hipEvent_t event = NULL;
        if (ASK(hipEventCreateWithFlags, &event, flags[i]) == 0) MUST(hipEventDestroy, event);
    }
    ASK(hipEventCreate, NULL);
}

QUESTION(never_recorded, "hipEventQuery") {
    hipEvent_t event = make_event(0);
    hipStream_t stream = make_stream();
    ASK(hipEventQuery, event);
    ASK(hipEventSynchronize, event);
    ASK(hipStreamWaitEvent, stream, event, 0);
    ASK(hipStreamQuery, stream);
    MUST(hipEventDestroy, event);
    MUST(hipStreamDestroy, stream);
}

QUESTION(null_events, "hipEventQuery") {
    ASK(hipEventQuery, NULL);
    ASK(hipEventSynchronize, NULL);
    ASK(hipEventRecord, NULL, NULL);
    ASK(hipEventDestroy, NULL);
    ASK(hipStreamWaitEvent, NULL, NULL, 0);
    ASK(hipEventQuery, NULL);
    ASK(hipEventDestroy, NULL);
}

QUESTION(destroyed_twice, "hipEventDestroy") {
    hipEvent_t event = make_event(0);
    ASK(hipEventDestroy, event);
    ASK(hipEventDestroy, event);
}

QUESTION(queried_after_its_end, "hipEventQuery") {
    hipEvent_t event = make_event(0);
    MUST(hipEventDestroy, event);
    ASK(hipEventQuery, event);
}

QUESTION(destroyed_while_pending, "hipEventDestroy") {
    hipEvent_t event = make_event(0);
    hipStream_t stream = make_stream();
    int gate;
    close_gate(stream, &gate);
    MUST(hipEventRecord, event, stream);
    ASK(hipEventDestroy, event);
    open_gate(&gate);
    ASK(hipStreamSynchronize, stream);
    MUST(hipStreamDestroy, stream);
}

QUESTION(times_of_events_that_were_not_recorded, "hipEventElapsedTime") {
    hipEvent_t a = make_event(0), b = make_event(0);
    float ms = -1;
    ASK(hipEventElapsedTime, &ms, a, b);
    MUST(hipEventRecord, a, NULL);
    MUST(hipEventSynchronize, a);
    ASK(hipEventElapsedTime, &ms, a, b);
    ASK(hipEventElapsedTime, &ms, b, a);
    ASK(hipEventElapsedTime, &ms, a, a);
    SAY("zero", ms == 0);
    ASK(hipEventElapsedTime, NULL, a, a);
    ASK(hipEventElapsedTime, &ms, NULL, a);
    ASK(hipEventElapsedTime, &ms, b, a);
    MUST(hipEventDestroy, a);
    MUST(hipEventDestroy, b);
}

QUESTION(times_without_timing, "hipEventDisableTiming") {
    hipEvent_t a = make_event(0), b = make_event(hipEventDisableTiming);
    float ms = -1;
    MUST(hipEventRecord, a, NULL);
    MUST(hipEventRecord, b, NULL);
    MUST0(hipDeviceSynchronize);
    ASK(hipEventElapsedTime, &ms, a, b);
    ASK(hipEventElapsedTime, &ms, b, b);
    MUST(hipEventDestroy, a);
    MUST(hipEventDestroy, b);
}

QUESTION(times_of_work_that_goes_on, "hipEventElapsedTime") {
    hipEvent_t a = make_event(0), b = make_event(0);
    hipStream_t stream = make_stream();
    float ms = -1;
    int gate;
    MUST(hipEventRecord, a, stream);
    close_gate(stream, &gate);
    MUST(hipEventRecord, b, stream);
    ASK(hipEventElapsedTime, &ms, a, b);
    open_gate(&gate);
    MUST(hipStreamSynchronize, stream);
    ASK(hipEventElapsedTime, &ms, a, b);
    SAY("positive", ms > 0);
    ASK(hipEventElapsedTime, &ms, b, a);
    SAY("negative", ms < 0);
    MUST(hipEventDestroy, a);
    MUST(hipEventDestroy, b);
    MUST(hipStreamDestroy, stream);
}

QUESTION(recorded_again, "hipEventRecord") {
    hipEvent_t event = make_event(0);
    hipStream_t stream = make_stream();
    int gate;
    MUST(hipEventRecord, event, NULL);
    MUST(hipEventSynchronize, event);
    close_gate(stream, &gate);
    MUST(hipEventRecord, event, stream);
    ASK(hipEventQuery, event);
    MUST(hipEventRecord, event, hipStreamPerThread);
    MUST(hipStreamSynchronize, hipStreamPerThread);
    ASK(hipEventQuery, event);
    open_gate(&gate);
    MUST(hipStreamSynchronize, stream);
    MUST(hipEventDestroy, event);
    MUST(hipStreamDestroy, stream);
}

QUESTION(waits_see_the_record_at_the_call, "hipStreamWaitEvent") {
    hipEvent_t event = make_event(hipEventDisableTiming);
    hipStream_t a = make_stream(), b = make_stream(), c = make_stream();
    int gate, second;
    close_gate(a, &gate);
    MUST(hipEventRecord, event, a);
    ASK(hipStreamWaitEvent, b, event, 0);
    close_gate(c, &second);
    MUST(hipEventRecord, event, c);
    open_gate(&gate);
    ASK(hipStreamSynchronize, b);
    ASK(hipEventQuery, event);
    open_gate(&second);
    MUST0(hipDeviceSynchronize);
    MUST(hipEventDestroy, event);
    MUST(hipStreamDestroy, a);
    MUST(hipStreamDestroy, b);
    MUST(hipStreamDestroy, c);
}

QUESTION(waits_order_streams, "hipStreamWaitEvent") {
    hipEvent_t event = make_event(hipEventDisableTiming);
    hipStream_t a = make_stream(), b = make_stream();
    int gate;
    close_gate(a, &gate);
    MUST(hipEventRecord, event, a);
    ASK(hipStreamWaitEvent, b, event, 0);
    ASK(hipStreamQuery, b);
    open_gate(&gate);
    ASK(hipStreamSynchronize, b);
    ASK(hipStreamWaitEvent, b, event, 2);
    ASK(hipStreamWaitEvent, b, event, 1);
    MUST(hipEventDestroy, event);
    MUST(hipStreamDestroy, a);
    MUST(hipStreamDestroy, b);
}

QUESTION(recorded_with_flags, "hipEventRecordWithFlags") {
    hipEvent_t event = make_event(0);
    ASK(hipEventRecordWithFlags, event, NULL, 0);
    ASK(hipEventRecordWithFlags, event, NULL, 1);
    ASK(hipEventRecordWithFlags, event, NULL, 2);
    MUST0(hipDeviceSynchronize);
    MUST(hipEventDestroy, event);
}

QUESTION(synchronised_blocking, "hipEventBlockingSync") {
    hipEvent_t event = make_event(hipEventBlockingSync);
    MUST(hipEventRecord, event, NULL);
    ASK(hipEventSynchronize, event);
    ASK(hipEventQuery, event);
    MUST(hipEventDestroy, event);
}
