// SPDX-License-Identifier: Apache-2.0
// The layer that makes calls of a back-end take longer: the specs of the option delay= and of
// TARN_DELAY, such as "map:2ms;copy:every=10:1ms". The time passes before the call. docs/faults.md
// shows the grammar. Constant, except for the counters of calls.
#include <stdlib.h>
#include <string.h>

#include "backend/layer/calls.h"
#include "backend/layer/kinds.h"
#include "backend/layer/pick.h"
#include "base/error.h"
#include "base/options.h"
#include "fail/names.h"

enum { DELAYS = 16 };

struct delay {
    const char *slot;
    uint64_t ns;
    struct tn_layer_pick calls;
};

struct delay_layer {
    struct tn_layer layer;
    unsigned count;
    struct delay delays[DELAYS];
};

static void delay_call(struct delay_layer *layer, const char *slot, tarn_addr address,
                       uint64_t bytes) {
    for (unsigned i = 0; i < layer->count; i++) {
        struct delay *delay = &layer->delays[i];
        if (strcmp(delay->slot, slot) == 0 && tn_layer_pick_next(&delay->calls, address, bytes)) {
            tn_layer_spend(&layer->layer, delay->ns);
        }
    }
}

#define DELAY_STATUS(slot, parameters, arguments, at, size)                                        \
    static tarn_status delay_##slot parameters {                                                   \
        struct delay_layer *layer = (struct delay_layer *)p;                                       \
        delay_call(layer, #slot, at, size);                                                        \
        p = layer->layer.next_p;                                                                   \
        return layer->layer.next->slot arguments;                                                  \
    }
#define DELAY_VOID(slot, parameters, arguments, at, size)                                          \
    static void delay_##slot parameters {                                                          \
        struct delay_layer *layer = (struct delay_layer *)p;                                       \
        delay_call(layer, #slot, at, size);                                                        \
        p = layer->layer.next_p;                                                                   \
        layer->layer.next->slot arguments;                                                         \
    }
TN_LAYER_STATUS_SLOTS(DELAY_STATUS)
TN_LAYER_WORK_SLOTS(DELAY_VOID)

// ---- specs

static const struct {
    const char *name, *slot;
} names[] = {
#define NAME(slot, ...)   {#slot, #slot},
#define ALIAS(name, slot) {#name, #slot},
    TN_LAYER_STATUS_SLOTS(NAME) TN_LAYER_WORK_SLOTS(NAME) TN_FAIL_ALIASES(ALIAS)
#undef NAME
#undef ALIAS
};

static const char *find_slot(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) {
            return names[i].slot;
        }
    }
    return NULL;
}

// Moves the field that is a duration from `fields` to *ns. Returns false if there is none.
static bool take_duration(char *fields, uint64_t *ns) {
    for (char *field = fields; *field != '\0'; field += *field == ':') {
        size_t length = strcspn(field, ":");
        if (tn_parse_duration(field, length, ns)) {
            size_t whole = length + (field[length] == ':');
            char *start = field > fields && whole == length ? field - 1 : field;
            memmove(start, field + whole, strlen(field + whole) + 1);
            return true;
        }
        field += length;
    }
    return false;
}

static tarn_status parse_delay(const char *text, size_t length, struct delay *delay) {
    char fields[TN_FAIL_TEXT] = "";
    size_t name = strcspn(text, ":;");
    delay->slot = find_slot(text, name);
    if (delay->slot == NULL) {
        return tn_fail(TARN_BAD_CONFIG, "delay: \"%.*s\": \"%.*s\" is not a call of a back-end",
                       (int)length, text, (int)name, text);
    }
    if (name < length && length - name - 1 < sizeof fields) {
        memcpy(fields, text + name + 1, length - name - 1);
    }
    if (!take_duration(fields, &delay->ns)) {
        return tn_fail(TARN_BAD_CONFIG, "delay: \"%.*s\": expected a duration such as 100us or 2ms",
                       (int)length, text);
    }
    tarn_status status = tn_layer_pick_parse(fields, strlen(fields), &delay->calls);
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        return tn_fail(status, "delay: \"%.*s\": %s", (int)length, text, error.message);
    }
    return TARN_OK;
}

static tarn_status parse_delays(const char *text, struct delay_layer *layer) {
    for (const char *spec = text; *spec != '\0';) {
        size_t length = strcspn(spec, ";");
        if (layer->count == DELAYS) {
            return tn_fail(TARN_BAD_CONFIG, "delay: there are more than %d specs", DELAYS);
        }
        TN_TRY(parse_delay(spec, length, &layer->delays[layer->count]));
        layer->count++;
        spec += length + (spec[length] == ';');
    }
    return TARN_OK;
}

static tarn_status add_delays(const char *text, const char *source, struct tn_layered *layered) {
    if (text == NULL || text[0] == '\0') {
        return TARN_OK;
    }
    struct delay_layer *layer = (struct delay_layer *)(void *)tn_layer_new(sizeof *layer);
    if (layer == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    tarn_status status = parse_delays(text, layer);
    if (status != TARN_OK) {
        free(layer);
        return status;
    }
#define USE(slot, ...) layer->layer.table.slot = delay_##slot;
    TN_LAYER_STATUS_SLOTS(USE)
    TN_LAYER_WORK_SLOTS(USE)
#undef USE
    tn_layer_push(layered, &tn_layer_delay, &layer->layer, text, source);
    return TARN_OK;
}

static tarn_status add_delay(const char *value, struct tn_layered *layered) {
    TN_TRY(add_delays(secure_getenv("TARN_DELAY"), "environment", layered));
    return add_delays(value, "uri", layered);
}

static void destroy_delay(struct tn_layer *layer) {
    free(layer);
}

const struct tn_layer_kind tn_layer_delay = {
    .key = "delay",
    .help = "calls of the back-end that take longer: map:2ms;copy:every=10:1ms",
    .add = add_delay,
    .destroy = destroy_delay,
};
