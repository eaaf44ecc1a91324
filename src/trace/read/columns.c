// SPDX-License-Identifier: Apache-2.0
// The reader of a table whose columns the user names: "time=Time(ns),action=Event,size=Bytes". The
// unit stands in parentheses in the name of a column. One thread at a time.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "trace/parse/callstack.h"
#include "trace/parse/csv.h"
#include "trace/read/journal.h"
#include "trace/read/read.h"

// X(NAME, "as written on the command line")
#define ROLE_LIST(X)                                                                               \
    X(TIME, "time")                                                                                \
    X(ACTION, "action")                                                                            \
    X(ADDRESS, "address")                                                                          \
    X(SIZE, "size")                                                                                \
    X(STREAM, "stream")                                                                            \
    X(DEVICE, "device")                                                                            \
    X(STACK, "stack")

enum {
#define ROLE(name, text) ROLE_##name,
    ROLE_LIST(ROLE)
#undef ROLE
        ROLES
};

struct columns {
    struct tn_journal journal;
    struct tn_csv *csv;
    char names[ROLES][256]; // empty if the user named none
    uint64_t time_scale;    // to nanoseconds
    uint64_t size_scale;    // to bytes
    uint64_t skipped;       // rows of other actions
    uint64_t skipped_line;  // the first one
    struct tn_days days;
    bool unplaced; // a free names no device, so that addresses alone tell blocks apart
};

// ---- the option

static bool find_role(struct tn_cell name, int *role) {
    static const char *const names[] = {
#define ROLE(name, text) text,
        ROLE_LIST(ROLE)
#undef ROLE
    };
    for (*role = 0; *role < ROLES; ++*role)
        if (tn_cell_is(name, names[*role])) return true;
    return false;
}

static tarn_status fail_option(struct tn_cell part, const char *what) {
    char shown[TN_CELL_SHOWN];
    return tn_fail(TARN_BAD_CONFIG, "the columns: \"%s\" %s", tn_cell_quote(part, shown), what);
}

// Returns the factor of the unit at the end of a name.
static uint64_t find_unit(const char *name, uint64_t usual) {
    static const struct {
        const char *name;
        uint64_t scale;
    } units[] = {
        {"(ns)", 1},       {"(us)", 1000},     {"(ms)", 1000000}, {"(s)", 1000000000},
        {"(KB)", 1 << 10}, {"(KiB)", 1 << 10}, {"(MB)", 1 << 20}, {"(MiB)", 1 << 20},
        {"(GB)", 1 << 30}, {"(GiB)", 1 << 30},
    };
    const char *open = strrchr(name, '(');
    for (size_t i = 0; open != NULL && i < sizeof units / sizeof *units; i++)
        if (strcmp(open, units[i].name) == 0) return units[i].scale;
    return usual;
}

static tarn_status parse_part(struct columns *columns, struct tn_cell part) {
    const char *sign = (const char *)memchr(part.text, '=', part.length);
    int role;
    size_t column, used = sign != NULL ? (size_t)(sign + 1 - part.text) : part.length;
    struct tn_cell key = {part.text, sign != NULL ? used - 1 : used};
    if (sign == NULL || used == part.length || part.length - used >= sizeof columns->names[0])
        return fail_option(part, "is not ROLE=COLUMN");
    if (!find_role(key, &role))
        return fail_option(key, "is no role: time, action, address, size, stream, device or stack");
    char *name = columns->names[role];
    if (name[0] != '\0') return fail_option(key, "has two columns");
    memcpy(name, part.text + used, part.length - used);
    if (role == ROLE_TIME) columns->time_scale = find_unit(name, 1000);
    if (role == ROLE_SIZE) columns->size_scale = find_unit(name, 1);
    return tn_csv_need(columns->csv, name, &column);
}

static tarn_status parse_option(struct columns *columns, const char *option) {
    const char *names[ROLES];
    for (const char *at = option;; at++) {
        size_t length = strcspn(at, ",");
        TN_TRY(parse_part(columns, (struct tn_cell){at, length}));
        at += length;
        if (*at == '\0') break;
    }
    TN_REFUSE(columns->names[ROLE_ADDRESS][0] == '\0' || columns->names[ROLE_SIZE][0] == '\0',
              TARN_BAD_CONFIG, "the columns: address and size need one each, not only \"%s\"",
              option);
    for (int i = 0; i < ROLES; i++)
        names[i] = columns->names[i][0] != '\0' ? columns->names[i] : NULL;
    return tn_csv_bind(columns->csv, names, ROLES, 0);
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
static bool find_action(const struct columns *columns, uint32_t *kind) {
    struct tn_cell cell = tn_csv_cell(columns->csv, ROLE_ACTION);
    struct tn_cell size = tn_csv_cell(columns->csv, ROLE_SIZE);
    *kind = TN_ENTRY_NOTHING;
    if (!tn_csv_has(columns->csv, ROLE_ACTION))
        *kind = size.length > 0 && size.text[0] == '-' ? TN_ENTRY_FREE : TN_ENTRY_ALLOC;
    else if (contains_word(cell, "fail") || contains_word(cell, "oom"))
        *kind = TN_ENTRY_FAILURE;
    else if (contains_word(cell, "free") || contains_word(cell, "dealloc") ||
             contains_word(cell, "release") || tn_cell_is(cell, "f"))
        *kind = contains_word(cell, "request") ? TN_ENTRY_FREE_REQUEST : TN_ENTRY_FREE;
    else if (contains_word(cell, "alloc") || tn_cell_is(cell, "a"))
        *kind = TN_ENTRY_ALLOC;
    else if (tn_cell_is(cell, "start") &&
             tn_cell_has_value(tn_csv_cell(columns->csv, ROLE_ADDRESS)))
        *kind = TN_ENTRY_STARTING;
    return *kind != TN_ENTRY_NOTHING;
}

static tarn_status read_time(struct columns *columns, uint64_t *time_ns) {
    struct tn_cell cell = tn_csv_cell(columns->csv, ROLE_TIME);
    if (cell.length == 0) return TARN_OK;
    if (tn_cell_time_of_day(cell, time_ns)) {
        *time_ns = tn_days_add(&columns->days, *time_ns);
        return TARN_OK;
    }
    return tn_csv_scaled(columns->csv, ROLE_TIME, columns->time_scale, time_ns);
}

static tarn_status read_size(const struct columns *columns, uint64_t *size) {
    struct tn_cell cell = tn_csv_cell(columns->csv, ROLE_SIZE);
    uint64_t sign = cell.length > 0 && cell.text[0] == '-';
    cell = (struct tn_cell){cell.text + sign, cell.length - sign};
    if (!tn_cell_has_value(cell) || tn_cell_scaled(cell, columns->size_scale, size)) return TARN_OK;
    return tn_csv_fail(columns->csv, ROLE_SIZE, "a number of bytes");
}

// Reads a number that is the cell, or stands behind a word, as in "cuda:1" and "Agent 1". "host" is
// memory of the host.
static tarn_status read_device(const struct columns *columns, uint32_t *device) {
    struct tn_cell cell = tn_csv_cell(columns->csv, ROLE_DEVICE);
    uint64_t number = 0;
    size_t at = cell.length;
    *device = !tn_csv_has(columns->csv, ROLE_DEVICE) ? 0 : TN_ENTRY_MATCHED;
    if (!tn_cell_has_value(cell)) return TARN_OK;
    if (tn_cell_is(cell, "host")) {
        *device = TN_ENTRY_HOST;
        return TARN_OK;
    }
    while (at > 0 && cell.text[at - 1] >= '0' && cell.text[at - 1] <= '9')
        at--;
    if (!tn_cell_unsigned((struct tn_cell){cell.text + at, cell.length - at}, &number) ||
        number >= TN_ENTRY_MATCHED)
        return tn_csv_fail(columns->csv, ROLE_DEVICE, "a number of a device");
    *device = (uint32_t)number;
    return TARN_OK;
}

static tarn_status read_place(struct columns *columns, struct tn_entry *entry) {
    struct tn_cell cell = tn_csv_cell(columns->csv, ROLE_STREAM);
    if (tn_cell_has_value(cell)) TN_TRY(tn_csv_number(columns->csv, ROLE_STREAM, &entry->stream));
    TN_TRY(read_device(columns, &entry->device));
    if (entry->kind == TN_ENTRY_FAILURE) {
        entry->address = UINT64_MAX;
        entry->device = entry->device == TN_ENTRY_MATCHED ? 0 : entry->device;
        return TARN_OK;
    }
    columns->unplaced |= entry->device == TN_ENTRY_MATCHED;
    entry->space = entry->device;
    TN_TRY(tn_csv_number(columns->csv, ROLE_ADDRESS, &entry->address));
    entry->key = entry->address;
    return TARN_OK;
}

static tarn_status read_row(struct columns *columns) {
    struct tn_entry entry = {.where = tn_csv_line(columns->csv)};
    if (!find_action(columns, &entry.kind)) {
        if (columns->skipped++ == 0) columns->skipped_line = entry.where;
        return TARN_OK;
    }
    TN_TRY(read_time(columns, &entry.time_ns));
    TN_TRY(read_size(columns, &entry.size));
    TN_TRY(read_place(columns, &entry));
    if (tn_cell_has_value(tn_csv_cell(columns->csv, ROLE_STACK)))
        TN_TRY(tn_callstack_add(columns->journal.builder, tn_csv_cell(columns->csv, ROLE_STACK), 0,
                                &entry.stack));
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

static tarn_status end_rows(struct columns *columns) {
    bool timed = tn_csv_has(columns->csv, ROLE_TIME);
    TN_TRY(note_skipped(columns));
    for (size_t i = 0; columns->unplaced && i < columns->journal.count; i++)
        columns->journal.entries[i].space = 0;
    return tn_journal_end(&columns->journal, timed ? TN_JOURNAL_BY_TIME : TN_JOURNAL_AS_ADDED);
}

static tarn_status read_rows(struct columns *columns) {
    struct tn_builder *builder = columns->journal.builder;
    bool more = false;
    TN_TRY(parse_option(columns, builder->columns));
    if (!tn_csv_has(columns->csv, ROLE_STREAM)) builder->trace.lacks |= TN_TRACE_NO_STREAMS;
    for (;;) {
        TN_TRY(tn_csv_next(columns->csv, &more));
        if (!more) return end_rows(columns);
        TN_TRY(read_row(columns));
    }
}

// The user asks for this reader; no content does.
bool tn_columns_detect(const uint8_t *bytes, size_t size) {
    (void)bytes;
    (void)size;
    return false;
}

tarn_status tn_columns_read(struct tn_source *source, struct tn_builder *builder) {
    struct columns columns = {.journal = {.builder = builder}};
    TN_TRY(tn_csv_open(source, builder, &columns.csv));
    tarn_status status = read_rows(&columns);
    tn_journal_release(&columns.journal);
    tn_csv_close(columns.csv);
    return status;
}
