// SPDX-License-Identifier: Apache-2.0
// The reader of rocprofv3's memory allocation traces and scratch memory traces in CSV. One thread
// at a time.
#include "base/error.h"
#include "trace/parse/csv.h"
#include "trace/read/read.h"
#include "trace/read/rocprof.h"

// An operation: its level, and whether it frees.
#define OPERATION(level, frees) (TN_ROCPROF_##level << 1 | (frees))
static const struct tn_choice operations[] = {
    {"MEMORY_ALLOCATION_ALLOCATE", OPERATION(REAL, 0)},
    {"MEMORY_ALLOCATION_FREE", OPERATION(REAL, 1)},
    {"MEMORY_ALLOCATION_VMEM_ALLOCATE", OPERATION(VIRTUAL, 0)},
    {"MEMORY_ALLOCATION_VMEM_FREE", OPERATION(VIRTUAL, 1)},
    {"SCRATCH_MEMORY_ALLOC", OPERATION(SCRATCH, 0)},
    {"SCRATCH_MEMORY_FREE", OPERATION(SCRATCH, 1)},
    {"SCRATCH_MEMORY_ASYNC_RECLAIM", OPERATION(SCRATCH, 1)},
    {NULL, 0}};

static bool begins_with(struct tn_cell cell, const char *start) {
    return cell.length >= strlen(start) && memcmp(cell.text, start, strlen(start)) == 0;
}

// "Agent 1", or "GPU 0" and "CPU 0" where devices of each type are counted. Agent 0 is the CPU.
static bool parse_agent(const struct tn_column *column, struct tn_cell cell, void *field) {
    struct tn_cell number = cell;
    uint64_t value = TN_ENTRY_MATCHED;
    (void)column;
    while (number.length > 0 && (number.text[0] < '0' || number.text[0] > '9')) {
        number.text++;
        number.length--;
    }
    if (cell.length > 0 && (!tn_cell_unsigned(number, &value) || value >= TN_ENTRY_MATCHED))
        return false;
    bool host = begins_with(cell, "CPU") || (value == 0 && !begins_with(cell, "GPU"));
    *(uint32_t *)field = host ? TN_ENTRY_HOST : (uint32_t)value;
    return true;
}

struct row {
    struct tn_entry entry;
    uint32_t operation;
};

// X(NAME, "name", flags, how, field). Both traces have the needed ones. The reader knows which times
// and addresses an operation has.
#define COLUMN_LIST(X)                                                                             \
    X(KIND, "Kind", 0, TN_CELL, operation)                                                         \
    X(OPERATION, "Operation", TN_NEEDED, TN_CELL_CHOICE(operations, KNOWN), operation)             \
    X(AGENT, "Agent_Id", TN_NEEDED, TN_CELL_PARSED(parse_agent, "the number of an agent"),         \
      entry.device)                                                                                \
    X(SIZE, "Allocation_Size", TN_NEEDED, TN_CELL_NUMBER, entry.size)                              \
    X(START, "Start_Timestamp", TN_NEEDED, TN_CELL, entry.time_ns)                                 \
    X(END, "End_Timestamp", TN_NEEDED, TN_CELL, entry.time_ns)                                     \
    X(ADDRESS, "Address", 0, TN_CELL, entry.address)                                               \
    X(QUEUE, "Queue_Id", 0, TN_CELL, entry.address)                                                \
    X(STREAM, "Stream_Id", 0, TN_CELL, entry.stream)

#define KNOWN "an operation on memory that is known"

enum { COLUMN_LIST(TN_COLUMN_NUMBER) COLUMNS };

#define TN_ROW struct row
static const struct tn_column columns[] = {COLUMN_LIST(TN_COLUMN)};

static tarn_status begin_rows(struct tn_csv *csv, void *reader) {
    unsigned *lacks = &((struct tn_journal *)reader)->builder->trace.lacks;
    size_t column;
    bool is_scratch = tn_csv_find(csv, "Alloc_Flags") != TN_CSV_NO_COLUMN;
    TN_TRY(tn_csv_need(csv, columns[is_scratch ? COLUMN_QUEUE : COLUMN_ADDRESS].name, &column));
    *lacks |= TN_TRACE_NO_POOL;
    *lacks |= !tn_csv_has(csv, COLUMN_STREAM) ? TN_TRACE_NO_STREAMS : 0;
    *lacks |= !tn_csv_has(csv, COLUMN_ADDRESS) ? TN_TRACE_NO_ADDRESSES : 0;
    return TARN_OK;
}

static tarn_status read_row(struct tn_csv *csv, void *reader) {
    struct row row = {.entry = {.where = tn_csv_line(csv)}};
    struct tn_entry *entry = &row.entry;
    TN_TRY(tn_csv_fields(csv, &row));
    enum tn_rocprof_level level = (enum tn_rocprof_level)(row.operation >> 1);
    bool frees = (row.operation & 1) != 0;
    TN_TRY(tn_csv_number(csv, frees ? COLUMN_START : COLUMN_END, &entry->time_ns));
    TN_TRY(tn_csv_number(csv, level == TN_ROCPROF_SCRATCH ? COLUMN_QUEUE : COLUMN_ADDRESS,
                         &entry->address));
    if (tn_csv_has(csv, COLUMN_STREAM)) TN_TRY(tn_csv_number(csv, COLUMN_STREAM, &entry->stream));
    tn_rocprof_set(entry, 0, level, frees);
    return tn_journal_add((struct tn_journal *)reader, entry);
}

bool tn_rocprof_csv_detect(const uint8_t *bytes, size_t size) {
    return tn_csv_detect(bytes, size, columns, COLUMN_AGENT + 1);
}

tarn_status tn_rocprof_csv_read(struct tn_source *source, struct tn_builder *builder) {
    struct tn_journal journal = {.builder = builder};
    return tn_journal_finish(
        &journal, tn_csv_read(source, builder, columns, COLUMNS, begin_rows, read_row, &journal),
        TN_JOURNAL_BY_TIME);
}
