// SPDX-License-Identifier: Apache-2.0
// The reader of rocprofv3's databases (rocpd). The events are those of ROCm's runtime, so a program
// with a pool shows the pool's segments. Newer databases keep the process and the times in tables
// of their own. One thread at a time.
#include <inttypes.h>

#include "base/error.h"
#include "trace/read/rocprof.h"
#include "trace/read/sqlite.h"

struct allocation {
    int64_t time, process, address, size, stream, queue;
};

// X(NAME, "name", flags, how, field). Behind them are the type and the number of the agent.
#define ALLOCATION_LIST(X)                                                                         \
    X(TIME, "start", TN_NEEDED | TN_INTEGER, TN_CELL, time)                                        \
    X(PROCESS, "pid", TN_NEEDED | TN_OPTIONAL | TN_INTEGER, TN_CELL, process)                      \
    X(ADDRESS, "address", TN_NEEDED | TN_OPTIONAL | TN_INTEGER, TN_CELL, address)                  \
    X(SIZE, "size", TN_NEEDED | TN_OPTIONAL | TN_INTEGER, TN_CELL, size)                           \
    X(STREAM, "stream_id", TN_OPTIONAL | TN_INTEGER, TN_CELL, stream)                              \
    X(QUEUE, "queue_id", TN_OPTIONAL | TN_INTEGER, TN_CELL, queue)                                 \
    X(AGENT, "agent_id", TN_NEEDED, TN_CELL, time)                                                 \
    X(TYPE, "type", TN_NEEDED, TN_CELL, time)                                                      \
    X(LEVEL, "level", TN_NEEDED, TN_CELL, time)

enum { ALLOCATION_LIST(TN_COLUMN_NUMBER) COLUMN_AGENT_TYPE, COLUMN_AGENT_INDEX };

#define TN_ROW struct allocation
static const struct tn_column columns[COLUMN_AGENT_TYPE] = {ALLOCATION_LIST(TN_COLUMN)};

enum { DEVICES_MAX = 65536 };

struct rocpd {
    struct tn_database *database;
    struct tn_journal journal;
    uint64_t skipped; // events of other types
};

// The number of an agent: its place among the GPUs if the database describes the agents.
static tarn_status find_device(const struct tn_rows *rows, uint32_t *device) {
    int64_t number;
    *device = TN_ENTRY_MATCHED;
    if (tn_rows_null(rows, COLUMN_AGENT)) return TARN_OK;
    bool described = !tn_rows_null(rows, COLUMN_AGENT_INDEX);
    TN_TRY(tn_rows_number(rows, described ? COLUMN_AGENT_INDEX : COLUMN_AGENT, false, &number));
    if (number < 0 || number >= DEVICES_MAX)
        return tn_rows_fail(rows, "agent %" PRId64 " is not below %d", number, DEVICES_MAX);
    bool is_host = strcmp(tn_rows_borrow_text(rows, COLUMN_AGENT_TYPE), "CPU") == 0;
    *device = is_host ? TN_ENTRY_HOST : (uint32_t)number;
    return TARN_OK;
}

static const struct tn_choice levels[] = {{"REAL", TN_ROCPROF_REAL},
                                          {"VIRTUAL", TN_ROCPROF_VIRTUAL},
                                          {"SCRATCH", TN_ROCPROF_SCRATCH},
                                          {NULL, 0}};

static tarn_status read_row(const struct tn_rows *rows, void *reader) {
    struct rocpd *rocpd = (struct rocpd *)reader;
    const char *type = tn_rows_borrow_text(rows, COLUMN_TYPE);
    struct allocation read;
    struct tn_entry entry = {.where = rows->row};
    const char *name = tn_rows_borrow_text(rows, COLUMN_LEVEL);
    uint32_t level;
    bool frees = strcmp(type, "FREE") == 0;
    if (!frees && strcmp(type, "ALLOC") != 0) {
        rocpd->skipped++;
        return TARN_OK;
    }
    if (!tn_choice_find(levels, (struct tn_cell){name, strlen(name)}, &level))
        return tn_rows_fail(rows, "the level \"%.20s\" is unknown", name);
    TN_TRY(tn_rows_fields(rows, columns, COLUMN_AGENT_TYPE, &read));
    if (read.time < 0 || read.size < 0)
        return tn_rows_fail(rows, "%s %" PRId64 " is negative",
                            read.time < 0 ? "the time" : "the size",
                            read.time < 0 ? read.time : read.size);
    TN_TRY(find_device(rows, &entry.device));
    if (!frees && entry.device == TN_ENTRY_MATCHED)
        return tn_rows_fail(rows, "an allocation without an agent");
    bool scratch = level == TN_ROCPROF_SCRATCH;
    entry.time_ns = (uint64_t)read.time;
    entry.address = (uint64_t)(scratch ? read.queue : read.address);
    entry.size = (uint64_t)read.size;
    entry.stream = (uint64_t)(scratch ? read.queue : read.stream);
    tn_rocprof_set(&entry, (uint64_t)read.process, (enum tn_rocprof_level)level, frees);
    return tn_journal_add(&rocpd->journal, &entry);
}

// The table of times has one column besides those that identify the row.
static const char *time_column(struct tn_database *database) {
    static const char *const names[] = {"value", "timestamp", "time"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tn_database_has(database, "rocpd_timestamp", names[i])) return names[i];
    return "value";
}

// A database of several runs distinguishes their rows by a guid.
static const char *same_guid(struct tn_database *database, const char *table, const char *other,
                             const char *condition) {
    return tn_database_has(database, table, "guid") && tn_database_has(database, other, "guid")
               ? condition
               : "";
}

static tarn_status read_rows(struct rocpd *rocpd, const char *table) {
    struct tn_database *database = rocpd->database;
    bool newer = tn_database_has(database, table, "start_id");
    bool agents = tn_database_has(database, "rocpd_info_agent", "type_index");
    char list[TN_DATABASE_COLUMNS];
    tn_database_list(database, table, "m.", columns + COLUMN_ADDRESS,
                     COLUMN_AGENT_TYPE - COLUMN_ADDRESS, list);
    return tn_rows_read(
        database, table, read_row, rocpd,
        "SELECT %s%s AS start, %s AS pid, %s, %s FROM \"%s\" AS m%s%s%s%s%s%s", newer ? "t." : "m.",
        newer ? time_column(database) : "start", newer ? "k.pid" : "m.pid", list,
        agents ? "a.type, a.type_index" : "NULL, NULL", table,
        agents ? " LEFT JOIN rocpd_info_agent AS a ON a.id = m.agent_id" : "",
        agents ? same_guid(database, table, "rocpd_info_agent", " AND a.guid = m.guid") : "",
        newer ? " LEFT JOIN rocpd_timestamp AS t ON t.id = m.start_id" : "",
        newer ? same_guid(database, table, "rocpd_timestamp", " AND t.guid = m.guid") : "",
        newer ? " LEFT JOIN rocpd_track AS k ON k.id = m.track_id" : "",
        newer ? same_guid(database, table, "rocpd_track", " AND k.guid = m.guid") : "");
}

tarn_status tn_rocpd_read(struct tn_database *database, const char *name) {
    struct rocpd rocpd = {.database = database,
                          .journal = {.builder = database->builder, .noun = "row"}};
    database->builder->trace.lacks |= TN_TRACE_NO_POOL;
    tarn_status status = read_rows(&rocpd, name);
    if (status == TARN_OK && rocpd.skipped > 0)
        status = tn_builder_note(database->builder,
                                 "%" PRIu64 " events that neither allocate nor free are skipped",
                                 rocpd.skipped);
    return tn_journal_finish(&rocpd.journal, status, TN_JOURNAL_BY_TIME);
}
