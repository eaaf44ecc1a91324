// SPDX-License-Identifier: Apache-2.0
// The reader of a table whose columns the user names: "time=Time(ns),action=Event,size=Bytes". The
// unit stands in parentheses in the name of a column. One thread at a time.
#include <inttypes.h>
#include <strings.h>

#include "base/error.h"
#include "trace/parse/callstack.h"
#include "trace/parse/csv.h"
#include "trace/read/journal.h"
#include "trace/read/read.h"

// The number of a device is the cell, or stands behind a word, as in "cuda:1" and "Agent 1". "host"
// is memory of the host.
static bool parse_device(const struct tn_column *column, struct tn_cell cell, void *field) {
    uint64_t number = TN_ENTRY_HOST;
    size_t at = cell.length;
    (void)column;
    while (at > 0 && cell.text[at - 1] >= '0' && cell.text[at - 1] <= '9') at--;
    if (!tn_cell_is(cell, "host") &&
        (!tn_cell_unsigned((struct tn_cell){cell.text + at, cell.length - at}, &number) ||
         number >= TN_ENTRY_MATCHED))
        return false;
    *(uint32_t *)field = (uint32_t)number;
    return true;
}

static bool parse_time(const struct tn_column *column, struct tn_cell cell, void *field) {
    return cell.length == 0 || tn_column_time(column, cell, field) ||
           tn_column_scaled(column, cell, field);
}

static bool parse_size(const struct tn_column *column, struct tn_cell cell, void *field) {
    size_t sign = cell.length > 0 && cell.text[0] == '-';
    cell = (struct tn_cell){cell.text + sign, cell.length - sign};
    return !tn_cell_has_value(cell) || tn_column_scaled(column, cell, field);
}

// X(NAME, "as written on the command line", flags, how, field). A refused request has no address.
#define ROLE_LIST(X)                                                                               \
    X(TIME, "time", 0, TN_CELL_PARSED(parse_time, "a decimal number"), time_ns)                    \
    X(ACTION, "action", 0, TN_CELL, kind)                                                          \
    X(ADDRESS, "address", 0, TN_CELL, address)                                                     \
    X(SIZE, "size", 0, TN_CELL_PARSED(parse_size, "a number of bytes"), size)                      \
    X(STREAM, "stream", TN_OPTIONAL, TN_CELL_NUMBER, stream)                                       \
    X(DEVICE, "device", TN_OPTIONAL, TN_CELL_PARSED(parse_device, "a number of a device"), device) \
    X(STACK, "stack", 0, TN_CELL, stack)

enum { ROLE_LIST(TN_COLUMN_NUMBER) ROLES };

#define TN_ROW struct tn_entry
static const struct tn_column roles[ROLES] = {ROLE_LIST(TN_COLUMN)};

struct columns {
    struct tn_journal journal;
    struct tn_column bound[ROLES]; // the roles, with the names that the user gave
    char names[ROLES][256];        // empty if the user named none
    uint64_t skipped;              // rows of other actions
    uint64_t skipped_line;         // the first one
    struct tn_days days;
    bool timed;
    bool unplaced; // a free names no device, so that addresses alone tell blocks apart
};

// ---- the option

static tarn_status fail_option(struct tn_cell part, const char *what) {
    char shown[TN_CELL_SHOWN];
    return tn_fail(TARN_BAD_CONFIG, "the columns: \"%s\" %s", tn_cell_quote(part, shown), what);
}

// Returns the factor of the unit at the end of a name.
static uint64_t find_unit(const char *name, uint32_t usual) {
    static const struct tn_choice units[] = {
        {"(ns)", 1},       {"(us)", 1000},     {"(ms)", 1000000}, {"(s)", 1000000000},
        {"(KB)", 1 << 10}, {"(KiB)", 1 << 10}, {"(MB)", 1 << 20}, {"(MiB)", 1 << 20},
        {"(GB)", 1 << 30}, {"(GiB)", 1 << 30}, {NULL, 0}};
    const char *open = strrchr(name, '(');
    if (open != NULL) (void)tn_choice_find(units, (struct tn_cell){open, strlen(open)}, &usual);
    return usual;
}

static tarn_status parse_part(struct columns *columns, const struct tn_csv *csv,
                              struct tn_cell part) {
    const char *sign = (const char *)memchr(part.text, '=', part.length);
    int role = 0;
    size_t column, used = sign != NULL ? (size_t)(sign + 1 - part.text) : part.length;
    struct tn_cell key = {part.text, sign != NULL ? used - 1 : used};
    if (sign == NULL || used == part.length || part.length - used >= sizeof columns->names[0])
        return fail_option(part, "is not ROLE=COLUMN");
    while (role < ROLES && !tn_cell_is(key, roles[role].name)) role++;
    if (role == ROLES)
        return fail_option(key, "is no role: time, action, address, size, stream, device or stack");
    char *name = columns->names[role];
    if (name[0] != '\0') return fail_option(key, "has two columns");
    memcpy(name, part.text + used, part.length - used);
    columns->bound[role].name = name;
    columns->bound[role].scale = find_unit(name, role == COLUMN_TIME ? 1000 : 1);
    return tn_csv_need(csv, name, &column);
}

static tarn_status begin_rows(struct tn_csv *csv, void *reader) {
    struct columns *columns = (struct columns *)reader;
    struct tn_builder *builder = columns->journal.builder;
    memcpy(columns->bound, roles, sizeof roles);
    for (int i = 0; i < ROLES; i++) columns->bound[i].name = NULL;
    for (const char *at = builder->columns;; at++) {
        size_t length = strcspn(at, ",");
        TN_TRY(parse_part(columns, csv, (struct tn_cell){at, length}));
        at += length;
        if (*at == '\0') break;
    }
    TN_REFUSE(columns->bound[COLUMN_ADDRESS].name == NULL ||
                  columns->bound[COLUMN_SIZE].name == NULL,
              TARN_BAD_CONFIG, "the columns: address and size need one each, not only \"%s\"",
              builder->columns);
    TN_TRY(tn_csv_bind(csv, columns->bound, ROLES));
    columns->timed = tn_csv_has(csv, COLUMN_TIME);
    if (!tn_csv_has(csv, COLUMN_STREAM)) builder->trace.lacks |= TN_TRACE_NO_STREAMS;
    return TARN_OK;
}

// ---- rows

static bool contains_word(struct tn_cell cell, const char *word) {
    size_t length = strlen(word);
    for (size_t at = 0; at + length <= cell.length; at++)
        if (strncasecmp(cell.text + at, word, length) == 0) return true;
    return false;
}

// Finds the action by the words in it, so that "MALLOC", "cudaFree" and "allocate failure" are
// known. Without a column of actions, the sign of the size decides.
static bool find_action(const struct tn_csv *csv, uint32_t *kind) {
    struct tn_cell cell = tn_csv_cell(csv, COLUMN_ACTION);
    struct tn_cell size = tn_csv_cell(csv, COLUMN_SIZE);
    *kind = TN_ENTRY_NOTHING;
    if (!tn_csv_has(csv, COLUMN_ACTION))
        *kind = size.length > 0 && size.text[0] == '-' ? TN_ENTRY_FREE : TN_ENTRY_ALLOC;
    else if (contains_word(cell, "fail") || contains_word(cell, "oom"))
        *kind = TN_ENTRY_FAILURE;
    else if (contains_word(cell, "free") || contains_word(cell, "dealloc") ||
             contains_word(cell, "release") || tn_cell_is(cell, "f"))
        *kind = contains_word(cell, "request") ? TN_ENTRY_FREE_REQUEST : TN_ENTRY_FREE;
    else if (contains_word(cell, "alloc") || tn_cell_is(cell, "a"))
        *kind = TN_ENTRY_ALLOC;
    else if (tn_cell_is(cell, "start") && tn_cell_has_value(tn_csv_cell(csv, COLUMN_ADDRESS)))
        *kind = TN_ENTRY_STARTING;
    return *kind != TN_ENTRY_NOTHING;
}

static tarn_status read_row(struct tn_csv *csv, void *reader) {
    struct columns *columns = (struct columns *)reader;
    struct tn_entry entry = {.where = tn_csv_line(csv),
                             .device = tn_csv_has(csv, COLUMN_DEVICE) ? TN_ENTRY_MATCHED : 0};
    struct tn_cell stack = tn_csv_cell(csv, COLUMN_STACK);
    if (!find_action(csv, &entry.kind)) {
        if (columns->skipped++ == 0) columns->skipped_line = entry.where;
        return TARN_OK;
    }
    TN_TRY(tn_csv_fields(csv, &entry));
    if (tn_column_time(NULL, tn_csv_cell(csv, COLUMN_TIME), &entry.time_ns))
        entry.time_ns = tn_days_add(&columns->days, entry.time_ns);
    if (entry.kind == TN_ENTRY_FAILURE) {
        entry.address = UINT64_MAX;
        entry.device = entry.device == TN_ENTRY_MATCHED ? 0 : entry.device;
    } else {
        columns->unplaced |= entry.device == TN_ENTRY_MATCHED;
        entry.space = entry.device;
        TN_TRY(tn_csv_number(csv, COLUMN_ADDRESS, &entry.address));
        entry.key = entry.address;
    }
    if (tn_cell_has_value(stack))
        TN_TRY(tn_callstack_add(columns->journal.builder, stack, 0, &entry.stack));
    return tn_journal_add(&columns->journal, &entry);
}

static tarn_status note_skipped(const struct columns *columns) {
    const struct tn_builder *builder = columns->journal.builder;
    if (columns->skipped == 0) return TARN_OK;
    TN_REFUSE(columns->journal.count == 0, TARN_CORRUPT,
              "%s:%" PRIu64 ": the action of this row is not known, nor that of another",
              builder->name, columns->skipped_line);
    return tn_builder_note(columns->journal.builder,
                           "%" PRIu64 " rows with other actions are skipped, the first in line "
                           "%" PRIu64,
                           columns->skipped, columns->skipped_line);
}

tarn_status tn_columns_read(struct tn_source *source, struct tn_builder *builder) {
    struct columns columns = {.journal = {.builder = builder}};
    tarn_status status = tn_csv_read(source, builder, NULL, 0, begin_rows, read_row, &columns);
    if (status == TARN_OK) status = note_skipped(&columns);
    for (size_t i = 0; columns.unplaced && i < columns.journal.count; i++)
        columns.journal.entries[i].space = 0;
    return tn_journal_finish(&columns.journal, status,
                             columns.timed ? TN_JOURNAL_BY_TIME : TN_JOURNAL_AS_ADDED);
}
