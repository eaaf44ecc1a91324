// SPDX-License-Identifier: Apache-2.0
// The reader of RMM's logs. They have times of day only, in the order of the lines. The number of
// the device stands in the name of the file. One thread at a time.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "trace/parse/csv.h"
#include "trace/read/journal.h"
#include "trace/read/read.h"

enum {
    COLUMN_THREAD,
    COLUMN_TIME,
    COLUMN_ACTION,
    COLUMN_POINTER,
    COLUMN_SIZE,
    COLUMN_STREAM,
    COLUMNS
};

static const char *const columns[COLUMNS] = {"Thread",  "Time", "Action",
                                             "Pointer", "Size", "Stream"};

struct rmm {
    struct tn_journal journal;
    struct tn_csv *csv;
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

static tarn_status read_time(struct rmm *rmm, uint64_t *time_ns) {
    uint64_t time = 0;
    if (!tn_cell_time_of_day(tn_csv_cell(rmm->csv, COLUMN_TIME), &time))
        return tn_csv_fail(rmm->csv, COLUMN_TIME, "HH:MM:SS.uuuuuu");
    *time_ns = tn_days_add(&rmm->days, time);
    return TARN_OK;
}

static tarn_status read_action(const struct rmm *rmm, uint32_t *kind) {
    struct tn_cell cell = tn_csv_cell(rmm->csv, COLUMN_ACTION);
    if (tn_cell_is(cell, "allocate"))
        *kind = TN_ENTRY_ALLOC;
    else if (tn_cell_is(cell, "free"))
        *kind = TN_ENTRY_FREE;
    else if (tn_cell_is(cell, "allocate failure"))
        *kind = TN_ENTRY_FAILURE;
    else
        return tn_csv_fail(rmm->csv, COLUMN_ACTION,
                           "\"allocate\", \"free\" or \"allocate failure\"");
    return TARN_OK;
}

static tarn_status tag_thread(const struct rmm *rmm, uint32_t *tag) {
    struct tn_cell thread = tn_csv_cell(rmm->csv, COLUMN_THREAD);
    char text[64];
    int length = snprintf(text, sizeof text, "thread %.*s",
                          (int)(thread.length < 32 ? thread.length : 32), thread.text);
    return tn_builder_text(rmm->journal.builder, text, (size_t)length, tag);
}

static tarn_status read_row(struct rmm *rmm) {
    struct tn_entry entry = {.where = tn_csv_line(rmm->csv), .device = rmm->device};
    TN_TRY(read_time(rmm, &entry.time_ns));
    TN_TRY(read_action(rmm, &entry.kind));
    TN_TRY(tag_thread(rmm, &entry.tag));
    if (!tn_cell_is(tn_csv_cell(rmm->csv, COLUMN_POINTER), "(nil)"))
        TN_TRY(tn_csv_number(rmm->csv, COLUMN_POINTER, &entry.address));
    TN_TRY(tn_csv_number(rmm->csv, COLUMN_SIZE, &entry.size));
    TN_TRY(tn_csv_number(rmm->csv, COLUMN_STREAM, &entry.stream));
    entry.key = entry.address;
    if (entry.kind == TN_ENTRY_FAILURE) entry.address = UINT64_MAX;
    return tn_journal_add(&rmm->journal, &entry);
}

static tarn_status read_rows(struct rmm *rmm) {
    bool more = false;
    TN_TRY(tn_csv_bind(rmm->csv, columns, COLUMNS, COLUMNS));
    for (;;) {
        TN_TRY(tn_csv_next(rmm->csv, &more));
        if (!more) return tn_journal_end(&rmm->journal, TN_JOURNAL_AS_ADDED);
        TN_TRY(read_row(rmm));
    }
}

bool tn_rmm_detect(const uint8_t *bytes, size_t size) {
    return tn_csv_begins(bytes, size, columns, COLUMNS);
}

tarn_status tn_rmm_read(struct tn_source *source, struct tn_builder *builder) {
    struct rmm rmm = {.journal = {.builder = builder}, .device = device_in_name(builder->name)};
    TN_TRY(tn_csv_open(source, builder, &rmm.csv));
    tarn_status status = read_rows(&rmm);
    tn_journal_release(&rmm.journal);
    tn_csv_close(rmm.csv);
    return status;
}
