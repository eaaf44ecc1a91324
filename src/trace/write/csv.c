// SPDX-License-Identifier: Apache-2.0
// Writes a table with a row for each device, starting segment and block, event and sample; see
// trace/table.h. Each stack is written once, in the first row that has its number. Lines end with
// CR and LF, and fields are quoted, as RFC 4180 has it. One thread at a time.
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "trace/builder.h"
#include "trace/scratch.h"
#include "trace/table.h"
#include "trace/write/write.h"

// Readers limit a row to 1 MiB. A quote needs two bytes, and a byte of a stack up to three.
enum { TEXT_BYTES = 64 * 1024, STACK_BYTES = 768 * 1024 };

struct csv_out {
    const struct tn_trace *trace;
    const struct tn_write_options *options;
    struct tn_output *output;
    const struct tn_trace_device *device;
    uint64_t live;
    uint32_t *nth;    // of each block: how many live ones have its id when it begins
    uint32_t *stacks; // of each stack: its number in the table, or 0
    uint32_t stack_count;
};

// The columns of a row. Those that it does not have stay empty.
struct csv_row {
    enum tn_table_row kind;
    const struct tn_event *event; // NULL for what was there at the start
    const uint64_t *time_us;      // of a sample
    const uint64_t *id;
    const uint64_t *bytes;
    const uint32_t *stream;
    const uint64_t *occupied;
    const uint64_t *device_free;
    const char *text;
    const char *category;
    unsigned flags;
    const char *const *flag_names;
    uint32_t nth; // of a block
    uint32_t stack;
};

// Writes at most TEXT_BYTES of a text.
static void put_csv_text(struct tn_output *output, const char *text) {
    size_t left = strnlen(text, TEXT_BYTES);
    while (left > 0) {
        const char *quote = (const char *)memchr(text, '"', left);
        size_t plain = quote != NULL ? (size_t)(quote - text) + 1 : left;
        tn_output_put(output, text, plain);
        if (quote != NULL) tn_output_byte(output, '"');
        text += plain;
        left -= plain;
    }
}

// ---- stacks

// Writes a name within a stack. The bytes of `special` become "%XX".
static void put_name(struct tn_output *output, const char *name, const char *special) {
    for (;;) {
        size_t plain = strcspn(name, special);
        tn_output_put(output, name, plain);
        name += plain;
        if (*name == '\0') return;
        if (*name == '"')
            tn_output_print(output, "\"\"");
        else
            tn_output_print(output, "%%%02X", (unsigned char)*name);
        name++;
    }
}

static bool parentheses_match(const char *text) {
    size_t open = 0;
    for (; *text != '\0'; text++) {
        open += *text == '(';
        if (*text == ')' && open-- == 0) return false;
    }
    return open == 0;
}

// The innermost call is first: "forward (model.py:12); train (train.py:40)".
static void put_csv_stack(const struct csv_out *csv, uint32_t stack) {
    const struct tn_trace *trace = csv->trace;
    size_t bytes = 0;
    for (const char *between = ""; stack != 0;
         stack = trace->calls[stack].caller, between = TN_TABLE_CALL_END) {
        const struct tn_trace_call *call = &trace->calls[stack];
        const char *function = trace->texts[call->function], *file = trace->texts[call->file];
        bytes += 3 * (strlen(function) + strlen(file)) + 20;
        if (bytes > STACK_BYTES) return;
        tn_output_put(csv->output, between, strlen(between));
        put_name(csv->output, function, "\"%;");
        tn_output_print(csv->output, " (");
        put_name(csv->output, file, parentheses_match(file) ? "\"%;" : "\"%;()");
        tn_output_print(csv->output, ":%" PRIu32 ")", call->line);
    }
}

// Writes the columns `stack` and `stack_id`.
static void put_stack_cells(struct csv_out *csv, uint32_t stack) {
    bool is_first = stack != 0 && csv->stacks[stack] == 0;
    if (is_first) csv->stacks[stack] = ++csv->stack_count;
    tn_output_print(csv->output, "\"");
    if (is_first) put_csv_stack(csv, stack);
    tn_output_print(csv->output, "\",");
    if (stack != 0) tn_output_print(csv->output, "%" PRIu32, csv->stacks[stack]);
}

// ---- rows

static void put_csv_number(struct tn_output *output, const uint64_t *number) {
    if (number != NULL) tn_output_print(output, "%" PRIu64, *number);
    tn_output_byte(output, ',');
}

static void put_flags(struct tn_output *output, unsigned flags, const char *const *names) {
    for (const char *between = ""; flags != 0; flags >>= 1, names++) {
        if ((flags & 1) == 0) continue;
        tn_output_print(output, "%s%s", between, *names);
        between = " ";
    }
}

static void put_owner(const struct csv_out *csv, uint32_t stack) {
    const struct tn_trace *trace = csv->trace;
    const struct tn_trace_call *call = &trace->calls[tn_write_owner(csv->options, stack)];
    tn_output_byte(csv->output, '"');
    put_csv_text(csv->output, trace->texts[call->function]);
    tn_output_print(csv->output, " (");
    put_csv_text(csv->output, trace->texts[call->file]);
    tn_output_print(csv->output, ":%" PRIu32 ")\"", call->line);
}

static void put_csv_row(struct csv_out *csv, const struct csv_row *row) {
    static const char *const kinds[] = {TN_TABLE_ROW_LIST(TN_TEXT_OF)};
    struct tn_output *output = csv->output;
    if (csv->device->kind == TN_DEVICE_HOST)
        tn_output_print(output, TN_TABLE_HOST ",%s,", kinds[row->kind]);
    else
        tn_output_print(output, "%" PRIu32 ",%s,", csv->device->number, kinds[row->kind]);
    put_csv_number(output, row->event != NULL ? &row->event->where : NULL);
    put_csv_number(output, row->event != NULL ? &row->event->time_us : row->time_us);
    put_csv_number(output, row->id);
    put_csv_number(output, row->bytes);
    put_csv_number(output, row->stream != NULL ? &csv->trace->streams[*row->stream].native : NULL);
    tn_output_print(output, "%" PRIu64 ",\"", csv->live);
    put_csv_text(output, row->text != NULL ? row->text : "");
    tn_output_print(output, "\",");
    put_stack_cells(csv, row->stack);
    tn_output_byte(output, ',');
    put_csv_number(output, row->occupied);
    tn_output_print(output, "%s,", row->category != NULL ? row->category : "");
    put_csv_number(output, row->device_free);
    put_flags(output, row->flags, row->flag_names);
    if (row->nth != 0) tn_output_print(output, TN_TABLE_NTH "%" PRIu32, row->nth);
    tn_output_byte(output, ',');
    if (row->stack != 0) put_owner(csv, row->stack);
    tn_output_print(output, "\r\n");
}

static void put_csv_device(struct csv_out *csv) {
    static const char *const lacks[] = {TN_TABLE_LACKS};
    const uint64_t *memory = &csv->device->memory_bytes;
    unsigned no_reserved = csv->device->says_reserved ? 0 : TN_TABLE_NO_RESERVED;
    const struct csv_row row = {.kind = TN_ROW_DEVICE,
                                .bytes = *memory != 0 ? memory : NULL,
                                .text = tn_trace_format_name(csv->trace->origin),
                                .flags = csv->trace->lacks | no_reserved,
                                .flag_names = lacks};
    put_csv_row(csv, &row);
}

static void put_csv_block(struct csv_out *csv, enum tn_table_row kind, const struct tn_event *event,
                          uint32_t index) {
    const struct tn_block *block = &csv->trace->blocks[index];
    bool begins = event == NULL || event->kind == TN_EVENT_ALLOC;
    struct csv_row row = {.kind = kind,
                          .event = event,
                          .id = &block->id,
                          .bytes = &block->size,
                          .stream = &block->stream,
                          .nth = csv->nth[index],
                          .text = csv->trace->texts[block->tag]};
    if (begins) {
        row.stack = block->stack;
        row.occupied = block->occupied != 0 ? &block->occupied : NULL;
        row.category = tn_category_name((enum tn_trace_category)block->category);
    }
    put_csv_row(csv, &row);
}

static void put_csv_segment(struct csv_out *csv, enum tn_table_row kind,
                            const struct tn_event *event, size_t index) {
    static const char *const flags[] = {TN_TABLE_MAPPED, TN_TABLE_PRIVATE};
    const struct tn_trace_segment *segment = &csv->trace->segments[index];
    const struct csv_row row = {.kind = kind,
                                .event = event,
                                .id = &segment->address,
                                .bytes = &segment->bytes,
                                .stream = &segment->stream,
                                .stack = segment->stack,
                                .flags = (segment->mapped ? 1 : 0) | (segment->is_private ? 2 : 0),
                                .flag_names = flags};
    put_csv_row(csv, &row);
}

static void put_csv_failure(struct csv_out *csv, const struct tn_event *event) {
    const struct tn_trace_failure *failure = &csv->trace->failures[event->item];
    const uint64_t *device_free = &failure->device_free;
    const struct csv_row row = {.kind = TN_ROW_FAILURE,
                                .event = event,
                                .bytes = &failure->size,
                                .stream = &failure->stream,
                                .device_free = *device_free != UINT64_MAX ? device_free : NULL,
                                .stack = failure->stack};
    put_csv_row(csv, &row);
}

_Static_assert(TN_ROW_SEGMENT_RETURN - TN_ROW_ALLOC == (int)TN_EVENT_SEGMENT_RETURN,
               "the rows of events have the order of their kinds");

static void put_csv_event(struct csv_out *csv, const struct tn_event *event) {
    enum tn_table_row kind = (enum tn_table_row)(TN_ROW_ALLOC + event->kind);
    csv->live = tn_trace_live_after(csv->trace, event, csv->live);
    switch (event->kind) {
    case TN_EVENT_MARK:
    case TN_EVENT_MARK_END: {
        const char *text = csv->trace->texts[event->item];
        put_csv_row(csv, &(struct csv_row){.kind = kind, .event = event, .text = text});
        break;
    }
    case TN_EVENT_FAILURE: put_csv_failure(csv, event); break;
    case TN_EVENT_SEGMENT:
    case TN_EVENT_SEGMENT_RETURN: put_csv_segment(csv, kind, event, event->item); break;
    default: put_csv_block(csv, kind, event, event->item); break;
    }
}

// A row with the sums, and one for each category that has bytes.
static void put_csv_sample(struct csv_out *csv, const struct tn_trace_sample *sample) {
    struct csv_row row = {.kind = TN_ROW_SAMPLE,
                          .time_us = &sample->time_us,
                          .bytes = sample->reserved != 0 ? &sample->reserved : NULL};
    csv->live = sample->live;
    put_csv_row(csv, &row);
    for (int i = TN_CATEGORY_NONE + 1; i < TN_CATEGORY_COUNT; i++) {
        row.category = tn_category_name((enum tn_trace_category)i);
        row.bytes = &sample->by_category[i];
        if (*row.bytes != 0) put_csv_row(csv, &row);
    }
}

// ---- blocks that have one id at the same time, in a recording that contradicts itself

// The begin or the end of a block.
struct block_use {
    uint64_t id;
    uint64_t order;
    uint32_t block;
    bool begins;
};

static size_t list_uses(const struct csv_out *csv, struct block_use *uses) {
    const struct tn_trace_device *device = csv->device;
    const struct tn_event *events = tn_trace_events(csv->trace, device);
    size_t count = 0;
    for (size_t i = 0; i < device->starting_count; i++) {
        uint32_t block = (uint32_t)(device->first_starting + i);
        uses[count++] = (struct block_use){csv->trace->blocks[block].id, 0, block, true};
    }
    for (size_t i = 0; i < device->event_count; i++) {
        bool begins = events[i].kind == TN_EVENT_ALLOC;
        if (begins || events[i].kind == TN_EVENT_FREE)
            uses[count++] = (struct block_use){csv->trace->blocks[events[i].item].id, i + 1,
                                               events[i].item, begins};
    }
    return count;
}

// Numbers the blocks of each id: a block gets the lowest number that no live one has.
static tarn_status number_blocks(struct csv_out *csv) {
    const struct tn_trace_device *device = csv->device;
    size_t most = device->starting_count + device->event_count, count, used = 0;
    struct tn_scratch memory = {0};
    struct block_use *uses;
    uint8_t *taken;
    TN_TAKE(&memory, uses, most + 1);
    TN_TAKE(&memory, taken, most + 1);
    if (!memory.failed) {
        count = list_uses(csv, uses);
        tn_numbers_sort(uses, count, sizeof *uses, 2);
        for (size_t i = 0; i < count; i++) {
            uint32_t *nth = &csv->nth[uses[i].block];
            if (i > 0 && uses[i].id != uses[i - 1].id) {
                memset(taken, 0, used);
                used = 0;
            }
            if (uses[i].begins)
                for (*nth = 0; taken[*nth] != 0;) ++*nth;
            taken[*nth] = uses[i].begins;
            used = *nth + 1 > used ? *nth + 1 : used;
        }
    }
    tn_scratch_release(&memory);
    return memory.failed ? tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a table") : TARN_OK;
}

static void put_csv_rows(struct csv_out *csv) {
    const struct tn_trace *trace = csv->trace;
    const struct tn_trace_device *device = csv->device;
    put_csv_device(csv);
    for (size_t i = 0; i < device->starting_segment_count; i++)
        put_csv_segment(csv, TN_ROW_SEGMENT_START, NULL, device->first_starting_segment + i);
    for (size_t i = 0; i < device->starting_count; i++) {
        uint32_t block = (uint32_t)(device->first_starting + i);
        csv->live += trace->blocks[block].size;
        put_csv_block(csv, TN_ROW_START, NULL, block);
    }
    for (size_t i = 0; i < device->event_count; i++) {
        tn_trace_report_event(TN_STAGE_WRITE, trace, device, i);
        put_csv_event(csv, &trace->events[device->first_event + i]);
    }
    for (size_t i = 0; i < device->sample_count; i++)
        put_csv_sample(csv, &trace->samples[device->first_sample + i]);
}

#define COLUMN(name, text, flags, how, field) text,

tarn_status tn_write_csv(const struct tn_trace *trace, const struct tn_write_options *options,
                         struct tn_output *output) {
    static const char *const columns[] = {TN_TABLE_COLUMN_LIST(COLUMN)};
    struct csv_out csv = {.trace = trace, .options = options, .output = output};
    struct tn_scratch memory = {0};
    tarn_status status = TARN_OK;
    TN_TAKE(&memory, csv.stacks, trace->call_count + 1);
    TN_TAKE(&memory, csv.nth, trace->block_count + 1);
    if (memory.failed) status = tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a table");
    for (int i = 0; i < TN_TABLE_COLUMNS && status == TARN_OK; i++)
        tn_output_print(output, "%s%s", columns[i], i + 1 < TN_TABLE_COLUMNS ? "," : "\r\n");
    for (size_t d = 0; d < trace->device_count && status == TARN_OK; d++) {
        csv.device = &trace->devices[d];
        csv.live = 0;
        if (!tn_write_selects(options, csv.device)) continue;
        status = number_blocks(&csv);
        if (status == TARN_OK) put_csv_rows(&csv);
    }
    tn_scratch_release(&memory);
    return status;
}
