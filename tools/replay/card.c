// SPDX-License-Identifier: Apache-2.0
// See card.h.
#include "tools/replay/card.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/bytes.h"
#include "tools/cards.h"
#include "trace/study/card.h"

#define GRANULE (UINT64_C(2) << 20) // of the software device

static void describe(const struct tn_recorded_card *recorded, struct tn_replay_card *card) {
    card->bytes = tn_recorded_card_usable(recorded, TN_CARD_CONTEXT) / GRANULE * GRANULE;
    if (card->bytes == 0)
        (void)snprintf(card->text, sizeof card->text,
                       "without a limit, since the recording does not tell the memory of the card");
    else if (recorded->is_whole)
        (void)snprintf(card->text, sizeof card->text,
                       "on the recorded card of %s, less %s for the context",
                       tn_bytes(recorded->bytes), tn_bytes(TN_CARD_CONTEXT));
    else
        (void)snprintf(card->text, sizeof card->text,
                       "in the %s that the program had or could get when a request was refused",
                       tn_bytes(recorded->bytes));
}

void tn_replay_card(const struct tn_trace *trace, const struct tn_trace_device *part,
                    struct tn_replay_card *card) {
    struct tn_recorded_card largest = {.bytes = 0};
    size_t count = tn_trace_accelerators(trace);
    for (size_t i = 0; i < count; i++) {
        struct tn_recorded_card one = tn_recorded_card(trace, &trace->devices[i]);
        bool counts = part == NULL || part == &trace->devices[i];
        if (counts && tn_recorded_card_usable(&one, TN_CARD_CONTEXT) >
                          tn_recorded_card_usable(&largest, TN_CARD_CONTEXT))
            largest = one;
    }
    describe(&largest, card);
    uint64_t memory = card->bytes != 0 ? card->bytes : UINT64_C(16) << 40;
    (void)snprintf(card->device, sizeof card->device, "sim:0,memory=%" PRIu64 ",devices=%zu",
                   memory, part == NULL ? count : 1);
}
