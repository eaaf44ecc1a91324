// SPDX-License-Identifier: Apache-2.0
// The readers of dumps of msMemScope, once msLeaks, in CSV and in SQLite. HAL rows are the memory
// that the driver gave, and the rows of pools are the blocks that a pool cut from it. Where a device
// has pools, they are its blocks, and HAL its segments. Otherwise HAL is its blocks. Operators that
// run on the thread of an allocation are its stack if no other was recorded. One thread at a time.
#include <inttypes.h>

#include "base/error.h"
#include "trace/parse/callstack.h"
#include "trace/parse/column.h"
#include "trace/parse/csv.h"
#include "trace/read/journal.h"
#include "trace/read/read.h"
#include "trace/read/sqlite.h"

// X(NAME, "name", flags, how, field): the columns, in both kinds of files.
#define COLUMN_LIST(X)                                                                             \
    X(ID, "ID", TN_NEEDED | TN_OPTIONAL, NUMBER, row.entry.order)                                  \
    X(EVENT, "Event", TN_NEEDED, TN_CELL, row)                                                     \
    X(TYPE, "Event Type", TN_NEEDED, TN_CELL, row)                                                 \
    X(NAME, "Name", TN_NEEDED, TN_CELL, row)                                                       \
    X(TIME, "Timestamp(ns)", TN_OPTIONAL, NUMBER, row.entry.time_ns)                               \
    X(TIME_US, "Timestamp(us)", TN_OPTIONAL, TN_CELL_SCALED(1000), row.entry.time_ns)              \
    X(PROCESS, "Process Id", TN_NEEDED | TN_OPTIONAL, NUMBER, thread.process)                      \
    X(THREAD, "Thread Id", TN_NEEDED | TN_OPTIONAL, NUMBER, thread.thread)                         \
    X(DEVICE, "Device Id", TN_NEEDED | TN_OPTIONAL, DEVICE, row.entry.device)                      \
    X(ADDRESS, "Ptr", TN_NEEDED, TN_CELL, row)                                                     \
    X(ATTRIBUTES, "Attr", TN_NEEDED, TN_CELL, row)                                                 \
    X(PYTHON_STACK, "Call Stack(Python)", 0, TN_CELL, row)                                         \
    X(C_STACK, "Call Stack(C)", 0, TN_CELL, row)

#define COLUMN_ENUM(name, text, flags, how, field) COLUMN_##name,
enum column { COLUMN_LIST(COLUMN_ENUM) COLUMNS };

struct cells {
    uint64_t where; // the line, or the number of the row
    struct tn_cell cells[COLUMNS];
};

enum {
    DEVICES = 1024,  // more than any machine has; numbers index arrays
    OPERATORS = 1024 // that run within each other on a thread and are searched
};

// What a row is about. The kind of its entry tells a beginning from an end.
enum row_kind { ROW_BLOCK, ROW_SEGMENT, ROW_OPERATOR, ROW_OTHER };

struct row {
    struct tn_entry entry; // its tag is the name of an operator, and its order the row's id
    uint64_t total;        // reserved bytes of the pool after the row, or 0
    uint32_t thread;       // index into `threads`
    enum row_kind kind;
};

// A pool, or the driver, of a process on a device: the key of a set. Its index is the space of its
// keys.
struct space {
    uint64_t process;
    uint64_t device;
    uint64_t type;  // text
    uint64_t total; // reserved bytes at the moment of the walk
};

struct thread {
    uint64_t process, thread; // the key of a set
    uint32_t operators;       // the stack of those that run
};

struct device {
    bool has_pools;
    bool has_segments;
    uint64_t total; // reserved bytes of its pools
    uint64_t peak;
};

struct memscope {
    struct tn_journal journal;
    TN_LIST(struct row) rows;
    TN_SET(struct space) spaces;
    TN_SET(struct thread) threads;
    uint64_t device_bytes; // of every device; 0 if not recorded
    struct device devices[DEVICES];
};

// ---- columns

// A row without a device concerns all.
static bool parse_device(const struct tn_column *column, struct tn_cell cell, void *field) {
    uint64_t number = TN_ENTRY_EVERY;
    (void)column;
    if (!tn_cell_is(cell, "host") && (!tn_cell_unsigned(cell, &number) || number >= DEVICES))
        return false;
    *(uint32_t *)field = (uint32_t)number;
    return true;
}

// The columns that every kind of row has, as they are read.
struct read {
    struct row row;
    struct thread thread;
};

#define NUMBER TN_CELL_PARSED(tn_column_number, "a number")
#define DEVICE TN_CELL_PARSED(parse_device, "a number below 1024")

#define TN_ROW struct read
static const struct tn_column memscope_columns[COLUMNS] = {COLUMN_LIST(TN_COLUMN)};

// ---- cells

// In SQLite, texts keep the quotes of the CSV.
static struct tn_cell unquote_cell(struct tn_cell cell) {
    if (cell.length >= 2 && cell.text[0] == '"' && cell.text[cell.length - 1] == '"')
        return (struct tn_cell){cell.text + 1, cell.length - 2};
    return cell;
}

// Splits the next "KEY:VALUE" or "\"KEY\": \"VALUE\"" off `rest`. The value of a key may contain
// commas: what follows one without a colon belongs to the value before.
static bool next_attribute(struct tn_cell *rest, struct tn_cell *key, struct tn_cell *value) {
    const char *end = rest->text + rest->length;
    const char *colon = (const char *)memchr(rest->text, ':', rest->length);
    if (colon == NULL) return false;
    const char *comma = end, *next = end;
    const char *later = (const char *)memchr(colon + 1, ':', (size_t)(end - colon - 1));
    for (const char *at = colon + 1; at < (later != NULL ? later : end); at++)
        if (*at == ',' && later != NULL) comma = at;
    if (comma < end) next = comma + 1;
    *key = unquote_cell(tn_cell_trim((struct tn_cell){rest->text, (size_t)(colon - rest->text)}));
    *value = unquote_cell(tn_cell_trim((struct tn_cell){colon + 1, (size_t)(comma - colon - 1)}));
    *rest = (struct tn_cell){next, (size_t)(end - next)};
    return true;
}

static bool find_attribute(const struct cells *row, const char *name, struct tn_cell *value) {
    struct tn_cell rest = row->cells[COLUMN_ATTRIBUTES], key;
    if (rest.length >= 2 && rest.text[0] == '{' && rest.text[rest.length - 1] == '}')
        rest = (struct tn_cell){rest.text + 1, rest.length - 2};
    while (next_attribute(&rest, &key, value))
        if (tn_cell_is(key, name)) return true;
    return false;
}

static bool find_number(const struct cells *row, const char *name, uint64_t *number) {
    struct tn_cell value;
    return find_attribute(row, name, &value) && tn_cell_unsigned(value, number);
}

static tarn_status get_text(const struct memscope *memscope, struct tn_cell cell, uint32_t *text) {
    cell = unquote_cell(cell);
    return tn_builder_text(memscope->journal.builder, cell.text, cell.length, text);
}

// Both stacks are innermost first, and Python's contains the calls to C.
static tarn_status get_stack(const struct memscope *memscope, const struct cells *row,
                             uint32_t *stack) {
    struct tn_builder *builder = memscope->journal.builder;
    const struct tn_cell python = unquote_cell(row->cells[COLUMN_PYTHON_STACK]);
    const struct tn_cell c = unquote_cell(row->cells[COLUMN_C_STACK]);
    *stack = 0;
    if (tn_cell_has_value(python)) TN_TRY(tn_callstack_add(builder, python, 0, stack));
    return tn_cell_has_value(c) ? tn_callstack_add(builder, c, *stack, stack) : TARN_OK;
}

// ---- rows

static tarn_status append_row(struct memscope *memscope, const struct row *row) {
    return TN_APPEND_HELD(memscope->journal.builder, &memscope->rows, row, "rows");
}

static tarn_status begin_row(struct memscope *memscope, const struct cells *row, struct row *made) {
    const struct tn_builder *builder = memscope->journal.builder;
    struct read read = {
        .row = {.entry = {.where = row->where, .device = TN_ENTRY_EVERY}, .kind = ROW_OTHER}};
    TN_TRY(
        tn_column_fields(memscope_columns, COLUMNS, row->cells, builder->name, row->where, &read));
    TN_TRY(TN_SET_FIND(builder, &memscope->threads, &read.thread,
                       offsetof(struct thread, operators), "rows", &read.row.thread));
    *made = read.row;
    return TARN_OK;
}

enum memory_type { TYPE_DRIVER, TYPE_POOL, TYPE_HOST, TYPE_NONE, TYPE_UNKNOWN };

static const struct tn_choice types[] = {
    {"HAL", TYPE_DRIVER}, {"PTA", TYPE_POOL},         {"PTA_WORKSPACE", TYPE_POOL},
    {"ATB", TYPE_POOL},   {"MINDSPORE", TYPE_POOL},   {"MindSpore", TYPE_POOL},
    {"HOST", TYPE_NONE},  {"HOST_PINNED", TYPE_HOST}, {NULL, 0}};

static tarn_status name_key(struct memscope *memscope, const struct cells *row, struct row *made) {
    struct space space = {.device = made->entry.device,
                          .process = memscope->threads.items[made->thread].process};
    uint32_t type;
    struct tn_cell address = row->cells[COLUMN_ADDRESS];
    TN_TRY(get_text(memscope, row->cells[COLUMN_TYPE], &type));
    space.type = type;
    TN_TRY(TN_SET_FIND(memscope->journal.builder, &memscope->spaces, &space,
                       offsetof(struct space, total), "rows", &made->entry.space));
    if (tn_cell_has_value(address) && !tn_cell_unsigned(address, &made->entry.address))
        return tn_column_fail(&memscope_columns[COLUMN_ADDRESS], address,
                              memscope->journal.builder->name, row->where, "an address");
    if (!find_number(row, "allocation_id", &made->entry.key)) made->entry.key = made->entry.address;
    return TARN_OK;
}

static tarn_status add_memory(struct memscope *memscope, const struct cells *row, struct row *made,
                              bool frees) {
    uint32_t type = TYPE_UNKNOWN;
    struct tn_cell value;
    char shown[TN_CELL_SHOWN];
    bool shadow = find_attribute(row, "shadow", &value) && tn_cell_is(value, "true");
    (void)tn_choice_find(types, row->cells[COLUMN_TYPE], &type);
    if (type == TYPE_NONE || (shadow && frees)) return TARN_OK;
    if (type == TYPE_UNKNOWN)
        return tn_builder_note(memscope->journal.builder,
                               "%s %" PRIu64 ": memory of the unknown kind \"%s\" is skipped",
                               memscope->journal.noun, row->where,
                               tn_cell_quote(row->cells[COLUMN_TYPE], shown));
    if (type == TYPE_HOST || made->entry.device == TN_ENTRY_EVERY)
        made->entry.device = TN_ENTRY_HOST;
    else if (type == TYPE_POOL)
        memscope->devices[made->entry.device].has_pools = true;
    TN_TRY(name_key(memscope, row, made));
    (void)find_number(row, "size", &made->entry.size);
    (void)find_number(row, "total", &made->total);
    if (!frees) {
        TN_TRY(get_stack(memscope, row, &made->entry.stack));
        if (find_attribute(row, "owner", &value))
            TN_TRY(get_text(memscope, value, &made->entry.tag));
    }
    made->entry.kind = frees ? TN_ENTRY_FREE : shadow ? TN_ENTRY_STARTING : TN_ENTRY_ALLOC;
    made->kind = type == TYPE_DRIVER ? ROW_SEGMENT : ROW_BLOCK;
    return append_row(memscope, made);
}

static bool ends_with(struct tn_cell cell, const char *end) {
    size_t length = strlen(end);
    return cell.length >= length && memcmp(cell.text + cell.length - length, end, length) == 0;
}

static tarn_status add_refusal(struct memscope *memscope, const struct cells *row,
                               struct row *made) {
    if (!tn_cell_is(row->cells[COLUMN_TYPE], "OOM_TRIGGER") ||
        !find_number(row, "req_size", &made->entry.size))
        return TARN_OK;
    if (made->entry.device == TN_ENTRY_EVERY) made->entry.device = 0;
    made->entry.kind = TN_ENTRY_FAILURE;
    made->entry.address = UINT64_MAX;
    TN_TRY(get_stack(memscope, row, &made->entry.stack));
    return append_row(memscope, made);
}

// Adds a row. Kinds of rows that say nothing about memory are left out.
static tarn_status memscope_add(struct memscope *memscope, const struct cells *row) {
    struct tn_cell event = row->cells[COLUMN_EVENT], type = row->cells[COLUMN_TYPE];
    bool is_phase = tn_cell_is(event, "MSTX");
    bool is_operator =
        tn_cell_is(event, "OP_LAUNCH") && (ends_with(type, "_START") || ends_with(type, "_END"));
    struct row made;
    TN_TRY(begin_row(memscope, row, &made));
    if (tn_cell_is(event, "MALLOC") || tn_cell_is(event, "FREE"))
        return add_memory(memscope, row, &made, tn_cell_is(event, "FREE"));
    if (is_phase || is_operator) {
        bool ends = is_phase ? tn_cell_is(type, "Range_end") : ends_with(type, "_END");
        made.kind = is_phase ? ROW_OTHER : ROW_OPERATOR;
        made.entry.kind = ends ? TN_ENTRY_MARK_END : TN_ENTRY_MARK;
        TN_TRY(get_text(memscope, row->cells[COLUMN_NAME], &made.entry.tag));
        return append_row(memscope, &made);
    }
    if (tn_cell_is(event, "OOM_DETAIL")) return add_refusal(memscope, row, &made);
    if (tn_cell_is(event, "SYSTEM")) (void)find_number(row, "total", &memscope->device_bytes);
    return TARN_OK;
}

// ---- the walk in order of time

// Ends the innermost operator of this name, and those within.
static void end_operator(struct memscope *memscope, const struct row *row) {
    const struct tn_trace_call *calls = memscope->journal.builder->trace.calls;
    struct thread *thread = &memscope->threads.items[row->thread];
    int depth = 0;
    for (uint32_t at = thread->operators; at != 0 && depth < OPERATORS; at = calls[at].caller) {
        depth++;
        if (calls[at].function == row->entry.tag) {
            thread->operators = calls[at].caller;
            return;
        }
    }
}

// A pool says after each call how much it has reserved.
static void count_total(struct memscope *memscope, const struct row *row) {
    struct space *space = &memscope->spaces.items[row->entry.space];
    if (row->total == 0 || row->entry.device >= DEVICES) return;
    struct device *device = &memscope->devices[row->entry.device];
    device->total += row->total - space->total;
    space->total = row->total;
    if (device->total > device->peak) device->peak = device->total;
}

static tarn_status walk_row(struct memscope *memscope, struct row *row) {
    uint32_t *operators = &memscope->threads.items[row->thread].operators;
    bool ends = row->entry.kind == TN_ENTRY_FREE;
    switch (row->kind) {
    case ROW_OPERATOR:
        if (row->entry.kind == TN_ENTRY_MARK) {
            const struct tn_trace_call call = {.caller = *operators, .function = row->entry.tag};
            return tn_builder_stack(memscope->journal.builder, &call, operators);
        }
        end_operator(memscope, row);
        return TARN_OK;
    case ROW_SEGMENT:
        if (row->entry.device < DEVICES && memscope->devices[row->entry.device].has_pools) {
            memscope->devices[row->entry.device].has_segments = true;
            row->entry.kind = ends ? TN_ENTRY_SEGMENT_RETURN : TN_ENTRY_SEGMENT;
        }
        break;
    case ROW_BLOCK: count_total(memscope, row); break;
    default: break;
    }
    if (row->entry.stack == 0 && !ends) row->entry.stack = *operators;
    return tn_journal_add(&memscope->journal, &row->entry);
}

static tarn_status walk_rows(struct memscope *memscope) {
    TN_SORT(&memscope->rows, 3); // by time, id and where
    for (size_t i = 0; i < memscope->rows.count; i++)
        TN_TRY(walk_row(memscope, &memscope->rows.items[i]));
    free(memscope->rows.items);
    memscope->rows.items = NULL;
    return TARN_OK;
}

// Without segments, the reserved bytes are those that the pools say.
static void finish_devices(struct memscope *memscope) {
    struct tn_trace *trace = &memscope->journal.builder->trace;
    bool pools = false;
    for (size_t i = 0; i < tn_trace_accelerators(trace); i++) {
        struct tn_trace_device *device = &trace->devices[i];
        const struct device *from = &memscope->devices[device->number];
        device->memory_bytes = memscope->device_bytes;
        pools |= from->has_pools;
        if (from->has_segments || from->peak == 0) continue;
        device->says_reserved = true;
        device->reserved_peak = from->peak;
        device->reserved_at_end = from->total;
    }
    trace->lacks |= TN_TRACE_NO_STREAMS | (pools ? 0 : TN_TRACE_NO_POOL);
}

// Adds the devices to the trace if `status` is TARN_OK, and releases the object in any case.
// Returns the status, or the first failure.
static tarn_status memscope_end(struct memscope *memscope, tarn_status status) {
    if (status == TARN_OK) status = walk_rows(memscope);
    if (status == TARN_OK) status = tn_journal_end(&memscope->journal, TN_JOURNAL_AS_ADDED);
    if (status == TARN_OK) finish_devices(memscope);
    tn_journal_release(&memscope->journal);
    free(memscope->rows.items);
    TN_SET_RELEASE(&memscope->spaces);
    TN_SET_RELEASE(&memscope->threads);
    return status;
}

// ---- the containers

bool tn_memscope_csv_detect(const uint8_t *bytes, size_t size) {
    return tn_csv_detect(bytes, size, memscope_columns, COLUMN_NAME + 1);
}

static tarn_status read_csv_row(struct tn_csv *csv, void *reader) {
    struct cells row = {.where = tn_csv_line(csv)};
    for (size_t i = 0; i < COLUMNS; i++) row.cells[i] = tn_csv_cell(csv, i);
    return memscope_add((struct memscope *)reader, &row);
}

tarn_status tn_memscope_csv_read(struct tn_source *source, struct tn_builder *builder) {
    struct memscope memscope = {.journal = {.builder = builder, .noun = "line"}};
    return memscope_end(&memscope, tn_csv_read(source, builder, memscope_columns, COLUMNS, NULL,
                                               read_csv_row, &memscope));
}

static tarn_status read_database_row(const struct tn_rows *rows, void *reader) {
    struct cells row = {.where = rows->row};
    for (int i = 0; i < COLUMNS; i++) {
        row.cells[i].text = tn_rows_borrow_text(rows, i);
        row.cells[i].length = strlen(row.cells[i].text);
    }
    return memscope_add((struct memscope *)reader, &row);
}

static tarn_status read_rows(struct tn_database *database, const char *table,
                             struct memscope *memscope) {
    char list[TN_DATABASE_COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        TN_REFUSE((memscope_columns[i].flags & TN_NEEDED) != 0 &&
                      !tn_database_has(database, table, memscope_columns[i].name),
                  TARN_CORRUPT, "%s: table %s: no column \"%s\"", database->builder->name, table,
                  memscope_columns[i].name);
    tn_database_list(database, table, "", memscope_columns, COLUMNS, list);
    return tn_rows_read(database, table, read_database_row, memscope, "SELECT %s FROM \"%s\"", list,
                        table);
}

tarn_status tn_memscope_sqlite_read(struct tn_database *database, const char *name) {
    struct memscope memscope = {.journal = {.builder = database->builder, .noun = "row"}};
    return memscope_end(&memscope, read_rows(database, name, &memscope));
}
