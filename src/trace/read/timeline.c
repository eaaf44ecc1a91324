// SPDX-License-Identifier: Apache-2.0
// The reader of PyTorch's memory timelines (export_memory_timeline), of one device. The usual form
// is a list of times and a list of sums by category, which become samples. The raw form is a list
// of changes by size and category without addresses, so that a block ends with the oldest one of
// its size and category. One thread at a time.
#include <inttypes.h>

#include "base/error.h"
#include "trace/parse/json.h"
#include "trace/read/read.h"

enum { ROW = TN_CATEGORY_COUNT, CHANGE = 4 }; // numbers in a row of either form

_Static_assert(ROW == 9, "the error of a row names the number");

enum change_kind { PREEXISTING = 1, CREATE, INCREMENT_VERSION, DESTROY };

// A block that lives, in the queue of its size and category.
struct living {
    uint32_t block;
    uint32_t next;
};

struct queue {
    uint64_t bytes, category; // the key of a set
    uint32_t first;           // index into `living` plus 1, or 0 if the queue is empty
    uint32_t last;
};

struct timeline {
    struct tn_builder *builder;
    struct tn_json json;
    struct tn_values values;
    TN_LIST(int64_t) times;
    TN_LIST(struct living) living;
    TN_SET(struct queue) queues;
    uint32_t moved; // the block whose category changes, plus 1
    uint64_t row;   // index of the change
};

static tarn_status read_integer(struct timeline *timeline, int64_t *number) {
    struct tn_json *json = &timeline->json;
    struct tn_values_mark mark = tn_values_mark(json->values);
    tn_value value = 0;
    TN_TRY(tn_json_read(json, &value));
    if (!tn_value_scaled(json->values, value, 0, number))
        return tn_json_fail(json, "expected an integer");
    tn_values_rewind(json->values, mark);
    return TARN_OK;
}

// Reads a row of exactly `count` integers, whose opening bracket was read. `expected` describes the
// row in the error for any other number of them.
static tarn_status read_row(struct timeline *timeline, int64_t *row, size_t count,
                            const char *expected) {
    bool more = false;
    for (size_t i = 0;; i++) {
        TN_TRY(tn_json_next(&timeline->json, '[', &more));
        if (more != (i < count)) return tn_json_fail(&timeline->json, expected);
        if (!more) return TARN_OK;
        TN_TRY(read_integer(timeline, &row[i]));
    }
}

// ---- sums

// Reads the first list, whose bracket was read: the times, or a row of the raw form.
static tarn_status read_times(struct timeline *timeline) {
    for (;;) {
        int64_t time = 0;
        bool more = false;
        TN_TRY(tn_json_next(&timeline->json, '[', &more));
        if (!more) return TARN_OK;
        TN_TRY(read_integer(timeline, &time));
        TN_TRY(TN_APPEND_LIMITED(timeline->builder, &timeline->times, &time, "samples"));
    }
}

// The first number of a row is always 0, and the others are the categories in the order of ours.
static tarn_status add_sums(struct timeline *timeline, size_t index, const int64_t row[ROW]) {
    int64_t time = timeline->times.items[index];
    struct tn_trace_sample sample = {.time_us = time < 0 ? 0 : (uint64_t)time};
    for (size_t i = TN_CATEGORY_NONE; i < ROW; i++) {
        if (row[i] < 0) return tn_json_fail(&timeline->json, "a negative sum");
        sample.by_category[i] = (uint64_t)row[i];
        if (__builtin_add_overflow(sample.live, sample.by_category[i], &sample.live))
            return tn_json_fail(&timeline->json, "the sums of a row exceed 64 bits");
    }
    return tn_builder_sample(timeline->builder, &sample);
}

// Reads the second list, whose bracket was read.
static tarn_status read_sums(struct timeline *timeline) {
    struct tn_json *json = &timeline->json;
    for (size_t i = 0;; i++) {
        int64_t row[ROW];
        bool more = false;
        TN_TRY(tn_json_next(json, '[', &more));
        if (more != (i < timeline->times.count))
            return tn_json_fail(json, more ? "more rows than times" : "fewer rows than times");
        if (!more) break;
        TN_TRY(tn_json_open(json, '['));
        TN_TRY(read_row(timeline, row, ROW, "expected 9 sums in a row"));
        TN_TRY(add_sums(timeline, i, row));
    }
    bool more = false;
    TN_TRY(tn_json_next(json, '[', &more));
    return more ? tn_json_fail(json, "expected ']' after the sums") : TARN_OK;
}

// ---- changes

static tarn_status find_queue(struct timeline *timeline, uint64_t bytes, uint64_t category,
                              struct queue **queue) {
    const struct queue wanted = {.bytes = bytes, .category = category};
    return TN_SET_PLACE(timeline->builder, &timeline->queues, &wanted,
                        offsetof(struct queue, first), "timeline", queue);
}

static tarn_status push_living(struct timeline *timeline, uint64_t bytes, uint64_t category,
                               uint32_t block) {
    const struct living living = {.block = block};
    struct queue *queue = NULL;
    TN_TRY(find_queue(timeline, bytes, category, &queue));
    TN_TRY(TN_APPEND(timeline->builder, &timeline->living, &living, "timeline"));
    uint32_t link = (uint32_t)timeline->living.count;
    if (queue->first == 0)
        queue->first = link;
    else
        timeline->living.items[queue->last - 1].next = link;
    queue->last = link;
    return TARN_OK;
}

// Removes the oldest block of a size and category. *found is false if there is none.
static tarn_status pop_living(struct timeline *timeline, uint64_t bytes, uint64_t category,
                              bool *found, uint32_t *block) {
    struct queue *queue = NULL;
    TN_TRY(find_queue(timeline, bytes, category, &queue));
    *found = queue->first != 0;
    if (!*found) return TARN_OK;
    *block = timeline->living.items[queue->first - 1].block;
    queue->first = timeline->living.items[queue->first - 1].next;
    return TARN_OK;
}

struct change {
    int64_t time_ns;
    uint64_t bytes;
    uint64_t category;
    bool negative;
    enum change_kind kind;
};

static tarn_status add_change_event(struct timeline *timeline, const struct change *change,
                                    enum tn_event_kind kind, uint32_t block) {
    return tn_builder_event(timeline->builder, kind,
                            change->time_ns < 0 ? 0 : (uint64_t)change->time_ns / 1000,
                            timeline->row, block);
}

static tarn_status begin_block(struct timeline *timeline, const struct change *change) {
    const struct tn_block block = {.id = timeline->builder->trace.block_count,
                                   .size = change->bytes,
                                   .category = (uint32_t)change->category};
    uint32_t index = 0;
    if (change->kind == PREEXISTING && timeline->builder->trace.event_count == 0)
        TN_TRY(tn_builder_starting(timeline->builder, &block, &index));
    else
        TN_TRY(tn_builder_block(timeline->builder, &block, &index));
    if (index >= timeline->builder->trace.devices[0].starting_count)
        TN_TRY(add_change_event(timeline, change, TN_EVENT_ALLOC, index));
    return push_living(timeline, change->bytes, change->category, index);
}

static tarn_status end_block(struct timeline *timeline, const struct change *change) {
    bool found = false;
    uint32_t block = 0;
    TN_TRY(pop_living(timeline, change->bytes, change->category, &found, &block));
    if (found) return add_change_event(timeline, change, TN_EVENT_FREE, block);
    return tn_builder_note(timeline->builder,
                           "row %" PRIu64 ": no block of %" PRIu64 " bytes and category %" PRIu64
                           " is live",
                           timeline->row, change->bytes, change->category);
}

// A new version of a tensor is written as two changes: minus in its old category, plus in its new.
static tarn_status move_block(struct timeline *timeline, const struct change *change) {
    bool found = false;
    uint32_t block = 0;
    if (change->negative) {
        TN_TRY(pop_living(timeline, change->bytes, change->category, &found, &block));
        timeline->moved = found ? block + 1 : 0;
        return TARN_OK;
    }
    if (timeline->moved == 0) return TARN_OK;
    block = timeline->moved - 1;
    timeline->moved = 0;
    timeline->builder->trace.blocks[block].category = (uint32_t)change->category;
    return push_living(timeline, timeline->builder->trace.blocks[block].size, change->category,
                       block);
}

static tarn_status add_change(struct timeline *timeline, const struct change *change) {
    if (change->bytes == 0) return TARN_OK;
    switch (change->kind) {
    case PREEXISTING:
    case CREATE: return begin_block(timeline, change);
    case INCREMENT_VERSION: return move_block(timeline, change);
    default: return end_block(timeline, change);
    }
}

// A row is [time in ns, kind, bytes, category]. The categories begin at 0, ours at 1.
static tarn_status add_row(struct timeline *timeline, const int64_t row[CHANGE]) {
    if (row[1] < PREEXISTING || row[1] > DESTROY)
        return tn_json_fail(&timeline->json, "an action that is not 1, 2, 3 or 4");
    if (row[3] < 0 || row[3] >= TN_CATEGORY_UNKNOWN)
        return tn_json_fail(&timeline->json, "a category that is not 0 to 7");
    const struct change change = {.time_ns = row[0],
                                  .kind = (enum change_kind)row[1],
                                  .negative = row[2] < 0,
                                  .bytes = row[2] < 0 ? -(uint64_t)row[2] : (uint64_t)row[2],
                                  .category = (uint64_t)row[3] + 1};
    TN_TRY(add_change(timeline, &change));
    timeline->row++;
    return TARN_OK;
}

// Adds the first row, which read_times() read, and reads the others. `more` is true if the opening
// bracket of the second row was read.
static tarn_status read_changes(struct timeline *timeline, bool more) {
    struct tn_json *json = &timeline->json;
    timeline->builder->trace.lacks |= TN_TRACE_PAIRED;
    if (timeline->times.count != CHANGE)
        return tn_json_fail(json, "expected [TIME, ACTION, BYTES, CATEGORY]");
    TN_TRY(add_row(timeline, timeline->times.items));
    while (more) {
        int64_t row[CHANGE];
        TN_TRY(read_row(timeline, row, CHANGE, "expected [TIME, ACTION, BYTES, CATEGORY]"));
        TN_TRY(add_row(timeline, row));
        TN_TRY(tn_json_next(json, '[', &more));
        if (more) TN_TRY(tn_json_open(json, '['));
    }
    return TARN_OK;
}

// The second list decides the form: it contains rows of sums, or it is a row itself.
static tarn_status read_lists(void *reader) {
    struct timeline *timeline = (struct timeline *)reader;
    struct tn_json *json = &timeline->json;
    struct tn_trace_device *device = NULL;
    uint32_t stream = 0;
    uint8_t byte = 0;
    bool more = false;
    TN_TRY(tn_builder_device(timeline->builder, 0, &device));
    TN_TRY(tn_builder_stream(timeline->builder, 0, &stream));
    TN_TRY(tn_json_open(json, '['));
    TN_TRY(tn_json_next(json, '[', &more));
    TN_TRY(tn_json_open(json, '['));
    TN_TRY(read_times(timeline));
    TN_TRY(tn_json_next(json, '[', &more));
    if (more) {
        TN_TRY(tn_json_open(json, '['));
        TN_TRY(tn_json_peek(json, &byte));
    }
    TN_TRY(byte == '[' || byte == ']' ? read_sums(timeline) : read_changes(timeline, more));
    return tn_json_finish(json);
}

// No other format begins with a list in a list.
bool tn_timeline_detect(const uint8_t *bytes, size_t size) {
    uint8_t second = 0;
    return tn_json_first_bytes(bytes, size, &second) == '[' && second == '[';
}

tarn_status tn_timeline_read(struct tn_source *source, struct tn_builder *builder) {
    struct timeline timeline = {.builder = builder};
    builder->trace.lacks = TN_TRACE_NO_STREAMS | TN_TRACE_NO_STACKS | TN_TRACE_NO_ADDRESSES;
    tarn_status status =
        tn_json_parts(&timeline.json, &timeline.values, source, builder, read_lists, &timeline);
    free(timeline.times.items);
    free(timeline.living.items);
    TN_SET_RELEASE(&timeline.queues);
    return status;
}
