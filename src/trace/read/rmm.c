// SPDX-License-Identifier: Apache-2.0
// The reader of RMM's logs. They have times of day only, in the order of the lines. The number of
// the device stands in the name of the file. One thread at a time.
#include <stdio.h>

#include "base/error.h"
#include "trace/parse/csv.h"
#include "trace/read/journal.h"
#include "trace/read/read.h"

static const struct tn_choice actions[] = {{"allocate", TN_ENTRY_ALLOC},
                                           {"free", TN_ENTRY_FREE},
                                           {"allocate failure", TN_ENTRY_FAILURE},
                                           {NULL, 0}};

static bool parse_pointer(const struct tn_column *column, struct tn_cell cell, void *field) {
    return tn_cell_is(cell, "(nil)") || tn_column_number(column, cell, field);
}

// X(NAME, "name", flags, how, field)
#define COLUMN_LIST(X)                                                                             \
    X(THREAD, "Thread", TN_NEEDED, TN_CELL, tag)                                                   \
    X(TIME, "Time", TN_NEEDED, TN_CELL_PARSED(tn_column_time, "HH:MM:SS.uuuuuu"), time_ns)         \
    X(ACTION, "Action", TN_NEEDED, TN_CELL_CHOICE(actions, ACTIONS), kind)                         \
    X(POINTER, "Pointer", TN_NEEDED, TN_CELL_PARSED(parse_pointer, "a number of 64 bits"),         \
      address)                                                                                     \
    X(SIZE, "Size", TN_NEEDED, TN_CELL_NUMBER, size)                                               \
    X(STREAM, "Stream", TN_NEEDED, TN_CELL_NUMBER, stream)

#define ACTIONS "\"allocate\", \"free\" or \"allocate failure\""

#define TN_ROW struct tn_entry
static const struct tn_column columns[] = {COLUMN_LIST(TN_COLUMN)};
enum { COLUMN_THREAD, COLUMNS = sizeof columns / sizeof *columns };

struct rmm {
    struct tn_journal journal;
    struct tn_days days;
    uint32_t device;
};

// Finds the number in ".dev0.csv", the end of a name; 0 if there is none.
static uint32_t device_in_name(const char *name) {
    const char *slash = strrchr(name, '/');
    uint32_t found = 0;
    for (const char *at = slash != NULL ? slash : name; (at = strstr(at, ".dev")) != NULL;) {
        struct tn_cell digits = {at += strlen(".dev"), 0};
        uint64_t number;
        digits.length = strspn(at, "0123456789");
        if ((at[digits.length] == '.' || at[digits.length] == '\0') &&
            tn_cell_unsigned(digits, &number) && number < TN_ENTRY_MATCHED)
            found = (uint32_t)number;
    }
    return found;
}

static tarn_status read_row(struct tn_csv *csv, void *reader) {
    struct rmm *rmm = (struct rmm *)reader;
    struct tn_entry entry = {.where = tn_csv_line(csv), .device = rmm->device};
    struct tn_cell thread = tn_csv_cell(csv, COLUMN_THREAD);
    char text[64];
    TN_TRY(tn_csv_fields(csv, &entry));
    int length = snprintf(text, sizeof text, "thread %.*s",
                          (int)(thread.length < 32 ? thread.length : 32), thread.text);
    TN_TRY(tn_builder_text(rmm->journal.builder, text, (size_t)length, &entry.tag));
    entry.time_ns = tn_days_add(&rmm->days, entry.time_ns);
    entry.key = entry.address;
    if (entry.kind == TN_ENTRY_FAILURE) entry.address = UINT64_MAX;
    return tn_journal_add(&rmm->journal, &entry);
}

bool tn_rmm_detect(const uint8_t *bytes, size_t size) {
    return tn_csv_detect(bytes, size, columns, COLUMNS);
}

tarn_status tn_rmm_read(struct tn_source *source, struct tn_builder *builder) {
    struct rmm rmm = {.journal = {.builder = builder}, .device = device_in_name(builder->name)};
    return tn_journal_finish(&rmm.journal,
                             tn_csv_read(source, builder, columns, COLUMNS, NULL, read_row, &rmm),
                             TN_JOURNAL_AS_ADDED);
}
