// SPDX-License-Identifier: Apache-2.0
// Streams and events of Tarn by their handles, and the effect of memory events on the vector
// clocks. Part of check/order/order.c, which serialises every call.
#pragma once

#include "annotate/mem_event.h"
#include "check/handle_map.h"
#include "check/order/clocks.h"
#include "check/order/functions.h"
#include "check/table.h"

struct tn_check_actors {
    struct tn_check_clocks clocks;
    struct tn_check_handle_map stream_index; // to indexes in `streams`
    struct tn_check_handle_map event_index;  // to indexes in `events`
    struct tn_check_table streams;
    uint32_t ended; // streams that have ended with work that the host does not know
    struct tn_check_table events;
    struct tn_check_functions functions;
};

// How an event acts.
struct tn_check_act {
    struct tn_check_moment moment;
    const struct tn_check_point *before; // what certainly came before; valid until the next event
    const struct tn_check_function *function; // in which the calling thread acts, or NULL
};

// Returns false if out of memory.
bool tn_check_actors_init(struct tn_check_actors *actors);
void tn_check_actors_fini(struct tn_check_actors *actors);

// Returns the actor of new work: the stream of the event, or the host. A stream begins when it is
// first seen. New work of a stream comes after everything that the host knows, or that came before
// the function that submits it.
uint32_t tn_check_actors_of(struct tn_check_actors *actors, const struct tn_mem_event *event);

// Returns the next moment of tn_check_actors_of(). An event without a stream acts at the moment of
// the function that the calling thread runs, if it runs one.
struct tn_check_act tn_check_actors_act(struct tn_check_actors *actors,
                                        const struct tn_mem_event *event);

// From now on the act, and its actor, come after all work of `actor` so far, which they have observed by
// a value in memory.
void tn_check_actors_acquire(struct tn_check_actors *actors, const struct tn_check_act *act,
                             uint32_t actor);

// Returns true if the host knows all work of all streams.
bool tn_check_actors_know_all(const struct tn_check_actors *actors);

// Applies an event about the order of work (TN_MEM_STREAM_BEGIN to TN_MEM_CALL_PASSED). Returns false
// for a wait for an event that was never recorded.
bool tn_check_actors_event(struct tn_check_actors *actors, const struct tn_mem_event *event);
