// SPDX-License-Identifier: Apache-2.0
// The reader of the tables of torch_npu's profiler. A row of operator_memory.csv is the whole life
// of a block, which has no address. memory_record.csv has only sums. One thread at a time.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/parse/csv.h"
#include "trace/read/journal.h"
#include "trace/read/read.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)

// ---- operator_memory.csv

// X(NAME, "the column")
#define BLOCK_COLUMN_LIST(X)                                                                       \
    X(NAME, "Name")                                                                                \
    X(SIZE, "Size(KB)")                                                                            \
    X(ALLOC, "Allocation Time(us)")                                                                \
    X(RELEASE, "Release Time(us)")                                                                 \
    X(DEVICE, "Device Type")                                                                       \
    X(ACTIVE_RELEASE, "Active Release Time(us)")                                                   \
    X(STREAM, "Stream Ptr")                                                                        \
    X(LIVE, "Allocation Total Allocated(MB)")                                                      \
    X(RESERVED, "Allocation Total Reserved(MB)")

enum {
#define COLUMN(name, text) BLOCK_##name,
    BLOCK_COLUMN_LIST(COLUMN)
#undef COLUMN
        BLOCK_COLUMNS
};

struct block_table {
    struct tn_journal journal;
    struct tn_csv *csv;
};

// Reads "NPU:0" or "CPU".
static tarn_status read_device(const struct tn_csv *csv, size_t column, uint32_t *device) {
    struct tn_cell cell = tn_csv_cell(csv, column);
    const char *colon = (const char *)memchr(cell.text, ':', cell.length);
    uint64_t number = 0;
    if (cell.length >= 3 && memcmp(cell.text, "CPU", 3) == 0) {
        *device = TN_ENTRY_HOST;
        return TARN_OK;
    }
    if (colon != NULL) {
        size_t used = (size_t)(colon + 1 - cell.text);
        cell = (struct tn_cell){colon + 1, cell.length - used};
    }
    if (!tn_cell_unsigned(cell, &number) || number >= TN_ENTRY_MATCHED)
        return tn_csv_fail(csv, column, "a device such as \"NPU:0\"");
    *device = (uint32_t)number;
    return TARN_OK;
}

// Reads a time; *known is false if the cell is empty.
static tarn_status read_time(const struct block_table *table, size_t column, uint64_t *time_ns,
                             bool *known) {
    *known = tn_cell_has_value(tn_csv_cell(table->csv, column));
    return *known ? tn_csv_scaled(table->csv, column, 1000, time_ns) : TARN_OK;
}

// The operator that allocated the block is its stack.
static tarn_status read_name(const struct block_table *table, uint32_t *stack) {
    struct tn_cell name = tn_csv_cell(table->csv, BLOCK_NAME);
    struct tn_trace_call call = {.caller = 0};
    if (!tn_cell_has_value(name)) return TARN_OK;
    TN_TRY(tn_builder_text(table->journal.builder, name.text, name.length, &call.function));
    return tn_builder_stack(table->journal.builder, &call, stack);
}

static tarn_status add_at(struct block_table *table, struct tn_entry *entry,
                          enum tn_entry_kind kind, uint64_t time_ns) {
    entry->kind = (uint32_t)kind;
    entry->time_ns = time_ns;
    return tn_journal_add(&table->journal, entry);
}

// The sums of the allocator, after the allocation.
static tarn_status add_sums(struct block_table *table, const struct tn_entry *block) {
    struct tn_entry entry = {.where = block->where, .device = block->device};
    if (!tn_cell_has_value(tn_csv_cell(table->csv, BLOCK_LIVE)) ||
        !tn_cell_has_value(tn_csv_cell(table->csv, BLOCK_RESERVED)))
        return TARN_OK;
    TN_TRY(tn_csv_scaled(table->csv, BLOCK_LIVE, MIB, &entry.address));
    TN_TRY(tn_csv_scaled(table->csv, BLOCK_RESERVED, MIB, &entry.size));
    return add_at(table, &entry, TN_ENTRY_SAMPLE, block->time_ns);
}

// A block that is released while a stream uses it stays active until the stream has finished.
static tarn_status add_life(struct block_table *table, struct tn_entry *entry) {
    uint64_t begin = 0, release = 0, end = 0;
    bool begins, releases, ends;
    TN_TRY(read_time(table, BLOCK_ALLOC, &begin, &begins));
    TN_TRY(read_time(table, BLOCK_RELEASE, &release, &releases));
    TN_TRY(read_time(table, BLOCK_ACTIVE_RELEASE, &end, &ends));
    TN_TRY(add_at(table, entry, begins ? TN_ENTRY_ALLOC : TN_ENTRY_STARTING, begin));
    if (begins) TN_TRY(add_sums(table, entry));
    if (!ends) end = release;
    if (releases && release < end) TN_TRY(add_at(table, entry, TN_ENTRY_FREE_REQUEST, release));
    return releases || ends ? add_at(table, entry, TN_ENTRY_FREE, end) : TARN_OK;
}

static tarn_status read_block(struct block_table *table) {
    uint64_t line = tn_csv_line(table->csv);
    struct tn_entry entry = {.where = line, .key = line, .address = line};
    TN_TRY(tn_csv_scaled(table->csv, BLOCK_SIZE, KIB, &entry.size));
    TN_TRY(read_device(table->csv, BLOCK_DEVICE, &entry.device));
    TN_TRY(read_name(table, &entry.stack));
    if (tn_cell_has_value(tn_csv_cell(table->csv, BLOCK_STREAM)))
        TN_TRY(tn_csv_number(table->csv, BLOCK_STREAM, &entry.stream));
    return add_life(table, &entry);
}

static tarn_status read_blocks(struct tn_csv *csv, struct block_table *table) {
    static const char *const names[] = {
#define COLUMN(name, text) text,
        BLOCK_COLUMN_LIST(COLUMN)
#undef COLUMN
    };
    bool more = false;
    TN_TRY(tn_csv_bind(csv, names, BLOCK_COLUMNS, BLOCK_DEVICE + 1));
    table->journal.builder->trace.lacks |=
        TN_TRACE_NO_ADDRESSES | (tn_csv_has(csv, BLOCK_STREAM) ? 0 : TN_TRACE_NO_STREAMS);
    for (;;) {
        TN_TRY(tn_csv_next(csv, &more));
        if (!more) return tn_journal_end(&table->journal, TN_JOURNAL_BY_TIME);
        TN_TRY(read_block(table));
    }
}

// ---- memory_record.csv

// The components, that which contains most last. GE and WORKSPACE are parts, APP is the process.
static const char *const components[] = {"WORKSPACE", "GE", "APP", "PTA", "PTA+GE"};
enum { COMPONENTS = sizeof components / sizeof *components };

enum { SUM_COMPONENT, SUM_TIME, SUM_LIVE, SUM_RESERVED, SUM_DEVICE, SUM_COLUMNS };

static const char *const sum_columns[] = {"Component", "Timestamp(us)", "Total Allocated(MB)",
                                          "Total Reserved(MB)", "Device Type"};

struct sum_table {
    struct tn_journal journal;
    struct tn_csv *csv;
    uint32_t component; // the one that contains most
};

static tarn_status read_component(struct sum_table *table, uint32_t *component) {
    struct tn_cell cell = tn_csv_cell(table->csv, SUM_COMPONENT);
    for (*component = 0; *component < COMPONENTS; ++*component) {
        if (tn_cell_is(cell, components[*component])) {
            if (*component > table->component) table->component = *component;
            return TARN_OK;
        }
    }
    return tn_csv_fail(table->csv, SUM_COMPONENT, "PTA, GE, WORKSPACE, APP or PTA+GE");
}

static tarn_status read_sum(struct sum_table *table) {
    const struct tn_csv *csv = table->csv;
    struct tn_entry entry = {.where = tn_csv_line(csv), .kind = TN_ENTRY_SAMPLE};
    TN_TRY(read_component(table, &entry.space));
    TN_TRY(tn_csv_scaled(csv, SUM_TIME, 1000, &entry.time_ns));
    if (tn_cell_has_value(tn_csv_cell(csv, SUM_LIVE)))
        TN_TRY(tn_csv_scaled(csv, SUM_LIVE, MIB, &entry.address));
    if (tn_cell_has_value(tn_csv_cell(csv, SUM_RESERVED)))
        TN_TRY(tn_csv_scaled(csv, SUM_RESERVED, MIB, &entry.size));
    TN_TRY(read_device(csv, SUM_DEVICE, &entry.device));
    return tn_journal_add(&table->journal, &entry);
}

// Keeps the sums of one component.
static tarn_status end_sums(struct sum_table *table) {
    for (size_t i = 0; i < table->journal.count; i++)
        if (table->journal.entries[i].space != table->component)
            table->journal.entries[i].kind = TN_ENTRY_NOTHING;
    return tn_journal_end(&table->journal, TN_JOURNAL_BY_TIME);
}

static tarn_status read_sums(struct sum_table *table) {
    bool more = false;
    TN_TRY(tn_csv_bind(table->csv, sum_columns, SUM_COLUMNS, SUM_COLUMNS));
    table->journal.builder->trace.lacks |= TN_TRACE_NO_STREAMS | TN_TRACE_NO_ADDRESSES;
    for (;;) {
        TN_TRY(tn_csv_next(table->csv, &more));
        if (!more) return end_sums(table);
        TN_TRY(read_sum(table));
    }
}

bool tn_npu_profiler_detect(const uint8_t *bytes, size_t size) {
    static const char *const blocks[] = {"Name", "Size(KB)", "Allocation Time(us)"};
    return tn_csv_begins(bytes, size, blocks, 3) || tn_csv_begins(bytes, size, sum_columns, 2);
}

tarn_status tn_npu_profiler_read(struct tn_source *source, struct tn_builder *builder) {
    struct block_table blocks = {.journal = {.builder = builder}};
    struct sum_table sums = {.journal = {.builder = builder}};
    TN_TRY(tn_csv_open(source, builder, &blocks.csv));
    sums.csv = blocks.csv;
    tarn_status status = tn_csv_find(sums.csv, "Component") != TN_CSV_NO_COLUMN
                             ? read_sums(&sums)
                             : read_blocks(blocks.csv, &blocks);
    tn_journal_release(&blocks.journal);
    tn_journal_release(&sums.journal);
    tn_csv_close(blocks.csv);
    return status;
}
