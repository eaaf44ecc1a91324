// SPDX-License-Identifier: Apache-2.0
// See capture.h. The callers of static functions hold tn_rt_plan_lock unless stated otherwise.
#include "compat/runtime/stream/capture.h"

#include <stdlib.h>
#include <string.h>

#include "compat/face/fidelity.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/stream/capture_parts.h"
#include "compat/runtime/stream/policy.h"
#include "src/base/list.h"

struct tn_rt_stream_policy tn_rt_stream_policy;

static struct tn_rt_capture *captures;
static unsigned long long last_id;

// The number of active captures, of references to captures, and of the blocking streams of each
// device that take part. They are read without the lock: a thread that misses a capture is not
// ordered behind its beginning. Without a reference, no stream and no event has a place in a
// capture. A child of fork() keeps the references of its parent's events.
static _Atomic(unsigned) capture_count;
static _Atomic(unsigned) reference_count;
static _Atomic(unsigned) blocking_count[TN_RT_DEVICES];

static _Thread_local enum tn_rt_capture_mode thread_mode = TN_RT_CAPTURE_GLOBAL;

enum tn_rt_capture_mode tn_rt_capture_set_mode(enum tn_rt_capture_mode mode) {
    enum tn_rt_capture_mode before = thread_mode;
    thread_mode = mode;
    return before;
}

uint64_t tn_rt_capture_thread(void) {
    static _Atomic(uint64_t) last;
    static _Thread_local uint64_t mine;
    mine = mine != 0 ? mine : atomic_fetch_add(&last, 1) + 1;
    return mine;
}

// ---- places

static void hold_capture(struct tn_rt_capture *capture) {
    capture->refs++;
    (void)atomic_fetch_add(&reference_count, 1);
}

static void put_capture(struct tn_rt_capture *capture) {
    (void)atomic_fetch_sub(&reference_count, 1);
    if (--capture->refs == 0) free(capture);
}

// Returns true if a stream or an event has a place in a capture; needs no lock.
static bool has_places(void) { return atomic_load(&reference_count) != 0; }

static void clear_place(struct tn_rt_place *place) {
    if (place->capture != NULL) put_capture(place->capture);
    free(place->nodes);
    *place = (struct tn_rt_place){.capture = NULL};
}

static bool place_has(const struct tn_rt_place *place, uint32_t node) {
    for (uint32_t i = 0; i < place->count; i++)
        if (place->nodes[i] == node) return true;
    return false;
}

// Adds the nodes of `more`, which is of the same capture unless `place` is empty.
static tn_rt_error merge_place(struct tn_rt_place *place, const struct tn_rt_place *more) {
    size_t capacity = (size_t)place->count + more->count + 1;
    uint32_t *nodes = (uint32_t *)realloc(place->nodes, capacity * sizeof *nodes);
    TN_RT_REFUSE(nodes == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a capture");
    place->nodes = nodes;
    for (uint32_t i = 0; i < more->count; i++)
        if (!place_has(place, more->nodes[i])) nodes[place->count++] = more->nodes[i];
    if (place->capture == NULL) {
        place->capture = more->capture;
        hold_capture(place->capture);
    }
    return TN_RT_OK;
}

tn_rt_error tn_rt_capture_update(struct tn_rt_stream *s, const struct tn_rt_place *named,
                                 bool replace) {
    struct tn_rt_plan *plan = named->capture->graph->plan;
    struct tn_rt_place fresh = {.capture = NULL};
    tn_rt_error error = replace ? TN_RT_OK : merge_place(&fresh, &s->place);
    if (error == TN_RT_OK) error = merge_place(&fresh, named);
    if (error != TN_RT_OK) {
        clear_place(&fresh);
        return error;
    }
    for (uint32_t i = 0; i < s->place.count; i++) {
        struct tn_rt_plan_node *node = tn_rt_plan_find(plan, s->place.nodes[i]);
        node->dropped = node->dropped || !place_has(&fresh, node->id);
    }
    clear_place(&s->place);
    s->place = fresh;
    return TN_RT_OK;
}

void tn_rt_place_clear(struct tn_rt_place *place) {
    if (!has_places()) return;
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    clear_place(place);
}

// ---- participation

static void mark_entered(struct tn_rt_stream *s) {
    atomic_store(&s->capturing, true);
    if (s->blocking) (void)atomic_fetch_add(&blocking_count[s->device->ordinal], 1);
}

static void mark_left(struct tn_rt_stream *s) {
    clear_place(&s->place);
    atomic_store(&s->capturing, false);
    if (s->blocking) (void)atomic_fetch_sub(&blocking_count[s->device->ordinal], 1);
}

void tn_rt_capture_enter(struct tn_rt_stream *s, struct tn_rt_capture *capture) {
    hold_capture(capture); // for the list
    hold_capture(capture); // for the stream
    capture->id = ++last_id;
    capture->graph->capturing = true;
    capture->next = captures;
    captures = capture;
    (void)atomic_fetch_add(&capture_count, 1);
    s->place.capture = capture;
    mark_entered(s);
}

struct tn_rt_captured tn_rt_capture_finish(struct tn_rt_capture *capture) {
    const struct tn_rt_captured captured = {capture->graph, capture->lent};
    struct tn_rt_stream *s = tn_rt_streams_lock(capture->device);
    for (; s != NULL; s = s->next)
        if (s->place.capture == capture) mark_left(s);
    tn_rt_streams_unlock();
    captured.graph->capturing = false;
    capture->over = true;
    capture->graph = NULL;
    TN_CHAIN_REMOVE(captures, capture, next);
    (void)atomic_fetch_sub(&capture_count, 1);
    put_capture(capture);
    return captured;
}

void tn_rt_capture_discard(const struct tn_rt_captured *captured) {
    if (captured->lent)
        tn_face_object_put(&captured->graph->object);
    else
        tn_rt_graph_close(captured->graph);
}

struct tn_rt_captured tn_rt_capture_abandon(struct tn_rt_stream *s) {
    struct tn_rt_capture *capture = s->place.capture;
    if (capture == NULL) return (struct tn_rt_captured){NULL, false};
    capture->invalid = true;
    if (capture->origin == s) return tn_rt_capture_finish(capture);
    mark_left(s);
    return (struct tn_rt_captured){NULL, false};
}

void tn_rt_capture_leave(struct tn_rt_stream *s) {
    (void)pthread_mutex_lock(&tn_rt_plan_lock);
    const struct tn_rt_captured captured = tn_rt_capture_abandon(s);
    (void)pthread_mutex_unlock(&tn_rt_plan_lock);
    if (captured.graph != NULL) tn_rt_capture_discard(&captured);
}

// Takes the lock. Returns no graph if no capture of the device is left.
static struct tn_rt_captured finish_one(const struct tn_face_device *device) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    struct tn_rt_capture *capture = captures;
    while (capture != NULL && capture->device != device) capture = capture->next;
    return capture != NULL ? tn_rt_capture_finish(capture) : (struct tn_rt_captured){NULL, false};
}

void tn_rt_capture_end_all(const struct tn_face_device *device) {
    struct tn_rt_captured captured = finish_one(device);
    for (; captured.graph != NULL; captured = finish_one(device)) tn_rt_capture_discard(&captured);
}

// ---- forbidden operations

tn_rt_error tn_rt_capture_invalidated(const struct tn_rt_capture *capture) {
    return tn_rt_fail(TN_RT_CAPTURE_INVALIDATED, "capture %llu is invalid", capture->id);
}

// Invalidates the captures for which `forbids` returns true, or all if it is NULL, and returns
// `error` if there was one. Takes the lock.
static tn_rt_error check_captures(bool (*forbids)(const struct tn_rt_capture *), tn_rt_error error,
                                  const char *why) {
    bool forbidden = false;
    if (atomic_load(&capture_count) == 0) return TN_RT_OK;
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    for (struct tn_rt_capture *c = captures; c != NULL; c = c->next) {
        if (forbids != NULL && !forbids(c)) continue;
        c->invalid = true;
        forbidden = true;
    }
    return forbidden ? tn_rt_fail(error, "%s", why) : TN_RT_OK;
}

tn_rt_error tn_rt_capture_check_devices(void) {
    return check_captures(NULL, TN_RT_CAPTURE_UNSUPPORTED,
                          "a wait for a device while a stream captures");
}

static bool has_blocking_stream(const struct tn_rt_capture *capture) {
    bool found = false;
    struct tn_rt_stream *s = tn_rt_streams_lock(capture->device);
    for (; s != NULL && !found; s = s->next) found = s->blocking && s->place.capture == capture;
    tn_rt_streams_unlock();
    return found;
}

tn_rt_error tn_rt_capture_check_synchronous(void) {
    return check_captures(tn_rt_stream_policy.capture_allows_apart ? has_blocking_stream : NULL,
                          TN_RT_CAPTURE_IMPLICIT,
                          "a synchronous copy or fill while a stream captures");
}

// Returns true for a capture of this thread that is not relaxed.
static bool is_strict_here(const struct tn_rt_capture *capture) {
    return capture->mode != TN_RT_CAPTURE_RELAXED && capture->thread == tn_rt_capture_thread();
}

static bool forbids_waiting(const struct tn_rt_capture *capture) {
    return is_strict_here(capture) ||
           (capture->mode == TN_RT_CAPTURE_GLOBAL && thread_mode != TN_RT_CAPTURE_RELAXED);
}

tn_rt_error tn_rt_capture_check_wait(void) {
    return check_captures(forbids_waiting, TN_RT_CAPTURE_UNSUPPORTED,
                          "a wait that a capture forbids");
}

static bool forbids_memory(const struct tn_rt_capture *capture) {
    return thread_mode != TN_RT_CAPTURE_RELAXED &&
           (is_strict_here(capture) ||
            (capture->mode == TN_RT_CAPTURE_GLOBAL && thread_mode == TN_RT_CAPTURE_GLOBAL));
}

tn_rt_error tn_rt_capture_allows(void) {
    return check_captures(forbids_memory, TN_RT_CAPTURE_UNSUPPORTED,
                          "a call that a capture forbids");
}

bool tn_rt_capture_is_blocking(void) {
    for (int i = 0; i < TN_RT_DEVICES; i++)
        if (atomic_load(&blocking_count[i]) > 0) return true;
    return false;
}

tn_rt_error tn_rt_capture_check_beside(void) {
    return tn_rt_stream_policy.capture_forbids_pools && tn_rt_capture_is_blocking()
               ? tn_rt_not_last_error(
                     tn_rt_fail(TN_RT_CAPTURE_UNSUPPORTED,
                                "stream-ordered allocation while a blocking stream captures"))
               : TN_RT_OK;
}

bool tn_rt_capture_is_implied(const struct tn_rt_stream *s) {
    return s->role == TN_RT_STREAM_NULL && atomic_load(&blocking_count[s->device->ordinal]) > 0;
}

tn_rt_error tn_rt_capture_implied(const struct tn_rt_stream *null) {
    return tn_rt_fail(TN_RT_CAPTURE_IMPLICIT,
                      "the NULL stream of device %d would wait for one that captures",
                      null->device->ordinal);
}

// Takes the lock.
static tn_rt_error refuse_null(const struct tn_rt_stream *null) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    for (struct tn_rt_capture *c = captures; c != NULL; c = c->next)
        if (c->device == null->device && has_blocking_stream(c)) c->invalid = true;
    return tn_rt_capture_implied(null);
}

tn_rt_error tn_rt_capture_check_stream(struct tn_rt_stream *s) {
    if (tn_rt_capture_is_implied(s)) return refuse_null(s);
    if (!atomic_load(&s->capturing)) return TN_RT_OK;
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    if (s->place.capture == NULL) return TN_RT_OK;
    s->place.capture->invalid = true;
    return tn_rt_fail(TN_RT_CAPTURE_UNSUPPORTED, "the stream captures");
}

tn_rt_error tn_rt_capture_check_query(struct tn_rt_stream *s) {
    if (s->role == TN_RT_STREAM_NULL) return TN_RT_OK;
    TN_RT_TRY(tn_rt_capture_check_stream(s));
    return tn_rt_capture_check_wait();
}

static tn_rt_error ended(const struct tn_rt_place *event) {
    return tn_rt_fail(tn_rt_stream_policy.capture_ends_events ? TN_RT_INVALID_VALUE
                                                              : TN_RT_CAPTURED_EVENT,
                      "the event belongs to capture %llu, which has ended", event->capture->id);
}

tn_rt_error tn_rt_capture_check_event(const struct tn_rt_place *event) {
    if (!has_places()) return TN_RT_OK;
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    if (event->capture == NULL) return TN_RT_OK;
    if (event->capture->over)
        return tn_rt_stream_policy.capture_ends_events ? ended(event) : TN_RT_OK;
    event->capture->invalid = true;
    return tn_rt_fail(TN_RT_CAPTURED_EVENT, "the event was recorded in a capture");
}

// ---- nodes

static tn_rt_error add_node(struct tn_rt_stream *s, const struct tn_rt_op *op) {
    struct tn_rt_place *place = &s->place;
    if (place->capture->invalid) return tn_rt_capture_invalidated(place->capture);
    if (op->work == TN_RT_WORK_GRAPH && tn_rt_stream_policy.capture_takes_no_graph) {
        place->capture->invalid = true;
        return tn_rt_fail(TN_RT_CAPTURE_UNSUPPORTED, "a stream that captures launches no graph");
    }
    if (op->empty != TN_RT_HAS_BYTES && tn_rt_stream_policy.capture_drops_empty) {
        TN_RT_REFUSE(op->empty == TN_RT_EMPTY_REFUSED, TN_RT_INVALID_VALUE,
                     "a copy of a row, or a fill of rows, without bytes in a capture");
        return TN_RT_OK;
    }
    struct tn_rt_plan *plan = place->capture->graph->plan;
    TN_RT_TRY(tn_rt_graph_check_op(place->capture->graph, op));
    uint32_t *nodes = (uint32_t *)realloc(place->nodes, (place->count + 1) * sizeof *nodes);
    TN_RT_REFUSE(nodes == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a capture");
    place->nodes = nodes;
    TN_RT_TRY(tn_rt_plan_add(plan, s->device, op, false, nodes, place->count, nodes));
    place->count = 1;
    return TN_RT_OK;
}

bool tn_rt_capture_work(struct tn_rt_stream *s, const struct tn_rt_op *op, tn_rt_error *error) {
    bool checked = op->work != TN_RT_WORK_GRAPH || tn_rt_stream_policy.capture_forbids_launch;
    if (checked && tn_rt_capture_is_implied(s)) {
        *error = refuse_null(s);
        return true;
    }
    if (!atomic_load(&s->capturing)) return false;
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    bool captured = s->place.capture != NULL;
    if (captured) *error = add_node(s, op);
    bool peers = op->work == TN_RT_WORK_COPY && op->copy.form == TN_RT_COPY_BOX &&
                 op->copy.box.peers[1] != NULL;
    TN_FACE_DIFFERS(capture_unrecorded, captured && (peers || op->work == TN_RT_WORK_GRAPH));
    TN_FACE_DIFFERS(capture_values, captured && op->work == TN_RT_WORK_VALUE);
    return captured;
}

bool tn_rt_capture_record(struct tn_rt_stream *s, struct tn_rt_place *event, tn_rt_error *error) {
    if (tn_rt_capture_is_implied(s)) {
        *error = refuse_null(s);
        return true;
    }
    if (!atomic_load(&s->capturing)) return false;
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    if (s->place.capture == NULL) return false;
    struct tn_rt_place copy = {.stream = s->object.handle};
    *error = s->place.capture->invalid ? tn_rt_capture_invalidated(s->place.capture)
                                       : merge_place(&copy, &s->place);
    if (*error == TN_RT_OK) {
        clear_place(event);
        *event = copy;
    }
    return true;
}

// Decides the error of a wait for an event of a capture that has ended.
static tn_rt_error refuse_ended(const struct tn_rt_place *event) {
    bool again = false;
    struct tn_rt_stream *s = tn_rt_streams_lock(event->capture->device);
    for (; s != NULL && !again; s = s->next)
        again = s->object.handle == event->stream && s->place.capture != NULL;
    tn_rt_streams_unlock();
    return again ? tn_rt_fail(TN_RT_CAPTURE_ISOLATION,
                              "the stream that recorded the event captures again, without it")
                 : ended(event);
}

// Lets a stream that does not capture wait for an event of a capture, which makes it take part.
static tn_rt_error enter_by_event(struct tn_rt_stream *s, const struct tn_rt_place *event) {
    if (event->capture->over) return refuse_ended(event);
    if (event->capture->invalid) return tn_rt_capture_invalidated(event->capture);
    if (s->role == TN_RT_STREAM_NULL) {
        event->capture->invalid = true;
        return tn_rt_capture_implied(s);
    }
    TN_RT_REFUSE(s->device != event->capture->device, TN_RT_NOT_SUPPORTED,
                 "a stream of device %d in a capture of device %d", s->device->ordinal,
                 event->capture->device->ordinal);
    TN_RT_TRY(merge_place(&s->place, event));
    mark_entered(s);
    return TN_RT_OK;
}

// Lets a stream that captures wait for an event.
static tn_rt_error depend_on_event(struct tn_rt_stream *s, const struct tn_rt_place *event,
                                   bool recorded) {
    struct tn_rt_capture *capture = s->place.capture;
    if (capture->invalid) return tn_rt_capture_invalidated(capture);
    if (event->capture == capture) return merge_place(&s->place, event);
    if (event->capture == NULL && !recorded) return TN_RT_OK;
    capture->invalid = true;
    TN_RT_REFUSE(event->capture == NULL || event->capture->over, TN_RT_CAPTURE_ISOLATION,
                 "capture %llu would wait for an event outside of it", capture->id);
    event->capture->invalid = true;
    return tn_rt_fail(TN_RT_CAPTURE_MERGE, "captures %llu and %llu would become one", capture->id,
                      event->capture->id);
}

bool tn_rt_capture_wait(struct tn_rt_stream *s, const struct tn_rt_place *event, bool recorded,
                        tn_rt_error *error) {
    if (!has_places()) return false;
    (void)pthread_mutex_lock(&tn_rt_plan_lock);
    bool captured = s->place.capture != NULL || event->capture != NULL;
    if (captured) {
        *error = s->place.capture != NULL ? depend_on_event(s, event, recorded)
                                          : enter_by_event(s, event);
    }
    (void)pthread_mutex_unlock(&tn_rt_plan_lock);
    if (captured || !tn_rt_capture_is_implied(s)) return captured;
    *error = refuse_null(s);
    return true;
}

// In the child no stream captures.
static void forget_captures(void) {
    captures = NULL;
    atomic_store(&capture_count, 0);
    for (int i = 0; i < TN_RT_DEVICES; i++) atomic_store(&blocking_count[i], 0);
}

TN_FACE_ON_FORK(TN_RT_LOCK_CAPTURE, NULL, forget_captures);
