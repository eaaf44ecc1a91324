// SPDX-License-Identifier: Apache-2.0
// A builder: a trace under construction, with a limit on its events. One reader owns it. Every
// error text names the trace. It refuses sizes whose sums exceed TN_TRACE_BYTES_MAX, so that no reader
// of a trace checks sums.
#pragma once

#include "base/grow.h"
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
tarn_status tn_builder_event(struct tn_builder *builder, enum tn_event_kind kind, uint64_t time_us,
                             uint64_t where, uint32_t item);
tarn_status tn_builder_sample(struct tn_builder *builder, const struct tn_trace_sample *sample);
// Adds a segment, for an event or as one that the last device had before its first event.
tarn_status tn_builder_segment(struct tn_builder *builder, const struct tn_trace_segment *segment,
                               uint32_t *index);
tarn_status tn_builder_starting_segment(struct tn_builder *builder,
                                        const struct tn_trace_segment *segment);
// Adds a failure, for an event; `native` is its stream as recorded.
tarn_status tn_builder_refusal(struct tn_builder *builder, uint64_t size, uint64_t device_free,
                               uint64_t native, uint32_t stack, uint32_t *index);
tarn_status tn_builder_setting(struct tn_builder *builder, uint32_t name, uint32_t value);
// Finds or adds a text, which need not be terminated. A NUL in it ends it.
tarn_status tn_builder_text(struct tn_builder *builder, const char *text, size_t length,
                            uint32_t *index);
// Finds or adds the stack that consists of a call and its callers. Add the outermost call first.
tarn_status tn_builder_stack(struct tn_builder *builder, const struct tn_trace_call *call,
                             uint32_t *index);
// Fails because there is no host memory.
tarn_status tn_builder_fail_room(const struct tn_builder *builder);
// Adds a contradiction of the recording to the trace.
tarn_status tn_builder_note(struct tn_builder *builder, const char *format, ...) TARN_PRINTF(2, 3);

// A list: an array that grows by one element at a time. A zeroed one is empty; free its `items`.
#define TN_LIST(type)                                                                              \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, room;                                                                        \
    }

// Appends a copy of *element to a list. `noun` names the elements, in the plural, for error texts.
#define TN_APPEND(builder, list, element, noun)                                                    \
    TN_APPEND_BOUND(builder, list, element, TN_UNBOUNDED, noun)
// The same, but fails where the list has as many elements as the builder allows events.
#define TN_APPEND_LIMITED(builder, list, element, noun)                                            \
    TN_APPEND_BOUND(builder, list, element, TN_LIMITED, noun)
// The same, for a list of what become events: it also counts against the memory of the reader.
#define TN_APPEND_HELD(builder, list, element, noun)                                               \
    TN_APPEND_BOUND(builder, list, element, TN_HELD, noun)
#define TN_APPEND_BOUND(builder, list, element, bound, noun)                                       \
    tn_builder_append(builder, &(list)->items, &(list)->count, &(list)->room,                      \
                      1 ? (element) : (list)->items, sizeof *(list)->items, bound, noun)
enum tn_bound { TN_UNBOUNDED, TN_LIMITED, TN_HELD };
// `array` is the address of a pointer to elements of any type.
tarn_status tn_builder_append(const struct tn_builder *builder, void *array, size_t *count,
                              size_t *room, const void *element, size_t bytes, enum tn_bound bound,
                              const char *noun);

// Sort elements that begin with `numbers` uint64_t by these, the first one first, and find one by its
// first number; NULL if there is none. For lists, and for other arrays.
#define TN_SORT(list, numbers)                                                                     \
    tn_numbers_sort((list)->items, (list)->count, sizeof *(list)->items, numbers)
#define TN_FIND(list, number)                                                                      \
    tn_numbers_find((list)->items, (list)->count, sizeof *(list)->items, number)
void tn_numbers_sort(void *elements, size_t count, size_t bytes, size_t numbers);
void *tn_numbers_find(const void *elements, size_t count, size_t bytes, uint64_t number);

// A set: a list whose elements begin with their key, and which has each key once. Release with
// TN_SET_RELEASE().
#define TN_SET(type)                                                                               \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, room;                                                                        \
        struct tn_intern table;                                                                    \
    }

// Finds the number of the element with the same first `key` bytes as *element, or appends that.
#define TN_SET_FIND(builder, set, element, key, noun, number)                                      \
    tn_builder_find(builder, &(set)->items, &(set)->count, &(set)->room, &(set)->table,            \
                    1 ? (element) : (set)->items, sizeof *(set)->items, key, TN_UNBOUNDED, noun,   \
                    number)
// The same, but stores its address in *place, which the next addition may move.
#define TN_SET_PLACE(builder, set, element, key, noun, place)                                      \
    __extension__({                                                                                \
        uint32_t place_at;                                                                         \
        tarn_status found = TN_SET_FIND(builder, set, element, key, noun, &place_at);              \
        if (found == TARN_OK) *(place) = &(set)->items[place_at];                                  \
        found;                                                                                     \
    })
#define TN_SET_RELEASE(set) (tn_intern_release(&(set)->table), free((set)->items))
tarn_status tn_builder_find(const struct tn_builder *builder, void *array, size_t *count,
                            size_t *room, struct tn_intern *table, const void *element,
                            size_t bytes, size_t key, enum tn_bound bound, const char *noun,
                            uint32_t *number);

// Returns a terminated copy of a text that need not be terminated, or NULL if out of memory.
// strndup() is no substitute: address checkers take its argument for a string.
char *tn_copy_text(const char *text, size_t length);
