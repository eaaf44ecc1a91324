// SPDX-License-Identifier: Apache-2.0
// HIP's functions about captures: begin, end and describe. See capture.h.
#include <stdlib.h>

#include "compat/hip/capture_parts.h"

// ---- begin and end

static hipError_t check_begin(const struct tn_hip_stream *s, hipStreamCaptureMode mode) {
    if (s->role == TN_HIP_STREAM_NULL) {
        return tn_hip_fail(hipErrorStreamCaptureUnsupported, "the NULL stream cannot capture");
    }
    return (unsigned)mode <= hipStreamCaptureModeRelaxed
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidValue, "%d is not a capture mode", (int)mode);
}

static hipError_t begin_capture(struct tn_hip_stream *s, hipStreamCaptureMode mode) {
    hipError_t error = check_begin(s, mode);
    if (error != hipSuccess) {
        return error;
    }
    struct tn_hip_capture *capture = (struct tn_hip_capture *)calloc(1, sizeof *capture);
    if (capture == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a capture");
    }
    capture->mode = mode;
    capture->thread = tn_hip_capture_thread();
    capture->device = s->device;
    capture->origin = s;
    error = tn_hip_graph_new(tn_hip_plan_new(), &capture->graph);
    if (error != hipSuccess) {
        goto err_free;
    }
    tn_hip_plan_lock();
    bool idle = s->place.capture == NULL;
    if (idle) {
        tn_hip_capture_enter(s, capture);
    }
    tn_hip_plan_unlock();
    if (!idle) {
        error = tn_hip_fail(hipErrorIllegalState, "the stream captures already");
        goto err_close;
    }
    return hipSuccess;

err_close:
    tn_hip_graph_close(capture->graph);
err_free:
    free(capture);
    return error;
}

static hipError_t begin_by_handle(hipStream_t stream, hipStreamCaptureMode mode) {
    struct tn_hip_stream *s = NULL;
    TN_HIP_TRY(tn_hip_stream_get(stream, &s));
    hipError_t error = begin_capture(s, mode);
    tn_hip_stream_put(s);
    return error;
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    return TN_HIP_CALL(begin_by_handle(stream, mode));
}

// Checks under the lock whether the capture can end at all.
static hipError_t check_end(const struct tn_hip_stream *s) {
    const struct tn_hip_capture *capture = s->place.capture;
    if (capture == NULL) {
        return tn_hip_fail(hipErrorIllegalState, "the stream does not capture");
    }
    if (capture->origin != s) {
        return tn_hip_fail(hipErrorStreamCaptureUnmatched, "capture %llu began in another stream",
                           capture->id);
    }
    if (capture->mode != hipStreamCaptureModeRelaxed &&
        capture->thread != tn_hip_capture_thread()) {
        return tn_hip_fail(hipErrorStreamCaptureWrongThread, "capture %llu began on another thread",
                           capture->id);
    }
    return hipSuccess;
}

// Checks under the lock whether the capture leaves a graph.
static hipError_t check_graph(const struct tn_hip_stream *s) {
    const struct tn_hip_capture *capture = s->place.capture;
    const struct tn_hip_plan *plan = capture->graph->plan;
    uint32_t loose = plan->count;
    if (capture->invalid) {
        return tn_hip_capture_invalidated(capture);
    }
    hipError_t error = tn_hip_plan_loose(plan, s->place.nodes, s->place.count, &loose);
    if (error == hipSuccess && loose != plan->count) {
        error = tn_hip_fail(hipErrorStreamCaptureUnjoined,
                            "node %u of capture %llu does not lead back to its first stream", loose,
                            capture->id);
    }
    return error;
}

static hipError_t end_capture(struct tn_hip_stream *s, hipGraph_t *handle) {
    struct tn_hip_graph *graph = NULL;
    tn_hip_plan_lock();
    hipError_t error = check_end(s);
    if (error == hipSuccess) {
        error = check_graph(s);
        graph = tn_hip_capture_finish(s->place.capture);
    }
    tn_hip_plan_unlock();
    if (error == hipSuccess) {
        *handle = (hipGraph_t)graph->object.handle;
    } else if (graph != NULL) {
        tn_hip_graph_close(graph);
    }
    if (error == hipErrorStreamCaptureInvalidated || error == hipErrorStreamCaptureUnjoined) {
        *handle = NULL; // as AMD has it
    }
    return error;
}

static hipError_t end_by_handle(hipStream_t stream, hipGraph_t *graph) {
    struct tn_hip_stream *s = NULL;
    TN_HIP_TRY(tn_hip_check_pointer(graph, "pGraph"));
    TN_HIP_TRY(tn_hip_stream_get(stream, &s));
    hipError_t error = end_capture(s, graph);
    tn_hip_stream_put(s);
    return error;
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *pGraph) {
    return TN_HIP_CALL(end_by_handle(stream, pGraph));
}

// ---- queries

struct capture_info {
    hipStreamCaptureStatus status;
    unsigned long long id;
    hipGraph_t graph;
    const hipGraphNode_t *nodes;
    size_t count;
};

// Called under the lock. The stream owns the list of handles, which the caller reads.
static hipError_t list_nodes(struct tn_hip_stream *s, struct capture_info *info) {
    const struct tn_hip_place *place = &s->place;
    hipGraphNode_t *handles =
        (hipGraphNode_t *)realloc(s->place_nodes, (place->count + 1) * sizeof(hipGraphNode_t));
    if (handles == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for %u nodes", place->count);
    }
    s->place_nodes = handles;
    hipError_t error = hipSuccess;
    for (uint32_t i = 0; i < place->count && error == hipSuccess; i++) {
        error = tn_hip_graph_node_handle(place->capture->graph, place->nodes[i], &handles[i]);
    }
    info->nodes = handles;
    return error;
}

// Called under the lock.
static hipError_t describe_capture(struct tn_hip_stream *s, bool nodes, struct capture_info *info) {
    const struct tn_hip_capture *capture = s->place.capture;
    if (s->role == TN_HIP_STREAM_NULL && tn_hip_capture_is_blocking()) {
        return tn_hip_capture_implied(s);
    }
    if (capture == NULL || capture->invalid) {
        info->status =
            capture == NULL ? hipStreamCaptureStatusNone : hipStreamCaptureStatusInvalidated;
        return hipSuccess;
    }
    info->status = hipStreamCaptureStatusActive;
    info->id = capture->id;
    info->graph = (hipGraph_t)capture->graph->object.handle;
    info->count = s->place.count;
    return nodes ? list_nodes(s, info) : hipSuccess;
}

// With `with_nodes`, the handles of the nodes are included.
static hipError_t query_capture(hipStream_t stream, const void *status, bool with_nodes,
                                struct capture_info *info) {
    struct tn_hip_stream *s = NULL;
    *info = (struct capture_info){.id = 0};
    TN_HIP_TRY(tn_hip_check_pointer(status, "the status"));
    TN_HIP_TRY(tn_hip_stream_get(stream, &s));
    tn_hip_plan_lock();
    hipError_t error = describe_capture(s, with_nodes, info);
    tn_hip_plan_unlock();
    tn_hip_stream_put(s);
    return error;
}

// Writes every output that is not NULL, but only the status unless the capture is active.
static hipError_t get_info(hipStream_t stream, hipStreamCaptureStatus *status,
                           unsigned long long *id, hipGraph_t *graph, const hipGraphNode_t **nodes,
                           size_t *count) {
    struct capture_info info;
    TN_HIP_TRY(query_capture(stream, status, nodes != NULL, &info));
    *status = info.status;
    if (info.status != hipStreamCaptureStatusActive) {
        return hipSuccess;
    }
    if (id != NULL) {
        *id = info.id;
    }
    if (graph != NULL) {
        *graph = info.graph;
    }
    if (nodes != NULL) {
        *nodes = info.nodes;
    }
    if (count != NULL) {
        *count = info.count;
    }
    return hipSuccess;
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus) {
    return TN_HIP_CALL(get_info(stream, pCaptureStatus, NULL, NULL, NULL, NULL));
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus,
                                   unsigned long long *pId) {
    return TN_HIP_CALL(get_info(stream, pCaptureStatus, pId, NULL, NULL, NULL));
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *captureStatus_out,
                                      unsigned long long *id_out, hipGraph_t *graph_out,
                                      const hipGraphNode_t **dependencies_out,
                                      size_t *numDependencies_out) {
    return TN_HIP_CALL(get_info(stream, captureStatus_out, id_out, graph_out, dependencies_out,
                                numDependencies_out));
}

// ---- dependencies

// Called under the lock. The caller frees the list.
static hipError_t read_positions(const struct tn_hip_graph *graph, const hipGraphNode_t *nodes,
                                 size_t count, uint32_t **positions) {
    *positions = (uint32_t *)malloc((count + 1) * sizeof **positions);
    if (*positions == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for %zu dependencies", count);
    }
    for (size_t i = 0; i < count; i++) {
        TN_HIP_TRY(tn_hip_graph_node_position(graph, nodes[i], &(*positions)[i]));
    }
    return hipSuccess;
}

// Called under the lock.
static hipError_t update_place(struct tn_hip_stream *s, const hipGraphNode_t *nodes, size_t count,
                               unsigned flags) {
    struct tn_hip_place named = {.capture = s->place.capture, .count = (uint32_t)count};
    if (named.capture == NULL) {
        return tn_hip_fail(hipErrorIllegalState, "the stream does not capture");
    }
    if (named.capture->invalid) {
        return tn_hip_capture_invalidated(named.capture);
    }
    const struct tn_hip_graph *graph = named.capture->graph;
    if (count > graph->plan->count || (count > 0 && nodes == NULL) ||
        flags > hipStreamSetCaptureDependencies) {
        return tn_hip_fail(hipErrorInvalidValue,
                           "%zu dependencies at %p for a graph of %u nodes, flags 0x%x", count,
                           (const void *)nodes, graph->plan->count, flags);
    }
    hipError_t error = read_positions(graph, nodes, count, &named.nodes);
    if (error == hipSuccess) {
        error = tn_hip_capture_update(s, &named, flags == hipStreamSetCaptureDependencies);
    }
    free(named.nodes);
    return error;
}

static hipError_t update_by_handle(hipStream_t stream, const hipGraphNode_t *nodes, size_t count,
                                   unsigned flags) {
    struct tn_hip_stream *s = NULL;
    TN_HIP_TRY(tn_hip_stream_get(stream, &s));
    tn_hip_plan_lock();
    hipError_t error = update_place(s, nodes, count, flags);
    tn_hip_plan_unlock();
    tn_hip_stream_put(s);
    return error;
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies,
                                              size_t numDependencies, unsigned int flags) {
    return TN_HIP_CALL(update_by_handle(stream, dependencies, numDependencies, flags));
}

// ---- the mode of a thread

static hipError_t exchange_mode(hipStreamCaptureMode *mode) {
    if (mode == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "mode is NULL");
    }
    if ((unsigned)*mode > hipStreamCaptureModeRelaxed) {
        return tn_hip_fail(hipErrorInvalidValue, "%d is not a capture mode", (int)*mode);
    }
    *mode = tn_hip_capture_set_mode(*mode);
    return hipSuccess;
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
    return TN_HIP_CALL(exchange_mode(mode));
}
