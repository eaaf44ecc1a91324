// SPDX-License-Identifier: Apache-2.0
// The reader of pprof profiles of memory: JAX's device memory profile, and heap profiles of Go,
// Rust and jemalloc. They are a state: the blocks that were live, by stack, without addresses and
// times. One thread at a time.
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "trace/parse/wire.h"
#include "trace/pprof.h"
#include "trace/read/read.h"

enum {
    TYPES_MAX = 32,
    DEPTH_MAX = 1024,                      // of stacks; deeper ones lose their outermost calls
    SAME_BLOCKS_MAX = TN_PPROF_SAME_BLOCKS // more equal ones of a sample are one with their sum
};

// A location or a function, by its id.
struct pprof_item {
    uint64_t id;
    struct tn_wire message;
};

struct pprof_items {
    struct pprof_item *items;
    size_t count, room;
};

struct pprof_sample {
    uint64_t is_host, device, order; // samples are sorted by these
    uint64_t bytes;
    uint64_t count;
    uint64_t stream;
    uint32_t stack;
    uint32_t tag;
};

struct pprof {
    struct tn_builder *builder;
    TN_LIST(struct tn_wire) texts;
    struct pprof_items locations, functions;
    struct {
        uint64_t name, unit;
    } types[TYPES_MAX];
    size_t type_count;
    size_t bytes_type;                    // index of the values that are counted
    size_t count_type;                    // and of the numbers of blocks, or TYPES_MAX
    TN_LIST(struct pprof_sample) samples; // those with memory in use
    bool has_unused;                      // samples without
    bool has_streams;
    bool has_devices;                      // else it is the heap of a process
    struct tn_trace_call calls[DEPTH_MAX]; // of the current sample, innermost first
    size_t depth;
};

static tarn_status fail_pprof(const struct pprof *pprof, const char *noun, uint64_t number) {
    return tn_fail(TARN_CORRUPT, "%s: sample %zu: %s %" PRIu64 " does not exist",
                   pprof->builder->name, pprof->samples.count, noun, number);
}

// ---- tables

_Static_assert((int)TN_PPROF_LOCATION_ID == (int)TN_PPROF_FUNCTION_ID, "one field for both");

// Adds a location or a function.
static tarn_status add_item(const struct pprof *pprof, struct pprof_items *items,
                            struct tn_wire message) {
    struct tn_wire_field fields[TN_PPROF_LOCATION_ID + 1];
    TN_TRY(tn_wire_fields(message, fields, TN_PPROF_LOCATION_ID + 1));
    const struct pprof_item item = {.id = fields[TN_PPROF_LOCATION_ID].value, .message = message};
    return TN_APPEND_LIMITED(pprof->builder, items, &item, "entries");
}

static tarn_status read_type(struct pprof *pprof, struct tn_wire message) {
    struct tn_wire_field fields[TN_PPROF_TYPE_UNIT + 1];
    TN_REFUSE(pprof->type_count == TYPES_MAX, TARN_CORRUPT, "%s: more than %d types of values",
              pprof->builder->name, TYPES_MAX);
    TN_TRY(tn_wire_fields(message, fields, TN_PPROF_TYPE_UNIT + 1));
    pprof->types[pprof->type_count].name = fields[TN_PPROF_TYPE_NAME].value;
    pprof->types[pprof->type_count++].unit = fields[TN_PPROF_TYPE_UNIT].value;
    return TARN_OK;
}

static tarn_status read_tables(struct pprof *pprof, struct tn_wire file) {
    struct tn_wire_field field;
    do {
        TN_TRY(tn_wire_next(&file, &field));
        if (field.kind != TN_WIRE_BYTES) continue;
        if (field.number == TN_PPROF_PROFILE_TYPE) TN_TRY(read_type(pprof, field.bytes));
        if (field.number == TN_PPROF_PROFILE_TEXT)
            TN_TRY(TN_APPEND_LIMITED(pprof->builder, &pprof->texts, &field.bytes, "entries"));
        if (field.number == TN_PPROF_PROFILE_LOCATION)
            TN_TRY(add_item(pprof, &pprof->locations, field.bytes));
        if (field.number == TN_PPROF_PROFILE_FUNCTION)
            TN_TRY(add_item(pprof, &pprof->functions, field.bytes));
    } while (field.number != 0);
    return TARN_OK;
}

static const struct pprof_item *find_item(const struct pprof_items *items, uint64_t id) {
    return (const struct pprof_item *)TN_FIND(items, id);
}

static bool is_text(const struct pprof *pprof, uint64_t index, const char *text) {
    return index < pprof->texts.count && tn_wire_is(&pprof->texts.items[index], text);
}

static tarn_status add_text(const struct pprof *pprof, uint64_t index, uint32_t *text) {
    if (index >= pprof->texts.count) return fail_pprof(pprof, "text", index);
    const struct tn_wire *bytes = &pprof->texts.items[index];
    return tn_builder_text(pprof->builder, (const char *)bytes->at, tn_wire_size(bytes), text);
}

// ---- types of values

// Takes the bytes in use; some profiles have the sum of all allocations besides.
static tarn_status choose_types(struct pprof *pprof) {
    static const char *const names[] = {"inuse_space", "space", NULL};
    size_t chosen = TYPES_MAX;
    for (size_t n = 0; n < sizeof names / sizeof *names && chosen == TYPES_MAX; n++)
        for (size_t i = 0; i < pprof->type_count; i++)
            if (is_text(pprof, pprof->types[i].unit, "bytes") &&
                (names[n] == NULL || is_text(pprof, pprof->types[i].name, names[n])))
                chosen = i;
    if (chosen == TYPES_MAX) {
        uint32_t name = 0;
        TN_TRY(add_text(pprof, pprof->type_count > 0 ? pprof->types[0].name : 0, &name));
        return tn_fail(TARN_UNSUPPORTED, "%s: a profile of \"%s\", not of memory in bytes",
                       pprof->builder->name, pprof->builder->trace.texts[name]);
    }
    pprof->bytes_type = chosen;
    pprof->count_type = TYPES_MAX;
    for (size_t i = 0; i < chosen; i++)
        if (is_text(pprof, pprof->types[i].unit, "count")) pprof->count_type = i;
    return TARN_OK;
}

// ---- stacks

static tarn_status push_line(struct pprof *pprof, struct tn_wire line) {
    struct tn_trace_call *call = &pprof->calls[pprof->depth];
    struct tn_wire_field of_line[TN_PPROF_LINE_NUMBER + 1], fields[TN_PPROF_FUNCTION_FILE + 1];
    TN_TRY(tn_wire_fields(line, of_line, TN_PPROF_LINE_NUMBER + 1));
    uint64_t id = of_line[TN_PPROF_LINE_FUNCTION].value;
    uint64_t number = of_line[TN_PPROF_LINE_NUMBER].value;
    const struct pprof_item *function = find_item(&pprof->functions, id);
    if (function == NULL) return fail_pprof(pprof, "function", id);
    TN_TRY(tn_wire_fields(function->message, fields, TN_PPROF_FUNCTION_FILE + 1));
    *call = (struct tn_trace_call){.line = number > UINT32_MAX ? 0 : (uint32_t)number};
    TN_TRY(add_text(pprof, fields[TN_PPROF_FUNCTION_NAME].value, &call->function));
    TN_TRY(add_text(pprof, fields[TN_PPROF_FUNCTION_FILE].value, &call->file));
    pprof->depth++;
    return TARN_OK;
}

// The lines of a location are the functions that were inlined there, innermost first.
static tarn_status push_location(struct pprof *pprof, uint64_t id) {
    const struct pprof_item *location = find_item(&pprof->locations, id);
    size_t before = pprof->depth;
    struct tn_wire_field fields[TN_PPROF_LOCATION_ADDRESS + 1];
    if (location == NULL) return fail_pprof(pprof, "location", id);
    struct tn_wire message = location->message;
    struct tn_wire_field field;
    do {
        TN_TRY(tn_wire_next(&message, &field));
        if (field.number == TN_PPROF_LOCATION_LINE && field.kind == TN_WIRE_BYTES)
            TN_TRY(push_line(pprof, field.bytes));
    } while (field.number != 0 && pprof->depth < DEPTH_MAX);
    if (pprof->depth > before) return TARN_OK;
    TN_TRY(tn_wire_fields(location->message, fields, TN_PPROF_LOCATION_ADDRESS + 1));
    // A location of a program without symbols has an address alone.
    char text[24];
    (void)snprintf(text, sizeof text, "0x%" PRIx64, fields[TN_PPROF_LOCATION_ADDRESS].value);
    struct tn_trace_call *call = &pprof->calls[pprof->depth++];
    *call = (struct tn_trace_call){0};
    return tn_builder_text(pprof->builder, text, strlen(text), &call->function);
}

static tarn_status add_stack(struct pprof *pprof, uint32_t *stack) {
    *stack = 0;
    if (pprof->depth == 1 &&
        strcmp(pprof->builder->trace.texts[pprof->calls[0].function], TN_PPROF_NO_STACK) == 0)
        pprof->depth = 0;
    while (pprof->depth > 0) {
        struct tn_trace_call *call = &pprof->calls[--pprof->depth];
        call->caller = *stack;
        TN_TRY(tn_builder_stack(pprof->builder, call, stack));
    }
    return TARN_OK;
}

// ---- samples

// The name of a device is a number, as Tarn writes it, or a text with one, as JAX writes it.
static void read_device(const struct pprof *pprof, uint64_t text, uint64_t number,
                        struct pprof_sample *sample) {
    sample->is_host = is_text(pprof, text, TN_PPROF_HOST);
    if (sample->is_host)
        sample->device = 0;
    else if (text != 0 && text < pprof->texts.count)
        sample->device = tn_wire_index(&pprof->texts.items[text]);
    else
        sample->device = number <= UINT32_MAX ? (uint32_t)number : 0;
}

// JAX has a kind of memory in place of a tag.
static tarn_status read_label(struct pprof *pprof, struct tn_wire label,
                              struct pprof_sample *sample) {
    struct tn_wire_field fields[TN_PPROF_LABEL_NUMBER + 1];
    TN_TRY(tn_wire_fields(label, fields, TN_PPROF_LABEL_NUMBER + 1));
    uint64_t key = fields[TN_PPROF_LABEL_KEY].value, text = fields[TN_PPROF_LABEL_TEXT].value;
    uint64_t number = fields[TN_PPROF_LABEL_NUMBER].value;
    if (is_text(pprof, key, "kind") || is_text(pprof, key, "tag"))
        return add_text(pprof, text, &sample->tag);
    if (is_text(pprof, key, "device")) {
        read_device(pprof, text, number, sample);
        pprof->has_devices = true;
    }
    if (is_text(pprof, key, "stream") && text == 0) {
        sample->stream = number;
        pprof->has_streams = true;
    }
    return TARN_OK;
}

// Takes one number of a field that is packed or repeated. `index` counts the values.
static tarn_status take_number(struct pprof *pprof, uint32_t field, uint64_t number, size_t index,
                               struct pprof_sample *sample) {
    if (field == TN_PPROF_SAMPLE_LOCATION)
        return pprof->depth < DEPTH_MAX ? push_location(pprof, number) : TARN_OK;
    if (index == pprof->bytes_type) sample->bytes = number;
    if (index == pprof->count_type) sample->count = number;
    return TARN_OK;
}

static tarn_status read_sample(struct pprof *pprof, struct tn_wire message,
                               struct pprof_sample *sample) {
    struct tn_wire_field field;
    size_t values = 0;
    pprof->depth = 0;
    do {
        TN_TRY(tn_wire_next(&message, &field));
        bool packed = field.kind == TN_WIRE_BYTES;
        if (field.number == TN_PPROF_SAMPLE_LABEL && packed)
            TN_TRY(read_label(pprof, field.bytes, sample));
        if (field.number != TN_PPROF_SAMPLE_LOCATION && field.number != TN_PPROF_SAMPLE_VALUE)
            continue;
        while (!packed || field.bytes.at < field.bytes.end) {
            if (packed) TN_TRY(tn_wire_number(&field.bytes, &field.value));
            TN_TRY(take_number(pprof, field.number, field.value, values, sample));
            values += field.number == TN_PPROF_SAMPLE_VALUE;
            if (!packed) break;
        }
    } while (field.number != 0);
    return add_stack(pprof, &sample->stack);
}

static tarn_status read_samples(struct pprof *pprof, struct tn_wire file) {
    struct tn_wire_field field;
    do {
        struct pprof_sample sample = {.order = (uint32_t)pprof->samples.count};
        TN_TRY(tn_wire_next(&file, &field));
        if (field.number != TN_PPROF_PROFILE_SAMPLE || field.kind != TN_WIRE_BYTES) continue;
        TN_TRY(read_sample(pprof, field.bytes, &sample));
        if (sample.bytes == 0 || sample.bytes > INT64_MAX) {
            pprof->has_unused = true; // heap profiles keep the stacks of blocks that are gone
            continue;
        }
        TN_TRY(TN_APPEND_LIMITED(pprof->builder, &pprof->samples, &sample, "samples"));
    } while (field.number != 0);
    return TARN_OK;
}

// ---- blocks

// Divides the bytes of a sample among its blocks; the first takes the rest.
static tarn_status add_blocks(const struct pprof *pprof, const struct pprof_sample *sample,
                              uint32_t stream) {
    uint64_t count = sample->count == 0 || sample->count > SAME_BLOCKS_MAX ? 1 : sample->count;
    if (count > sample->bytes) count = 1;
    for (uint64_t i = 0; i < count; i++) {
        const struct tn_block block = {.id = pprof->builder->trace.block_count,
                                       .size = sample->bytes / count +
                                               (i == 0 ? sample->bytes % count : 0),
                                       .stream = stream,
                                       .stack = sample->stack,
                                       .tag = sample->tag};
        uint32_t index;
        TN_TRY(tn_builder_starting(pprof->builder, &block, &index));
    }
    return TARN_OK;
}

// A profile without samples is that of a moment at which nothing was live.
static tarn_status add_devices(struct pprof *pprof) {
    struct tn_trace_device *device = NULL;
    uint32_t stream = 0;
    for (size_t i = 0; i < pprof->samples.count; i++)
        pprof->samples.items[i].is_host |= !pprof->has_devices;
    if (pprof->samples.count == 0)
        return pprof->has_unused ? tn_fail(TARN_CORRUPT, "%s: a profile without memory in use",
                                           pprof->builder->name)
                                 : tn_builder_device(pprof->builder, 0, &device);
    TN_SORT(&pprof->samples, 3);
    for (size_t i = 0; i < pprof->samples.count; i++) {
        const struct pprof_sample *sample = &pprof->samples.items[i];
        bool is_host = device != NULL && device->kind == TN_DEVICE_HOST;
        if (device == NULL || device->number != sample->device || is_host != sample->is_host)
            TN_TRY(tn_builder_device(pprof->builder, (uint32_t)sample->device, &device));
        device->kind = sample->is_host ? TN_DEVICE_HOST : TN_DEVICE_ACCELERATOR;
        TN_TRY(tn_builder_stream(pprof->builder, sample->stream, &stream));
        TN_TRY(add_blocks(pprof, sample, stream));
    }
    pprof->builder->trace.lacks |= pprof->has_streams ? 0 : TN_TRACE_NO_STREAMS;
    return TARN_OK;
}

static tarn_status read_profile(struct pprof *pprof, struct tn_wire file) {
    TN_TRY(read_tables(pprof, file));
    TN_SORT(&pprof->locations, 1);
    TN_SORT(&pprof->functions, 1);
    TN_TRY(choose_types(pprof));
    TN_TRY(read_samples(pprof, file));
    return add_devices(pprof);
}

// The fields of a profile, whatever their order: each has its kind, and a message the fields below a
// number. A message that is cut off, at the end of the bytes, is not looked into.
bool tn_pprof_detect(const uint8_t *bytes, size_t size) {
    enum { FIELDS = 15, VARINT = 0xff, TEXT = 0 };
    static const uint8_t messages[FIELDS] = {
        0, 2, 3, 10, 5, 5, TEXT, VARINT, VARINT, VARINT, VARINT, 2, VARINT, VARINT, VARINT};
    struct tn_wire file = tn_wire_of("", bytes, size);
    struct tn_wire_field field, inner;
    bool has_type = false;
    while (tn_wire_parse(&file, &field) && field.number != 0) {
        if (field.number >= FIELDS) return false;
        uint8_t most = messages[field.number];
        bool is_number = most == VARINT && field.kind == TN_WIRE_VARINT;
        bool is_packed = field.number == 13 && field.kind == TN_WIRE_BYTES; // comments
        if (!is_number && !is_packed && (most == VARINT || field.kind != TN_WIRE_BYTES))
            return false;
        if (is_number || is_packed || most == TEXT) continue;
        do
            if (!tn_wire_parse(&field.bytes, &inner) || inner.number > most) return false;
        while (inner.number != 0);
        has_type = has_type || field.number == TN_PPROF_PROFILE_TYPE;
    }
    return has_type;
}

tarn_status tn_pprof_read(struct tn_source *source, struct tn_builder *builder) {
    struct pprof pprof = {.builder = builder};
    uint8_t *bytes = NULL;
    size_t size = 0;
    TN_TRY(tn_source_read_all(source, builder->memory, &bytes, &size));
    builder->trace.lacks = TN_TRACE_NO_ADDRESSES;
    tarn_status status = read_profile(&pprof, tn_wire_of(builder->name, bytes, size));
    free(pprof.texts.items);
    free(pprof.locations.items);
    free(pprof.functions.items);
    free(pprof.samples.items);
    free(bytes);
    return status;
}
