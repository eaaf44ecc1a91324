// SPDX-License-Identifier: Apache-2.0
#include "check/actors.h"

#include <stdlib.h>

// The actor on whose behalf this thread runs a host function; TN_CHECK_ACTOR_HOST outside.
static _Thread_local uint32_t acting;

bool tn_check_actors_init(struct tn_check_actors *actors) {
    *actors = (struct tn_check_actors){0};
    return tn_check_clocks_init(&actors->clocks);
}

void tn_check_actors_fini(struct tn_check_actors *actors) {
    for (uint32_t i = 0; i < actors->event_count; i++) {
        tn_check_point_fini(&actors->events[i].point);
    }
    free(actors->events);
    free(actors->streams);
    tn_check_handle_map_fini(&actors->stream_names);
    tn_check_handle_map_fini(&actors->event_names);
    tn_check_clocks_fini(&actors->clocks);
}

// Room for one more of `bytes` each. False: no memory, and nothing may be concluded any more.
static bool reserve_slot(struct tn_check_actors *actors, void **array, uint32_t count,
                         uint32_t *capacity, size_t bytes) {
    if (count < *capacity) {
        return true;
    }
    uint32_t more = *capacity != 0 ? 2 * *capacity : 16;
    void *grown = realloc(*array, more * bytes);
    if (grown == NULL) {
        actors->clocks.failed = true;
        return false;
    }
    *array = grown;
    *capacity = more;
    return true;
}

// ---- streams

static struct tn_check_stream_record *new_stream(struct tn_check_actors *actors,
                                                 const struct tn_mem_event *event) {
    uint32_t place = 0;
    while (place < actors->stream_count && actors->streams[place].alive) {
        place++;
    }
    if (!reserve_slot(actors, (void **)&actors->streams, place, &actors->stream_capacity,
                      sizeof *actors->streams) ||
        !tn_check_handle_map_set(&actors->stream_names, event->image, event->stream, place)) {
        actors->clocks.failed = true;
        return NULL;
    }
    actors->stream_count = place == actors->stream_count ? place + 1 : actors->stream_count;
    actors->streams[place] =
        (struct tn_check_stream_record){.actor = tn_check_clocks_begin(&actors->clocks),
                                        .image = event->image,
                                        .space = event->space,
                                        .device = event->device,
                                        .alive = true};
    return &actors->streams[place];
}

// NULL: no memory for a new one.
static struct tn_check_stream_record *stream_of(struct tn_check_actors *actors,
                                                const struct tn_mem_event *event) {
    uint32_t place;
    return tn_check_handle_map_find(&actors->stream_names, event->image, event->stream, &place)
               ? &actors->streams[place]
               : new_stream(actors, event);
}

uint32_t tn_check_actors_stream(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    if (event->stream == 0) {
        return acting;
    }
    const struct tn_check_stream_record *stream = stream_of(actors, event);
    return stream != NULL ? stream->actor : TN_CHECK_ACTOR_HOST;
}

uint32_t tn_check_actors_of(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    uint32_t actor = tn_check_actors_stream(actors, event);
    tn_check_clocks_learn(&actors->clocks, actor, TN_CHECK_ACTOR_HOST);
    tn_check_clocks_learn(&actors->clocks, actor, acting);
    return actor;
}

// The stream is empty, and is gone: all that it did has happened.
static void end_stream(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    uint32_t place;
    if (tn_check_handle_map_remove(&actors->stream_names, event->image, event->stream, &place)) {
        tn_check_clocks_learn(&actors->clocks, TN_CHECK_ACTOR_HOST, actors->streams[place].actor);
        tn_check_clocks_end(&actors->clocks, actors->streams[place].actor);
        actors->streams[place].alive = false;
    }
}

static void learn_device(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    for (uint32_t i = 0; i < actors->stream_count; i++) {
        const struct tn_check_stream_record *stream = &actors->streams[i];
        if (stream->alive && stream->image == event->image && stream->space == event->space &&
            (event->device < 0 || stream->device == event->device)) {
            tn_check_clocks_learn(&actors->clocks, TN_CHECK_ACTOR_HOST, stream->actor);
        }
    }
}

// ---- events

static struct tn_check_event_record *new_event(struct tn_check_actors *actors,
                                               const struct tn_mem_event *event) {
    uint32_t place = 0;
    while (place < actors->event_count && actors->events[place].alive) {
        place++;
    }
    if (!reserve_slot(actors, (void **)&actors->events, place, &actors->event_capacity,
                      sizeof *actors->events) ||
        !tn_check_handle_map_set(&actors->event_names, event->image, event->object, place)) {
        actors->clocks.failed = true;
        return NULL;
    }
    if (place == actors->event_count) {
        actors->events[place] = (struct tn_check_event_record){0};
        actors->event_count++;
    }
    actors->events[place].alive = true;
    actors->events[place].recorded = false;
    return &actors->events[place];
}

static struct tn_check_event_record *find_event(struct tn_check_actors *actors,
                                                const struct tn_mem_event *event) {
    uint32_t place;
    return tn_check_handle_map_find(&actors->event_names, event->image, event->object, &place)
               ? &actors->events[place]
               : NULL;
}

static void record_event(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    struct tn_check_event_record *entry = find_event(actors, event);
    entry = entry != NULL ? entry : new_event(actors, event);
    if (entry != NULL) {
        tn_check_point_set(&actors->clocks, &entry->point, tn_check_actors_of(actors, event));
        entry->recorded = true;
    }
}

static void end_event(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    uint32_t place;
    if (tn_check_handle_map_remove(&actors->event_names, event->image, event->object, &place)) {
        actors->events[place].alive = false;
    }
}

// `actor` comes after the event. False: it was never recorded.
static bool wait_for(struct tn_check_actors *actors, const struct tn_mem_event *event,
                     uint32_t actor) {
    const struct tn_check_event_record *entry = find_event(actors, event);
    if (entry != NULL && entry->recorded) {
        tn_check_clocks_learn_point(&actors->clocks, &entry->point, actor);
        return true;
    }
    return false;
}

// ---- notes

bool tn_check_actors_event(struct tn_check_actors *actors, const struct tn_mem_event *event) {
    switch (event->kind) {
    case TN_MEM_STREAM_BEGIN:
        (void)stream_of(actors, event);
        return true;
    case TN_MEM_STREAM_END:
        end_stream(actors, event);
        return true;
    case TN_MEM_EVENT_RECORD:
        record_event(actors, event);
        return true;
    case TN_MEM_EVENT_END:
        end_event(actors, event);
        return true;
    case TN_MEM_STREAM_WAIT:
        return wait_for(actors, event, tn_check_actors_of(actors, event));
    case TN_MEM_EVENT_SYNC:
        (void)wait_for(actors, event, TN_CHECK_ACTOR_HOST);
        return true;
    case TN_MEM_STREAM_SYNC:
        tn_check_clocks_learn(&actors->clocks, TN_CHECK_ACTOR_HOST,
                              tn_check_actors_stream(actors, event));
        return true;
    case TN_MEM_DEVICE_SYNC:
        learn_device(actors, event);
        return true;
    case TN_MEM_CALL_BEGIN:
        acting = tn_check_actors_stream(actors, event);
        return true;
    case TN_MEM_CALL_END:
        acting = TN_CHECK_ACTOR_HOST;
        return true;
    default:
        return true;
    }
}
