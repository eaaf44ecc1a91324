// SPDX-License-Identifier: Apache-2.0
// A trace that still grows, and how a finished one is released. Used by one thread at a time.
#include "trace/builder.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
    STREAMS = 1024
}; // more than any runtime hands out; bounds the search in tn_builder_stream()

static const uint64_t default_events = UINT64_C(16) << 20;

bool tn_grow(void **array, size_t *room, size_t need, size_t element) {
    if (need <= *room)
        return true;
    size_t wanted = *room < 64 ? 64 : *room + *room / 2;
    if (wanted < need)
        wanted = need;
    if (wanted > SIZE_MAX / element)
        return false;
    void *grown = realloc(*array, wanted * element);
    if (grown == NULL)
        return false;
    *array = grown;
    *room = wanted;
    return true;
}

void tn_builder_begin(struct tn_builder *builder, const char *name, enum tn_trace_format format,
                      const struct tn_trace_limits *limits) {
    memset(builder, 0, sizeof *builder);
    builder->name = name;
    builder->trace.format = format;
    builder->limit = limits != NULL && limits->events != 0 ? limits->events : default_events;
    if (builder->limit > UINT32_MAX)
        builder->limit = UINT32_MAX;
}

void tn_builder_discard(struct tn_builder *builder) {
    tn_trace_release(&builder->trace);
}

void tn_trace_release(struct tn_trace *trace) {
    for (size_t i = 0; i < trace->label_count; i++)
        free(trace->labels[i]);
    for (size_t i = 0; i < TN_TRACE_NOTES; i++)
        free(trace->notes[i]);
    free(trace->labels);
    free(trace->events);
    free(trace->blocks);
    free(trace->streams);
    free(trace->devices);
    memset(trace, 0, sizeof *trace);
}

static tarn_status fail_room(const struct tn_builder *builder) {
    return tn_fail(TARN_NO_HOST_MEMORY, "%s: no memory to hold the trace", builder->name);
}

tarn_status tn_builder_device(struct tn_builder *builder, uint32_t number,
                              struct tn_trace_device **device) {
    struct tn_trace *trace = &builder->trace;
    void *array = trace->devices;
    bool grown =
        tn_grow(&array, &builder->device_room, trace->device_count + 1, sizeof *trace->devices);
    trace->devices = (struct tn_trace_device *)array;
    if (!grown)
        return fail_room(builder);
    struct tn_trace_device *fresh = &trace->devices[trace->device_count++];
    memset(fresh, 0, sizeof *fresh);
    fresh->number = number;
    fresh->first_event = trace->event_count;
    fresh->first_starting = trace->block_count;
    *device = fresh;
    return TARN_OK;
}

tarn_status tn_builder_stream(struct tn_builder *builder, uint64_t native, uint32_t *index) {
    struct tn_trace *trace = &builder->trace;
    uint32_t device = (uint32_t)(trace->device_count - 1);
    for (size_t i = trace->stream_count; i-- > 0 && trace->streams[i].device == device;) {
        if (trace->streams[i].native == native) {
            *index = (uint32_t)i;
            return TARN_OK;
        }
    }
    if (trace->stream_count == STREAMS)
        return tn_fail(TARN_CORRUPT, "%s: more than %d streams", builder->name, STREAMS);
    void *array = trace->streams;
    bool grown =
        tn_grow(&array, &builder->stream_room, trace->stream_count + 1, sizeof *trace->streams);
    trace->streams = (struct tn_stream *)array;
    if (!grown)
        return fail_room(builder);
    *index = (uint32_t)trace->stream_count;
    trace->streams[trace->stream_count++] = (struct tn_stream){.native = native, .device = device};
    return TARN_OK;
}

tarn_status tn_builder_block(struct tn_builder *builder, const struct tn_block *block,
                             uint32_t *index) {
    struct tn_trace *trace = &builder->trace;
    if (trace->block_count >= builder->limit)
        return tn_fail(TARN_NO_HOST_MEMORY, "%s: more than the %" PRIu64 " blocks allowed",
                       builder->name, builder->limit);
    void *array = trace->blocks;
    bool grown =
        tn_grow(&array, &builder->block_room, trace->block_count + 1, sizeof *trace->blocks);
    trace->blocks = (struct tn_block *)array;
    if (!grown)
        return fail_room(builder);
    *index = (uint32_t)trace->block_count;
    trace->blocks[trace->block_count++] = *block;
    return TARN_OK;
}

tarn_status tn_builder_starting(struct tn_builder *builder, const struct tn_block *block,
                                uint32_t *index) {
    tarn_status status = tn_builder_block(builder, block, index);
    if (status == TARN_OK)
        builder->trace.devices[builder->trace.device_count - 1].starting_count++;
    return status;
}

tarn_status tn_builder_event(struct tn_builder *builder, const struct tn_event *event) {
    struct tn_trace *trace = &builder->trace;
    if (trace->event_count >= builder->limit)
        return tn_fail(TARN_NO_HOST_MEMORY, "%s: more than the %" PRIu64 " events allowed",
                       builder->name, builder->limit);
    void *array = trace->events;
    bool grown =
        tn_grow(&array, &builder->event_room, trace->event_count + 1, sizeof *trace->events);
    trace->events = (struct tn_event *)array;
    if (!grown)
        return fail_room(builder);
    trace->events[trace->event_count++] = *event;
    trace->devices[trace->device_count - 1].event_count++;
    return TARN_OK;
}

tarn_status tn_builder_label(struct tn_builder *builder, const char *text, size_t length,
                             uint32_t *index) {
    struct tn_trace *trace = &builder->trace;
    void *array = trace->labels;
    bool grown =
        tn_grow(&array, &builder->label_room, trace->label_count + 1, sizeof *trace->labels);
    trace->labels = (char **)array;
    char *copy = grown ? (char *)malloc(length + 1) : NULL;
    if (copy == NULL)
        return fail_room(builder);
    memcpy(copy, text, length); // not a string: it lies inside the file's bytes
    copy[length] = '\0';
    *index = (uint32_t)trace->label_count;
    trace->labels[trace->label_count++] = copy;
    return TARN_OK;
}

tarn_status tn_builder_note(struct tn_builder *builder, const char *format, ...) {
    struct tn_trace *trace = &builder->trace;
    size_t slot = trace->note_count++;
    if (slot >= TN_TRACE_NOTES)
        return TARN_OK;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&trace->notes[slot], format, args);
    va_end(args);
    if (length >= 0)
        return TARN_OK;
    trace->notes[slot] = NULL;
    return fail_room(builder);
}
