// SPDX-License-Identifier: Apache-2.0
// Builds a trace and releases a finished one. One thread at a time.
#include "trace/builder.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { STREAMS_MAX = 1024 }; // more than any runtime creates; bounds a linear search

static const uint64_t default_events = UINT64_C(16) << 20;

void *tn_grow(void *array, size_t *room, size_t need, size_t element) {
    if (need <= *room)
        return array;
    size_t wanted = *room < 64 ? 64 : *room + *room / 2;
    if (wanted < need)
        wanted = need;
    void *grown = reallocarray(array, wanted, element);
    if (grown != NULL)
        *room = wanted;
    return grown;
}

void *tn_append(void *array, size_t *count, size_t *room, const void *element, size_t bytes) {
    char *grown = (char *)tn_grow(array, room, *count + 1, bytes);
    if (grown != NULL)
        memcpy(grown + (*count)++ * bytes, element, bytes);
    return grown;
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
    return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory for the trace", builder->name);
}

tarn_status tn_builder_device(struct tn_builder *builder, uint32_t number,
                              struct tn_trace_device **device) {
    struct tn_trace *trace = &builder->trace;
    const struct tn_trace_device fresh = {
        .number = number, .first_event = trace->event_count, .first_starting = trace->block_count};
    void *grown = tn_append(trace->devices, &trace->device_count, &builder->device_room, &fresh,
                            sizeof fresh);
    if (grown == NULL)
        return fail_room(builder);
    trace->devices = (struct tn_trace_device *)grown;
    *device = &trace->devices[trace->device_count - 1];
    return TARN_OK;
}

tarn_status tn_builder_stream(struct tn_builder *builder, uint64_t native, uint32_t *index) {
    struct tn_trace *trace = &builder->trace;
    const struct tn_stream fresh = {.native = native,
                                    .device = (uint32_t)(trace->device_count - 1)};
    for (size_t i = trace->stream_count; i-- > 0 && trace->streams[i].device == fresh.device;) {
        if (trace->streams[i].native == native) {
            *index = (uint32_t)i;
            return TARN_OK;
        }
    }
    if (trace->stream_count == STREAMS_MAX)
        return tn_fail(TARN_CORRUPT, "%s: more than %d streams", builder->name, STREAMS_MAX);
    void *grown = tn_append(trace->streams, &trace->stream_count, &builder->stream_room, &fresh,
                            sizeof fresh);
    if (grown == NULL)
        return fail_room(builder);
    trace->streams = (struct tn_stream *)grown;
    *index = (uint32_t)(trace->stream_count - 1);
    return TARN_OK;
}

tarn_status tn_builder_block(struct tn_builder *builder, const struct tn_block *block,
                             uint32_t *index) {
    struct tn_trace *trace = &builder->trace;
    if (trace->block_count >= builder->limit)
        return tn_fail(TARN_NO_HOST_MEMORY, "%s: more than the %" PRIu64 " blocks allowed",
                       builder->name, builder->limit);
    void *grown =
        tn_append(trace->blocks, &trace->block_count, &builder->block_room, block, sizeof *block);
    if (grown == NULL)
        return fail_room(builder);
    trace->blocks = (struct tn_block *)grown;
    *index = (uint32_t)(trace->block_count - 1);
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
    void *grown =
        tn_append(trace->events, &trace->event_count, &builder->event_room, event, sizeof *event);
    if (grown == NULL)
        return fail_room(builder);
    trace->events = (struct tn_event *)grown;
    trace->devices[trace->device_count - 1].event_count++;
    return TARN_OK;
}

tarn_status tn_builder_label(struct tn_builder *builder, const char *text, size_t length,
                             uint32_t *index) {
    struct tn_trace *trace = &builder->trace;
    char *copy = (char *)malloc(length + 1);
    void *grown = copy != NULL ? tn_append(trace->labels, &trace->label_count, &builder->label_room,
                                           &copy, sizeof copy)
                               : NULL;
    if (grown == NULL) {
        free(copy);
        return fail_room(builder);
    }
    memcpy(copy, text, length); // not a string: it lies inside the file's bytes
    copy[length] = '\0';
    trace->labels = (char **)grown;
    *index = (uint32_t)(trace->label_count - 1);
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
