// SPDX-License-Identifier: Apache-2.0
// Names and texts of errors, and the last error of the runtime.
#include <pthread.h>

#include "begin.h"

#define TN_GROUP "error"

// The names and texts of both APIs for a number.
static void state_number(int value) {
    const char *text = NULL;
    ASK(cuGetErrorName, (CUresult)value, &text);
    SAY_TEXT("name", text);
    text = NULL;
    ASK(cuGetErrorString, (CUresult)value, &text);
    SAY_TEXT("text", text);
    SAY_TEXT("runtime_name", CALL(cudaGetErrorName, (cudaError_t)value));
    SAY_TEXT("runtime_text", CALL(cudaGetErrorString, (cudaError_t)value));
}

#define NUMBER(value)                                                                              \
    QUESTION(text_of_##value, "cuda.h, driver_types.h: errors") { state_number(value); }
NUMBER(0)
NUMBER(1)
NUMBER(2)
NUMBER(3)
NUMBER(4)
NUMBER(9)
NUMBER(12)
NUMBER(13)
NUMBER(17)
NUMBER(20)
NUMBER(21)
NUMBER(34)
NUMBER(35)
NUMBER(36)
NUMBER(46)
NUMBER(98)
NUMBER(100)
NUMBER(101)
NUMBER(200)
NUMBER(201)
NUMBER(205)
NUMBER(209)
NUMBER(214)
NUMBER(215)
NUMBER(217)
NUMBER(218)
NUMBER(221)
NUMBER(222)
NUMBER(300)
NUMBER(301)
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
NUMBER(714)
NUMBER(716)
NUMBER(717)
NUMBER(718)
NUMBER(719)
NUMBER(720)
NUMBER(800)
NUMBER(801)
NUMBER(802)
NUMBER(803)
NUMBER(804)
NUMBER(900)
NUMBER(901)
NUMBER(902)
NUMBER(903)
NUMBER(904)
NUMBER(905)
NUMBER(906)
NUMBER(907)
NUMBER(908)
NUMBER(909)
NUMBER(910)
NUMBER(911)
NUMBER(912)
NUMBER(915)
NUMBER(999)
NUMBER(12345)

QUESTION(text_of_a_negative_number, "cuGetErrorName") { state_number(-1); }

QUESTION(text_to_null, "cuGetErrorName") {
    ASK(cuGetErrorName, CUDA_SUCCESS, NULL);
    ASK(cuGetErrorString, CUDA_SUCCESS, NULL);
}

QUESTION(an_unknown_number_clears_the_text, "cuGetErrorName: pStr is set to NULL") {
    const char *text = "before";
    ASK(cuGetErrorName, (CUresult)12345, &text);
    SAY("null", text == NULL);
}

// ---- the last error

QUESTION(an_error_stays_until_it_is_read, "cudaGetLastError") {
    void *ptr = NULL;
    ASK(cudaSetDevice, 77);
    ASK(cudaMalloc, &ptr, 64);
    ASK0(cudaPeekAtLastError);
    ASK0(cudaPeekAtLastError);
    ASK0(cudaGetLastError);
    ASK0(cudaGetLastError);
    MUST(cudaFree, ptr);
}

QUESTION(a_second_error_replaces_the_first, "cudaGetLastError: the last error") {
    ASK(cudaSetDevice, 77);
    ASK(cudaMalloc, NULL, 16);
    ASK0(cudaGetLastError);
    ASK0(cudaGetLastError);
}

QUESTION(the_driver_records_no_error, "cudaGetLastError: errors of the runtime") {
    CUdeviceptr ptr = 0;
    ASK(cuMemAlloc, &ptr, 0);
    ASK0(cudaPeekAtLastError);
}

QUESTION(a_query_that_is_not_ready_is_recorded, "cudaStreamQuery, cudaGetLastError") {
    CUstream stream = make_stream();
    int gate;
    close_gate(stream, &gate);
    ASK(cudaStreamQuery, stream);
    ASK0(cudaGetLastError);
    ASK(cuStreamQuery, stream);
    ASK0(cudaGetLastError);
    open_gate(&gate);
    MUST(cuStreamSynchronize, stream);
    MUST(cuStreamDestroy, stream);
}

QUESTION(an_event_that_is_not_ready_is_recorded, "cudaEventQuery, cudaGetLastError") {
    CUstream stream = make_stream();
    CUevent event = make_event(0);
    int gate;
    close_gate(stream, &gate);
    MUST(cuEventRecord, event, stream);
    ASK(cudaEventQuery, event);
    ASK0(cudaGetLastError);
    open_gate(&gate);
    ASK(cudaEventSynchronize, event);
    ASK(cudaEventQuery, event);
    ASK0(cudaGetLastError);
    MUST(cuEventDestroy, event);
    MUST(cuStreamDestroy, stream);
}

static void *read_error(void *result) {
    *(int *)result = (int)CALL0(cudaGetLastError);
    return NULL;
}

QUESTION(the_last_error_is_of_its_thread, "cudaGetLastError: per host thread") {
    pthread_t thread;
    int error = 77;
    ASK(cudaSetDevice, 77);
    (void)pthread_create(&thread, NULL, read_error, &error);
    (void)pthread_join(thread, NULL);
    SAY("other", error);
    ASK0(cudaGetLastError);
}

QUESTION(a_pointer_query_records_nothing, "cudaPointerGetAttributes since 11.0") {
    struct cudaPointerAttributes view;
    ASK(cudaPointerGetAttributes, &view, &view);
    ASK0(cudaGetLastError);
}

QUESTION(a_peer_that_is_enabled_is_recorded, "cudaDeviceEnablePeerAccess") {
    ASK(cudaDeviceEnablePeerAccess, 0, 0);
    ASK0(cudaGetLastError);
    ASK(cudaDeviceDisablePeerAccess, 0);
    ASK0(cudaGetLastError);
}

QUESTION(texts_leave_the_last_error, "cudaGetErrorString") {
    ASK(cudaSetDevice, 77);
    SAY_TEXT("text", CALL(cudaGetErrorString, cudaErrorInvalidDevice));
    ASK0(cudaGetLastError);
}

QUESTION(a_synchronisation_leaves_the_last_error, "cudaDeviceSynchronize") {
    ASK(cudaSetDevice, 77);
    ASK0(cudaDeviceSynchronize);
    ASK0(cudaGetLastError);
}
