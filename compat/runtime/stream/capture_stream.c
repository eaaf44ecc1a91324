// SPDX-License-Identifier: Apache-2.0
// Captures by the handles of streams: begins, ends, describes and changes them. See capture.h.
#include <stdlib.h>

#include "compat/runtime/stream/capture_parts.h"
#include "compat/runtime/stream/policy.h"

// ---- begin and end

// The graph of the program that a capture extends, and the nodes that its first one depends on.
struct target {
    void *graph;
    void *const *nodes;
    size_t count;
};

static tn_rt_error check_mode(unsigned mode) {
    return mode <= TN_RT_CAPTURE_RELAXED
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%u is not a capture mode", mode);
}

// Under the lock: checks the graph of the program, and finds the nodes that the stream begins
// behind.
static tn_rt_error check_place(const struct tn_rt_stream *s, const struct tn_rt_capture *capture,
                               const struct target *target, uint32_t **nodes) {
    const struct tn_rt_graph *graph = capture->graph;
    const struct tn_rt_plan *plan = graph->plan;
    bool own = s->place.capture != NULL && s->place.capture->graph == graph;
    TN_RT_REFUSE(graph->capturing && !own, TN_RT_ILLEGAL_STATE,
                 "another stream captures into the graph");
    TN_RT_REFUSE(plan->device != NULL && plan->device != s->device, TN_RT_NOT_SUPPORTED,
                 "the graph belongs to device %d", plan->device->ordinal);
    return tn_rt_graph_node_ids(graph, target->nodes, target->count, plan->count, nodes);
}

// Lets the stream begin. An invalid capture that it takes part in is abandoned: the caller gets its
// graph. The nodes that the program's graph has so far need not be joined.
static tn_rt_error enter_stream(struct tn_rt_stream *s, struct tn_rt_capture *capture,
                                const struct target *target, struct tn_rt_captured *abandoned) {
    uint32_t *nodes = NULL;
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_REFUSE(s->place.capture != NULL && !s->place.capture->invalid, TN_RT_ILLEGAL_STATE,
                 "the stream captures already");
    tn_rt_error error = target != NULL ? check_place(s, capture, target, &nodes) : TN_RT_OK;
    if (error != TN_RT_OK) {
        free(nodes);
        return error;
    }
    struct tn_rt_plan_node *node = tn_rt_plan_next(capture->graph->plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(capture->graph->plan, node->id + 1))
        node->dropped = true;
    *abandoned = tn_rt_capture_abandon(s);
    s->place.nodes = nodes;
    s->place.count = target != NULL ? (uint32_t)target->count : 0;
    tn_rt_capture_enter(s, capture);
    return TN_RT_OK;
}

static tn_rt_error find_graph(const struct target *target, struct tn_rt_capture *capture) {
    capture->lent = target != NULL;
    return target != NULL ? tn_rt_graph_get(target->graph, false, &capture->graph)
                          : tn_rt_graph_new(tn_rt_plan_new(), &capture->graph);
}

static tn_rt_error begin_capture(void *stream, const struct target *target, unsigned mode) {
    TN_RT_GET_STREAM(s, tn_rt_stream_get(stream, &s));
    TN_RT_REFUSE(s->role == TN_RT_STREAM_NULL, TN_RT_CAPTURE_UNSUPPORTED,
                 "the NULL stream cannot capture");
    TN_RT_TRY(check_mode(mode));
    struct tn_rt_capture *capture = (struct tn_rt_capture *)calloc(1, sizeof *capture);
    TN_RT_REFUSE(capture == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a capture");
    capture->mode = (enum tn_rt_capture_mode)mode;
    capture->thread = tn_rt_capture_thread();
    capture->device = s->device;
    capture->origin = s;
    struct tn_rt_captured unused = {NULL, false};
    tn_rt_error error = find_graph(target, capture);
    if (error == TN_RT_OK) error = enter_stream(s, capture, target, &unused);
    if (error != TN_RT_OK) {
        unused = (struct tn_rt_captured){capture->graph, capture->lent};
        free(capture);
    }
    if (unused.graph != NULL) tn_rt_capture_discard(&unused);
    return error;
}

tn_rt_error tn_rt_capture_begin(void *stream, unsigned mode) {
    return begin_capture(stream, NULL, mode);
}

tn_rt_error tn_rt_capture_begin_in(void *stream, void *graph, const void *nodes, const void *edges,
                                   size_t count, unsigned mode) {
    const struct target target = {graph, (void *const *)nodes, count};
    if (edges != NULL)
        return tn_rt_not_last_error(
            tn_rt_fail(TN_RT_NOT_SUPPORTED, "data of edges is not supported"));
    if (graph == NULL || (nodes == NULL) != (count == 0))
        return tn_rt_not_last_error(tn_rt_fail(
            TN_RT_INVALID_VALUE, "graph %p, %zu dependencies at %p", graph, count, nodes));
    return begin_capture(stream, &target, mode);
}

// Checks under the lock whether the capture can end at all.
static tn_rt_error check_end(const struct tn_rt_stream *s) {
    const struct tn_rt_capture *capture = s->place.capture;
    TN_RT_REFUSE(capture == NULL, TN_RT_ILLEGAL_STATE, "the stream does not capture");
    TN_RT_REFUSE(capture->origin != s, TN_RT_CAPTURE_UNMATCHED,
                 "capture %llu began in another stream", capture->id);
    TN_RT_REFUSE(capture->mode != TN_RT_CAPTURE_RELAXED &&
                     capture->thread != tn_rt_capture_thread(),
                 TN_RT_CAPTURE_WRONG_THREAD, "capture %llu began on another thread", capture->id);
    return TN_RT_OK;
}

// Checks under the lock whether the capture leaves a graph.
static tn_rt_error check_graph(const struct tn_rt_stream *s) {
    const struct tn_rt_capture *capture = s->place.capture;
    const struct tn_rt_plan *plan = capture->graph->plan;
    uint32_t loose = plan->end;
    if (capture->invalid) return tn_rt_capture_invalidated(capture);
    tn_rt_error error = tn_rt_plan_loose(plan, s->place.nodes, s->place.count, &loose);
    if (error == TN_RT_OK && loose != plan->end) {
        error = tn_rt_fail(TN_RT_CAPTURE_UNJOINED,
                           "node %u of capture %llu does not lead back to its first stream", loose,
                           capture->id);
    }
    return error;
}

// A capture that ends without a graph gives the program NULL, as AMD's library does.
tn_rt_error tn_rt_capture_end(void *stream, void *handle) {
    struct tn_rt_captured captured;
    tn_rt_error error;
    TN_RT_TRY(tn_rt_check_pointer(handle, "pGraph"));
    TN_RT_GET_STREAM(s, tn_rt_stream_get(stream, &s));
    {
        TN_FACE_LOCKED(&tn_rt_plan_lock);
        error = check_end(s);
        bool lost =
            error == TN_RT_CAPTURE_WRONG_THREAD && tn_rt_stream_policy.capture_lost_by_attempt;
        if (error != TN_RT_OK && !lost) {
            if (!tn_rt_stream_policy.capture_lost_by_attempt) return error;
            if (s->place.capture != NULL) s->place.capture->invalid = true;
            tn_rt_give(handle, 0);
            return error;
        }
        if (!lost) error = check_graph(s);
        captured = tn_rt_capture_finish(s->place.capture);
    }
    tn_rt_give(handle, error == TN_RT_OK ? captured.graph->object.handle : 0);
    if (error != TN_RT_OK || captured.lent) tn_rt_capture_discard(&captured);
    return error;
}

// ---- queries

// Called under the lock. The stream owns the list of handles, which the caller reads.
static tn_rt_error list_nodes(struct tn_rt_stream *s) {
    const struct tn_rt_place *place = &s->place;
    void **handles = (void **)realloc(s->place_nodes, (place->count + 1) * sizeof *handles);
    TN_RT_REFUSE(handles == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for %u nodes", place->count);
    s->place_nodes = handles;
    for (uint32_t i = 0; i < place->count; i++)
        TN_RT_TRY(tn_rt_graph_node_handle(place->capture->graph, place->nodes[i], &handles[i]));
    return TN_RT_OK;
}

tn_rt_error tn_rt_capture_describe(void *stream, unsigned *status, unsigned long long *id,
                                   void *graph, void *nodes, size_t *count) {
    TN_RT_TRY(tn_rt_check_pointer(status, "the status"));
    TN_RT_GET_STREAM(s, tn_rt_stream_get(stream, &s));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    const struct tn_rt_capture *capture = s->place.capture;
    if (s->role == TN_RT_STREAM_NULL && tn_rt_capture_is_blocking())
        return tn_rt_capture_implied(s);
    bool active = capture != NULL && !capture->invalid;
    if (active && nodes != NULL) TN_RT_TRY(list_nodes(s));
    *status = active            ? TN_RT_CAPTURE_ACTIVE
              : capture != NULL ? TN_RT_CAPTURE_INVALID
                                : TN_RT_CAPTURE_NONE;
    if (!active) return TN_RT_OK;
    if (id != NULL) *id = capture->id;
    if (graph != NULL) tn_rt_give(graph, capture->graph->object.handle);
    if (nodes != NULL) tn_rt_give(nodes, (uintptr_t)s->place_nodes);
    if (count != NULL) *count = s->place.count;
    return TN_RT_OK;
}

// ---- dependencies

tn_rt_error tn_rt_capture_depend(void *stream, const void *nodes, size_t count, unsigned flags) {
    TN_RT_GET_STREAM(s, tn_rt_stream_get(stream, &s));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    struct tn_rt_place named = {.capture = s->place.capture, .count = (uint32_t)count};
    TN_RT_REFUSE(named.capture == NULL, TN_RT_ILLEGAL_STATE, "the stream does not capture");
    if (named.capture->invalid) return tn_rt_capture_invalidated(named.capture);
    const struct tn_rt_graph *graph = named.capture->graph;
    TN_RT_REFUSE((count > 0 && nodes == NULL) || flags > TN_RT_CAPTURE_REPLACE, TN_RT_INVALID_VALUE,
                 "%zu dependencies at %p, flags 0x%x", count, nodes, flags);
    tn_rt_error error =
        tn_rt_graph_node_ids(graph, (void *const *)nodes, count, graph->plan->count, &named.nodes);
    if (error == TN_RT_OK) error = tn_rt_capture_update(s, &named, flags == TN_RT_CAPTURE_REPLACE);
    free(named.nodes);
    return error;
}

// ---- the mode of a thread

tn_rt_error tn_rt_capture_exchange_mode(unsigned *mode) {
    TN_RT_TRY(tn_rt_check_pointer(mode, "mode"));
    TN_RT_TRY(check_mode(*mode));
    *mode = tn_rt_capture_set_mode((enum tn_rt_capture_mode) * mode);
    return TN_RT_OK;
}
