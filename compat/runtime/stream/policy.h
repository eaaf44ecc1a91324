// SPDX-License-Identifier: Apache-2.0
// The part of a face's policy that is about streams, events and captures. See compat/runtime/policy.h.
#pragma once

#include <stdbool.h>

struct tn_rt_stream_policy {
    bool legacy_per_thread;           // two handles may mean the stream of the thread; see order.h
    bool external_needs_capture;      // of records and waits: ILLEGAL_STATE
    bool events_have_contexts;        // those of the streams that record them: INVALID_HANDLE
    int lowest_priority;              // of streams; 0 is the default
    int highest_priority;             // at most 0
    bool capture_forbids_settings;    // advice, preferences of devices and the like
    bool capture_forbids_event_query; // as a wait for the event
    bool capture_forbids_pools;       // of a blocking stream: allocation in stream order
    bool capture_drops_empty;         // copies and fills without bytes become no nodes
    bool capture_lost_by_attempt;     // to end it on another thread or stream, which gives NULL
    bool capture_forbids_launch;      // of a blocking stream: a graph on its NULL stream
    bool capture_takes_no_graph;      // a launch into a capture: CAPTURE_UNSUPPORTED
    bool capture_allows_apart; // synchronous copies and fills, unless a blocking stream captures
    bool capture_ends_events;  // events of a capture that has ended: INVALID_VALUE
};

extern struct tn_rt_stream_policy tn_rt_stream_policy;
