// SPDX-License-Identifier: Apache-2.0
// HIP's functions about captures: begin, end and describe. See capture.h.
#include <stdlib.h>

#include "compat/hip/capture_parts.h"
#include "compat/hip/face.h"

// ---- begin and end

static tn_rt_error check_begin(const struct tn_hip_stream *s, hipStreamCaptureMode mode) {
    if (s->role == TN_HIP_STREAM_NULL) {
        return tn_rt_fail(TN_RT_CAPTURE_UNSUPPORTED, "the NULL stream cannot capture");
    }
    return (unsigned)mode <= hipStreamCaptureModeRelaxed
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not a capture mode", (int)mode);
}

static tn_rt_error begin_capture(struct tn_hip_stream *s, hipStreamCaptureMode mode) {
    tn_rt_error error = check_begin(s, mode);
    if (error != TN_RT_OK) {
        return error;
    }
    struct tn_hip_capture *capture = (struct tn_hip_capture *)calloc(1, sizeof *capture);
    if (capture == NULL) {
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a capture");
    }
    capture->mode = (enum tn_hip_capture_mode)mode;
    capture->thread = tn_hip_capture_thread();
    capture->device = s->device;
    capture->origin = s;
    error = tn_hip_graph_new(tn_hip_plan_new(), &capture->graph);
    if (error != TN_RT_OK) {
        goto err_free;
    }
    tn_hip_plan_lock();
    bool idle = s->place.capture == NULL;
    if (idle) {
        tn_hip_capture_enter(s, capture);
    }
    tn_hip_plan_unlock();
    if (!idle) {
        error = tn_rt_fail(TN_RT_ILLEGAL_STATE, "the stream captures already");
        goto err_close;
    }
    return TN_RT_OK;

err_close:
    tn_hip_graph_close(capture->graph);
err_free:
    free(capture);
    return error;
}

static tn_rt_error begin_by_handle(hipStream_t stream, hipStreamCaptureMode mode) {
    struct tn_hip_stream *s = NULL;
    TN_RT_TRY(tn_hip_stream_get(stream, &s));
    tn_rt_error error = begin_capture(s, mode);
    tn_hip_stream_put(s);
    return error;
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    return TN_HIP_CALL(begin_by_handle(stream, mode));
}

// Checks under the lock whether the capture can end at all.
static tn_rt_error check_end(const struct tn_hip_stream *s) {
    const struct tn_hip_capture *capture = s->place.capture;
    if (capture == NULL) {
        return tn_rt_fail(TN_RT_ILLEGAL_STATE, "the stream does not capture");
    }
    if (capture->origin != s) {
        return tn_rt_fail(TN_RT_CAPTURE_UNMATCHED, "capture %llu began in another stream",
                          capture->id);
    }
    if (capture->mode != TN_RT_CAPTURE_RELAXED && capture->thread != tn_hip_capture_thread()) {
        return tn_rt_fail(TN_RT_CAPTURE_WRONG_THREAD, "capture %llu began on another thread",
                          capture->id);
    }
    return TN_RT_OK;
}

// Checks under the lock whether the capture leaves a graph.
static tn_rt_error check_graph(const struct tn_hip_stream *s) {
    const struct tn_hip_capture *capture = s->place.capture;
    const struct tn_hip_plan *plan = capture->graph->plan;
    uint32_t loose = plan->count;
    if (capture->invalid) {
        return tn_hip_capture_invalidated(capture);
    }
    tn_rt_error error = tn_hip_plan_loose(plan, s->place.nodes, s->place.count, &loose);
    if (error == TN_RT_OK && loose != plan->count) {
        error = tn_rt_fail(TN_RT_CAPTURE_UNJOINED,
                           "node %u of capture %llu does not lead back to its first stream", loose,
                           capture->id);
    }
    return error;
}

static tn_rt_error end_capture(struct tn_hip_stream *s, hipGraph_t *handle) {
    struct tn_hip_graph *graph = NULL;
    tn_hip_plan_lock();
    tn_rt_error error = check_end(s);
    if (error == TN_RT_OK) {
        error = check_graph(s);
        graph = tn_hip_capture_finish(s->place.capture);
    }
    tn_hip_plan_unlock();
    if (error == TN_RT_OK) {
        *handle = (hipGraph_t)graph->object.handle;
    } else if (graph != NULL) {
        tn_hip_graph_close(graph);
    }
    if (error == TN_RT_CAPTURE_INVALIDATED || error == TN_RT_CAPTURE_UNJOINED) {
        *handle = NULL; // as AMD has it
    }
    return error;
}

static tn_rt_error end_by_handle(hipStream_t stream, hipGraph_t *graph) {
    struct tn_hip_stream *s = NULL;
    TN_RT_TRY(tn_rt_check_pointer(graph, "pGraph"));
    TN_RT_TRY(tn_hip_stream_get(stream, &s));
    tn_rt_error error = end_capture(s, graph);
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
static tn_rt_error list_nodes(struct tn_hip_stream *s, struct capture_info *info) {
    const struct tn_hip_place *place = &s->place;
    hipGraphNode_t *handles =
        (hipGraphNode_t *)realloc(s->place_nodes, (place->count + 1) * sizeof(hipGraphNode_t));
    if (handles == NULL) {
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for %u nodes", place->count);
    }
    s->place_nodes = handles;
    tn_rt_error error = TN_RT_OK;
    for (uint32_t i = 0; i < place->count && error == TN_RT_OK; i++) {
        error = tn_hip_graph_node_handle(place->capture->graph, place->nodes[i], &handles[i]);
    }
    info->nodes = handles;
    return error;
}

// Called under the lock.
static tn_rt_error describe_capture(struct tn_hip_stream *s, bool nodes,
                                    struct capture_info *info) {
    const struct tn_hip_capture *capture = s->place.capture;
    if (s->role == TN_HIP_STREAM_NULL && tn_hip_capture_is_blocking()) {
        return tn_hip_capture_implied(s);
    }
    if (capture == NULL || capture->invalid) {
        info->status =
            capture == NULL ? hipStreamCaptureStatusNone : hipStreamCaptureStatusInvalidated;
        return TN_RT_OK;
    }
    info->status = hipStreamCaptureStatusActive;
    info->id = capture->id;
    info->graph = (hipGraph_t)capture->graph->object.handle;
    info->count = s->place.count;
    return nodes ? list_nodes(s, info) : TN_RT_OK;
}

// With `with_nodes`, the handles of the nodes are included.
static tn_rt_error query_capture(hipStream_t stream, const void *status, bool with_nodes,
                                 struct capture_info *info) {
    struct tn_hip_stream *s = NULL;
    *info = (struct capture_info){.id = 0};
    TN_RT_TRY(tn_rt_check_pointer(status, "the status"));
    TN_RT_TRY(tn_hip_stream_get(stream, &s));
    tn_hip_plan_lock();
    tn_rt_error error = describe_capture(s, with_nodes, info);
    tn_hip_plan_unlock();
    tn_hip_stream_put(s);
    return error;
}

// Writes every output that is not NULL, but only the status unless the capture is active.
static tn_rt_error get_info(hipStream_t stream, hipStreamCaptureStatus *status,
                            unsigned long long *id, hipGraph_t *graph, const hipGraphNode_t **nodes,
                            size_t *count) {
    struct capture_info info;
    TN_RT_TRY(query_capture(stream, status, nodes != NULL, &info));
    *status = info.status;
    if (info.status != hipStreamCaptureStatusActive) {
        return TN_RT_OK;
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
    return TN_RT_OK;
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
static tn_rt_error read_positions(const struct tn_hip_graph *graph, const hipGraphNode_t *nodes,
                                  size_t count, uint32_t **positions) {
    *positions = (uint32_t *)malloc((count + 1) * sizeof **positions);
    if (*positions == NULL) {
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for %zu dependencies", count);
    }
    for (size_t i = 0; i < count; i++) {
        TN_RT_TRY(tn_hip_graph_node_position(graph, nodes[i], &(*positions)[i]));
    }
    return TN_RT_OK;
}

// Called under the lock.
static tn_rt_error update_place(struct tn_hip_stream *s, const hipGraphNode_t *nodes, size_t count,
                                unsigned flags) {
    struct tn_hip_place named = {.capture = s->place.capture, .count = (uint32_t)count};
    if (named.capture == NULL) {
        return tn_rt_fail(TN_RT_ILLEGAL_STATE, "the stream does not capture");
    }
    if (named.capture->invalid) {
        return tn_hip_capture_invalidated(named.capture);
    }
    const struct tn_hip_graph *graph = named.capture->graph;
    if (count > graph->plan->count || (count > 0 && nodes == NULL) ||
        flags > hipStreamSetCaptureDependencies) {
        return tn_rt_fail(TN_RT_INVALID_VALUE,
                          "%zu dependencies at %p for a graph of %u nodes, flags 0x%x", count,
                          (const void *)nodes, graph->plan->count, flags);
    }
    tn_rt_error error = read_positions(graph, nodes, count, &named.nodes);
    if (error == TN_RT_OK) {
        error = tn_hip_capture_update(s, &named, flags == hipStreamSetCaptureDependencies);
    }
    free(named.nodes);
    return error;
}

static tn_rt_error update_by_handle(hipStream_t stream, const hipGraphNode_t *nodes, size_t count,
                                    unsigned flags) {
    struct tn_hip_stream *s = NULL;
    TN_RT_TRY(tn_hip_stream_get(stream, &s));
    tn_hip_plan_lock();
    tn_rt_error error = update_place(s, nodes, count, flags);
    tn_hip_plan_unlock();
    tn_hip_stream_put(s);
    return error;
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies,
                                              size_t numDependencies, unsigned int flags) {
    return TN_HIP_CALL(update_by_handle(stream, dependencies, numDependencies, flags));
}

// ---- the mode of a thread

static tn_rt_error exchange_mode(hipStreamCaptureMode *mode) {
    if (mode == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "mode is NULL");
    }
    if ((unsigned)*mode > hipStreamCaptureModeRelaxed) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not a capture mode", (int)*mode);
    }
    *mode = (hipStreamCaptureMode)tn_hip_capture_set_mode((enum tn_hip_capture_mode) * mode);
    return TN_RT_OK;
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
    return TN_HIP_CALL(exchange_mode(mode));
}
