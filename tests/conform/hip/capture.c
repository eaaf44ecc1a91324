// SPDX-License-Identifier: Apache-2.0
// Captures: their modes, the calls that they forbid, forks and joins, and memory of graphs.
#include <pthread.h>

#include "old.h"

#define TN_GROUP "capture"

enum {
    GLOBAL = hipStreamCaptureModeGlobal,
    THREAD = hipStreamCaptureModeThreadLocal,
    RELAXED = hipStreamCaptureModeRelaxed
};

static hipStream_t begin_capture(int mode) {
    hipStream_t stream = make_stream();
    MUST(hipStreamBeginCapture, stream, (hipStreamCaptureMode)mode);
    return stream;
}

// Ends the capture, and states the result and the number of nodes.
static void end_capture(hipStream_t stream) {
    hipGraph_t graph = (hipGraph_t)(uintptr_t)8;
    size_t nodes = 0;
    if (ASK(hipStreamEndCapture, stream, &graph) == 0) {
        MUST(hipGraphGetNodes, graph, NULL, &nodes);
        SAY("nodes", nodes);
        MUST(hipGraphDestroy, graph);
    } else
        SAY("null", graph == NULL);
    MUST(hipStreamDestroy, stream);
}

QUESTION(of_special_streams, "hipStreamBeginCapture") {
    hipGraph_t graph = NULL;
    ASK(hipStreamBeginCapture, NULL, hipStreamCaptureModeGlobal);
    ASK(hipStreamBeginCapture, hipStreamLegacy, hipStreamCaptureModeGlobal);
    if (ASK(hipStreamBeginCapture, hipStreamPerThread, hipStreamCaptureModeGlobal) == 0) {
        ASK(hipStreamEndCapture, hipStreamPerThread, &graph);
        MUST(hipGraphDestroy, graph);
    }
    ASK(hipStreamBeginCapture, NULL, hipStreamCaptureModeGlobal);
    ASK0(hipGetLastError);
}

QUESTION(with_a_bad_mode, "hipStreamBeginCapture") {
    hipStream_t stream = make_stream();
    ASK(hipStreamBeginCapture, stream, (hipStreamCaptureMode)3);
    ASK(hipStreamBeginCapture, stream, (hipStreamCaptureMode)-1);
    MUST(hipStreamDestroy, stream);
}

QUESTION(begun_twice, "hipStreamBeginCapture") {
    hipStream_t stream = begin_capture(GLOBAL);
    ASK(hipStreamBeginCapture, stream, hipStreamCaptureModeGlobal);
    end_capture(stream);
}

QUESTION(ended_without_a_beginning, "hipStreamEndCapture") {
    hipStream_t stream = make_stream();
    hipGraph_t graph = (hipGraph_t)(uintptr_t)8;
    ASK(hipStreamEndCapture, stream, &graph);
    SAY("null", graph == NULL);
    ASK(hipStreamEndCapture, NULL, &graph);
    MUST(hipStreamDestroy, stream);
}

QUESTION(ended_to_null, "hipStreamEndCapture") {
    hipStream_t stream = begin_capture(GLOBAL);
    ASK(hipStreamEndCapture, stream, NULL);
    end_capture(stream);
}

QUESTION(of_nothing, "hipStreamEndCapture") { end_capture(begin_capture(GLOBAL)); }

static void *allocate(void *result) {
    void *ptr = NULL;
    *(int *)result = (int)CALL(hipMalloc, &ptr, MIB);
    return NULL;
}

static int allocate_elsewhere(void) {
    pthread_t thread;
    int result = -1;
    (void)pthread_create(&thread, NULL, allocate, &result);
    (void)pthread_join(thread, NULL);
    return result;
}

#define MODE_QUESTIONS(name, mode)                                                                 \
    QUESTION(allocation_while_##name, "hipStreamCaptureMode: unsafe calls") {                      \
        hipStream_t stream = begin_capture(mode);                                                  \
        uintptr_t ptr = 0;                                                                         \
        ASK(hipMalloc, (void **)&ptr, MIB);                                                        \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(allocation_elsewhere_while_##name, "hipStreamCaptureMode: other threads") {           \
        hipStream_t stream = begin_capture(mode);                                                  \
        SAY("hipMalloc", allocate_elsewhere());                                                    \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(free_while_##name, "hipStreamCaptureMode: unsafe calls") {                            \
        uintptr_t ptr = make_memory(MIB);                                                          \
        hipStream_t stream = begin_capture(mode);                                                  \
        ASK(hipFree, pointer(ptr));                                                                \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(pinned_while_##name, "hipStreamCaptureMode: unsafe calls") {                          \
        hipStream_t stream = begin_capture(mode);                                                  \
        void *ptr = NULL;                                                                          \
        ASK(hipHostMalloc, &ptr, MIB, 0);                                                          \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(managed_while_##name, "hipStreamCaptureMode: unsafe calls") {                         \
        hipStream_t stream = begin_capture(mode);                                                  \
        uintptr_t ptr = 0;                                                                         \
        ASK(hipMallocManaged, (void **)&ptr, MIB, hipMemAttachGlobal);                             \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(copy_while_##name, "hipStreamCaptureMode: unsafe calls") {                            \
        uintptr_t ptr = make_memory(MIB);                                                          \
        char bytes[16] = "";                                                                       \
        hipStream_t stream = begin_capture(mode);                                                  \
        ASK(hipMemcpy, pointer(ptr), bytes, 16, hipMemcpyHostToDevice);                            \
        end_capture(stream);                                                                       \
        MUST(hipFree, pointer(ptr));                                                               \
    }                                                                                              \
    QUESTION(fill_while_##name, "hipStreamCaptureMode: unsafe calls") {                            \
        uintptr_t ptr = make_memory(MIB);                                                          \
        hipStream_t stream = begin_capture(mode);                                                  \
        ASK(hipMemsetD8, pointer(ptr), 1, 16);                                                     \
        end_capture(stream);                                                                       \
        MUST(hipFree, pointer(ptr));                                                               \
    }                                                                                              \
    QUESTION(query_while_##name, "hipStreamCaptureMode: unsafe calls") {                           \
        hipEvent_t event = make_event(0);                                                          \
        hipStream_t other = make_stream();                                                         \
        MUST(hipEventRecord, event, other);                                                        \
        MUST(hipStreamSynchronize, other);                                                         \
        hipStream_t stream = begin_capture(mode);                                                  \
        ASK(hipEventQuery, event);                                                                 \
        ASK(hipStreamQuery, other);                                                                \
        end_capture(stream);                                                                       \
        MUST(hipEventDestroy, event);                                                              \
        MUST(hipStreamDestroy, other);                                                             \
    }                                                                                              \
    QUESTION(synchronisation_while_##name, "hipStreamCaptureMode: unsafe calls") {                 \
        hipStream_t stream = begin_capture(mode);                                                  \
        ASK0(hipDeviceSynchronize);                                                                \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(creation_while_##name, "hipStreamCaptureMode: unsafe calls") {                        \
        hipStream_t stream = begin_capture(mode), other = NULL;                                    \
        hipEvent_t event = NULL;                                                                   \
        if (ASK(hipStreamCreateWithFlags, &other, 0) == 0) MUST(hipStreamDestroy, other);          \
        if (ASK(hipEventCreateWithFlags, &event, 0) == 0) MUST(hipEventDestroy, event);            \
        end_capture(stream);                                                                       \
    }
MODE_QUESTIONS(global, GLOBAL)
MODE_QUESTIONS(of_the_thread, THREAD)
MODE_QUESTIONS(relaxed, RELAXED)

QUESTION(synchronised, "hipStreamSynchronize") {
    hipStream_t stream = begin_capture(RELAXED);
    ASK(hipStreamSynchronize, stream);
    end_capture(stream);
}

QUESTION(queried, "hipStreamQuery") {
    hipStream_t stream = begin_capture(RELAXED);
    ASK(hipStreamQuery, stream);
    end_capture(stream);
}

QUESTION(destroyed, "hipStreamDestroy") {
    hipStream_t stream = begin_capture(RELAXED);
    ASK(hipStreamDestroy, stream);
    SAY("hipMalloc", allocate_elsewhere());
}

QUESTION(the_legacy_stream_beside_a_blocking_capture, "hipErrorStreamCaptureImplicit") {
    hipStream_t stream = make_blocking_stream();
    uintptr_t ptr = make_memory(64);
    hipStreamCaptureStatus status = (hipStreamCaptureStatus)77;
    MUST(hipStreamBeginCapture, stream, hipStreamCaptureModeRelaxed);
    ASK(hipStreamIsCapturing, NULL, &status);
    ASK(hipMemsetD8Async, pointer(ptr), 1, 64, NULL);
    end_capture(stream);
    MUST(hipFree, pointer(ptr));
}

QUESTION(the_legacy_stream_beside_another_capture, "hipErrorStreamCaptureImplicit") {
    uintptr_t ptr = make_memory(64);
    hipStream_t stream = begin_capture(RELAXED);
    ASK(hipMemsetD8Async, pointer(ptr), 1, 64, NULL);
    ASK(hipStreamQuery, NULL);
    end_capture(stream);
    MUST(hipStreamSynchronize, NULL);
    MUST(hipFree, pointer(ptr));
}

QUESTION(events_of_a_capture, "hipErrorCapturedEvent") {
    hipStream_t stream = begin_capture(RELAXED), other = make_stream();
    hipEvent_t event = make_event(0);
    ASK(hipEventRecord, event, stream);
    ASK(hipEventQuery, event);
    end_capture(stream);
    ASK(hipEventQuery, event);
    ASK(hipStreamWaitEvent, other, event, 0);
    MUST(hipStreamDestroy, other);
    MUST(hipEventDestroy, event);
}

QUESTION(synchronised_events, "hipErrorCapturedEvent") {
    hipStream_t stream = begin_capture(RELAXED);
    hipEvent_t event = make_event(0);
    MUST(hipEventRecord, event, stream);
    ASK(hipEventSynchronize, event);
    end_capture(stream);
    MUST(hipEventDestroy, event);
}

QUESTION(events_from_outside, "hipErrorStreamCaptureIsolation") {
    hipStream_t other = make_stream();
    hipEvent_t event = make_event(0);
    int gate;
    close_gate(other, &gate);
    MUST(hipEventRecord, event, other);
    hipStream_t stream = begin_capture(RELAXED);
    ASK(hipStreamWaitEvent, stream, event, 0);
    end_capture(stream);
    open_gate(&gate);
    MUST(hipStreamSynchronize, other);
    MUST(hipStreamDestroy, other);
    MUST(hipEventDestroy, event);
}

QUESTION(a_fork_joins, "cross-stream dependencies and events") {
    uintptr_t ptr = make_memory(128);
    hipStream_t stream = begin_capture(GLOBAL), fork = make_stream();
    hipEvent_t out = make_event(hipEventDisableTiming), back = make_event(hipEventDisableTiming);
    hipStreamCaptureStatus status = (hipStreamCaptureStatus)77;
    MUST(hipMemsetD8Async, pointer(ptr), 1, 64, stream);
    MUST(hipEventRecord, out, stream);
    MUST(hipStreamWaitEvent, fork, out, 0);
    ASK(hipStreamIsCapturing, fork, &status);
    SAY("status", status);
    MUST(hipMemsetD8Async, pointer(ptr + 64), 1, 64, fork);
    MUST(hipEventRecord, back, fork);
    MUST(hipStreamWaitEvent, stream, back, 0);
    end_capture(stream);
    ASK(hipStreamIsCapturing, fork, &status);
    SAY("status", status);
    MUST(hipStreamDestroy, fork);
    MUST(hipEventDestroy, out);
    MUST(hipEventDestroy, back);
    MUST(hipFree, pointer(ptr));
}

QUESTION(a_fork_that_does_not_join, "hipErrorStreamCaptureUnjoined") {
    uintptr_t ptr = make_memory(128);
    hipStream_t stream = begin_capture(GLOBAL), fork = make_stream();
    hipEvent_t out = make_event(hipEventDisableTiming);
    MUST(hipEventRecord, out, stream);
    MUST(hipStreamWaitEvent, fork, out, 0);
    MUST(hipMemsetD8Async, pointer(ptr), 1, 64, fork);
    end_capture(stream);
    MUST(hipStreamDestroy, fork);
    MUST(hipEventDestroy, out);
    MUST(hipFree, pointer(ptr));
}

QUESTION(a_fork_without_work, "hipErrorStreamCaptureUnjoined") {
    hipStream_t stream = begin_capture(GLOBAL), fork = make_stream();
    hipEvent_t out = make_event(hipEventDisableTiming);
    MUST(hipEventRecord, out, stream);
    MUST(hipStreamWaitEvent, fork, out, 0);
    end_capture(stream);
    MUST(hipStreamDestroy, fork);
    MUST(hipEventDestroy, out);
}

QUESTION(ended_on_the_fork, "hipErrorStreamCaptureUnmatched") {
    hipStream_t stream = begin_capture(GLOBAL), fork = make_stream();
    hipEvent_t out = make_event(hipEventDisableTiming);
    hipGraph_t graph = NULL;
    MUST(hipEventRecord, out, stream);
    MUST(hipStreamWaitEvent, fork, out, 0);
    ASK(hipStreamEndCapture, fork, &graph);
    end_capture(stream);
    MUST(hipStreamDestroy, fork);
    MUST(hipEventDestroy, out);
}

QUESTION(two_captures_merge, "hipErrorStreamCaptureMerge") {
    hipStream_t a = begin_capture(RELAXED), b = begin_capture(RELAXED);
    hipEvent_t event = make_event(hipEventDisableTiming);
    MUST(hipEventRecord, event, a);
    ASK(hipStreamWaitEvent, b, event, 0);
    end_capture(a);
    end_capture(b);
    MUST(hipEventDestroy, event);
}

struct ending {
    hipStream_t stream;
    hipGraph_t graph;
    int result;
};

static void *end_there(void *data) {
    struct ending *ending = (struct ending *)data;
    ending->result = (int)CALL(hipStreamEndCapture, ending->stream, &ending->graph);
    return NULL;
}

static void end_elsewhere(hipStream_t stream) {
    struct ending ending = {stream, NULL, -1};
    pthread_t thread;
    (void)pthread_create(&thread, NULL, end_there, &ending);
    (void)pthread_join(thread, NULL);
    SAY("elsewhere", ending.result);
    if (ending.graph != NULL) MUST(hipGraphDestroy, ending.graph);
    end_capture(stream);
}

QUESTION(ended_by_another_thread, "hipErrorStreamCaptureWrongThread") {
    end_elsewhere(begin_capture(GLOBAL));
}

QUESTION(ended_by_another_thread_while_relaxed, "hipStreamEndCapture") {
    end_elsewhere(begin_capture(RELAXED));
}

QUESTION(states, "hipStreamIsCapturing") {
    hipStream_t stream = begin_capture(THREAD);
    hipStreamCaptureStatus status = (hipStreamCaptureStatus)77;
    uintptr_t ptr = 0;
    ASK(hipStreamIsCapturing, stream, &status);
    SAY("status", status);
    ASK(hipMalloc, (void **)&ptr, 64);
    ASK(hipStreamIsCapturing, stream, &status);
    SAY("status", status);
    ASK(hipMemsetD8Async, NULL, 1, 64, stream);
    end_capture(stream);
    ASK(hipStreamIsCapturing, NULL, &status);
    SAY("status", status);
    ASK(hipStreamIsCapturing, NULL, NULL);
}

QUESTION(exchanged_modes, "hipThreadExchangeStreamCaptureMode") {
    hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
    hipStream_t stream = begin_capture(GLOBAL);
    uintptr_t ptr = 0;
    ASK(hipThreadExchangeStreamCaptureMode, &mode);
    SAY("mode", mode);
    if (ASK(hipMalloc, (void **)&ptr, 64) == 0) ASK(hipFree, pointer(ptr));
    ASK(hipThreadExchangeStreamCaptureMode, &mode);
    SAY("mode", mode);
    end_capture(stream);
    mode = (hipStreamCaptureMode)7;
    ASK(hipThreadExchangeStreamCaptureMode, &mode);
    ASK(hipThreadExchangeStreamCaptureMode, NULL);
}

QUESTION(work_of_a_capture_is_not_done, "stream capture") {
    unsigned char byte = 0;
    uintptr_t ptr = make_memory(64);
    MUST(hipMemsetD8, pointer(ptr), 5, 64);
    hipStream_t stream = begin_capture(RELAXED);
    MUST(hipMemsetD8Async, pointer(ptr), 1, 64, stream);
    MUST(hipMemcpyDtoH, &byte, pointer(ptr), 1);
    SAY("byte", byte);
    end_capture(stream);
    MUST(hipFree, pointer(ptr));
}

QUESTION(bad_work_in_a_capture, "hipMemsetD8Async") {
    hipStream_t stream = begin_capture(GLOBAL);
    ASK(hipMemsetD8Async, NULL, 1, 64, stream);
    ASK(hipMemcpyDtoDAsync, NULL, NULL, 64, stream);
    end_capture(stream);
}

static void ignore_callback(hipStream_t stream, hipError_t status, void *data) {
    (void)stream, (void)status, (void)data;
}

QUESTION(a_callback_in_a_capture, "hipStreamAddCallback") {
    hipStream_t stream = begin_capture(GLOBAL);
    ASK(hipStreamAddCallback, stream, ignore_callback, NULL, 0);
    end_capture(stream);
}

QUESTION(copies_of_pageable_memory, "hipMemcpyAsync") {
    static char bytes[64];
    uintptr_t ptr = make_memory(64);
    hipStream_t stream = begin_capture(GLOBAL);
    ASK(hipMemcpyHtoDAsync, pointer(ptr), bytes, 64, stream);
    ASK(hipMemcpyDtoHAsync, bytes, pointer(ptr), 64, stream);
    end_capture(stream);
    MUST(hipFree, pointer(ptr));
}

// ---- memory of graphs

static unsigned long long graph_memory(int which) {
    unsigned long long value = 77;
    MUST(hipDeviceGetGraphMemAttribute, 0, (hipGraphMemAttributeType)which, &value);
    return value;
}

// Captures an allocation, a fill and, with `frees`, its end. Returns the executable graph.
static hipGraphExec_t capture_memory(hipStream_t stream, bool frees, unsigned flags,
                                     uintptr_t *ptr) {
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    MUST(hipStreamBeginCapture, stream, hipStreamCaptureModeGlobal);
    MUST(hipMallocAsync, (void **)ptr, MIB, stream);
    MUST(hipMemsetD8Async, pointer(*ptr), 3, MIB, stream);
    if (frees) MUST(hipFreeAsync, pointer(*ptr), stream);
    MUST(hipStreamEndCapture, stream, &graph);
    MUST(hipGraphInstantiateWithFlags, &exec, graph, flags);
    MUST(hipGraphDestroy, graph);
    return exec;
}

QUESTION(memory_that_the_graph_frees, "graph memory nodes") {
    hipStream_t stream = make_stream();
    uintptr_t ptr = 0;
    hipGraphExec_t exec = capture_memory(stream, true, 0, &ptr);
    for (int i = 0; i < 2; i++) ASK(hipGraphLaunch, exec, stream);
    MUST(hipStreamSynchronize, stream);
    SAY("used", graph_memory(0));
    SAY("used_high", graph_memory(1));
    MUST(hipGraphExecDestroy, exec);
    ASK(hipDeviceGraphMemTrim, 0);
    SAY("reserved", graph_memory(2));
    MUST(hipStreamDestroy, stream);
}

QUESTION(memory_that_the_graph_leaves, "graph memory nodes: a second launch is refused") {
    hipStream_t stream = make_stream();
    uintptr_t ptr = 0;
    unsigned char byte = 0;
    hipGraphExec_t exec = capture_memory(stream, false, 0, &ptr);
    ASK(hipGraphLaunch, exec, stream);
    ASK(hipGraphLaunch, exec, stream);
    MUST(hipStreamSynchronize, stream);
    ASK(hipMemcpyDtoH, &byte, pointer(ptr), 1);
    SAY("byte", byte);
    ASK(hipFree, pointer(ptr));
    ASK(hipGraphLaunch, exec, stream);
    ASK(hipFreeAsync, pointer(ptr), stream);
    MUST(hipStreamSynchronize, stream);
    SAY("used", graph_memory(0));
    MUST(hipGraphExecDestroy, exec);
    MUST(hipStreamDestroy, stream);
}

QUESTION(memory_that_the_launch_frees, "hipGraphInstantiateFlagAutoFreeOnLaunch") {
    hipStream_t stream = make_stream();
    uintptr_t ptr = 0;
    hipGraphExec_t exec =
        capture_memory(stream, false, hipGraphInstantiateFlagAutoFreeOnLaunch, &ptr);
    for (int i = 0; i < 3; i++) ASK(hipGraphLaunch, exec, stream);
    MUST(hipStreamSynchronize, stream);
    ASK(hipFree, pointer(ptr));
    ASK(hipFree, pointer(ptr));
    MUST(hipGraphExecDestroy, exec);
    MUST(hipStreamDestroy, stream);
}

QUESTION(memory_of_a_graph_before_its_launch, "graph memory nodes") {
    hipStream_t stream = make_stream();
    uintptr_t ptr = 0;
    unsigned type = 77;
    hipGraphExec_t exec = capture_memory(stream, false, 0, &ptr);
    ASK(hipPointerGetAttribute, &type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer(ptr));
    ASK(hipFree, pointer(ptr));
    ASK(hipMemsetD8, pointer(ptr), 1, 16);
    MUST(hipGraphExecDestroy, exec);
    MUST(hipStreamDestroy, stream);
}

QUESTION(foreign_memory_freed_in_a_capture, "hipFreeAsync") {
    uintptr_t plain = make_memory(MIB), pooled = 0;
    MUST(hipMallocAsync, (void **)&pooled, MIB, NULL);
    MUST(hipStreamSynchronize, NULL);
    hipStream_t stream = begin_capture(RELAXED);
    ASK(hipFreeAsync, pointer(plain), stream);
    ASK(hipFreeAsync, pointer(pooled), stream);
    end_capture(stream);
    CALL(hipFree, pointer(plain));
    CALL(hipFree, pointer(pooled));
}

QUESTION(graph_memory_attributes, "hipDeviceSetGraphMemAttribute") {
    unsigned long long value = 0;
    ASK(hipDeviceSetGraphMemAttribute, 0, (hipGraphMemAttributeType)1, &value);
    ASK(hipDeviceSetGraphMemAttribute, 0, (hipGraphMemAttributeType)3, &value);
    ASK(hipDeviceSetGraphMemAttribute, 0, (hipGraphMemAttributeType)0, &value);
    value = 1;
    ASK(hipDeviceSetGraphMemAttribute, 0, (hipGraphMemAttributeType)1, &value);
    ASK(hipDeviceGetGraphMemAttribute, 0, (hipGraphMemAttributeType)9, &value);
    ASK(hipDeviceGetGraphMemAttribute, 99, (hipGraphMemAttributeType)0, &value);
    ASK(hipDeviceGraphMemTrim, 99);
}
