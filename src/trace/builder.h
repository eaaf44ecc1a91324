// SPDX-License-Identifier: Apache-2.0
// A builder: a trace under construction, with a limit on its events. One reader owns it. Every
// error text names the trace. It refuses sizes whose sums exceed TN_TRACE_BYTES_MAX, so that no reader
// of a trace checks sums.
#ifndef TARN_TRACE_BUILDER_H
#define TARN_TRACE_BUILDER_H

#include "trace/intern.h"
#include "trace/trace.h"

struct tn_builder {
    const char *name;    // of the file, for error texts
    uint64_t limit;      // of events, of blocks and of every other array
    uint64_t memory;     // limit of what a reader holds besides, in bytes
    const char *columns; // as in struct tn_trace_limits
    struct tn_trace trace;
    uint64_t block_bytes; // sums over the recording, however long each lived
    uint64_t segment_bytes;
    uint64_t returned_bytes;
    size_t device_room, stream_room, block_room, segment_room, failure_room, event_room,
        sample_room;
    size_t call_room, setting_room, text_room;
    struct tn_intern texts;
    struct tn_intern stacks;
};

// Begins a trace with text 0 and stack 0. Release with tn_builder_end() in any case.
tarn_status tn_builder_begin(struct tn_builder *builder, const char *name,
                             enum tn_trace_format format, const struct tn_trace_limits *limits);
// Moves the trace to `trace`, or releases it if `status` is a failure. Returns `status`.
tarn_status tn_builder_end(struct tn_builder *builder, tarn_status status, struct tn_trace *trace);

// Adds a device. The events and starting blocks that follow belong to it.
tarn_status tn_builder_device(struct tn_builder *builder, uint32_t number,
                              struct tn_trace_device **device);
// Finds or adds a stream of the last device.
tarn_status tn_builder_stream(struct tn_builder *builder, uint64_t native, uint32_t *index);
tarn_status tn_builder_block(struct tn_builder *builder, const struct tn_block *block,
                             uint32_t *index);
// Adds a block that was live before the first event of the last device.
tarn_status tn_builder_starting(struct tn_builder *builder, const struct tn_block *block,
                                uint32_t *index);
tarn_status tn_builder_event(struct tn_builder *builder, const struct tn_event *event);
tarn_status tn_builder_sample(struct tn_builder *builder, const struct tn_trace_sample *sample);
// Adds a segment, for an event or as one that the last device had before its first event.
tarn_status tn_builder_segment(struct tn_builder *builder, const struct tn_trace_segment *segment,
                               uint32_t *index);
tarn_status tn_builder_starting_segment(struct tn_builder *builder,
                                        const struct tn_trace_segment *segment);
tarn_status tn_builder_failure(struct tn_builder *builder, const struct tn_trace_failure *failure,
                               uint32_t *index);
tarn_status tn_builder_setting(struct tn_builder *builder, const struct tn_trace_setting *setting);
// Finds or adds a text, which need not be terminated. A NUL in it ends it.
tarn_status tn_builder_text(struct tn_builder *builder, const char *text, size_t length,
                            uint32_t *index);
// Finds or adds the stack that consists of a call and its callers. Add the outermost call first.
tarn_status tn_builder_stack(struct tn_builder *builder, const struct tn_trace_call *call,
                             uint32_t *index);
// Adds a contradiction of the recording to the trace.
tarn_status tn_builder_note(struct tn_builder *builder, const char *format, ...) TARN_PRINTF(2, 3);

// Grows `array`, of `element` bytes each, to hold at least `need` elements; *room is its capacity.
// Returns the array, which may have moved. Returns NULL, and leaves the old array unchanged, if out
// of memory.
void *tn_grow(void *array, size_t *room, size_t need, size_t element);

// Returns a terminated copy of a text that need not be terminated, or NULL if out of memory.
// strndup() is no substitute: address checkers take its argument for a string.
char *tn_copy_text(const char *text, size_t length);

// Appends a copy of one element and counts it. Returns like tn_grow().
void *tn_append(void *array, size_t *count, size_t *room, const void *element, size_t bytes);

#endif
