// SPDX-License-Identifier: Apache-2.0
// Streams and events of Tarn by their handles, and the effect of memory events on the vector
// clocks. Part of check/order/order.c, which serialises every call.
#pragma once

#include "annotate/mem_event.h"
#include "check/handle_map.h"
#include "check/order/clocks.h"
#include "check/table.h"

struct tn_check_actors {
    struct tn_check_clocks clocks;
    struct tn_check_handle_map stream_index; // to indexes in `streams`
    struct tn_check_handle_map event_index;  // to indexes in `events`
    struct tn_check_table streams;
    uint32_t ended; // streams that have ended with work that the host does not know
    struct tn_check_table events;
};

// Returns false if out of memory.
bool tn_check_actors_init(struct tn_check_actors *actors);
void tn_check_actors_fini(struct tn_check_actors *actors);

// Returns the actor of the event for new work: the stream of the event, or the stream whose host
// function the calling thread runs, or the host. A stream begins when it is first seen. New work of
// a stream comes after everything that the host knows.
uint32_t tn_check_actors_of(struct tn_check_actors *actors, const struct tn_mem_event *event);

// Returns false if the calling thread acts in a host function or in a condition of a stream with
// conditions. Some of them may come behind it, so it is not known which come before.
bool tn_check_actors_placed(const struct tn_check_actors *actors, const struct tn_mem_event *event);

// Applies an event about the order of work (TN_MEM_STREAM_BEGIN to TN_MEM_CONDITION). Returns false
// for a wait for an event that was never recorded.
bool tn_check_actors_event(struct tn_check_actors *actors, const struct tn_mem_event *event);
