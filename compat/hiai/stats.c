// SPDX-License-Identifier: Apache-2.0
// Statistics of a graph and of the process' pool.
#include <string.h>

#include "compat/hiai/graph.h"

static uint64_t read_counter(_Atomic(uint64_t) *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static void add_pool(struct HIAIX_Stats *out) {
    tarn_arena_stats pool = {.struct_size = sizeof pool};
    if (tarn_arena_query_stats(tn_hiai_arena(), &pool) == TARN_OK) {
        out->poolBytes = pool.capacity_bytes;
        out->poolUsed = pool.live_bytes;
        out->poolPeak = pool.peak_bytes;
        out->poolBlocks = pool.live_parcels;
        out->poolWaits = pool.waits;
        out->poolRefusals = pool.refusals;
        out->reclaimed = pool.recovered;
    }
}

static void add_link(const struct tn_hiai_graph *graph, struct HIAIX_Stats *out) {
    tarn_channel_stats link = {.struct_size = sizeof link};
    if (graph->link.channel != NULL &&
        tarn_channel_query_stats(graph->link.channel, &link) == TARN_OK) {
        out->sends = link.sends;
        out->receives = link.receives;
        out->copies = link.copies;
        out->inFlight = link.in_flight;
    }
}

static void add_counters(struct tn_hiai_counters *counters, struct HIAIX_Stats *out) {
    out->localSends = read_counter(&counters->local_sends);
    out->sendWaits = read_counter(&counters->waits);
    out->sendTimeouts = read_counter(&counters->timeouts);
    out->rejected = read_counter(&counters->rejected);
    out->failures = read_counter(&counters->failures);
}

static HIAI_StatusT query_stats(uint32_t id, struct HIAIX_Stats *out) {
    struct HIAIX_Stats own = {0};
    if (out == NULL || out->size < 2 * sizeof own.size) {
        return tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "out is %p, or out->size is too small",
                            (void *)out);
    }
    struct tn_hiai_graph *graph = tn_hiai_graph_get(id);
    if (graph == NULL) {
        return HIAI_GRAPH_NOT_EXIST;
    }
    own.size = out->size < sizeof own ? out->size : sizeof own;
    add_pool(&own);
    add_link(graph, &own);
    add_counters(&graph->counters, &own);
    tn_hiai_graph_put(graph);
    memcpy(out, &own, own.size);
    return HIAI_OK;
}

HIAI_StatusT HIAIX_Stats(uint32_t graphId, struct HIAIX_Stats *out) {
    TN_HIAI_POINT(injected);
    return tn_hiai_leave(query_stats(graphId, out), __func__);
}
