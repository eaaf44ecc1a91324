// SPDX-License-Identifier: Apache-2.0
// Streams and events as the tellers name them, and what their notes mean for who knows what. Part
// of check/order.c, which serialises.
#ifndef TARN_CHECK_ACTORS_H
#define TARN_CHECK_ACTORS_H

#include "annotate/mem_event.h"
#include "check/clocks.h"
#include "check/handle_map.h"

struct tn_check_stream_record {
    uint32_t actor;
    uint32_t image;
    uint32_t space;
    int32_t device;
    bool alive;
};

struct tn_check_event_record {
    struct tn_check_point point;
    bool recorded;
    bool alive;
};

struct tn_check_actors {
    struct tn_check_clocks clocks;
    struct tn_check_handle_map stream_names;
    struct tn_check_handle_map event_names;
    struct tn_check_stream_record *streams;
    struct tn_check_event_record *events;
    uint32_t stream_count;
    uint32_t stream_capacity;
    uint32_t event_count;
    uint32_t event_capacity;
};

// False: no memory.
bool tn_check_actors_init(struct tn_check_actors *actors);
void tn_check_actors_fini(struct tn_check_actors *actors);

// Who does what the note tells: the note's stream, else the stream whose host function the calling
// thread runs, else the host. A stream that is seen for the first time begins. Work for a stream
// comes after all that the host knows.
uint32_t tn_check_actors_of(struct tn_check_actors *actors, const struct tn_mem_event *event);

// The actor of a stream, without work for it.
uint32_t tn_check_actors_stream(struct tn_check_actors *actors, const struct tn_mem_event *event);

// Takes in a note of order (TN_MEM_STREAM_BEGIN to TN_MEM_CALL_END). False: a wait for an event
// that was never recorded.
bool tn_check_actors_event(struct tn_check_actors *actors, const struct tn_mem_event *event);

#endif
