// SPDX-License-Identifier: Apache-2.0
// Tables of streams and events, and the effect of memory events on the actors. See actors.h.
#include "check/order/actors.h"

struct stream {
    uint32_t actor;
    uint32_t image;
    uint32_t space;
    int32_t device;
    bool alive;
    bool ended; // without a wait: still an actor, until the host knows its work
};

// More of them are taken for known, the one at the lowest place first.
enum { ENDED_MAX = 256 };

struct record {
    struct tn_check_point point;
    bool recorded;
};

// The function that this thread runs; number 0 if none.
static _Thread_local struct {
    uint64_t number;
    uint32_t image;
} running;

static struct tn_check_function *running_function(const struct tn_check_actors *actors) {
    return running.number == 0
               ? NULL
               : tn_check_functions_find(&actors->functions, running.image, running.number);
}

static struct stream *stream_at(const struct tn_check_actors *actors, uint32_t place) {
    return (struct stream *)actors->streams.records + place;
}

static struct record *record_at(const struct tn_check_actors *actors, uint32_t place) {
    return (struct record *)actors->events.records + place;
}

bool tn_check_actors_init(struct tn_check_actors *actors) {
    *actors = (struct tn_check_actors){0};
    return tn_check_clocks_init(&actors->clocks);
}

void tn_check_actors_fini(struct tn_check_actors *actors) {
    for (uint32_t i = 0; i < actors->events.count; i++)
        tn_check_point_fini(&record_at(actors, i)->point);
    tn_check_functions_fini(&actors->functions);
    tn_check_table_fini(&actors->events);
    tn_check_table_fini(&actors->streams);
    tn_check_handle_map_fini(&actors->stream_index);
    tn_check_handle_map_fini(&actors->event_index);
    tn_check_clocks_fini(&actors->clocks);
}

// Finds the record of a handle, or adds a zeroed one. Returns false if out of memory; no race may
// be concluded any more then.
static bool find_or_add(struct tn_check_actors *actors, struct tn_check_table *table, size_t bytes,
                        struct tn_check_handle_map *index, uint32_t image, uint64_t handle,
                        uint32_t *place) {
    bool found = tn_check_handle_map_find(index, image, handle, place) ||
                 (tn_check_table_add(table, bytes, place) &&
                  tn_check_handle_map_set(index, image, handle, *place));
    actors->clocks.failed = actors->clocks.failed || !found;
    return found;
}

// ---- streams

// Returns the actor of the event's stream, or the host if the event has no stream.
static uint32_t stream_actor(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    uint32_t place;
    if (event->stream == 0) return TN_CHECK_ACTOR_HOST;
    if (!find_or_add(actors, &actors->streams, sizeof(struct stream), &actors->stream_index,
                     event->image, event->stream, &place))
        return TN_CHECK_ACTOR_HOST;
    struct stream *stream = stream_at(actors, place);
    if (!stream->alive)
        *stream = (struct stream){.actor = tn_check_clocks_begin(&actors->clocks),
                                  .image = event->image,
                                  .space = event->space,
                                  .device = event->device,
                                  .alive = true};
    return stream->actor;
}

uint32_t tn_check_actors_of(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    uint32_t actor = stream_actor(actors, event);
    const struct tn_check_function *function = running_function(actors);
    if (function != NULL)
        tn_check_clocks_learn_point(&actors->clocks, &function->before, actor);
    else
        tn_check_clocks_learn(&actors->clocks, actor, TN_CHECK_ACTOR_HOST);
    return actor;
}

struct tn_check_act tn_check_actors_act(struct tn_check_actors *actors,
                                        const struct tn_mem_event *event) {
    const struct tn_check_function *function = running_function(actors);
    if (event->stream == 0 && function != NULL) {
        struct tn_check_moment moment = function->moment;
        moment.conditions = function->before.conditions; // it may have waited since
        return (struct tn_check_act){moment, &function->before, function};
    }
    uint32_t actor = tn_check_actors_of(actors, event);
    struct tn_check_moment moment = tn_check_clocks_tick(&actors->clocks, actor);
    return (struct tn_check_act){moment, &actors->clocks.actors[actor].point, NULL};
}

// Work behind a function that waits has been submitted already, without the condition.
static void wait_for_condition(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    if (event->stream == 0 && running_function(actors) != NULL)
        actors->clocks.failed = true;
    else
        tn_check_clocks_condition(&actors->clocks, tn_check_actors_of(actors, event));
}

// The calling thread has waited. If it runs a function, the function knows, too.
static void learn_point(struct tn_check_actors *actors, const struct tn_check_point *point) {
    struct tn_check_function *function = running_function(actors);
    tn_check_clocks_learn_point(&actors->clocks, point, TN_CHECK_ACTOR_HOST);
    if (function != NULL) tn_check_point_merge(&actors->clocks, &function->before, point);
}

static void learn_from(struct tn_check_actors *actors, uint32_t actor) {
    learn_point(actors, &actors->clocks.actors[actor].point);
}

static void forget_stream(struct tn_check_actors *actors, uint32_t place) {
    struct stream *stream = stream_at(actors, place);
    actors->ended -= stream->ended;
    tn_check_clocks_end(&actors->clocks, stream->actor);
    stream->alive = false;
    tn_check_table_remove(&actors->streams, place);
}

static void forget_first_ended(struct tn_check_actors *actors) {
    uint32_t place = 0;
    while (!stream_at(actors, place)->alive || !stream_at(actors, place)->ended) place++;
    tn_check_clocks_learn(&actors->clocks, TN_CHECK_ACTOR_HOST, stream_at(actors, place)->actor);
    forget_stream(actors, place);
}

// The host knows the work of the stream if the end of the stream has waited for it, or an earlier call.
static void end_stream(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    uint32_t place;
    if (!tn_check_handle_map_remove(&actors->stream_index, event->image, event->stream, &place))
        return;
    struct stream *stream = stream_at(actors, place);
    if (tn_check_clocks_knows_all(&actors->clocks, TN_CHECK_ACTOR_HOST, stream->actor)) {
        forget_stream(actors, place);
        return;
    }
    stream->ended = true;
    if (++actors->ended > ENDED_MAX) forget_first_ended(actors);
}

static void learn_device(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    for (uint32_t i = 0; i < actors->streams.count; i++) {
        const struct stream *stream = stream_at(actors, i);
        if (stream->alive && stream->image == event->image && stream->space == event->space &&
            (event->device < 0 || stream->device == event->device)) {
            learn_from(actors, stream->actor);
            if (stream->ended) forget_stream(actors, i);
        }
    }
}

// ---- events of Tarn

static void record_event(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    uint32_t place;
    if (find_or_add(actors, &actors->events, sizeof(struct record), &actors->event_index,
                    event->image, event->object, &place)) {
        struct record *record = record_at(actors, place);
        tn_check_point_set(&actors->clocks, &record->point, tn_check_actors_of(actors, event));
        record->recorded = true;
    }
}

static void end_event(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    uint32_t place;
    if (tn_check_handle_map_remove(&actors->event_index, event->image, event->object, &place)) {
        tn_check_point_fini(&record_at(actors, place)->point);
        tn_check_table_remove(&actors->events, place);
    }
}

// Returns NULL if the event was never recorded.
static const struct tn_check_point *recorded_point(const struct tn_check_actors *actors,
                                                   const struct tn_mem_event *event) {
    uint32_t place;
    return tn_check_handle_map_find(&actors->event_index, event->image, event->object, &place) &&
                   record_at(actors, place)->recorded
               ? &record_at(actors, place)->point
               : NULL;
}

// Returns false if the event was never recorded.
static bool wait_for(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    uint32_t actor = tn_check_actors_of(actors, event);
    const struct tn_check_point *point = recorded_point(actors, event);
    if (point == NULL) return false;
    tn_check_functions_learn(&actors->functions, &actors->clocks, point, actor);
    tn_check_clocks_learn_point(&actors->clocks, point, actor);
    return true;
}

static void learn_event(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    const struct tn_check_point *point = recorded_point(actors, event);
    if (point != NULL) learn_point(actors, point);
}

// A program that contains an older Tarn does not say which function runs.
static void begin_call(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    running.image = event->image;
    running.number = event->object;
    actors->clocks.failed = actors->clocks.failed || running_function(actors) == NULL;
}

void tn_check_actors_acquire(struct tn_check_actors *actors, const struct tn_check_act *act,
                             uint32_t actor) {
    const struct tn_check_point *point = &actors->clocks.actors[actor].point;
    struct tn_check_function *function = running_function(actors);
    if (act->function != NULL) tn_check_point_merge(&actors->clocks, &function->before, point);
    tn_check_clocks_learn_point(&actors->clocks, point, act->moment.actor);
}

bool tn_check_actors_know_all(const struct tn_check_actors *actors) {
    for (uint32_t i = 0; i < actors->streams.count; i++)
        if (stream_at(actors, i)->alive &&
            !tn_check_clocks_knows_all(&actors->clocks, TN_CHECK_ACTOR_HOST,
                                       stream_at(actors, i)->actor))
            return false;
    return true;
}

bool tn_check_actors_event(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    switch (event->kind) {
    case TN_MEM_STREAM_BEGIN: (void)stream_actor(actors, event); break;
    case TN_MEM_STREAM_END: end_stream(actors, event); break;
    case TN_MEM_EVENT_RECORD: record_event(actors, event); break;
    case TN_MEM_EVENT_END: end_event(actors, event); break;
    case TN_MEM_STREAM_WAIT: return wait_for(actors, event);
    case TN_MEM_EVENT_SYNC: learn_event(actors, event); break;
    case TN_MEM_STREAM_SYNC: learn_from(actors, stream_actor(actors, event)); break;
    case TN_MEM_DEVICE_SYNC: learn_device(actors, event); break;
    case TN_MEM_CALL_QUEUED:
        tn_check_functions_begin(&actors->functions, &actors->clocks, event->image, event->object,
                                 event->stream, tn_check_actors_of(actors, event));
        break;
    case TN_MEM_CALL_BEGIN: begin_call(actors, event); break;
    case TN_MEM_CALL_END:
        if (event->object == 0 || event->object == running.number) running.number = 0;
        break;
    case TN_MEM_CALL_PASSED:
        tn_check_functions_end(&actors->functions, event->image, event->object);
        break;
    case TN_MEM_CONDITION: wait_for_condition(actors, event); break;
    default: break;
    }
    return true;
}
