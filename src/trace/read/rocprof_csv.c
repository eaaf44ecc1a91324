// SPDX-License-Identifier: Apache-2.0
// The reader of rocprofv3's memory allocation traces and scratch memory traces in CSV. One thread
// at a time.
#include <string.h>

#include "base/error.h"
#include "trace/parse/csv.h"
#include "trace/read/read.h"
#include "trace/read/rocprof.h"

// X(NAME, "the column"). Both traces have those before the address.
#define COLUMN_LIST(X)                                                                             \
    X(OPERATION, "Operation")                                                                      \
    X(AGENT, "Agent_Id")                                                                           \
    X(SIZE, "Allocation_Size")                                                                     \
    X(START, "Start_Timestamp")                                                                    \
    X(END, "End_Timestamp")                                                                        \
    X(ADDRESS, "Address")                                                                          \
    X(QUEUE, "Queue_Id")                                                                           \
    X(STREAM, "Stream_Id")

enum {
#define COLUMN(name, text) COLUMN_##name,
    COLUMN_LIST(COLUMN)
#undef COLUMN
        COLUMNS
};

struct table {
    struct tn_journal journal;
    struct tn_csv *csv;
};

static tarn_status find_columns(struct table *table) {
    static const char *const names[] = {
#define COLUMN(name, text) text,
        COLUMN_LIST(COLUMN)
#undef COLUMN
    };
    size_t column;
    bool is_scratch = tn_csv_find(table->csv, "Alloc_Flags") != TN_CSV_NO_COLUMN;
    TN_TRY(tn_csv_bind(table->csv, names, COLUMNS, COLUMN_ADDRESS));
    return tn_csv_need(table->csv, names[is_scratch ? COLUMN_QUEUE : COLUMN_ADDRESS], &column);
}

static tarn_status read_operation(const struct table *table, struct tn_rocprof_row *row) {
    static const struct {
        const char *name;
        enum tn_rocprof_level level;
        bool frees;
    } operations[] = {
        {"MEMORY_ALLOCATION_ALLOCATE", TN_ROCPROF_REAL, false},
        {"MEMORY_ALLOCATION_FREE", TN_ROCPROF_REAL, true},
        {"MEMORY_ALLOCATION_VMEM_ALLOCATE", TN_ROCPROF_VIRTUAL, false},
        {"MEMORY_ALLOCATION_VMEM_FREE", TN_ROCPROF_VIRTUAL, true},
        {"SCRATCH_MEMORY_ALLOC", TN_ROCPROF_SCRATCH, false},
        {"SCRATCH_MEMORY_FREE", TN_ROCPROF_SCRATCH, true},
        {"SCRATCH_MEMORY_ASYNC_RECLAIM", TN_ROCPROF_SCRATCH, true},
    };
    struct tn_cell cell = tn_csv_cell(table->csv, COLUMN_OPERATION);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (tn_cell_is(cell, operations[i].name)) {
            row->level = operations[i].level;
            row->frees = operations[i].frees;
            return TARN_OK;
        }
    }
    return tn_csv_fail(table->csv, COLUMN_OPERATION, "an operation on memory that is known");
}

static bool begins_with(struct tn_cell cell, const char *start) {
    return cell.length >= strlen(start) && memcmp(cell.text, start, strlen(start)) == 0;
}

// "Agent 1", or "GPU 0" and "CPU 0" where devices of each type are counted. Agent 0 is the CPU.
static tarn_status read_agent(const struct table *table, uint32_t *device) {
    struct tn_cell cell = tn_csv_cell(table->csv, COLUMN_AGENT);
    struct tn_cell number = cell;
    uint64_t value = 0;
    if (cell.length == 0) {
        *device = TN_ENTRY_MATCHED;
        return TARN_OK;
    }
    while (number.length > 0 && (number.text[0] < '0' || number.text[0] > '9')) {
        number.text++;
        number.length--;
    }
    if (!tn_cell_unsigned(number, &value) || value >= TN_ENTRY_MATCHED)
        return tn_csv_fail(table->csv, COLUMN_AGENT, "the number of an agent");
    bool host = begins_with(cell, "CPU") || (value == 0 && !begins_with(cell, "GPU"));
    *device = host ? TN_ENTRY_HOST : (uint32_t)value;
    return TARN_OK;
}

static tarn_status read_row(struct table *table) {
    struct tn_rocprof_row row = {.where = tn_csv_line(table->csv)};
    TN_TRY(read_operation(table, &row));
    TN_TRY(read_agent(table, &row.device));
    TN_TRY(tn_csv_number(table->csv, COLUMN_SIZE, &row.size));
    TN_TRY(tn_csv_number(table->csv, row.frees ? COLUMN_START : COLUMN_END, &row.time_ns));
    TN_TRY(tn_csv_number(
        table->csv, row.level == TN_ROCPROF_SCRATCH ? COLUMN_QUEUE : COLUMN_ADDRESS, &row.address));
    if (tn_csv_has(table->csv, COLUMN_STREAM))
        TN_TRY(tn_csv_number(table->csv, COLUMN_STREAM, &row.stream));
    return tn_rocprof_add(&table->journal, &row);
}

static tarn_status read_rows(struct table *table) {
    bool more = false;
    TN_TRY(find_columns(table));
    unsigned *lacks = &table->journal.builder->trace.lacks;
    *lacks |= TN_TRACE_NO_POOL;
    *lacks |= !tn_csv_has(table->csv, COLUMN_STREAM) ? TN_TRACE_NO_STREAMS : 0;
    *lacks |= !tn_csv_has(table->csv, COLUMN_ADDRESS) ? TN_TRACE_NO_ADDRESSES : 0;
    for (;;) {
        TN_TRY(tn_csv_next(table->csv, &more));
        if (!more) return tn_journal_end(&table->journal, TN_JOURNAL_BY_TIME);
        TN_TRY(read_row(table));
    }
}

bool tn_rocprof_csv_detect(const uint8_t *bytes, size_t size) {
    static const char *const names[] = {"Kind", "Operation", "Agent_Id"};
    return tn_csv_begins(bytes, size, names, sizeof names / sizeof *names);
}

tarn_status tn_rocprof_csv_read(struct tn_source *source, struct tn_builder *builder) {
    struct table table = {.journal = {.builder = builder}};
    TN_TRY(tn_csv_open(source, builder, &table.csv));
    tarn_status status = read_rows(&table);
    tn_journal_release(&table.journal);
    tn_csv_close(table.csv);
    return status;
}
