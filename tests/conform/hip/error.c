// SPDX-License-Identifier: Apache-2.0
// Names and texts of errors, and the last error.
#include <pthread.h>

#include "begin.h"

#define TN_GROUP "error"

static void state_number(int value) {
    const char *text = NULL;
    SAY_TEXT("name", CALL(hipGetErrorName, (hipError_t)value));
    SAY_TEXT("text", CALL(hipGetErrorString, (hipError_t)value));
    ASK(hipDrvGetErrorName, (hipError_t)value, &text);
    SAY_TEXT("name", text);
    text = NULL;
    ASK(hipDrvGetErrorString, (hipError_t)value, &text);
    SAY_TEXT("text", text);
}

#define NUMBER(value)                                                                              \
    QUESTION(text_of_##value, "hip_runtime_api.h: hipError_t") { state_number(value); }
NUMBER(0)
NUMBER(1)
NUMBER(2)
NUMBER(3)
NUMBER(4)
NUMBER(5)
NUMBER(6)
NUMBER(7)
NUMBER(8)
NUMBER(9)
NUMBER(12)
NUMBER(13)
NUMBER(17)
NUMBER(21)
NUMBER(35)
NUMBER(52)
NUMBER(53)
NUMBER(98)
NUMBER(100)
NUMBER(101)
NUMBER(200)
NUMBER(201)
NUMBER(202)
NUMBER(205)
NUMBER(206)
NUMBER(207)
NUMBER(208)
NUMBER(209)
NUMBER(210)
NUMBER(211)
NUMBER(212)
NUMBER(213)
NUMBER(214)
NUMBER(215)
NUMBER(216)
NUMBER(217)
NUMBER(218)
NUMBER(219)
NUMBER(300)
NUMBER(301)
NUMBER(302)
NUMBER(303)
NUMBER(304)
NUMBER(400)
NUMBER(401)
NUMBER(500)
NUMBER(600)
NUMBER(700)
NUMBER(701)
NUMBER(702)
NUMBER(704)
NUMBER(705)
NUMBER(708)
NUMBER(709)
NUMBER(710)
NUMBER(712)
NUMBER(713)
NUMBER(719)
NUMBER(720)
NUMBER(801)
NUMBER(900)
NUMBER(901)
NUMBER(902)
NUMBER(903)
NUMBER(904)
NUMBER(905)
NUMBER(906)
NUMBER(907)
NUMBER(908)
NUMBER(910)
NUMBER(911)
NUMBER(912)
NUMBER(999)
NUMBER(1052)
NUMBER(1053)
NUMBER(1054)
NUMBER(12345)

QUESTION(text_of_a_negative_number, "hipGetErrorName") { state_number(-1); }

QUESTION(text_to_null, "hipDrvGetErrorName") {
    ASK(hipDrvGetErrorName, hipSuccess, NULL);
    ASK(hipDrvGetErrorString, hipSuccess, NULL);
}

QUESTION(an_unknown_number_and_the_text, "hipDrvGetErrorName") {
    const char *text = "before";
    ASK(hipDrvGetErrorName, (hipError_t)12345, &text);
    SAY_TEXT("text", text);
}

// ---- the last error

QUESTION(an_error_stays_until_it_is_read, "hipGetLastError") {
    void *ptr = NULL;
    ASK(hipSetDevice, 77);
    ASK(hipMalloc, &ptr, 64);
    ASK0(hipPeekAtLastError);
    ASK0(hipPeekAtLastError);
    ASK0(hipGetLastError);
    ASK0(hipGetLastError);
    MUST(hipFree, ptr);
}

QUESTION(an_error_after_success, "hipExtGetLastError: the error of the last call") {
    void *ptr = NULL;
    ASK(hipSetDevice, 77);
    ASK(hipMalloc, &ptr, 64);
    ASK0(hipExtGetLastError);
    MUST(hipFree, ptr);
}

QUESTION(a_second_error_replaces_the_first, "hipGetLastError") {
    ASK(hipSetDevice, 77);
    ASK(hipMalloc, NULL, 16);
    ASK0(hipGetLastError);
    ASK0(hipGetLastError);
}

QUESTION(a_stream_that_is_not_ready, "hipStreamQuery, hipGetLastError") {
    hipStream_t stream = make_stream();
    int gate;
    close_gate(stream, &gate);
    ASK(hipStreamQuery, stream);
    ASK0(hipGetLastError);
    open_gate(&gate);
    MUST(hipStreamSynchronize, stream);
    MUST(hipStreamDestroy, stream);
}

QUESTION(an_event_that_is_not_ready, "hipEventQuery, hipGetLastError") {
    hipStream_t stream = make_stream();
    hipEvent_t event = make_event(0);
    int gate;
    close_gate(stream, &gate);
    MUST(hipEventRecord, event, stream);
    ASK(hipEventQuery, event);
    ASK0(hipGetLastError);
    open_gate(&gate);
    ASK(hipEventSynchronize, event);
    ASK(hipEventQuery, event);
    ASK0(hipGetLastError);
    MUST(hipEventDestroy, event);
    MUST(hipStreamDestroy, stream);
}

static void *read_error(void *result) {
    *(int *)result = (int)CALL0(hipGetLastError);
    return NULL;
}

QUESTION(the_last_error_is_of_its_thread, "hipGetLastError") {
    pthread_t thread;
    int error = 77;
    ASK(hipSetDevice, 77);
    (void)pthread_create(&thread, NULL, read_error, &error);
    (void)pthread_join(thread, NULL);
    SAY("other", error);
    ASK0(hipGetLastError);
}

QUESTION(a_pointer_query_and_the_last_error, "hipPointerGetAttributes") {
    hipPointerAttribute_t view;
    ASK(hipPointerGetAttributes, &view, &view);
    ASK0(hipGetLastError);
}

QUESTION(texts_leave_the_last_error, "hipGetErrorString") {
    ASK(hipSetDevice, 77);
    SAY_TEXT("text", CALL(hipGetErrorString, hipErrorInvalidDevice));
    ASK0(hipGetLastError);
}
