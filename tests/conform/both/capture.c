// SPDX-License-Identifier: Apache-2.0
// Captures: their modes, the calls that they forbid, forks and joins, and memory of graphs.
#include <pthread.h>

#include "begin.h"

#define TN_GROUP "capture"

enum {
    GLOBAL = CU_STREAM_CAPTURE_MODE_GLOBAL,
    THREAD = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
    RELAXED = CU_STREAM_CAPTURE_MODE_RELAXED
};

static CUstream begin_capture(int mode) {
    CUstream stream = make_stream();
    MUST(cuStreamBeginCapture, stream, (CUstreamCaptureMode)mode);
    return stream;
}

// Ends the capture, and states the result and the number of nodes.
static void end_capture(CUstream stream) {
    CUgraph graph = (CUgraph)(uintptr_t)8;
    size_t nodes = 0;
    if (ASK(cuStreamEndCapture, stream, &graph) == 0) {
        MUST(cuGraphGetNodes, graph, NULL, &nodes);
        SAY("nodes", nodes);
        MUST(cuGraphDestroy, graph);
    } else
        SAY("null", graph == NULL);
    MUST(cuStreamDestroy, stream);
}

QUESTION(of_special_streams,
         EITHER("cuStreamBeginCapture: not on the legacy stream", "hipStreamBeginCapture")) {
    CUgraph graph = NULL;
    ASK(cuStreamBeginCapture, NULL, CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuStreamBeginCapture, CU_STREAM_LEGACY, CU_STREAM_CAPTURE_MODE_GLOBAL);
    if (ASK(cuStreamBeginCapture, CU_STREAM_PER_THREAD, CU_STREAM_CAPTURE_MODE_GLOBAL) == 0) {
        ASK(cuStreamEndCapture, CU_STREAM_PER_THREAD, &graph);
        MUST(cuGraphDestroy, graph);
    }
    ASK(cudaStreamBeginCapture, NULL, cudaStreamCaptureModeGlobal);
    ASK0(cudaGetLastError);
}

QUESTION(with_a_bad_mode, EITHER("cuStreamBeginCapture", "hipStreamBeginCapture")) {
    CUstream stream = make_stream();
    ASK(cuStreamBeginCapture, stream, (CUstreamCaptureMode)3);
    ASK(cuStreamBeginCapture, stream, (CUstreamCaptureMode)-1);
    MUST(cuStreamDestroy, stream);
}

QUESTION(begun_twice, EITHER("cuStreamBeginCapture", "hipStreamBeginCapture")) {
    CUstream stream = begin_capture(GLOBAL);
    ASK(cuStreamBeginCapture, stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    end_capture(stream);
}

QUESTION(ended_without_a_beginning, EITHER("cuStreamEndCapture", "hipStreamEndCapture")) {
    CUstream stream = make_stream();
    CUgraph graph = (CUgraph)(uintptr_t)8;
    ASK(cuStreamEndCapture, stream, &graph);
    SAY("null", graph == NULL);
    ASK(cuStreamEndCapture, NULL, &graph);
    MUST(cuStreamDestroy, stream);
}

QUESTION(ended_to_null, EITHER("cuStreamEndCapture", "hipStreamEndCapture")) {
    CUstream stream = begin_capture(GLOBAL);
    ASK(cuStreamEndCapture, stream, NULL);
    end_capture(stream);
}

QUESTION(of_nothing, EITHER("cuStreamEndCapture", "hipStreamEndCapture")) {
    end_capture(begin_capture(GLOBAL));
}

static void *allocate(void *result) {
    void *ptr = NULL;
    *(int *)result = (int)CALL(cudaMalloc, &ptr, MIB);
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
    QUESTION(allocation_while_##name, EITHER("cudaStreamCaptureMode: unsafe calls",                \
                                             "hipStreamCaptureMode: unsafe calls")) {              \
        CUstream stream = begin_capture(mode);                                                     \
        CUdeviceptr ptr = 0;                                                                       \
        ASK(cuMemAlloc, &ptr, MIB);                                                                \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(allocation_elsewhere_while_##name, EITHER("cudaStreamCaptureMode: other threads",     \
                                                       "hipStreamCaptureMode: other threads")) {   \
        CUstream stream = begin_capture(mode);                                                     \
        SAY(EITHER("cudaMalloc", "hipMalloc"), allocate_elsewhere());                              \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(free_while_##name, EITHER("cudaStreamCaptureMode: unsafe calls",                      \
                                       "hipStreamCaptureMode: unsafe calls")) {                    \
        CUdeviceptr ptr = make_memory(MIB);                                                        \
        CUstream stream = begin_capture(mode);                                                     \
        ASK(cuMemFree, ptr);                                                                       \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(pinned_while_##name, EITHER("cudaStreamCaptureMode: unsafe calls",                    \
                                         "hipStreamCaptureMode: unsafe calls")) {                  \
        CUstream stream = begin_capture(mode);                                                     \
        void *ptr = NULL;                                                                          \
        ASK(cuMemHostAlloc, &ptr, MIB, 0);                                                         \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(managed_while_##name, EITHER("cudaStreamCaptureMode: unsafe calls",                   \
                                          "hipStreamCaptureMode: unsafe calls")) {                 \
        CUstream stream = begin_capture(mode);                                                     \
        CUdeviceptr ptr = 0;                                                                       \
        ASK(cuMemAllocManaged, &ptr, MIB, CU_MEM_ATTACH_GLOBAL);                                   \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(copy_while_##name, EITHER("cudaStreamCaptureMode: unsafe calls",                      \
                                       "hipStreamCaptureMode: unsafe calls")) {                    \
        CUdeviceptr ptr = make_memory(MIB);                                                        \
        char bytes[16] = "";                                                                       \
        CUstream stream = begin_capture(mode);                                                     \
        ASK(cudaMemcpy, pointer(ptr), bytes, 16, cudaMemcpyHostToDevice);                          \
        end_capture(stream);                                                                       \
        MUST(cuMemFree, ptr);                                                                      \
    }                                                                                              \
    QUESTION(fill_while_##name, EITHER("cudaStreamCaptureMode: unsafe calls",                      \
                                       "hipStreamCaptureMode: unsafe calls")) {                    \
        CUdeviceptr ptr = make_memory(MIB);                                                        \
        CUstream stream = begin_capture(mode);                                                     \
        ASK(cuMemsetD8, ptr, 1, 16);                                                               \
        end_capture(stream);                                                                       \
        MUST(cuMemFree, ptr);                                                                      \
    }                                                                                              \
    QUESTION(query_while_##name, EITHER("cudaStreamCaptureMode: unsafe calls",                     \
                                        "hipStreamCaptureMode: unsafe calls")) {                   \
        CUevent event = make_event(0);                                                             \
        CUstream other = make_stream();                                                            \
        MUST(cuEventRecord, event, other);                                                         \
        MUST(cuStreamSynchronize, other);                                                          \
        CUstream stream = begin_capture(mode);                                                     \
        ASK(cuEventQuery, event);                                                                  \
        ASK(cuStreamQuery, other);                                                                 \
        end_capture(stream);                                                                       \
        MUST(cuEventDestroy, event);                                                               \
        MUST(cuStreamDestroy, other);                                                              \
    }                                                                                              \
    QUESTION(synchronisation_while_##name, EITHER("cudaStreamCaptureMode: unsafe calls",           \
                                                  "hipStreamCaptureMode: unsafe calls")) {         \
        CUstream stream = begin_capture(mode);                                                     \
        ASK0(cuCtxSynchronize);                                                                    \
        end_capture(stream);                                                                       \
    }                                                                                              \
    QUESTION(creation_while_##name, EITHER("cudaStreamCaptureMode: unsafe calls",                  \
                                           "hipStreamCaptureMode: unsafe calls")) {                \
        CUstream stream = begin_capture(mode), other = NULL;                                       \
        CUevent event = NULL;                                                                      \
        if (ASK(cuStreamCreate, &other, 0) == 0) MUST(cuStreamDestroy, other);                     \
        if (ASK(cuEventCreate, &event, 0) == 0) MUST(cuEventDestroy, event);                       \
        end_capture(stream);                                                                       \
    }
MODE_QUESTIONS(global, GLOBAL)
MODE_QUESTIONS(of_the_thread, THREAD)
MODE_QUESTIONS(relaxed, RELAXED)

QUESTION(synchronised,
         EITHER("cuStreamSynchronize of a capturing stream: 900", "hipStreamSynchronize")) {
    CUstream stream = begin_capture(RELAXED);
    ASK(cuStreamSynchronize, stream);
    end_capture(stream);
}

QUESTION(queried, EITHER("cuStreamQuery of a capturing stream", "hipStreamQuery")) {
    CUstream stream = begin_capture(RELAXED);
    ASK(cuStreamQuery, stream);
    end_capture(stream);
}

QUESTION(destroyed, EITHER("cuStreamDestroy of a capturing stream", "hipStreamDestroy")) {
    CUstream stream = begin_capture(RELAXED);
    ASK(cuStreamDestroy, stream);
    SAY(EITHER("cudaMalloc", "hipMalloc"), allocate_elsewhere());
}

QUESTION(the_legacy_stream_beside_a_blocking_capture,
         EITHER("CUDA_ERROR_STREAM_CAPTURE_IMPLICIT: 906", "hipErrorStreamCaptureImplicit")) {
    CUstream stream = make_blocking_stream();
    CUdeviceptr ptr = make_memory(64);
    CUstreamCaptureStatus status = (CUstreamCaptureStatus)77;
    MUST(cuStreamBeginCapture, stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    ASK(cuStreamIsCapturing, NULL, &status);
    ASK(cuMemsetD8Async, ptr, 1, 64, NULL);
    end_capture(stream);
    MUST(cuMemFree, ptr);
}

QUESTION(the_legacy_stream_beside_another_capture,
         EITHER("CUDA_ERROR_STREAM_CAPTURE_IMPLICIT: 906", "hipErrorStreamCaptureImplicit")) {
    CUdeviceptr ptr = make_memory(64);
    CUstream stream = begin_capture(RELAXED);
    ASK(cuMemsetD8Async, ptr, 1, 64, NULL);
    ASK(cuStreamQuery, NULL);
    end_capture(stream);
    MUST(cuStreamSynchronize, NULL);
    MUST(cuMemFree, ptr);
}

QUESTION(events_of_a_capture, EITHER("CUDA_ERROR_CAPTURED_EVENT: 907", "hipErrorCapturedEvent")) {
    CUstream stream = begin_capture(RELAXED), other = make_stream();
    CUevent event = make_event(0);
    ASK(cuEventRecord, event, stream);
    ASK(cuEventQuery, event);
    end_capture(stream);
    ASK(cuEventQuery, event);
    ASK(cuStreamWaitEvent, other, event, 0);
    MUST(cuStreamDestroy, other);
    MUST(cuEventDestroy, event);
}

QUESTION(synchronised_events, EITHER("CUDA_ERROR_CAPTURED_EVENT: 907", "hipErrorCapturedEvent")) {
    CUstream stream = begin_capture(RELAXED);
    CUevent event = make_event(0);
    MUST(cuEventRecord, event, stream);
    ASK(cuEventSynchronize, event);
    end_capture(stream);
    MUST(cuEventDestroy, event);
}

QUESTION(events_from_outside,
         EITHER("CUDA_ERROR_STREAM_CAPTURE_ISOLATION: 905", "hipErrorStreamCaptureIsolation")) {
    CUstream other = make_stream();
    CUevent event = make_event(0);
    int gate;
    close_gate(other, &gate);
    MUST(cuEventRecord, event, other);
    CUstream stream = begin_capture(RELAXED);
    ASK(cuStreamWaitEvent, stream, event, 0);
    end_capture(stream);
    open_gate(&gate);
    MUST(cuStreamSynchronize, other);
    MUST(cuStreamDestroy, other);
    MUST(cuEventDestroy, event);
}

QUESTION(a_fork_joins, "cross-stream dependencies and events") {
    CUdeviceptr ptr = make_memory(128);
    CUstream stream = begin_capture(GLOBAL), fork = make_stream();
    CUevent out = make_event(CU_EVENT_DISABLE_TIMING), back = make_event(CU_EVENT_DISABLE_TIMING);
    CUstreamCaptureStatus status = (CUstreamCaptureStatus)77;
    MUST(cuMemsetD8Async, ptr, 1, 64, stream);
    MUST(cuEventRecord, out, stream);
    MUST(cuStreamWaitEvent, fork, out, 0);
    ASK(cuStreamIsCapturing, fork, &status);
    SAY("status", status);
    MUST(cuMemsetD8Async, ptr + 64, 1, 64, fork);
    MUST(cuEventRecord, back, fork);
    MUST(cuStreamWaitEvent, stream, back, 0);
    end_capture(stream);
    ASK(cuStreamIsCapturing, fork, &status);
    SAY("status", status);
    MUST(cuStreamDestroy, fork);
    MUST(cuEventDestroy, out);
    MUST(cuEventDestroy, back);
    MUST(cuMemFree, ptr);
}

QUESTION(a_fork_that_does_not_join,
         EITHER("CUDA_ERROR_STREAM_CAPTURE_UNJOINED: 904", "hipErrorStreamCaptureUnjoined")) {
    CUdeviceptr ptr = make_memory(128);
    CUstream stream = begin_capture(GLOBAL), fork = make_stream();
    CUevent out = make_event(CU_EVENT_DISABLE_TIMING);
    MUST(cuEventRecord, out, stream);
    MUST(cuStreamWaitEvent, fork, out, 0);
    MUST(cuMemsetD8Async, ptr, 1, 64, fork);
    end_capture(stream);
    MUST(cuStreamDestroy, fork);
    MUST(cuEventDestroy, out);
    MUST(cuMemFree, ptr);
}

QUESTION(a_fork_without_work,
         EITHER("CUDA_ERROR_STREAM_CAPTURE_UNJOINED: 904", "hipErrorStreamCaptureUnjoined")) {
    CUstream stream = begin_capture(GLOBAL), fork = make_stream();
    CUevent out = make_event(CU_EVENT_DISABLE_TIMING);
    MUST(cuEventRecord, out, stream);
    MUST(cuStreamWaitEvent, fork, out, 0);
    end_capture(stream);
    MUST(cuStreamDestroy, fork);
    MUST(cuEventDestroy, out);
}

QUESTION(ended_on_the_fork,
         EITHER("CUDA_ERROR_STREAM_CAPTURE_UNMATCHED: 903", "hipErrorStreamCaptureUnmatched")) {
    CUstream stream = begin_capture(GLOBAL), fork = make_stream();
    CUevent out = make_event(CU_EVENT_DISABLE_TIMING);
    CUgraph graph = NULL;
    MUST(cuEventRecord, out, stream);
    MUST(cuStreamWaitEvent, fork, out, 0);
    ASK(cuStreamEndCapture, fork, &graph);
    end_capture(stream);
    MUST(cuStreamDestroy, fork);
    MUST(cuEventDestroy, out);
}

QUESTION(two_captures_merge,
         EITHER("CUDA_ERROR_STREAM_CAPTURE_MERGE: 902", "hipErrorStreamCaptureMerge")) {
    CUstream a = begin_capture(RELAXED), b = begin_capture(RELAXED);
    CUevent event = make_event(CU_EVENT_DISABLE_TIMING);
    MUST(cuEventRecord, event, a);
    ASK(cuStreamWaitEvent, b, event, 0);
    end_capture(a);
    end_capture(b);
    MUST(cuEventDestroy, event);
}

struct ending {
    CUstream stream;
    CUgraph graph;
    int result;
};

static void *end_there(void *data) {
    struct ending *ending = (struct ending *)data;
    ending->result = (int)CALL(cudaStreamEndCapture, ending->stream, &ending->graph);
    return NULL;
}

static void end_elsewhere(CUstream stream) {
    struct ending ending = {stream, NULL, -1};
    pthread_t thread;
    (void)pthread_create(&thread, NULL, end_there, &ending);
    (void)pthread_join(thread, NULL);
    SAY("elsewhere", ending.result);
    if (ending.graph != NULL) MUST(cuGraphDestroy, ending.graph);
    end_capture(stream);
}

QUESTION(ended_by_another_thread, EITHER("CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD: 908",
                                         "hipErrorStreamCaptureWrongThread")) {
    end_elsewhere(begin_capture(GLOBAL));
}

QUESTION(ended_by_another_thread_while_relaxed,
         EITHER("cuStreamEndCapture", "hipStreamEndCapture")) {
    end_elsewhere(begin_capture(RELAXED));
}

QUESTION(states, EITHER("cuStreamIsCapturing", "hipStreamIsCapturing")) {
    CUstream stream = begin_capture(THREAD);
    CUstreamCaptureStatus status = (CUstreamCaptureStatus)77;
    CUdeviceptr ptr = 0;
    ASK(cuStreamIsCapturing, stream, &status);
    SAY("status", status);
    ASK(cuMemAlloc, &ptr, 64);
    ASK(cuStreamIsCapturing, stream, &status);
    SAY("status", status);
    ASK(cuMemsetD8Async, 0, 1, 64, stream);
    end_capture(stream);
    ASK(cuStreamIsCapturing, NULL, &status);
    SAY("status", status);
    ASK(cuStreamIsCapturing, NULL, NULL);
}

QUESTION(exchanged_modes,
         EITHER("cuThreadExchangeStreamCaptureMode", "hipThreadExchangeStreamCaptureMode")) {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUstream stream = begin_capture(GLOBAL);
    CUdeviceptr ptr = 0;
    ASK(cuThreadExchangeStreamCaptureMode, &mode);
    SAY("mode", mode);
    if (ASK(cuMemAlloc, &ptr, 64) == 0) ASK(cuMemFree, ptr);
    ASK(cuThreadExchangeStreamCaptureMode, &mode);
    SAY("mode", mode);
    end_capture(stream);
    mode = (CUstreamCaptureMode)7;
    ASK(cuThreadExchangeStreamCaptureMode, &mode);
    ASK(cuThreadExchangeStreamCaptureMode, NULL);
}

QUESTION(work_of_a_capture_is_not_done, "stream capture") {
    unsigned char byte = 0;
    CUdeviceptr ptr = make_memory(64);
    MUST(cuMemsetD8, ptr, 5, 64);
    CUstream stream = begin_capture(RELAXED);
    MUST(cuMemsetD8Async, ptr, 1, 64, stream);
    MUST(cuMemcpyDtoH, &byte, ptr, 1);
    SAY("byte", byte);
    end_capture(stream);
    MUST(cuMemFree, ptr);
}

QUESTION(bad_work_in_a_capture, EITHER("cuMemsetD8Async", "hipMemsetD8Async")) {
    CUstream stream = begin_capture(GLOBAL);
    ASK(cuMemsetD8Async, 0, 1, 64, stream);
    ASK(cuMemcpyDtoDAsync, 0, 0, 64, stream);
    end_capture(stream);
}

static void ignore_callback(CUstream stream, CUresult status, void *data) {
    (void)stream, (void)status, (void)data;
}

QUESTION(a_callback_in_a_capture, EITHER("cuStreamAddCallback: 900", "hipStreamAddCallback")) {
    CUstream stream = begin_capture(GLOBAL);
    ASK(cuStreamAddCallback, stream, ignore_callback, NULL, 0);
    end_capture(stream);
}

QUESTION(copies_of_pageable_memory, EITHER("cudaMemcpyAsync in a capture", "hipMemcpyAsync")) {
    static char bytes[64];
    CUdeviceptr ptr = make_memory(64);
    CUstream stream = begin_capture(GLOBAL);
    ASK(cuMemcpyHtoDAsync, ptr, bytes, 64, stream);
    ASK(cuMemcpyDtoHAsync, bytes, ptr, 64, stream);
    end_capture(stream);
    MUST(cuMemFree, ptr);
}

// ---- memory of graphs

static unsigned long long graph_memory(int which) {
    unsigned long long value = 77;
    MUST(cuDeviceGetGraphMemAttribute, 0, (CUgraphMem_attribute)which, &value);
    return value;
}

// Captures an allocation, a fill and, with `frees`, its end. Returns the executable graph.
static CUgraphExec capture_memory(CUstream stream, bool frees, unsigned flags, CUdeviceptr *ptr) {
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    MUST(cuStreamBeginCapture, stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    MUST(cuMemAllocAsync, ptr, MIB, stream);
    MUST(cuMemsetD8Async, *ptr, 3, MIB, stream);
    if (frees) MUST(cuMemFreeAsync, *ptr, stream);
    MUST(cuStreamEndCapture, stream, &graph);
    MUST(cuGraphInstantiateWithFlags, &exec, graph, flags);
    MUST(cuGraphDestroy, graph);
    return exec;
}

QUESTION(memory_that_the_graph_frees, "graph memory nodes") {
    CUstream stream = make_stream();
    CUdeviceptr ptr = 0;
    CUgraphExec exec = capture_memory(stream, true, 0, &ptr);
    for (int i = 0; i < 2; i++) ASK(cuGraphLaunch, exec, stream);
    MUST(cuStreamSynchronize, stream);
    SAY("used", graph_memory(0));
    SAY("used_high", graph_memory(1));
    MUST(cuGraphExecDestroy, exec);
    ASK(cuDeviceGraphMemTrim, 0);
    SAY("reserved", graph_memory(2));
    MUST(cuStreamDestroy, stream);
}

QUESTION(memory_that_the_graph_leaves, "graph memory nodes: a second launch is refused") {
    CUstream stream = make_stream();
    CUdeviceptr ptr = 0;
    unsigned char byte = 0;
    CUgraphExec exec = capture_memory(stream, false, 0, &ptr);
    ASK(cuGraphLaunch, exec, stream);
    ASK(cuGraphLaunch, exec, stream);
    MUST(cuStreamSynchronize, stream);
    ASK(cuMemcpyDtoH, &byte, ptr, 1);
    SAY("byte", byte);
    ASK(cuMemFree, ptr);
    ASK(cuGraphLaunch, exec, stream);
    ASK(cuMemFreeAsync, ptr, stream);
    MUST(cuStreamSynchronize, stream);
    SAY("used", graph_memory(0));
    MUST(cuGraphExecDestroy, exec);
    MUST(cuStreamDestroy, stream);
}

QUESTION(memory_that_the_launch_frees, EITHER("CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH",
                                              "hipGraphInstantiateFlagAutoFreeOnLaunch")) {
    CUstream stream = make_stream();
    CUdeviceptr ptr = 0;
    CUgraphExec exec =
        capture_memory(stream, false, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH, &ptr);
    for (int i = 0; i < 3; i++) ASK(cuGraphLaunch, exec, stream);
    MUST(cuStreamSynchronize, stream);
    ASK(cuMemFree, ptr);
    ASK(cuMemFree, ptr);
    MUST(cuGraphExecDestroy, exec);
    MUST(cuStreamDestroy, stream);
}

QUESTION(memory_of_a_graph_before_its_launch, "graph memory nodes") {
    CUstream stream = make_stream();
    CUdeviceptr ptr = 0;
    unsigned type = 77;
    CUgraphExec exec = capture_memory(stream, false, 0, &ptr);
    ASK(cuPointerGetAttribute, &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr);
    ASK(cuMemFree, ptr);
    ASK(cuMemsetD8, ptr, 1, 16);
    MUST(cuGraphExecDestroy, exec);
    MUST(cuStreamDestroy, stream);
}

QUESTION(foreign_memory_freed_in_a_capture, EITHER("cuMemFreeAsync in a capture", "hipFreeAsync")) {
    CUdeviceptr plain = make_memory(MIB), pooled = 0;
    MUST(cuMemAllocAsync, &pooled, MIB, NULL);
    MUST(cuStreamSynchronize, NULL);
    CUstream stream = begin_capture(RELAXED);
    ASK(cuMemFreeAsync, plain, stream);
    ASK(cuMemFreeAsync, pooled, stream);
    end_capture(stream);
    CALL(cuMemFree, plain);
    CALL(cuMemFree, pooled);
}

QUESTION(graph_memory_attributes,
         EITHER("cuDeviceSetGraphMemAttribute", "hipDeviceSetGraphMemAttribute")) {
    unsigned long long value = 0;
    ASK(cuDeviceSetGraphMemAttribute, 0, (CUgraphMem_attribute)1, &value);
    ASK(cuDeviceSetGraphMemAttribute, 0, (CUgraphMem_attribute)3, &value);
    ASK(cuDeviceSetGraphMemAttribute, 0, (CUgraphMem_attribute)0, &value);
    value = 1;
    ASK(cuDeviceSetGraphMemAttribute, 0, (CUgraphMem_attribute)1, &value);
    ASK(cuDeviceGetGraphMemAttribute, 0, (CUgraphMem_attribute)9, &value);
    ASK(cuDeviceGetGraphMemAttribute, 99, (CUgraphMem_attribute)0, &value);
    ASK(cuDeviceGraphMemTrim, 99);
}
