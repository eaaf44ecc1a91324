// SPDX-License-Identifier: Apache-2.0
// The readers of memory snapshots of PyTorch in SQLite: PyTorch's own, those of MemSnapDump, with two
// tables for each device, and SnapViewer's list of allocations. Columns that a version does not have
// are taken as empty. The rows become histories, as those of a snapshot do. One thread at a time.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "trace/parse/callstack.h"
#include "trace/parse/json.h"
#include "trace/ranges.h"
#include "trace/read/frames.h"
#include "trace/read/history.h"
#include "trace/read/sqlite.h"

enum { DEVICES = 64 };

struct snapshot_db {
    struct tn_database *database;
    struct tn_history history;
    uint64_t devices; // a bit for each that has rows
    bool outward;     // stacks begin with the outermost call
    char *frames;     // the text of the last stack
    uint32_t stack;
};

// The names of a value in the layouts, until NULL.
struct names {
    const char *names[3];
};

#define NAMES(...) ((struct names){{__VA_ARGS__}})

// Writes an expression of SQL: the first of the columns that the table has, or NULL.
static const char *column_of(const struct snapshot_db *db, const char *table, const char *alias,
                             struct names names, char room[64]) {
    (void)snprintf(room, 64, "NULL");
    for (size_t i = 3; i-- > 0;)
        if (names.names[i] != NULL && tn_database_has(db->database, table, names.names[i]))
            (void)snprintf(room, 64, "%s\"%s\"", alias, names.names[i]);
    return room;
}

// ---- stacks

// A list of frames in JSON, as in a snapshot.
static tarn_status read_frames(struct tn_builder *builder, const char *text, uint32_t *stack) {
    struct tn_values values;
    struct tn_frames frames = {0};
    struct tn_source *source = NULL;
    tn_value root;
    tn_values_begin(&values, builder->name, builder->memory);
    tarn_status status = tn_source_open_memory(builder->name, text, strlen(text), &source);
    if (status == TARN_OK) status = tn_json_document(source, &values, &root);
    if (status == TARN_OK) status = tn_frames_begin(&frames, &values, builder);
    if (status == TARN_OK) status = tn_frames_list(&frames, root, stack);
    tn_frames_release(&frames);
    tn_source_close(source);
    tn_values_release(&values);
    return status;
}

// Lines of calls, of which the first is the outermost.
static tarn_status read_outward(struct tn_builder *builder, const char *text, uint32_t *stack) {
    *stack = 0;
    for (size_t length; *text != '\0'; text += length + (text[length] != '\0')) {
        length = strcspn(text, "\n");
        TN_TRY(tn_callstack_add(builder, (struct tn_cell){text, length}, *stack, stack));
    }
    return TARN_OK;
}

// Neighbours often have one stack.
static tarn_status read_stack(struct snapshot_db *db, const char *text, uint32_t *stack) {
    struct tn_builder *builder = db->database->builder;
    const struct tn_cell cell = {text, strlen(text)};
    *stack = 0;
    if (text[0] == '\0') return TARN_OK;
    if (db->frames == NULL || strcmp(db->frames, text) != 0) {
        TN_TRY(text[0] == '[' ? read_frames(builder, text, &db->stack)
               : db->outward  ? read_outward(builder, text, &db->stack)
                              : tn_callstack_add(builder, cell, 0, &db->stack));
        free(db->frames);
        db->frames = strdup(text);
        if (db->frames == NULL) return tn_builder_fail_room(builder);
    }
    *stack = db->stack;
    return TARN_OK;
}

// ---- rows: device, address, size, stream, more of each, state or action, and stack

enum { DEVICE, ADDRESS, SIZE, STREAM, MORE, NUMBERS, WHAT = NUMBERS, STACK };

static tarn_status read_numbers(struct snapshot_db *db, const struct tn_rows *rows,
                                int64_t numbers[NUMBERS]) {
    for (int i = 0; i < NUMBERS; i++) {
        TN_TRY(tn_rows_number(rows, i, true, &numbers[i]));
        if ((i == DEVICE || i == SIZE) && numbers[i] < 0)
            return tn_rows_fail(rows, "%" PRId64 " is negative", numbers[i]);
    }
    if (numbers[DEVICE] >= DEVICES)
        return tn_rows_fail(rows, "device %" PRId64 " is not below %d", numbers[DEVICE], DEVICES);
    db->devices |= UINT64_C(1) << numbers[DEVICE];
    return TARN_OK;
}

static tarn_status read_segment(const struct tn_rows *rows, void *reader) {
    struct snapshot_db *db = (struct snapshot_db *)reader;
    int64_t numbers[NUMBERS];
    TN_TRY(read_numbers(db, rows, numbers));
    struct tn_held_segment segment = {.address = (uint64_t)numbers[ADDRESS],
                                      .bytes = (uint64_t)numbers[SIZE],
                                      .stream = (uint64_t)numbers[STREAM],
                                      .device = (uint32_t)numbers[DEVICE],
                                      .mapped = numbers[MORE] != 0,
                                      .is_large =
                                          strcmp(tn_rows_borrow_text(rows, WHAT), "large") == 0};
    TN_TRY(read_stack(db, tn_rows_borrow_text(rows, STACK), &segment.stack));
    return TN_APPEND(db->database->builder, &db->history.segments, &segment, "segments");
}

// MemSnapDump numbers the states from -1.
static tarn_status read_block(const struct tn_rows *rows, void *reader) {
    struct snapshot_db *db = (struct snapshot_db *)reader;
    const char *state = tn_rows_borrow_text(rows, WHAT);
    int64_t numbers[NUMBERS];
    bool waits = strcmp(state, "active_pending_free") == 0 || strcmp(state, "0") == 0;
    if (!waits && strcmp(state, "active_allocated") != 0 && strcmp(state, "1") != 0) return TARN_OK;
    TN_TRY(read_numbers(db, rows, numbers));
    struct tn_held held = {.address = (uint64_t)numbers[ADDRESS],
                           .size = (uint64_t)numbers[numbers[MORE] > 0 ? MORE : SIZE],
                           .occupied = (uint64_t)numbers[SIZE],
                           .stream = (uint64_t)numbers[STREAM],
                           .device = (uint32_t)numbers[DEVICE],
                           .waits = waits};
    TN_TRY(read_stack(db, tn_rows_borrow_text(rows, STACK), &held.stack));
    return TN_APPEND(db->database->builder, &db->history.held, &held, "blocks");
}

#define ACTION_CHOICE(name, text) {text, TN_ACTION_##name},

static tarn_status read_action(const struct tn_rows *rows, void *reader) {
    static const struct tn_choice actions[] = {TN_ACTION_LIST(ACTION_CHOICE) // of MemSnapDump:
                                               {"0", TN_ACTION_SEGMENT_MAP},
                                               {"1", TN_ACTION_SEGMENT_UNMAP},
                                               {"2", TN_ACTION_SEGMENT_ALLOC},
                                               {"3", TN_ACTION_SEGMENT_FREE},
                                               {"4", TN_ACTION_ALLOC},
                                               {"5", TN_ACTION_FREE_REQUESTED},
                                               {"6", TN_ACTION_FREE_COMPLETED},
                                               {"7", TN_ACTION_WORKSPACE_SNAPSHOT},
                                               {NULL, 0}};
    struct snapshot_db *db = (struct snapshot_db *)reader;
    const char *what = tn_rows_borrow_text(rows, WHAT);
    int64_t numbers[NUMBERS];
    uint32_t kind = TN_ACTION_UNKNOWN;
    (void)tn_choice_find(actions, (struct tn_cell){what, strlen(what)}, &kind);
    TN_TRY(read_numbers(db, rows, numbers));
    struct tn_action action = {.address = (uint64_t)numbers[ADDRESS],
                               .size = (uint64_t)numbers[SIZE],
                               .stream = (uint64_t)numbers[STREAM],
                               .time_us = numbers[MORE] > 0 ? (uint64_t)numbers[MORE] : 0,
                               .where = rows->row - 1,
                               .kind = (enum tn_action_kind)kind};
    if (kind == TN_ACTION_OOM) action.address = UINT64_MAX; // the free memory is not known
    TN_TRY(read_stack(db, tn_rows_borrow_text(rows, STACK), &action.stack));
    return TN_APPEND(db->database->builder, &db->history.actions, &action, "actions");
}

// A table of one kind of rows, with the columns for SIZE, MORE and WHAT.
struct kind {
    struct names size, more, what;
    tn_rows_step *row;
};

static const struct kind segments = {
    {{"total_size", "size"}}, {{"is_expandable"}}, {{"segment_type"}}, read_segment};
static const struct kind blocks = {
    {{"size"}}, {{"requested_size", "requestedSize"}}, {{"state"}}, read_block};
static const struct kind actions = {{{"size"}}, {{"time_us", "time"}}, {{"action"}}, read_action};

// Reads the rows of a table, if it exists. Blocks have the device and the stream of their segment.
static tarn_status read_table(struct snapshot_db *db, const struct kind *kind, const char *table,
                              unsigned device, const char *condition) {
    char room[8][64];
    bool joins = tn_database_has(db->database, table, "segment_id") &&
                 tn_database_has(db->database, "segments", "id");
    const char *owner = joins ? "segments" : table, *alias = joins ? "s." : "t.";
    if (!tn_database_has(db->database, table, NULL)) return TARN_OK;
    return tn_rows_read(
        db->database, table, kind->row, db,
        "SELECT coalesce(%s, %u) AS d, %s, %s, %s, %s, %s, %s FROM \"%s\" t %s %s ORDER BY %s",
        column_of(db, owner, alias, NAMES("device"), room[0]), device,
        column_of(db, table, "t.", NAMES("addr", "address"), room[1]),
        column_of(db, table, "t.", kind->size, room[2]),
        column_of(db, owner, alias, NAMES("stream"), room[3]),
        column_of(db, table, "t.", kind->more, room[4]),
        column_of(db, table, "t.", kind->what, room[5]),
        column_of(db, table, "t.", NAMES("frames", "callstack"), room[6]), table,
        joins ? "LEFT JOIN segments s ON s.id = t.segment_id" : "", condition,
        column_of(db, table, "t.", NAMES("id"), room[7]));
}

// ---- databases

// MemSnapDump has an event before the others for each segment at the start, and no list of those at
// the end, which a history has.
static tarn_status find_segments(struct snapshot_db *db, struct tn_interval *ranges) {
    struct tn_history *history = &db->history;
    struct tn_interval_entry entry;
    for (size_t i = 0; i < history->actions.count; i++) {
        const struct tn_action *action = &history->actions.items[i];
        if (tn_action_gets(action))
            TN_TRY(tn_ranges_add(ranges, action->address, action->size, i));
        else if (tn_action_is_segment(action))
            TN_TRY(tn_ranges_remove(ranges, action->address, action->size));
    }
    struct tn_interval_cursor at = tn_interval_seek(ranges, 0);
    while (tn_interval_step(&at, &entry)) {
        const struct tn_action *action = &history->actions.items[entry.value];
        struct tn_held_segment segment = {.address = entry.start,
                                          .bytes = entry.end - entry.start,
                                          .stream = action->stream,
                                          .device = history->device,
                                          .stack = action->stack,
                                          .mapped = tn_action_maps(action)};
        TN_TRY(TN_APPEND(db->database->builder, &history->segments, &segment, "segments"));
    }
    return TARN_OK;
}

// Reads the rows of a table of MemSnapDump whose number in `column`, or else -1, is as in `compared`.
static tarn_status read_where(struct snapshot_db *db, const struct kind *kind, const char *table,
                              unsigned device, const char *column, const char *compared) {
    char room[64], condition[128];
    (void)snprintf(condition, sizeof condition, "WHERE coalesce(%s, -1) %s",
                   column_of(db, table, "t.", NAMES(column), room), compared);
    return read_table(db, kind, table, device, condition);
}

static tarn_status read_dump(struct snapshot_db *db, const char *table, unsigned device) {
    struct tn_history *history = &db->history;
    struct tn_interval ranges;
    tn_interval_init(&ranges);
    TN_TRY(read_where(db, &actions, table, device, "id", "< 0"));
    size_t starting = history->actions.count;
    tarn_status status = read_where(db, &actions, table, device, "id", ">= 0");
    if (status == TARN_OK) status = find_segments(db, &ranges);
    tn_interval_fini(&ranges);
    history->actions.count -= starting;
    if (history->actions.count > 0)
        memmove(history->actions.items, history->actions.items + starting,
                history->actions.count * sizeof *history->actions.items);
    return status;
}

static tarn_status read_device(struct snapshot_db *db, unsigned device) {
    char table[32], condition[32];
    struct tn_history *history = &db->history;
    (void)snprintf(table, sizeof table, "trace_entry_%u", device);
    (void)snprintf(condition, sizeof condition, "WHERE d = %u", device);
    history->actions.count = 0;
    history->device = device;
    db->outward = tn_database_has(db->database, table, NULL);
    tarn_status status = db->outward ? read_dump(db, table, device) : TARN_OK;
    if (status != TARN_OK && status != TARN_BUSY) return status;
    TN_TRY(read_table(db, &actions, "device_traces", 0, condition));
    if ((db->devices >> device & 1) == 0) return TARN_OK;
    history->kind = TN_DEVICE_ACCELERATOR;
    history->made_up = history->segments.count == 0 || status == TARN_BUSY;
    return tn_history_add(history, db->database->builder);
}

static tarn_status read_tables(struct snapshot_db *db) {
    char table[32];
    TN_TRY(read_table(db, &segments, "segments", 0, ""));
    TN_TRY(read_table(db, &blocks, "blocks", 0, ""));
    for (unsigned device = 0; device < DEVICES; device++) {
        (void)snprintf(table, sizeof table, "block_%u", device);
        TN_TRY(read_where(db, &blocks, table, device, "freeEventId", "< 0"));
    }
    for (unsigned device = 0; device < DEVICES; device++) TN_TRY(read_device(db, device));
    TN_REFUSE(db->devices == 0, TARN_CORRUPT, "%s: no device has segments or events",
              db->database->builder->name);
    return TARN_OK;
}

// SnapViewer has no addresses: a number stands for that of each allocation. Those with the last
// time were live at the end, and those from before are allocated at the time of the first event.
static tarn_status read_allocs(struct snapshot_db *db) {
    db->database->builder->trace.lacks |= TN_TRACE_NO_ADDRESSES | TN_TRACE_NO_STREAMS;
    TN_TRY(tn_rows_read(
        db->database, "allocs", read_action, db,
        "SELECT 0, idx + 1, size, 0, start_time AS t, 'alloc', callstack, 0 AS o FROM allocs UNION "
        "ALL SELECT 0, idx + 1, size, 0, end_time, 'free_completed', NULL, 1 FROM allocs WHERE "
        "end_time < (SELECT max(end_time) FROM allocs) ORDER BY t, o"));
    db->history.made_up = true;
    return tn_history_add(&db->history, db->database->builder);
}

tarn_status tn_snapshot_sqlite_read(struct tn_database *database, const char *name) {
    struct snapshot_db db = {.database = database};
    tarn_status status = strcmp(name, "allocs") == 0 ? read_allocs(&db) : read_tables(&db);
    free(db.history.segments.items);
    free(db.history.held.items);
    free(db.history.actions.items);
    free(db.frames);
    return status;
}
