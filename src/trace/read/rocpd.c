// SPDX-License-Identifier: Apache-2.0
// The reader of rocprofv3's databases (rocpd). The events are those of ROCm's runtime, so a program
// with a pool shows the pool's segments. Newer databases keep the process and the times in tables
// of their own. One thread at a time.
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "trace/read/rocprof.h"
#include "trace/read/sqlite.h"

enum {
    COLUMN_TIME,
    COLUMN_PROCESS,
    COLUMN_ADDRESS,
    COLUMN_SIZE,
    COLUMN_STREAM,
    COLUMN_QUEUE,
    COLUMN_AGENT,
    COLUMN_TYPE,
    COLUMN_LEVEL,
    COLUMN_AGENT_TYPE,
    COLUMN_AGENT_INDEX
};

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
    bool is_host = strcmp(tn_rows_chars(rows, COLUMN_AGENT_TYPE), "CPU") == 0;
    *device = is_host ? TN_ENTRY_HOST : (uint32_t)number;
    return TARN_OK;
}

static tarn_status find_level(const struct tn_rows *rows, enum tn_rocprof_level *level) {
    static const struct {
        const char *name;
        enum tn_rocprof_level level;
    } levels[] = {{"REAL", TN_ROCPROF_REAL},
                  {"VIRTUAL", TN_ROCPROF_VIRTUAL},
                  {"SCRATCH", TN_ROCPROF_SCRATCH}};
    const char *name = tn_rows_chars(rows, COLUMN_LEVEL);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (strcmp(name, levels[i].name) == 0) {
            *level = levels[i].level;
            return TARN_OK;
        }
    }
    return tn_rows_fail(rows, "the level \"%.20s\" is unknown", name);
}

static tarn_status read_numbers(const struct tn_rows *rows, uint64_t numbers[COLUMN_AGENT]) {
    for (int i = 0; i < COLUMN_AGENT; i++) {
        int64_t number;
        TN_TRY(tn_rows_number(rows, i, i != COLUMN_TIME, &number));
        if (number < 0 && (i == COLUMN_TIME || i == COLUMN_SIZE))
            return tn_rows_fail(rows, "%s %" PRId64 " is negative",
                                i == COLUMN_TIME ? "the time" : "the size", number);
        numbers[i] = (uint64_t)number;
    }
    return TARN_OK;
}

static tarn_status read_row(const struct tn_rows *rows, void *reader) {
    struct rocpd *rocpd = (struct rocpd *)reader;
    const char *type = tn_rows_chars(rows, COLUMN_TYPE);
    uint64_t numbers[COLUMN_AGENT];
    struct tn_entry entry = {.where = rows->row};
    enum tn_rocprof_level level = TN_ROCPROF_REAL;
    bool frees = strcmp(type, "FREE") == 0;
    if (!frees && strcmp(type, "ALLOC") != 0) {
        rocpd->skipped++;
        return TARN_OK;
    }
    TN_TRY(find_level(rows, &level));
    TN_TRY(read_numbers(rows, numbers));
    TN_TRY(find_device(rows, &entry.device));
    if (!frees && entry.device == TN_ENTRY_MATCHED)
        return tn_rows_fail(rows, "an allocation without an agent");
    bool scratch = level == TN_ROCPROF_SCRATCH;
    entry.time_ns = numbers[COLUMN_TIME];
    entry.address = numbers[scratch ? COLUMN_QUEUE : COLUMN_ADDRESS];
    entry.size = numbers[COLUMN_SIZE];
    entry.stream = numbers[scratch ? COLUMN_QUEUE : COLUMN_STREAM];
    tn_rocprof_set(&entry, numbers[COLUMN_PROCESS], level, frees);
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
    return tn_rows_read(
        database, table, read_row, rocpd,
        "SELECT %s%s AS start, %s AS pid, m.address, m.size, %s, %s, m.agent_id, m.type, m.level, "
        "%s FROM \"%s\" AS m%s%s%s%s%s%s",
        newer ? "t." : "m.", newer ? time_column(database) : "start", newer ? "k.pid" : "m.pid",
        tn_database_has(database, table, "stream_id") ? "m.stream_id" : "NULL",
        tn_database_has(database, table, "queue_id") ? "m.queue_id" : "NULL",
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
