// SPDX-License-Identifier: Apache-2.0
// The data of a recording for the page: each field of the trace is a column of numbers, written as
// the differences of neighbours. Small differences take one byte and compress well. The script
// tools/view/page/recording.js reads it. One thread.
#include "base/grow.h"
#include "tools/progress.h"
#include "tools/view/view.h"
#include "trace/study/lives.h"
#include "trace/study/name.h"
#include "trace/study/owner.h"
#include "trace/study/phases.h"
#include "trace/varint.h"

enum section_kind { SECTION_BYTES, SECTION_NUMBERS };

// The script computes with doubles, which hold a difference up to here exactly.
#define LARGEST_NUMBER (UINT64_C(1) << 52)

void tn_view_data_put(struct tn_view_data *data, const void *bytes, size_t count) {
    size_t need = data->count + count;
    unsigned char *grown = data->failed ? NULL : tn_grow(data->bytes, &data->room, need, 1);
    if (grown == NULL) {
        data->failed = true;
        return;
    }
    data->bytes = grown;
    if (count > 0) memcpy(data->bytes + data->count, bytes, count);
    data->count = need;
}

static void put_number(struct tn_view_data *data, uint64_t number) {
    uint8_t bytes[TN_VARINT_MAX];
    tn_view_data_put(data, bytes, tn_varint_put(bytes, number));
}

// The sign becomes the lowest bit.
static void put_difference(struct tn_view_data *data, uint64_t from, uint64_t to) {
    put_number(data, to >= from ? (to - from) << 1 : (from - to) << 1 | 1);
}

static void put_heading(struct tn_view_data *data, const char *name, enum section_kind kind,
                        size_t count) {
    put_number(data, strlen(name));
    tn_view_data_put(data, name, strlen(name));
    put_number(data, kind);
    put_number(data, count);
}

void tn_view_data_bytes(struct tn_view_data *data, const char *name, const void *bytes,
                        size_t count) {
    put_heading(data, name, SECTION_BYTES, count);
    tn_view_data_put(data, bytes, count);
}

// ---- columns

struct column {
    const char *name;
    size_t array; // offsets in the trace
    size_t count;
    size_t element; // bytes
    size_t field;   // offset and bytes in the element
    size_t field_bytes;
};

#define COLUMN(array, count, type, field)                                                          \
    {                                                                                              \
#array "." #field, offsetof(struct tn_trace, array), offsetof(struct tn_trace, count),     \
            sizeof(struct type), offsetof(struct type, field), sizeof(((struct type *)0)->field)   \
    }
#define DEVICE(field)  COLUMN(devices, device_count, tn_trace_device, field)
#define STREAM(field)  COLUMN(streams, stream_count, tn_stream, field)
#define EVENT(field)   COLUMN(events, event_count, tn_event, field)
#define BLOCK(field)   COLUMN(blocks, block_count, tn_block, field)
#define SEGMENT(field) COLUMN(segments, segment_count, tn_trace_segment, field)
#define FAILURE(field) COLUMN(failures, failure_count, tn_trace_failure, field)
#define CALL(field)    COLUMN(calls, call_count, tn_trace_call, field)
#define SETTING(field) COLUMN(settings, setting_count, tn_trace_setting, field)
#define SAMPLE(field)  COLUMN(samples, sample_count, tn_trace_sample, field)

static const struct column columns[] = {
    DEVICE(number),
    DEVICE(kind),
    DEVICE(memory_bytes),
    DEVICE(first_event),
    DEVICE(event_count),
    DEVICE(first_starting),
    DEVICE(starting_count),
    DEVICE(first_starting_segment),
    DEVICE(starting_segment_count),
    DEVICE(first_sample),
    DEVICE(sample_count),
    DEVICE(says_reserved),
    DEVICE(reserved_at_start),
    DEVICE(reserved_peak),
    STREAM(native),
    STREAM(device),
    EVENT(time_us),
    EVENT(where),
    EVENT(kind),
    EVENT(item),
    BLOCK(id),
    BLOCK(size),
    BLOCK(stream),
    BLOCK(stack),
    BLOCK(tag),
    BLOCK(category),
    SEGMENT(address),
    SEGMENT(bytes),
    SEGMENT(stream),
    SEGMENT(stack),
    SEGMENT(mapped),
    SEGMENT(is_private),
    FAILURE(size),
    FAILURE(device_free),
    FAILURE(stream),
    FAILURE(stack),
    CALL(caller),
    CALL(function),
    CALL(file),
    CALL(line),
    SETTING(name),
    SETTING(value),
    SAMPLE(time_us),
    SAMPLE(live),
    SAMPLE(reserved),
    SAMPLE(by_category[TN_CATEGORY_PARAMETER]),
    SAMPLE(by_category[TN_CATEGORY_OPTIMIZER_STATE]),
    SAMPLE(by_category[TN_CATEGORY_INPUT]),
    SAMPLE(by_category[TN_CATEGORY_TEMPORARY]),
    SAMPLE(by_category[TN_CATEGORY_ACTIVATION]),
    SAMPLE(by_category[TN_CATEGORY_GRADIENT]),
    SAMPLE(by_category[TN_CATEGORY_AUTOGRAD_DETAIL]),
    SAMPLE(by_category[TN_CATEGORY_UNKNOWN]),
};

static uint64_t limit_number(uint64_t number) {
    return number < LARGEST_NUMBER ? number : LARGEST_NUMBER;
}

static uint64_t read_field(const unsigned char *at, size_t bytes) {
    uint64_t wide = 0;
    uint32_t narrow = 0;
    if (bytes == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    if (bytes == 1) return *at;
    memcpy(&wide, at, sizeof wide);
    return limit_number(wide);
}

static void put_column(struct tn_view_data *data, const struct column *column, const char *array,
                       size_t count) {
    uint64_t before = 0;
    put_heading(data, column->name, SECTION_NUMBERS, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t value =
            read_field((const unsigned char *)array + i * column->element + column->field,
                       column->field_bytes);
        put_difference(data, before, value);
        before = value;
    }
}

static void put_numbers(struct tn_view_data *data, const char *name, const uint32_t *numbers,
                        size_t count) {
    struct column column = {name, 0, 0, sizeof *numbers, 0, sizeof *numbers};
    put_column(data, &column, (const char *)numbers, count);
}

void tn_view_data_numbers(struct tn_view_data *data, const char *name, const uint64_t *numbers,
                          size_t count) {
    struct column column = {name, 0, 0, sizeof *numbers, 0, sizeof *numbers};
    put_column(data, &column, (const char *)numbers, count);
}

static void put_occupied(struct tn_view_data *data, const struct tn_trace *trace) {
    uint64_t before = 0;
    put_heading(data, "blocks.occupied", SECTION_NUMBERS, trace->block_count);
    for (size_t i = 0; i < trace->block_count; i++) {
        uint64_t bytes = limit_number(tn_block_occupied(trace, &trace->blocks[i]));
        put_difference(data, before, bytes);
        before = bytes;
    }
}

// Texts do not contain NUL, which separates them here.
static void put_texts(struct tn_view_data *data, const struct tn_trace *trace) {
    size_t count = 0;
    for (size_t i = 0; i < trace->text_count; i++) count += strlen(trace->texts[i]) + 1;
    put_heading(data, "texts", SECTION_BYTES, count);
    for (size_t i = 0; i < trace->text_count; i++)
        tn_view_data_put(data, trace->texts[i], strlen(trace->texts[i]) + 1);
}

// ---- names

// Writes the short names of texts that calls use, by text. A function whose name is the text itself has
// an empty one. `used` and `name` have room for each text, and for the longest one.
static void put_names(struct tn_view_data *data, const char *heading,
                      const struct tn_owners *owners, bool of_files, uint8_t *used, char *name,
                      size_t room) {
    const struct tn_trace *trace = owners->trace;
    struct tn_view_data names = {.count = 0};
    memset(used, 0, trace->text_count);
    for (size_t i = 0; i < trace->call_count; i++)
        used[of_files ? trace->calls[i].file : trace->calls[i].function] = 1;
    for (size_t i = 0; i < trace->text_count; i++) {
        const char *text = trace->texts[i];
        name[0] = '\0';
        if (used[i] && of_files)
            (void)tn_name_path(text, owners->detail[i], name, room);
        else if (used[i] &&
                 (owners->detail[i] != 0 || strcmp(tn_name_function(text, name, room), text) == 0))
            name[0] = '\0';
        tn_view_data_put(&names, name, strlen(name) + 1);
    }
    data->failed |= names.failed;
    tn_view_data_bytes(data, heading, names.bytes, names.count);
    free(names.bytes);
}

static void put_all_names(struct tn_view_data *data, const struct tn_owners *owners) {
    const struct tn_trace *trace = owners->trace;
    size_t room = 2; // "?" stands for an empty name
    for (size_t i = 0; i < trace->text_count; i++)
        room = strlen(trace->texts[i]) < room ? room : strlen(trace->texts[i]) + 1;
    uint8_t *used = (uint8_t *)malloc(trace->text_count);
    char *name = (char *)malloc(room);
    data->failed |= used == NULL || name == NULL;
    if (used != NULL && name != NULL) {
        put_names(data, "functions", owners, false, used, name, room);
        put_names(data, "files", owners, true, used, name, room);
    }
    free(name);
    free(used);
}

// ---- columns that are no fields of the trace

static void put_spans(struct tn_view_data *data, size_t device, const char *name,
                      const struct tn_phases *phases, size_t field) {
    char heading[64];
    (void)snprintf(heading, sizeof heading, "devices[%zu].phases.%s", device, name);
    struct column column = {heading, 0, 0, sizeof *phases->spans, field, sizeof(uint32_t)};
    put_column(data, &column, (const char *)phases->spans, phases->count);
}

static tarn_status put_phases(struct tn_view_data *data, const struct tn_trace *trace,
                              size_t index) {
    char heading[64];
    struct tn_phases phases;
    tarn_status status = tn_phases_make(trace, &trace->devices[index], &phases);
    if (status != TARN_OK) return status;
    put_spans(data, index, "name", &phases, offsetof(struct tn_phase_span, name));
    put_spans(data, index, "begin", &phases, offsetof(struct tn_phase_span, begin));
    put_spans(data, index, "end", &phases, offsetof(struct tn_phase_span, end));
    put_spans(data, index, "parent", &phases, offsetof(struct tn_phase_span, parent));
    (void)snprintf(heading, sizeof heading, "devices[%zu].phases.at", index);
    put_numbers(data, heading, phases.at, trace->devices[index].event_count + 1);
    tn_phases_release(&phases);
    return TARN_OK;
}

static size_t column_count(const struct tn_trace *trace, size_t column) {
    size_t count;
    memcpy(&count, (const char *)trace + columns[column].count, sizeof count);
    return count;
}

uint64_t tn_view_data_steps(const struct tn_trace *trace) {
    uint64_t steps = 0;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) steps += column_count(trace, i);
    return steps;
}

tarn_status tn_view_data_trace(struct tn_view_data *data, const struct tn_trace *trace,
                               bool innermost) {
    struct tn_owners owners;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *array;
        size_t count = column_count(trace, i);
        memcpy(&array, (const char *)trace + columns[i].array, sizeof array);
        put_column(data, &columns[i], array, count);
        tn_progress_step(count);
    }
    put_occupied(data, trace);
    put_texts(data, trace);
    tarn_status status = tn_owners_make_by(trace, innermost, &owners);
    if (status != TARN_OK) return status;
    put_all_names(data, &owners);
    put_numbers(data, "owners.calls", owners.calls, trace->call_count);
    put_numbers(data, "owners.functions", owners.functions, trace->call_count);
    put_numbers(data, "owners.lines", owners.lines, trace->call_count);
    tn_owners_release(&owners);
    for (size_t i = 0; i < trace->device_count && status == TARN_OK; i++)
        status = put_phases(data, trace, i);
    return status;
}
