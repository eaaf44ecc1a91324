// SPDX-License-Identifier: Apache-2.0 The layer that makes calls of a back-end take longer: the
// specs of the option delay= and of TARN_DELAY, such as "map:2ms;copy:every=10:1ms". The time
// passes before the call. docs/failures.md shows the grammar. Constant, except for the counters of
// calls.
#include <string.h>

#include "backend/contract/slots.h"
#include "backend/layer/grammars.h"
#include "backend/layer/kinds.h"
#include "base/error.h"

struct delay_layer {
    struct tn_layer layer;
    struct tn_fail_set delays;
};

static void delay_call(struct delay_layer *layer, const char *slot, tarn_addr address,
                       uint64_t bytes) {
    for (unsigned i = 0; i < layer->delays.count; i++) {
        struct tn_fail_spec *delay = &layer->delays.specs[i];
        if (strcmp(delay->name, slot) == 0 && tn_fail_next(delay, address, bytes))
            tn_layer_spend(&layer->layer, delay->value);
    }
}

#define DELAY_STATUS(slot, group, parameters, arguments, at, size)                                 \
    static tarn_status delay_##slot parameters {                                                   \
        struct delay_layer *layer = (struct delay_layer *)p;                                       \
        delay_call(layer, #slot, at, size);                                                        \
        return TN_LAYER_PASS(&layer->layer, slot, arguments);                                      \
    }
#define DELAY_VOID(slot, group, parameters, arguments, at, size)                                   \
    static void delay_##slot parameters {                                                          \
        struct delay_layer *layer = (struct delay_layer *)p;                                       \
        delay_call(layer, #slot, at, size);                                                        \
        TN_LAYER_PASS(&layer->layer, slot, arguments);                                             \
    }
TN_BACKEND_STATUS_SLOTS(DELAY_STATUS)
TN_BACKEND_WORK_SLOTS(DELAY_VOID)

// ---- specs

static bool find_delayed(const char *name, struct tn_fail_word *word) {
    static const struct {
        const char *name, *at, *size; // "0" if the call has none
    } slots[] = {
#define NAME(slot, group, parameters, arguments, at, size) {#slot, #at, #size},
        TN_BACKEND_STATUS_SLOTS(NAME) TN_BACKEND_WORK_SLOTS(NAME)};
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        if (strcmp(slots[i].name, name) == 0) {
            unsigned address = strcmp(slots[i].at, "0") != 0 ? TN_FAIL_FACTS_ADDRESS : 0;
            unsigned size = strcmp(slots[i].size, "0") != 0 ? TN_FAIL_FACTS_SIZE : 0;
            *word = (struct tn_fail_word){.name = slots[i].name,
                                          .fields = TN_FAIL_CALLS | TN_FAIL_TIME,
                                          .facts = address | size};
            return true;
        }
    }
    return false;
}

const struct tn_fail_grammar tn_delay_grammar = {"delay", "this is not a call of a back-end",
                                                 find_delayed};

static tarn_status add_delays(const struct tn_fail_set *delays, const char *text,
                              const char *source, struct tn_layered *layered) {
    if (delays->count == 0) return TARN_OK;
    struct delay_layer *layer = (struct delay_layer *)(void *)tn_layer_new(sizeof *layer);
    if (layer == NULL) return TARN_NO_HOST_MEMORY;
    memcpy(&layer->delays, delays, sizeof *delays);
#define USE(slot, ...) layer->layer.table.slot = delay_##slot;
    TN_BACKEND_STATUS_SLOTS(USE)
    TN_BACKEND_WORK_SLOTS(USE)
    tn_layer_push(layered, &tn_layer_delay, &layer->layer, text, source);
    return TARN_OK;
}

const struct tn_layer_kind tn_layer_delay = {
    .key = "delay",
    .variable = "TARN_DELAY",
    .help = "calls of the back-end that take longer: map:2ms;copy:every=10:1ms",
    .grammar = &tn_delay_grammar,
    .add = add_delays,
};
