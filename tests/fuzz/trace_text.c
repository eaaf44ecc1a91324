// SPDX-License-Identifier: Apache-2.0
// Any bytes as a trace, gzip or plain: the reader refuses them or builds a trace that holds
// together.
#include "trace/trace.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds) {
    if (!holds) abort();
}

// Every event must refer to something, and no block may be freed before it is live, or twice.
static void check(const struct tn_trace *trace) {
    uint8_t *live = (uint8_t *)calloc(trace->block_count + 1, 1);
    demand(live != NULL);
    for (size_t i = 0; i < trace->event_count; i++) {
        const struct tn_event *event = &trace->events[i];
        if (event->kind == TN_EVENT_MARK) {
            demand(event->item < trace->text_count && trace->texts[event->item] != NULL);
            continue;
        }
        demand(event->item < trace->block_count);
        demand(live[event->item] == (event->kind == TN_EVENT_FREE));
        demand(trace->blocks[event->item].size > 0);
        live[event->item]++;
    }
    free(live);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct tn_trace trace;
    struct tn_trace_limits limits = {.events = 10000, .memory = 1 << 20};
    if (size == 0 || data[0] == 0x80) // pickles have a target of their own
        return 0;
    if (tn_trace_read_memory("fuzz", data, size, &limits, &trace) == TARN_OK) {
        if (trace.format == TN_TRACE_TEXT) check(&trace);
        tn_trace_release(&trace);
    } else {
        tarn_error error;
        (void)tarn_last_error(&error);
        demand(error.message[0] != '\0');
    }
    return 0;
}
