// SPDX-License-Identifier: Apache-2.0
// Writes the blocks that are live at one moment as a profile of pprof: a sample for each stack,
// stream and size, with labels. The wire format of protobuf is written by hand. One thread at a
// time.
#include "trace/pprof.h"

#include "base/error.h"
#include "trace/builder.h"
#include "trace/scratch.h"
#include "trace/varint.h"
#include "trace/write/write.h"

// Texts that the recording may not have. They follow its own in the table of the profile.
#define PPROF_TEXT_LIST(X)                                                                         \
    X(INUSE_OBJECTS, "inuse_objects")                                                              \
    X(COUNT, "count")                                                                              \
    X(INUSE_SPACE, "inuse_space")                                                                  \
    X(BYTES, "bytes")                                                                              \
    X(DEVICE, "device")                                                                            \
    X(STREAM, "stream")                                                                            \
    X(SIZE, "size")                                                                                \
    X(TAG, "tag")                                                                                  \
    X(HOST, TN_PPROF_HOST)                                                                         \
    X(NO_STACK, TN_PPROF_NO_STACK)

#define PPROF_ENUM(name, text) PPROF_##name,
enum pprof_text { PPROF_TEXT_LIST(PPROF_ENUM) PPROF_TEXTS };

// A message under construction, or a part of one.
struct message {
    uint8_t *bytes;
    size_t used, room;
    bool failed; // out of host memory
};

struct pprof {
    const struct tn_trace *trace;
    const struct tn_write_options *options;
    struct tn_output *output;
    struct message message, part, inner;
    struct message file; // what is not in the output yet
    uint32_t *live;      // blocks at the moment
    size_t live_count;
    uint8_t *used; // by call: 1 if a sample refers to it
    uint64_t time_us;
};

static void put_raw(struct message *message, const void *bytes, size_t size) {
    void *grown = message->failed
                      ? NULL
                      : tn_grow(message->bytes, &message->room, message->used + size + 1, 1);
    message->failed |= grown == NULL;
    if (grown == NULL) return;
    message->bytes = (uint8_t *)grown;
    memcpy(message->bytes + message->used, bytes, size);
    message->used += size;
}

static void put_varint(struct message *message, uint64_t value) {
    uint8_t bytes[TN_VARINT_MAX];
    put_raw(message, bytes, tn_varint_put(bytes, value));
}

static void put_number(struct message *message, unsigned field, uint64_t value) {
    put_varint(message, field << 3);
    put_varint(message, value);
}

// Adds a message as a field of another, and empties it.
static void put_message(struct message *message, unsigned field, struct message *part) {
    message->failed |= part->failed;
    put_varint(message, field << 3 | 2);
    put_varint(message, part->used);
    if (part->used > 0) put_raw(message, part->bytes, part->used);
    part->used = 0;
}

// Writes a field of the profile.
static void emit(struct pprof *pprof, unsigned field) {
    put_message(&pprof->file, field, &pprof->message);
    tn_output_put(pprof->output, pprof->file.bytes, pprof->file.used);
    pprof->file.used = 0;
}

static uint64_t own_text(const struct pprof *pprof, enum pprof_text text) {
    return pprof->trace->text_count + text;
}

// ---- samples

static void put_label(struct pprof *pprof, enum pprof_text key, unsigned field, uint64_t value,
                      bool is_size) {
    put_number(&pprof->inner, TN_PPROF_LABEL_KEY, own_text(pprof, key));
    put_number(&pprof->inner, field, value);
    if (is_size) put_number(&pprof->inner, TN_PPROF_LABEL_UNIT, own_text(pprof, PPROF_BYTES));
    put_message(&pprof->message, TN_PPROF_SAMPLE_LABEL, &pprof->inner);
}

// Each call is a location with its own number; element 0 is the location without a stack. The stack
// begins with the owner, because pprof takes the innermost call for the holder.
static void put_locations(struct pprof *pprof, uint32_t stack) {
    if (stack == 0) put_varint(&pprof->part, pprof->trace->call_count);
    for (stack = tn_write_owner(pprof->options, stack); stack != 0;
         stack = pprof->trace->calls[stack].caller)
        put_varint(&pprof->part, stack);
    put_message(&pprof->message, TN_PPROF_SAMPLE_LOCATION, &pprof->part);
}

static void emit_sample(struct pprof *pprof, const struct tn_block *block, uint64_t count) {
    const struct tn_trace *trace = pprof->trace;
    const struct tn_stream *stream = &trace->streams[block->stream];
    const struct tn_trace_device *device = &trace->devices[stream->device];
    put_locations(pprof, block->stack);
    put_varint(&pprof->part, count);
    put_varint(&pprof->part, count * block->size);
    put_message(&pprof->message, TN_PPROF_SAMPLE_VALUE, &pprof->part);
    if (device->kind == TN_DEVICE_HOST)
        put_label(pprof, PPROF_DEVICE, TN_PPROF_LABEL_TEXT, own_text(pprof, PPROF_HOST), false);
    else
        put_label(pprof, PPROF_DEVICE, TN_PPROF_LABEL_NUMBER, device->number, false);
    put_label(pprof, PPROF_STREAM, TN_PPROF_LABEL_NUMBER, stream->native, false);
    put_label(pprof, PPROF_SIZE, TN_PPROF_LABEL_NUMBER, block->size, true);
    if (block->tag != 0) put_label(pprof, PPROF_TAG, TN_PPROF_LABEL_TEXT, block->tag, false);
    emit(pprof, TN_PPROF_PROFILE_SAMPLE);
}

static int compare_samples(const struct tn_block *a, const struct tn_block *b) {
    if (a->stack != b->stack) return a->stack > b->stack ? 1 : -1;
    if (a->stream != b->stream) return a->stream > b->stream ? 1 : -1;
    if (a->tag != b->tag) return a->tag > b->tag ? 1 : -1;
    return (a->size > b->size) - (a->size < b->size);
}

static int by_sample(const void *left, const void *right, void *blocks) {
    const struct tn_block *all = (const struct tn_block *)blocks;
    return compare_samples(&all[*(const uint32_t *)left], &all[*(const uint32_t *)right]);
}

// A sample has at most as many equal blocks as the reader takes apart, and values of 63 bits.
static void emit_samples(struct pprof *pprof) {
    const struct tn_block *blocks = pprof->trace->blocks;
    qsort_r(pprof->live, pprof->live_count, sizeof *pprof->live, by_sample, pprof->trace->blocks);
    for (size_t i = 0, next; i < pprof->live_count; i = next) {
        const struct tn_block *block = &blocks[pprof->live[i]];
        uint64_t most = TN_TRACE_BYTES_MAX / block->size;
        if (most > TN_PPROF_SAME_BLOCKS) most = TN_PPROF_SAME_BLOCKS;
        for (next = i + 1; next < pprof->live_count && next - i < most; next++)
            if (compare_samples(block, &blocks[pprof->live[next]]) != 0) break;
        emit_sample(pprof, block, next - i);
    }
}

// ---- tables

static void emit_call(struct pprof *pprof, uint64_t number, const struct tn_trace_call *call) {
    uint64_t name =
        number == pprof->trace->call_count ? own_text(pprof, PPROF_NO_STACK) : call->function;
    put_number(&pprof->part, TN_PPROF_LINE_FUNCTION, number);
    put_number(&pprof->part, TN_PPROF_LINE_NUMBER, call->line);
    put_number(&pprof->message, TN_PPROF_LOCATION_ID, number);
    put_message(&pprof->message, TN_PPROF_LOCATION_LINE, &pprof->part);
    emit(pprof, TN_PPROF_PROFILE_LOCATION);
    put_number(&pprof->message, TN_PPROF_FUNCTION_ID, number);
    put_number(&pprof->message, TN_PPROF_FUNCTION_NAME, name);
    put_number(&pprof->message, TN_PPROF_FUNCTION_SYSTEM_NAME, name);
    put_number(&pprof->message, TN_PPROF_FUNCTION_FILE, call->file);
    emit(pprof, TN_PPROF_PROFILE_FUNCTION);
}

static void emit_text(struct pprof *pprof, const char *text) {
    put_raw(&pprof->message, text, strlen(text));
    emit(pprof, TN_PPROF_PROFILE_TEXT);
}

// Writes the calls that samples refer to, with all their callers.
static void emit_calls(struct pprof *pprof) {
    const struct tn_trace *trace = pprof->trace;
    const struct tn_trace_call none = {0};
    uint8_t *used = pprof->used;
    for (size_t i = 0; i < pprof->live_count; i++)
        for (uint32_t at = tn_write_owner(pprof->options, trace->blocks[pprof->live[i]].stack);
             at != 0 && !used[at]; at = trace->calls[at].caller)
            used[at] = 1;
    for (size_t i = 1; i < trace->call_count; i++)
        if (used[i]) emit_call(pprof, i, &trace->calls[i]);
    emit_call(pprof, trace->call_count, &none);
}

static void emit_texts(struct pprof *pprof) {
    static const char *const own[] = {PPROF_TEXT_LIST(TN_TEXT_OF)};
    for (size_t i = 0; i < pprof->trace->text_count; i++) emit_text(pprof, pprof->trace->texts[i]);
    for (size_t i = 0; i < PPROF_TEXTS; i++) emit_text(pprof, own[i]);
}

static void emit_type(struct pprof *pprof, enum pprof_text type, enum pprof_text unit) {
    put_number(&pprof->message, TN_PPROF_TYPE_NAME, own_text(pprof, type));
    put_number(&pprof->message, TN_PPROF_TYPE_UNIT, own_text(pprof, unit));
    emit(pprof, TN_PPROF_PROFILE_TYPE);
}

// ---- the moment

// Returns the number of events of the device that precede the moment.
static size_t events_before(const struct pprof *pprof, const struct tn_trace_device *device) {
    const struct tn_write_options *options = pprof->options;
    const struct tn_event *events = tn_trace_events(pprof->trace, device);
    if (options->moment == TN_MOMENT_START) return 0;
    if (options->moment == TN_MOMENT_END) return device->event_count;
    if (options->moment == TN_MOMENT_EVENT)
        return options->event < device->event_count ? (size_t)options->event : device->event_count;
    for (size_t i = 0; i < device->event_count && options->moment == TN_MOMENT_FAILURE; i++)
        if (events[i].kind == TN_EVENT_FAILURE) return i;
    return tn_trace_peak(pprof->trace, device).moment;
}

// Collects the blocks of the device that are live at the moment.
static void collect_live(struct pprof *pprof, const struct tn_trace_device *device, uint8_t *live) {
    const struct tn_trace *trace = pprof->trace;
    const struct tn_event *events = tn_trace_events(trace, device);
    size_t count = events_before(pprof, device);
    memset(live, 0, trace->block_count);
    memset(live + device->first_starting, 1, device->starting_count);
    for (size_t i = 0; i < count; i++)
        if (events[i].kind == TN_EVENT_ALLOC || events[i].kind == TN_EVENT_FREE)
            live[events[i].item] = events[i].kind == TN_EVENT_ALLOC;
    if (count > 0 && events[count - 1].time_us > pprof->time_us)
        pprof->time_us = events[count - 1].time_us;
    for (size_t i = 0; i < trace->block_count; i++)
        if (live[i]) pprof->live[pprof->live_count++] = (uint32_t)i;
}

static tarn_status write_profile(struct pprof *pprof) {
    emit_type(pprof, PPROF_INUSE_OBJECTS, PPROF_COUNT);
    emit_type(pprof, PPROF_INUSE_SPACE, PPROF_BYTES);
    emit_samples(pprof);
    emit_calls(pprof);
    emit_texts(pprof);
    put_number(&pprof->file, TN_PPROF_PROFILE_TIME_NANOS, pprof->time_us * 1000);
    put_number(&pprof->file, TN_PPROF_PROFILE_DEFAULT_TYPE, own_text(pprof, PPROF_INUSE_SPACE));
    tn_output_put(pprof->output, pprof->file.bytes, pprof->file.used);
    return pprof->file.failed || pprof->message.failed || pprof->part.failed || pprof->inner.failed
               ? tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a profile")
               : TARN_OK;
}

tarn_status tn_write_pprof(const struct tn_trace *trace, const struct tn_write_options *options,
                           struct tn_output *output) {
    struct pprof pprof = {.trace = trace, .options = options, .output = output};
    TN_REFUSE(trace->block_count == 0, TARN_UNSUPPORTED,
              "a profile holds blocks, and the recording has none");
    struct tn_scratch memory = {0};
    uint8_t *live;
    TN_TAKE(&memory, live, trace->block_count);
    TN_TAKE(&memory, pprof.live, trace->block_count);
    TN_TAKE(&memory, pprof.used, trace->call_count);
    tarn_status status =
        memory.failed ? tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a profile") : TARN_OK;
    for (size_t i = 0; i < trace->device_count && status == TARN_OK; i++)
        if (tn_write_selects(options, &trace->devices[i]))
            collect_live(&pprof, &trace->devices[i], live);
    if (status == TARN_OK) status = write_profile(&pprof);
    tn_scratch_release(&memory);
    free(pprof.file.bytes);
    free(pprof.message.bytes);
    free(pprof.part.bytes);
    free(pprof.inner.bytes);
    return status;
}
