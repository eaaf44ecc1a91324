// SPDX-License-Identifier: Apache-2.0
// What HIP's functions do with captures: begin, end and describe them.
#include <stdlib.h>

#include "compat/hip/capture_parts.h"

// ---- begin and end

static hipError_t check_begin(const struct tn_hip_stream *s, hipStreamCaptureMode mode) {
    if ((unsigned)mode > hipStreamCaptureModeRelaxed) {
        return tn_hip_fail(hipErrorInvalidValue, "%d is no capture mode", (int)mode);
    }
    if (s->role == TN_HIP_STREAM_NULL) {
        return tn_hip_fail(hipErrorStreamCaptureUnsupported, "the NULL stream cannot capture");
    }
    return hipSuccess;
}

static hipError_t begin(struct tn_hip_stream *s, hipStreamCaptureMode mode) {
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
    tn_hip_capture_lock();
    bool free_to_begin = s->place.capture == NULL;
    if (free_to_begin) {
        tn_hip_capture_enter(s, capture);
    }
    tn_hip_capture_unlock();
    if (!free_to_begin) {
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

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    struct tn_hip_stream *s = NULL;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = tn_hip_stream_get(stream, &s);
    }
    if (error == hipSuccess) {
        error = begin(s, mode);
        tn_hip_stream_put(s);
    }
    return tn_hip_leave(error, __func__);
}

// Under the lock: what must hold for the capture to end at all.
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

// Under the lock: whether the capture leaves a graph.
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

static hipError_t end(struct tn_hip_stream *s, hipGraph_t *handle) {
    struct tn_hip_graph *graph = NULL;
    tn_hip_capture_lock();
    hipError_t error = check_end(s);
    if (error == hipSuccess) {
        error = check_graph(s);
        graph = tn_hip_capture_finish(s->place.capture);
    }
    tn_hip_capture_unlock();
    if (error == hipSuccess) {
        *handle = (hipGraph_t)graph->object.handle;
    } else if (graph != NULL) {
        tn_hip_graph_close(graph);
    }
    return error;
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *pGraph) {
    struct tn_hip_stream *s = NULL;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && pGraph == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "where the graph shall go is NULL");
    }
    if (error == hipSuccess) {
        error = tn_hip_stream_get(stream, &s);
    }
    if (error == hipSuccess) {
        error = end(s, pGraph);
        tn_hip_stream_put(s);
    }
    return tn_hip_leave(error, __func__);
}

// ---- asking

struct capture_info {
    hipStreamCaptureStatus status;
    unsigned long long id;
    hipGraph_t graph;
    const hipGraphNode_t *nodes;
    size_t count;
};

// Under the lock. The stream keeps the list of handles for the caller.
static hipError_t list_nodes(struct tn_hip_stream *s, struct capture_info *info) {
    const struct tn_hip_place *place = &s->place;
    hipGraphNode_t *names =
        (hipGraphNode_t *)realloc(s->place_names, (place->count + 1) * sizeof(hipGraphNode_t));
    if (names == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for %u nodes", place->count);
    }
    s->place_names = names;
    hipError_t error = hipSuccess;
    for (uint32_t i = 0; i < place->count && error == hipSuccess; i++) {
        error = tn_hip_graph_node(place->capture->graph, place->nodes[i], &names[i]);
    }
    info->nodes = names;
    return error;
}

// Under the lock.
static hipError_t describe(struct tn_hip_stream *s, bool nodes, struct capture_info *info) {
    const struct tn_hip_capture *capture = s->place.capture;
    if (tn_hip_capture_is_implied(s)) {
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

// What each of the three functions begins with. `status` is only looked at.
static hipError_t ask(hipStream_t stream, const void *status, bool nodes,
                      struct capture_info *info) {
    struct tn_hip_stream *s = NULL;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && status == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "where the status shall go is NULL");
    }
    if (error == hipSuccess) {
        error = tn_hip_stream_get(stream, &s);
    }
    if (error != hipSuccess) {
        return error;
    }
    tn_hip_capture_lock();
    error = describe(s, nodes, info);
    tn_hip_capture_unlock();
    tn_hip_stream_put(s);
    return error;
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus) {
    struct capture_info info = {.id = 0};
    hipError_t error = ask(stream, pCaptureStatus, false, &info);
    if (error == hipSuccess) {
        *pCaptureStatus = info.status;
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus,
                                   unsigned long long *pId) {
    struct capture_info info = {.id = 0};
    hipError_t error = ask(stream, pCaptureStatus, false, &info);
    if (error == hipSuccess) {
        *pCaptureStatus = info.status;
        if (pId != NULL && info.status == hipStreamCaptureStatusActive) {
            *pId = info.id;
        }
    }
    return tn_hip_leave(error, __func__);
}

static void tell(const struct capture_info *info, unsigned long long *id, hipGraph_t *graph,
                 const hipGraphNode_t **nodes, size_t *count) {
    if (id != NULL) {
        *id = info->id;
    }
    if (graph != NULL) {
        *graph = info->graph;
    }
    if (nodes != NULL) {
        *nodes = info->nodes;
    }
    if (count != NULL) {
        *count = info->count;
    }
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *captureStatus_out,
                                      unsigned long long *id_out, hipGraph_t *graph_out,
                                      const hipGraphNode_t **dependencies_out,
                                      size_t *numDependencies_out) {
    struct capture_info info = {.id = 0};
    hipError_t error = ask(stream, captureStatus_out, dependencies_out != NULL, &info);
    if (error == hipSuccess) {
        *captureStatus_out = info.status;
        if (info.status == hipStreamCaptureStatusActive) {
            tell(&info, id_out, graph_out, dependencies_out, numDependencies_out);
        }
    }
    return tn_hip_leave(error, __func__);
}

static hipError_t exchange(hipStreamCaptureMode *mode) {
    if (mode == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "mode is NULL");
    }
    if ((unsigned)*mode > hipStreamCaptureModeRelaxed) {
        return tn_hip_fail(hipErrorInvalidValue, "%d is no capture mode", (int)*mode);
    }
    *mode = tn_hip_capture_set_mode(*mode);
    return hipSuccess;
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
    return TN_HIP_CALL(exchange(mode));
}
