// SPDX-License-Identifier: Apache-2.0
// Statistics of a graph and of the process' pool.
#include <string.h>

#include "compat/hiai/graph.h"

static uint64_t read_counter(_Atomic(uint64_t) *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}

TN_HIAI_FUNCTION(HIAIX_Stats, uint32_t, graphId, struct HIAIX_Stats *, out) {
    tarn_arena_stats pool = {.struct_size = sizeof pool};
    tarn_channel_stats link = {.struct_size = sizeof link};
    struct HIAIX_Stats own = {0};
    TN_HIAI_REFUSE(out == NULL || out->size < 2 * sizeof own.size, HIAI_GRAPH_INVALID_VALUE,
                   "out is %p, or out->size is too small", (void *)out);
    TN_HIAI_GRAPH(graph, graphId);
    own.size = out->size < sizeof own ? out->size : sizeof own;
    if (tarn_arena_query_stats(tn_hiai_arena(), &pool) == TARN_OK) {
        own.poolBytes = pool.capacity_bytes;
        own.poolUsed = pool.live_bytes;
        own.poolPeak = pool.peak_bytes;
        own.poolBlocks = pool.live_parcels;
        own.poolWaits = pool.waits;
        own.poolRefusals = pool.refusals;
        own.reclaimed = pool.recovered;
    }
    if (graph->link.channel != NULL &&
        tarn_channel_query_stats(graph->link.channel, &link) == TARN_OK) {
        own.sends = link.sends;
        own.receives = link.receives;
        own.copies = link.copies;
        own.inFlight = link.in_flight;
    }
    own.localSends = read_counter(&graph->counters.local_sends);
    own.sendWaits = read_counter(&graph->counters.waits);
    own.sendTimeouts = read_counter(&graph->counters.timeouts);
    own.rejected = read_counter(&graph->counters.rejected);
    own.failures = read_counter(&graph->counters.failures);
    memcpy(out, &own, own.size);
    return HIAI_OK;
}
