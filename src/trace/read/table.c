// SPDX-License-Identifier: Apache-2.0
// The reader of Tarn's own tables in CSV; see trace/table.h. Rows may have been removed or sorted:
// they are collected, and those of a device are added in their order, what was there at the start
// first. One thread at a time.
#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/hex.h"
#include "base/options.h"
#include "trace/parse/csv.h"
#include "trace/read/read.h"
#include "trace/read/segments.h"
#include "trace/table.h"

struct row {
    uint64_t order; // devices by number, the host last
    uint64_t line;  // rows are sorted by these two
    uint64_t where;
    uint64_t time_us;
    uint64_t id;
    uint64_t bytes;
    uint64_t stream;
    uint64_t live;
    uint64_t occupied;
    uint64_t device_free;
    uint64_t stack_id;
    uint32_t text;
    uint32_t category;
    uint32_t flags;
    uint32_t nth;  // of a block, among those with its id
    uint32_t kind; // enum tn_table_row
};

// A stack by its number in the table, and a block by its id, which may be that of later ones too, and
// by its number among those that have the id at once.
struct named_stack {
    uint64_t id;
    uint32_t stack;
};

struct named_block {
    uint64_t id, nth;
    uint32_t block;
    bool live;
};

struct table {
    struct tn_builder *builder;
    TN_LIST(struct row) rows;
    TN_LIST(struct named_stack) stacks;
    TN_SET(struct named_block) blocks; // of the current device
    bool no_reserved;                  // of the current device
};

// ---- stacks

// Decodes the "%XX" of a name in place. The cell is part of the row, which is not read again.
static struct tn_cell decode_name(const char *from, const char *end) {
    char *to = (char *)(uintptr_t)from;
    struct tn_cell name = {from, 0};
    while (from < end) {
        const unsigned char *digits = (const unsigned char *)from + 1;
        bool coded = *from == '%' && end - from > 2 && isxdigit(digits[0]) && isxdigit(digits[1]);
        *to++ = coded ? (char)tn_hex_read(digits, 2) : *from;
        from += coded ? 3 : 1;
    }
    name.length = (size_t)(to - name.text);
    return name;
}

// Finds the parenthesis that the last byte of a call closes, or NULL.
static const char *find_open(const char *from, const char *end) {
    size_t depth = 0;
    for (const char *at = end; at-- > from;) {
        depth += *at == ')';
        depth -= *at == '(';
        if (depth == 0) return *at == '(' && at > from && at[-1] == ' ' ? at : NULL;
    }
    return NULL;
}

// Adds "FUNCTION (FILE:LINE)" on top of a stack.
static tarn_status add_call(struct tn_builder *builder, const char *from, const char *end,
                            uint32_t *stack) {
    struct tn_trace_call call = {.caller = *stack};
    const char *open = find_open(from, end);
    const char *colon = open != NULL ? memrchr(open, ':', (size_t)(end - open)) : NULL;
    struct tn_cell function = {from, (size_t)(end - from)}, file = {"", 0};
    uint64_t line;
    if (colon != NULL &&
        tn_cell_unsigned((struct tn_cell){colon + 1, (size_t)(end - colon) - 2}, &line)) {
        call.line = line <= UINT32_MAX ? (uint32_t)line : 0;
        file = decode_name(open + 1, colon);
        function = decode_name(from, open - 1);
    }
    TN_TRY(tn_builder_text(builder, function.text, function.length, &call.function));
    TN_TRY(tn_builder_text(builder, file.text, file.length, &call.file));
    return tn_builder_stack(builder, &call, stack);
}

// Adds a stack, whose outermost call is the last.
static tarn_status parse_stack(struct tn_builder *builder, struct tn_cell cell, uint32_t *stack) {
    const size_t separator = strlen(TN_TABLE_CALL_END);
    const char *end = cell.text + cell.length;
    *stack = 0;
    while (end > cell.text) {
        const char *from = end;
        while (from > cell.text && (from - cell.text < (ptrdiff_t)separator ||
                                    memcmp(from - separator, TN_TABLE_CALL_END, separator) != 0))
            from--;
        TN_TRY(add_call(builder, from, end, stack));
        end = from > cell.text ? from - separator : from;
    }
    return TARN_OK;
}

static tarn_status add_stack(struct table *table, uint64_t id, struct tn_cell cell) {
    struct named_stack named = {.id = id};
    TN_TRY(parse_stack(table->builder, cell, &named.stack));
    return TN_APPEND(table->builder, &table->stacks, &named, "stacks");
}

static uint32_t find_stack(const struct table *table, uint64_t id) {
    const struct named_stack *found = (const struct named_stack *)TN_FIND(&table->stacks, id);
    return found != NULL ? found->stack : 0;
}

// ---- the cells of a row

// A cell that is empty leaves the value as it is.
static bool parse_number(const struct tn_column *column, struct tn_cell cell, void *field) {
    return cell.length == 0 || tn_column_number(column, cell, field);
}

static bool parse_device(const struct tn_column *column, struct tn_cell cell, void *field) {
    bool host = tn_cell_is(cell, TN_TABLE_HOST);
    if (host) *(uint64_t *)field = UINT64_MAX;
    return host || tn_column_number(column, cell, field);
}

#define EVENT_CHOICE(name, text)    {text, TN_ROW_##name},
#define CATEGORY_CHOICE(name, text) {text, TN_CATEGORY_##name},
static const struct tn_choice kinds[] = {TN_TABLE_ROW_LIST(EVENT_CHOICE){NULL, 0}};
static const struct tn_choice categories[] = {TN_CATEGORY_LIST(CATEGORY_CHOICE){NULL, 0}};

#define NUMBER   TN_CELL_PARSED(parse_number, "a number of 64 bits")
#define DEVICE   TN_CELL_PARSED(parse_device, "a number of 64 bits")
#define EVENT    TN_CELL_CHOICE(kinds, "an event of Tarn's tables")
#define CATEGORY TN_CELL_CHOICE(categories, "a category")

#define TN_ROW struct row
static const struct tn_column columns[TN_TABLE_COLUMNS] = {TN_TABLE_COLUMN_LIST(TN_COLUMN)};

// Reads flags between blanks; those that are not known are skipped.
static uint32_t read_flags(const struct tn_csv *csv, const char *const *names, size_t count) {
    struct tn_cell cell = tn_csv_cell(csv, TN_TABLE_FLAGS);
    const char *end = cell.text + cell.length;
    uint32_t flags = 0;
    for (const char *at = cell.text; at < end;) {
        const char *blank = (const char *)memchr(at, ' ', (size_t)(end - at));
        const char *stop = blank != NULL ? blank : end;
        for (size_t i = 0; i < count; i++)
            if (tn_cell_is((struct tn_cell){at, (size_t)(stop - at)}, names[i]))
                flags |= UINT32_C(1) << i;
        at = blank != NULL ? blank + 1 : end;
    }
    return flags;
}

static uint32_t read_nth(const struct tn_csv *csv) {
    struct tn_cell cell = tn_csv_cell(csv, TN_TABLE_FLAGS);
    const size_t mark = strlen(TN_TABLE_NTH);
    uint64_t nth = 0;
    bool has_mark = cell.length > mark && memcmp(cell.text, TN_TABLE_NTH, mark) == 0;
    bool is_number = has_mark && tn_parse_unsigned(cell.text + mark, cell.length - mark, &nth);
    return is_number && nth <= UINT32_MAX ? (uint32_t)nth : 0;
}

// The first row of a stack has its text. Tables without numbers of stacks have the text in each row.
static tarn_status read_row(struct tn_csv *csv, void *reader) {
    static const char *const lacks[] = {TN_TABLE_LACKS};
    static const char *const segment_flags[] = {TN_TABLE_MAPPED, TN_TABLE_PRIVATE};
    struct table *table = (struct table *)reader;
    struct row row = {.line = tn_csv_line(csv), .device_free = UINT64_MAX};
    struct tn_cell stack = tn_csv_text(csv, TN_TABLE_STACK), text = tn_csv_text(csv, TN_TABLE_TEXT);
    TN_TRY(tn_csv_fields(csv, &row));
    if (row.order > UINT32_MAX && !tn_cell_is(tn_csv_cell(csv, TN_TABLE_DEVICE), TN_TABLE_HOST))
        return tn_csv_fail(csv, TN_TABLE_DEVICE, "a number of a device");
    if (!tn_csv_has(csv, TN_TABLE_STACK_ID) && stack.length > 0) row.stack_id = row.line;
    if (row.stack_id != 0 && stack.length > 0) TN_TRY(add_stack(table, row.stack_id, stack));
    if (row.kind == TN_ROW_DEVICE) {
        row.flags = read_flags(csv, lacks, sizeof lacks / sizeof *lacks);
        (void)tn_trace_format_parse(text.text, text.length, &table->builder->trace.origin);
    } else {
        row.flags = read_flags(csv, segment_flags, 2);
        row.nth = read_nth(csv);
        TN_TRY(tn_builder_text(table->builder, text.text, text.length, &row.text));
    }
    if ((row.kind == TN_ROW_START || row.kind == TN_ROW_ALLOC) && row.bytes == 0)
        return tn_csv_fail(csv, TN_TABLE_BYTES, "a number of bytes");
    return TN_APPEND_HELD(table->builder, &table->rows, &row, "rows");
}

// ---- the blocks of a device, by their ids

// Finds or adds the place of an id.
static tarn_status find_block(struct table *table, const struct row *row,
                              struct named_block **block) {
    const struct named_block fresh = {.id = row->id, .nth = row->nth};
    const size_t key = offsetof(struct named_block, block);
    return TN_SET_PLACE(table->builder, &table->blocks, &fresh, key, "rows", block);
}

static tarn_status note_row(const struct table *table, const struct row *row, const char *what) {
    return tn_builder_note(table->builder, "line %" PRIu64 ", id %" PRIu64 ": %s", row->line,
                           row->id, what);
}

static tarn_status add_event(const struct table *table, const struct row *row,
                             enum tn_event_kind kind, uint32_t item) {
    return tn_builder_event(table->builder, kind, row->time_us, row->where, item);
}

static tarn_status add_block(struct table *table, const struct row *row, uint32_t *item) {
    bool starts = row->kind == TN_ROW_START;
    struct named_block *named = NULL;
    struct tn_block block = {.id = row->id,
                             .size = row->bytes,
                             .occupied = row->occupied,
                             .stack = find_stack(table, row->stack_id),
                             .tag = row->text,
                             .category = row->category};
    TN_TRY(find_block(table, row, &named));
    if (named->live)
        TN_TRY(note_row(table, row,
                        starts ? "listed twice at the start; the second is skipped"
                               : "allocated while live; its free is missing and is assumed to be "
                                 "here"));
    if (named->live && starts) return TARN_OK;
    if (named->live) TN_TRY(add_event(table, row, TN_EVENT_FREE, named->block));
    TN_TRY(tn_builder_stream(table->builder, row->stream, &block.stream));
    TN_TRY(starts ? tn_builder_starting(table->builder, &block, item)
                  : tn_builder_block(table->builder, &block, item));
    named->block = *item;
    named->live = true;
    return TARN_OK;
}

static tarn_status add_segment(const struct table *table, const struct row *row, uint32_t *item) {
    struct tn_trace_segment segment = {.address = row->id,
                                       .bytes = row->bytes,
                                       .stack = find_stack(table, row->stack_id),
                                       .mapped = (row->flags & 1) != 0,
                                       .is_private = (row->flags & 2) != 0};
    TN_TRY(tn_builder_stream(table->builder, row->stream, &segment.stream));
    return row->kind == TN_ROW_SEGMENT_START ? tn_builder_starting_segment(table->builder, &segment)
                                             : tn_builder_segment(table->builder, &segment, item);
}

// A row with a category adds to the sample before it.
static tarn_status add_sample(const struct table *table, const struct row *row,
                              const struct tn_trace_device *device) {
    const struct tn_trace_sample sample = {
        .time_us = row->time_us, .live = row->live, .reserved = row->bytes};
    if (row->category == TN_CATEGORY_NONE) return tn_builder_sample(table->builder, &sample);
    if (device->sample_count > 0)
        table->builder->trace.samples[table->builder->trace.sample_count - 1]
            .by_category[row->category] = row->bytes;
    return TARN_OK;
}

static tarn_status add_free(struct table *table, const struct row *row) {
    bool ends = row->kind == TN_ROW_FREE;
    struct named_block *named = NULL;
    TN_TRY(find_block(table, row, &named));
    if (!named->live) return note_row(table, row, "freed while not live");
    named->live = !ends;
    return add_event(table, row, ends ? TN_EVENT_FREE : TN_EVENT_FREE_REQUEST, named->block);
}

// ---- devices

static tarn_status add_start(struct table *table, const struct row *row,
                             struct tn_trace_device *device) {
    uint32_t item;
    switch (row->kind) {
    case TN_ROW_DEVICE:
        device->memory_bytes = row->bytes;
        table->builder->trace.lacks |= row->flags & (TN_TABLE_NO_RESERVED - 1);
        table->no_reserved = (row->flags & TN_TABLE_NO_RESERVED) != 0;
        return TARN_OK;
    case TN_ROW_SEGMENT_START: return add_segment(table, row, &item);
    case TN_ROW_START: return add_block(table, row, &item);
    default: return TARN_OK;
    }
}

static tarn_status add_row(struct table *table, const struct row *row,
                           const struct tn_trace_device *device) {
    uint32_t item = row->text;
    switch (row->kind) {
    case TN_ROW_ALLOC: TN_TRY(add_block(table, row, &item)); break;
    case TN_ROW_FREE:
    case TN_ROW_FREE_REQUEST: return add_free(table, row);
    case TN_ROW_MARK:
    case TN_ROW_MARK_END: break;
    case TN_ROW_FAILURE:
        TN_TRY(tn_builder_refusal(table->builder, row->bytes, row->device_free, row->stream,
                                  find_stack(table, row->stack_id), &item));
        break;
    case TN_ROW_SEGMENT:
    case TN_ROW_SEGMENT_RETURN: TN_TRY(add_segment(table, row, &item)); break;
    case TN_ROW_SAMPLE: return add_sample(table, row, device);
    default: return TARN_OK;
    }
    return add_event(table, row, (enum tn_event_kind)(row->kind - TN_ROW_ALLOC), item);
}

static tarn_status add_device(struct table *table, const struct row *rows, size_t count) {
    struct tn_trace_device *device = NULL;
    bool host = rows->order == UINT64_MAX;
    TN_TRY(tn_builder_device(table->builder, host ? 0 : (uint32_t)rows->order, &device));
    device->kind = host ? TN_DEVICE_HOST : TN_DEVICE_ACCELERATOR;
    table->blocks.count = 0;
    table->no_reserved = false;
    tn_intern_release(&table->blocks.table);
    for (size_t i = 0; i < count; i++) TN_TRY(add_start(table, &rows[i], device));
    for (size_t i = 0; i < count; i++) TN_TRY(add_row(table, &rows[i], device));
    return table->no_reserved ? TARN_OK : tn_segments_sum(table->builder, device);
}

static tarn_status add_devices(struct table *table) {
    TN_REFUSE(table->rows.count == 0, TARN_CORRUPT, "%s: a table without rows",
              table->builder->name);
    TN_SORT(&table->rows, 2);
    TN_SORT(&table->stacks, 1);
    for (size_t from = 0, to; from < table->rows.count; from = to) {
        for (to = from; to < table->rows.count &&
                        table->rows.items[to].order == table->rows.items[from].order;)
            to++;
        TN_TRY(add_device(table, table->rows.items + from, to - from));
    }
    return TARN_OK;
}

bool tn_table_detect(const uint8_t *bytes, size_t size) {
    return tn_csv_detect(bytes, size, columns, TN_TABLE_STACK + 1);
}

tarn_status tn_table_read(struct tn_source *source, struct tn_builder *builder) {
    struct table table = {.builder = builder};
    tarn_status status =
        tn_csv_read(source, builder, columns, TN_TABLE_COLUMNS, NULL, read_row, &table);
    if (status == TARN_OK) status = add_devices(&table);
    free(table.rows.items);
    free(table.stacks.items);
    TN_SET_RELEASE(&table.blocks);
    return status;
}
