// SPDX-License-Identifier: Apache-2.0
// Builds a trace and releases a finished one. One thread at a time.
#include "trace/builder.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

enum { STREAMS_MAX = 1024 }; // more than any runtime creates; bounds a linear search

static const uint64_t default_events = UINT64_C(16) << 20;
static const uint64_t default_memory = UINT64_C(1) << 30;

char *tn_copy_text(const char *text, size_t length) {
    char *copy = (char *)malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

tarn_status tn_builder_fail_room(const struct tn_builder *builder) {
    return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory for the trace", builder->name);
}

tarn_status tn_builder_append(const struct tn_builder *builder, void *array, size_t *count,
                              size_t *room, const void *element, size_t bytes, enum tn_bound bound,
                              const char *noun) {
    void *elements;
    TN_REFUSE(bound != TN_UNBOUNDED && *count >= builder->limit, TARN_NO_HOST_MEMORY,
              "%s: more than the %" PRIu64 " %s allowed", builder->name, builder->limit,
              bound == TN_HELD ? "events" : noun);
    TN_REFUSE(bound == TN_HELD && *count >= builder->memory / bytes, TARN_NO_HOST_MEMORY,
              "%s: the %s need more than the %" PRIu64 " bytes allowed", builder->name, noun,
              builder->memory);
    memcpy(&elements, array, sizeof elements);
    char *grown = (char *)tn_grow(elements, room, *count + 1, bytes);
    TN_REFUSE(grown == NULL, TARN_NO_HOST_MEMORY, "%s: out of host memory for the %s",
              builder->name, noun);
    memcpy(array, &grown, sizeof grown);
    memcpy(grown + (*count)++ * bytes, element, bytes);
    return TARN_OK;
}

static int by_number(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static int by_numbers(const void *left, const void *right, void *numbers) {
    const uint64_t *a = (const uint64_t *)left, *b = (const uint64_t *)right;
    size_t last = *(const size_t *)numbers - 1, i = 0;
    while (i < last && a[i] == b[i]) i++;
    return by_number(a + i, b + i);
}

void tn_numbers_sort(void *elements, size_t count, size_t bytes, size_t numbers) {
    const char *at = (const char *)elements;
    size_t sorted = 1; // most recordings are in order already
    for (; sorted < count && by_numbers(at, at + bytes, &numbers) <= 0; sorted++) at += bytes;
    if (sorted < count) qsort_r(elements, count, bytes, by_numbers, &numbers);
}

void *tn_numbers_find(const void *elements, size_t count, size_t bytes, uint64_t number) {
    return count > 0 ? bsearch(&number, elements, count, bytes, by_number) : NULL;
}

// The key of an element that is looked for, and the size of the elements.
struct wanted_key {
    const void *key;
    size_t size, bytes;
};

static bool is_wanted_key(const void *elements, uint32_t number, const void *wanted) {
    const struct wanted_key *w = (const struct wanted_key *)wanted;
    return memcmp((const char *)elements + number * w->bytes, w->key, w->size) == 0;
}

tarn_status tn_builder_find(const struct tn_builder *builder, void *array, size_t *count,
                            size_t *room, struct tn_intern *table, const void *element,
                            size_t bytes, size_t key, enum tn_bound bound, const char *noun,
                            uint32_t *number) {
    const struct wanted_key wanted = {element, key, bytes};
    uint32_t hash = tn_intern_hash(0, element, key);
    void *elements;
    memcpy(&elements, array, sizeof elements);
    if (tn_intern_find(table, hash, is_wanted_key, elements, &wanted, number)) return TARN_OK;
    *number = (uint32_t)*count;
    TN_TRY(tn_builder_append(builder, array, count, room, element, bytes, bound, noun));
    return tn_intern_add(table, hash, *number) ? TARN_OK : tn_builder_fail_room(builder);
}

// Appends an element to an array of the trace, and stores its number in *index.
#define APPEND(builder, array, one, element, index)                                                \
    append_element(builder, &(builder)->trace.array, &(builder)->trace.one##_count,                \
                   &(builder)->one##_room, element, sizeof *(builder)->trace.array, #array, index)

static tarn_status append_element(const struct tn_builder *builder, void *array, size_t *count,
                                  size_t *room, const void *element, size_t bytes, const char *noun,
                                  uint32_t *index) {
    TN_TRY(tn_builder_append(builder, array, count, room, element, bytes, TN_LIMITED, noun));
    *index = (uint32_t)(*count - 1);
    return TARN_OK;
}

tarn_status tn_builder_begin(struct tn_builder *builder, const char *name,
                             enum tn_trace_format format, const struct tn_trace_limits *limits) {
    const struct tn_trace_call empty = {0};
    uint32_t zero;
    memset(builder, 0, sizeof *builder);
    builder->name = name;
    builder->trace.format = builder->trace.origin = format;
    builder->limit = limits != NULL && limits->events != 0 ? limits->events : default_events;
    builder->memory = limits != NULL && limits->memory != 0 ? limits->memory : default_memory;
    builder->columns = limits != NULL ? limits->columns : NULL;
    if (builder->limit > UINT32_MAX - 1) builder->limit = UINT32_MAX - 1;
    tarn_status status = tn_builder_text(builder, "", 0, &zero);
    return status != TARN_OK ? status : tn_builder_stack(builder, &empty, &zero);
}

// Marks the facts that a recording could have and does not.
static void note_lacks(struct tn_trace *trace) {
    bool has_times = false;
    for (size_t i = 0; i < trace->event_count && !has_times; i++)
        has_times = trace->events[i].time_us != 0;
    for (size_t i = 0; i < trace->sample_count && !has_times; i++)
        has_times = trace->samples[i].time_us != 0;
    trace->lacks |= has_times ? 0 : TN_TRACE_NO_TIMES;
    trace->lacks |= trace->event_count > 0 ? 0 : TN_TRACE_NO_EVENTS;
    trace->lacks |= trace->call_count > 1 ? 0 : TN_TRACE_NO_STACKS;
    trace->lacks |= trace->block_count > 0 || trace->sample_count == 0 ? 0 : TN_TRACE_NO_BLOCKS;
}

// ---- sums, which are checked here and nowhere else

// Adds bytes to one of the sums of the trace. `format` describes them for the error text.
static tarn_status TARN_PRINTF(4, 5) add_bytes(const struct tn_builder *builder, uint64_t *sum,
                                               uint64_t bytes, const char *format, ...) {
    char place[128];
    if (bytes <= TN_TRACE_BYTES_MAX - *sum) {
        *sum += bytes;
        return TARN_OK;
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(place, sizeof place, format, args);
    va_end(args);
    return tn_fail(TARN_CORRUPT,
                   "%s: %s: %" PRIu64 " bytes bring a sum of the recording above %" PRIu64,
                   builder->name, place, bytes, TN_TRACE_BYTES_MAX);
}

static uint64_t block_bytes(const struct tn_block *block) {
    return block->occupied > block->size ? block->occupied : block->size;
}

// Adds the bytes that begin with the event, which is not in the trace yet.
static tarn_status add_event_bytes(struct tn_builder *builder, const struct tn_event *event) {
    const struct tn_trace *trace = &builder->trace;
    const struct tn_trace_device *device = &trace->devices[trace->device_count - 1];
    uint64_t bytes = 0, alone = 0, *sum = &alone;
    if (event->kind == TN_EVENT_ALLOC) {
        sum = &builder->block_bytes;
        bytes = block_bytes(&trace->blocks[event->item]);
    } else if (event->kind == TN_EVENT_SEGMENT || event->kind == TN_EVENT_SEGMENT_RETURN) {
        sum = event->kind == TN_EVENT_SEGMENT ? &builder->segment_bytes : &builder->returned_bytes;
        bytes = trace->segments[event->item].bytes;
    } else if (event->kind == TN_EVENT_FAILURE) {
        const struct tn_trace_failure *failure = &trace->failures[event->item];
        bool is_known = failure->device_free != UINT64_MAX;
        bytes =
            is_known && failure->device_free > failure->size ? failure->device_free : failure->size;
    }
    return add_bytes(builder, sum, bytes, "device %" PRIu32 ", event %zu (position %" PRIu64 ")",
                     device->number, device->event_count + 1, event->where);
}

// Checks what readers set without the builder.
static tarn_status check_devices(struct tn_builder *builder) {
    const struct tn_trace *trace = &builder->trace;
    uint64_t reserved = builder->segment_bytes, peaks = 0, memory = 0;
    for (size_t i = 0; i < trace->device_count; i++) {
        const struct tn_trace_device *device = &trace->devices[i];
        TN_TRY(add_bytes(builder, &reserved, device->reserved_at_start,
                         "device %" PRIu32 ", reserved at the start", device->number));
        TN_TRY(add_bytes(builder, &peaks, device->reserved_peak,
                         "device %" PRIu32 ", the peak of reserved bytes", device->number));
        TN_TRY(add_bytes(builder, &memory, device->memory_bytes, "device %" PRIu32 ", its memory",
                         device->number));
    }
    return TARN_OK;
}

tarn_status tn_builder_end(struct tn_builder *builder, tarn_status status, struct tn_trace *trace) {
    tn_intern_release(&builder->texts);
    tn_intern_release(&builder->stacks);
    if (status == TARN_OK) status = check_devices(builder);
    if (status == TARN_OK) {
        note_lacks(&builder->trace);
        *trace = builder->trace;
    } else {
        tn_trace_release(&builder->trace);
    }
    return status;
}

void tn_trace_release(struct tn_trace *trace) {
    for (size_t i = 0; i < trace->text_count; i++) free(trace->texts[i]);
    for (size_t i = 0; i < TN_TRACE_NOTES; i++) free(trace->notes[i]);
    free(trace->texts);
    free(trace->settings);
    free(trace->calls);
    free(trace->samples);
    free(trace->events);
    free(trace->failures);
    free(trace->segments);
    free(trace->blocks);
    free(trace->streams);
    free(trace->devices);
    memset(trace, 0, sizeof *trace);
}

#define FORMAT(name, json, text) {json, text},
static const struct { const char *name, *text; } formats[] = {TN_TRACE_FORMAT_LIST(FORMAT)};

const char *tn_trace_format_name(enum tn_trace_format format) { return formats[format].name; }

const char *tn_trace_format_text(enum tn_trace_format format) { return formats[format].text; }

bool tn_trace_format_parse(const char *name, size_t length, enum tn_trace_format *format) {
    for (int i = 0; i < TN_TRACE_FORMATS; i++) {
        if (strlen(formats[i].name) == length && memcmp(formats[i].name, name, length) == 0) {
            *format = (enum tn_trace_format)i;
            return true;
        }
    }
    return false;
}

size_t tn_trace_accelerators(const struct tn_trace *trace) {
    size_t count = 0;
    while (count < trace->device_count && trace->devices[count].kind == TN_DEVICE_ACCELERATOR)
        count++;
    return count;
}

// ---- devices, and what belongs to the last one

tarn_status tn_builder_device(struct tn_builder *builder, uint32_t number,
                              struct tn_trace_device **device) {
    struct tn_trace *trace = &builder->trace;
    uint32_t index = 0;
    const struct tn_trace_device fresh = {.number = number,
                                          .first_event = trace->event_count,
                                          .first_starting = trace->block_count,
                                          .first_starting_segment = trace->segment_count,
                                          .first_sample = trace->sample_count};
    TN_TRY(APPEND(builder, devices, device, &fresh, &index));
    *device = &trace->devices[index];
    return TARN_OK;
}

static struct tn_trace_device *last_device(const struct tn_builder *builder) {
    return &builder->trace.devices[builder->trace.device_count - 1];
}

tarn_status tn_builder_stream(struct tn_builder *builder, uint64_t native, uint32_t *index) {
    const struct tn_trace *trace = &builder->trace;
    const struct tn_stream fresh = {.native = native,
                                    .device = (uint32_t)(trace->device_count - 1)};
    for (size_t i = trace->stream_count; i-- > 0 && trace->streams[i].device == fresh.device;) {
        if (trace->streams[i].native == native) {
            *index = (uint32_t)i;
            return TARN_OK;
        }
    }
    TN_REFUSE(trace->stream_count == STREAMS_MAX, TARN_CORRUPT, "%s: more than %d streams",
              builder->name, STREAMS_MAX);
    return APPEND(builder, streams, stream, &fresh, index);
}

tarn_status tn_builder_block(struct tn_builder *builder, const struct tn_block *block,
                             uint32_t *index) {
    return APPEND(builder, blocks, block, block, index);
}

tarn_status tn_builder_starting(struct tn_builder *builder, const struct tn_block *block,
                                uint32_t *index) {
    struct tn_trace_device *device = last_device(builder);
    TN_TRY(add_bytes(builder, &builder->block_bytes, block_bytes(block),
                     "device %" PRIu32 ", block %" PRIu64 " at the start", device->number,
                     block->id));
    TN_TRY(tn_builder_block(builder, block, index));
    device->starting_count++;
    return TARN_OK;
}

tarn_status tn_builder_segment(struct tn_builder *builder, const struct tn_trace_segment *segment,
                               uint32_t *index) {
    return APPEND(builder, segments, segment, segment, index);
}

tarn_status tn_builder_starting_segment(struct tn_builder *builder,
                                        const struct tn_trace_segment *segment) {
    uint32_t index;
    struct tn_trace_device *device = last_device(builder);
    TN_TRY(add_bytes(builder, &builder->segment_bytes, segment->bytes,
                     "device %" PRIu32 ", segment 0x%" PRIx64 " at the start", device->number,
                     segment->address));
    TN_TRY(tn_builder_segment(builder, segment, &index));
    device->starting_segment_count++;
    return TARN_OK;
}

tarn_status tn_builder_event(struct tn_builder *builder, enum tn_event_kind kind, uint64_t time_us,
                             uint64_t where, uint32_t item) {
    const struct tn_event event = {
        .time_us = time_us, .where = where, .item = item, .kind = (uint32_t)kind};
    uint32_t index;
    TN_TRY(add_event_bytes(builder, &event));
    TN_TRY(APPEND(builder, events, event, &event, &index));
    last_device(builder)->event_count++;
    return TARN_OK;
}

tarn_status tn_builder_refusal(struct tn_builder *builder, uint64_t size, uint64_t device_free,
                               uint64_t native, uint32_t stack, uint32_t *index) {
    struct tn_trace_failure failure = {.size = size, .device_free = device_free, .stack = stack};
    TN_TRY(tn_builder_stream(builder, native, &failure.stream));
    return APPEND(builder, failures, failure, &failure, index);
}

#define SAMPLE "device %" PRIu32 ", sample %zu"

// The categories of a sample are parts of its live bytes.
static tarn_status add_sample_bytes(struct tn_builder *builder,
                                    const struct tn_trace_sample *sample) {
    const struct tn_trace_device *device = last_device(builder);
    size_t number = device->sample_count + 1;
    uint64_t live = 0, reserved = 0, parts = 0;
    TN_TRY(add_bytes(builder, &live, sample->live, SAMPLE, device->number, number));
    TN_TRY(add_bytes(builder, &reserved, sample->reserved, SAMPLE, device->number, number));
    for (int i = 0; i < TN_CATEGORY_COUNT; i++)
        TN_TRY(add_bytes(builder, &parts, sample->by_category[i], SAMPLE, device->number, number));
    return TARN_OK;
}

tarn_status tn_builder_sample(struct tn_builder *builder, const struct tn_trace_sample *sample) {
    uint32_t index;
    TN_TRY(add_sample_bytes(builder, sample));
    TN_TRY(APPEND(builder, samples, sample, sample, &index));
    last_device(builder)->sample_count++;
    return TARN_OK;
}

// ---- texts, stacks, settings

struct wanted_text {
    const char *text;
    size_t length;
};

static bool is_wanted_text(const void *elements, uint32_t number, const void *wanted) {
    const char *text = ((char *const *)elements)[number];
    const struct wanted_text *w = (const struct wanted_text *)wanted;
    return strncmp(text, w->text, w->length) == 0 && text[w->length] == '\0';
}

tarn_status tn_builder_text(struct tn_builder *builder, const char *text, size_t length,
                            uint32_t *index) {
    const char *given = length > 0 ? text : ""; // an empty text may be NULL
    struct wanted_text wanted = {given, strnlen(given, length)};
    uint32_t hash = tn_intern_hash(0, given, wanted.length);
    if (tn_intern_find(&builder->texts, hash, is_wanted_text, builder->trace.texts, &wanted, index))
        return TARN_OK;
    char *copy = tn_copy_text(given, wanted.length);
    if (copy == NULL) return tn_builder_fail_room(builder);
    tarn_status status = APPEND(builder, texts, text, &copy, index);
    if (status != TARN_OK) {
        free(copy);
        return status;
    }
    return tn_intern_add(&builder->texts, hash, *index) ? TARN_OK : tn_builder_fail_room(builder);
}

tarn_status tn_builder_stack(struct tn_builder *builder, const struct tn_trace_call *call,
                             uint32_t *index) {
    struct tn_trace *trace = &builder->trace;
    return tn_builder_find(builder, &trace->calls, &trace->call_count, &builder->call_room,
                           &builder->stacks, call, sizeof *call, sizeof *call, TN_LIMITED, "calls",
                           index);
}

tarn_status tn_builder_setting(struct tn_builder *builder, uint32_t name, uint32_t value) {
    const struct tn_trace_setting setting = {.name = name, .value = value};
    uint32_t index;
    return APPEND(builder, settings, setting, &setting, &index);
}

tarn_status tn_builder_note(struct tn_builder *builder, const char *format, ...) {
    struct tn_trace *trace = &builder->trace;
    size_t slot = trace->note_count++;
    if (slot >= TN_TRACE_NOTES) return TARN_OK;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&trace->notes[slot], format, args);
    va_end(args);
    if (length >= 0) return TARN_OK;
    trace->notes[slot] = NULL;
    return tn_builder_fail_room(builder);
}
