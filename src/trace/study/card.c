// SPDX-License-Identifier: Apache-2.0
// See card.h.
#include "trace/study/card.h"

#include "trace/study/lives.h"

// Returns the highest sum of reserved and free bytes at a refused request. Between two of them,
// another program may have taken or returned memory.
static uint64_t most_at_failures(const struct tn_trace *trace,
                                 const struct tn_trace_device *device) {
    bool known;
    uint64_t most = 0, reserved = tn_reserved_at_start(trace, device, &known);
    for (size_t i = 0; known && i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        reserved = tn_reserved_after(trace, event, reserved);
        uint64_t left =
            event->kind == TN_EVENT_FAILURE ? trace->failures[event->item].device_free : UINT64_MAX;
        if (left < UINT64_MAX - reserved && reserved + left > most) most = reserved + left;
    }
    return most;
}

struct tn_recorded_card tn_recorded_card(const struct tn_trace *trace,
                                         const struct tn_trace_device *device) {
    bool is_whole = device->memory_bytes != 0;
    return (struct tn_recorded_card){.bytes = is_whole ? device->memory_bytes
                                                       : most_at_failures(trace, device),
                                     .is_whole = is_whole};
}

uint64_t tn_recorded_card_usable(const struct tn_recorded_card *card, uint64_t context) {
    uint64_t taken = card->is_whole ? context : 0;
    return card->bytes > taken ? card->bytes - taken : 0;
}
