// SPDX-License-Identifier: Apache-2.0
// The reader of the tables of torch_npu's profiler. A row of operator_memory.csv is the whole life
// of a block, which has no address. memory_record.csv has only sums. One thread at a time.
#include "base/error.h"
#include "trace/parse/csv.h"
#include "trace/read/journal.h"
#include "trace/read/read.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)

struct npu {
    struct tn_journal journal;
    uint32_t component; // of the sums: the one that contains most
    bool has_sums;      // the table is memory_record.csv
};

// Reads "NPU:0" or "CPU".
static bool parse_device(const struct tn_column *column, struct tn_cell cell, void *field) {
    const char *colon = (const char *)memchr(cell.text, ':', cell.length);
    uint64_t number = TN_ENTRY_HOST;
    (void)column;
    bool is_cpu = cell.length >= 3 && memcmp(cell.text, "CPU", 3) == 0;
    if (colon != NULL) {
        size_t used = (size_t)(colon + 1 - cell.text);
        cell = (struct tn_cell){colon + 1, cell.length - used};
    }
    if (!is_cpu && (!tn_cell_unsigned(cell, &number) || number >= TN_ENTRY_MATCHED)) return false;
    *(uint32_t *)field = (uint32_t)number;
    return true;
}

#define DEVICE TN_CELL_PARSED(parse_device, "a device such as \"NPU:0\"")

// ---- operator_memory.csv

struct block_row {
    struct tn_entry entry;
    uint64_t begin, release, end, live, reserved; // UINT64_MAX if not recorded
};

// X(NAME, "name", flags, how, field)
#define BLOCK_LIST(X)                                                                              \
    X(NAME, "Name", TN_NEEDED, TN_CELL, entry)                                                     \
    X(SIZE, "Size(KB)", TN_NEEDED, TN_CELL_SCALED(KIB), entry.size)                                \
    X(ALLOC, "Allocation Time(us)", TN_NEEDED | TN_OPTIONAL, TN_CELL_SCALED(1000), begin)          \
    X(RELEASE, "Release Time(us)", TN_NEEDED | TN_OPTIONAL, TN_CELL_SCALED(1000), release)         \
    X(DEVICE, "Device Type", TN_NEEDED, DEVICE, entry.device)                                      \
    X(ACTIVE_RELEASE, "Active Release Time(us)", TN_OPTIONAL, TN_CELL_SCALED(1000), end)           \
    X(STREAM, "Stream Ptr", TN_OPTIONAL, TN_CELL_NUMBER, entry.stream)                             \
    X(LIVE, "Allocation Total Allocated(MB)", TN_OPTIONAL, TN_CELL_SCALED(MIB), live)              \
    X(RESERVED, "Allocation Total Reserved(MB)", TN_OPTIONAL, TN_CELL_SCALED(MIB), reserved)

enum { BLOCK_LIST(TN_COLUMN_NUMBER) BLOCK_COLUMNS };

#define TN_ROW struct block_row
static const struct tn_column block_columns[] = {BLOCK_LIST(TN_COLUMN)};

static tarn_status add_at(struct npu *npu, struct tn_entry *entry, enum tn_entry_kind kind,
                          uint64_t time_ns) {
    entry->kind = (uint32_t)kind;
    entry->time_ns = time_ns;
    return tn_journal_add(&npu->journal, entry);
}

// The sums of the allocator, after the allocation.
static tarn_status add_sums(struct npu *npu, const struct block_row *row) {
    struct tn_entry entry = {.where = row->entry.where,
                             .device = row->entry.device,
                             .address = row->live,
                             .size = row->reserved};
    if (row->live == UINT64_MAX || row->reserved == UINT64_MAX) return TARN_OK;
    return add_at(npu, &entry, TN_ENTRY_SAMPLE, row->begin);
}

// The operator that allocated the block is its stack. A block that is released while a stream uses
// it stays active until the stream has finished.
static tarn_status read_block(struct tn_csv *csv, struct npu *npu) {
    uint64_t line = tn_csv_line(csv);
    struct tn_cell name = tn_csv_cell(csv, COLUMN_NAME);
    struct tn_trace_call call = {.caller = 0};
    struct block_row row = {.entry = {.where = line, .key = line, .address = line},
                            .begin = UINT64_MAX,
                            .release = UINT64_MAX,
                            .end = UINT64_MAX,
                            .live = UINT64_MAX,
                            .reserved = UINT64_MAX};
    TN_TRY(tn_csv_fields(csv, &row));
    if (tn_cell_has_value(name)) {
        TN_TRY(tn_builder_text(npu->journal.builder, name.text, name.length, &call.function));
        TN_TRY(tn_builder_stack(npu->journal.builder, &call, &row.entry.stack));
    }
    if (row.begin == UINT64_MAX) {
        TN_TRY(add_at(npu, &row.entry, TN_ENTRY_STARTING, 0));
    } else {
        TN_TRY(add_at(npu, &row.entry, TN_ENTRY_ALLOC, row.begin));
        TN_TRY(add_sums(npu, &row));
    }
    if (row.end == UINT64_MAX) row.end = row.release;
    if (row.release < row.end) TN_TRY(add_at(npu, &row.entry, TN_ENTRY_FREE_REQUEST, row.release));
    return row.end != UINT64_MAX ? add_at(npu, &row.entry, TN_ENTRY_FREE, row.end) : TARN_OK;
}

// ---- memory_record.csv

// The components, that which contains most last. GE and WORKSPACE are parts, APP is the process.
#define COMPONENTS "PTA, GE, WORKSPACE, APP or PTA+GE"
static const struct tn_choice components[] = {{"WORKSPACE", 0}, {"GE", 1},     {"APP", 2},
                                              {"PTA", 3},       {"PTA+GE", 4}, {NULL, 0}};

#define SUM_LIST(X)                                                                                \
    X(COMPONENT, "Component", TN_NEEDED, TN_CELL_CHOICE(components, COMPONENTS), space)            \
    X(TIME, "Timestamp(us)", TN_NEEDED, TN_CELL_SCALED(1000), time_ns)                             \
    X(LIVE, "Total Allocated(MB)", TN_NEEDED | TN_OPTIONAL, TN_CELL_SCALED(MIB), address)          \
    X(RESERVED, "Total Reserved(MB)", TN_NEEDED | TN_OPTIONAL, TN_CELL_SCALED(MIB), size)          \
    X(DEVICE, "Device Type", TN_NEEDED, DEVICE, device)

#undef TN_ROW
#define TN_ROW struct tn_entry
static const struct tn_column sum_columns[] = {SUM_LIST(TN_COLUMN)};
enum { SUM_COLUMNS = sizeof sum_columns / sizeof *sum_columns };

static tarn_status read_sum(struct tn_csv *csv, struct npu *npu) {
    struct tn_entry entry = {.where = tn_csv_line(csv), .kind = TN_ENTRY_SAMPLE};
    TN_TRY(tn_csv_fields(csv, &entry));
    if (entry.space > npu->component) npu->component = entry.space;
    return tn_journal_add(&npu->journal, &entry);
}

// ----

static tarn_status begin_rows(struct tn_csv *csv, void *reader) {
    struct npu *npu = (struct npu *)reader;
    npu->has_sums = tn_csv_find(csv, "Component") != TN_CSV_NO_COLUMN;
    TN_TRY(npu->has_sums ? tn_csv_bind(csv, sum_columns, SUM_COLUMNS)
                         : tn_csv_bind(csv, block_columns, BLOCK_COLUMNS));
    npu->journal.builder->trace.lacks |=
        TN_TRACE_NO_ADDRESSES |
        (!npu->has_sums && tn_csv_has(csv, COLUMN_STREAM) ? 0 : TN_TRACE_NO_STREAMS);
    return TARN_OK;
}

static tarn_status read_row(struct tn_csv *csv, void *reader) {
    struct npu *npu = (struct npu *)reader;
    return npu->has_sums ? read_sum(csv, npu) : read_block(csv, npu);
}

bool tn_npu_profiler_detect(const uint8_t *bytes, size_t size) {
    return tn_csv_detect(bytes, size, block_columns, 3) ||
           tn_csv_detect(bytes, size, sum_columns, 2);
}

// Keeps the sums of one component.
tarn_status tn_npu_profiler_read(struct tn_source *source, struct tn_builder *builder) {
    struct npu npu = {.journal = {.builder = builder}};
    tarn_status status = tn_csv_read(source, builder, NULL, 0, begin_rows, read_row, &npu);
    for (size_t i = 0; npu.has_sums && i < npu.journal.count; i++)
        if (npu.journal.entries[i].space != npu.component)
            npu.journal.entries[i].kind = TN_ENTRY_NOTHING;
    return tn_journal_finish(&npu.journal, status, TN_JOURNAL_BY_TIME);
}
