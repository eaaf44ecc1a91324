// SPDX-License-Identifier: Apache-2.0
// Opens SQLite databases by libsqlite3, from memory; see database.h. The settings follow SQLite's
// advice for databases of unknown origin ("Defense Against The Dark Arts").
#include "trace/parse/database.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"
#include "trace/progress.h"

enum { STEPS_EACH = 1000, NAMES_BYTES = 400 };

static tarn_status fail_memory(const struct tn_database *database) {
    return tn_fail(TARN_NO_HOST_MEMORY, "%s: out of host memory for the database",
                   database->builder->name);
}

static tarn_status fail_query(const struct tn_database *database, const char *table, int code) {
    if (code == SQLITE_NOMEM) return fail_memory(database);
    TN_REFUSE(code == SQLITE_INTERRUPT, TARN_CORRUPT,
              "%s: table %s: its queries take more than %" PRIu64
              " steps, too many for a database of this size",
              database->builder->name, table, database->steps_max * STEPS_EACH);
    return tn_fail(TARN_CORRUPT, "%s: table %s: %s", database->builder->name, table,
                   sqlite3_errmsg(database->handle));
}

// ---- opening

// Stops queries that do not end.
static int count_steps(void *context) {
    struct tn_database *database = (struct tn_database *)context;
    return ++database->steps > database->steps_max;
}

static void restrict_database(struct tn_database *database, size_t size) {
    static const struct {
        int id, value;
    } limits[] = {{SQLITE_LIMIT_ATTACHED, 0},          {SQLITE_LIMIT_LENGTH, 16 << 20},
                  {SQLITE_LIMIT_SQL_LENGTH, 64 << 10}, {SQLITE_LIMIT_COLUMN, 200},
                  {SQLITE_LIMIT_EXPR_DEPTH, 50},       {SQLITE_LIMIT_COMPOUND_SELECT, 100},
                  {SQLITE_LIMIT_VDBE_OP, 100000},      {SQLITE_LIMIT_FUNCTION_ARG, 20},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},     {SQLITE_LIMIT_WORKER_THREADS, 0},
                  {SQLITE_LIMIT_VARIABLE_NUMBER, 0},   {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100}};
    static const int switches[][2] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                      {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        (void)sqlite3_limit(database->handle, limits[i].id, limits[i].value);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        (void)sqlite3_db_config(database->handle, switches[i][0], switches[i][1], NULL);
    (void)sqlite3_drop_modules(database->handle, NULL);
    // A table is read once or twice. A row has some 20 bytes and takes some 100 steps.
    database->steps_max = 10000 + (uint64_t)size / STEPS_EACH * 32;
    sqlite3_progress_handler(database->handle, STEPS_EACH, count_steps, database);
}

// A program that still writes, or has crashed, leaves changes in a file beside the database.
static tarn_status note_changes(struct tn_source *source, struct tn_builder *builder) {
    static const char *const endings[] = {"-wal", "-journal"};
    for (size_t i = 0; tn_source_is_file(source) && i < sizeof endings / sizeof *endings; i++) {
        struct stat beside;
        char *path = NULL;
        TN_REFUSE(asprintf(&path, "%s%s", builder->name, endings[i]) < 0, TARN_NO_HOST_MEMORY,
                  "%s: out of host memory", builder->name);
        bool exists = stat(path, &beside) == 0 && beside.st_size > 0;
        tarn_status status =
            exists ? tn_builder_note(builder, "%s has changes to the database, which are not read",
                                     path)
                   : TARN_OK;
        free(path);
        TN_TRY(status);
    }
    return TARN_OK;
}

tarn_status tn_database_open(struct tn_database *database, struct tn_source *source,
                             struct tn_builder *builder) {
    enum { FORMAT_WRITE = 18, FORMAT_READ = 19, HEADER = 100 };
    size_t size = 0;
    *database = (struct tn_database){.builder = builder};
    TN_TRY(tn_source_read_all(source, builder->memory, &database->bytes, &size));
    TN_REFUSE(size < HEADER, TARN_CORRUPT, "%s: byte %zu: the header of the database is truncated",
              builder->name, size);
    TN_TRY(note_changes(source, builder));
    // Databases in memory have no write-ahead log. Without it, the file is one of the older format.
    if (database->bytes[FORMAT_READ] == 2)
        database->bytes[FORMAT_WRITE] = database->bytes[FORMAT_READ] = 1;
    // The content is looked at by the first query, so these calls fail for memory only.
    if (sqlite3_open_v2(":memory:", &database->handle,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_PRIVATECACHE, NULL) != SQLITE_OK)
        return fail_memory(database);
    restrict_database(database, size);
    if (sqlite3_deserialize(database->handle, "main", database->bytes, (sqlite3_int64)size,
                            (sqlite3_int64)size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        return fail_memory(database);
    if (sqlite3_exec(database->handle, "PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON", NULL,
                     NULL, NULL) != SQLITE_OK)
        return fail_memory(database);
    return TARN_OK;
}

tarn_status tn_database_end(struct tn_database *database, tarn_status status) {
    if (database->starved) status = fail_memory(database);
    (void)sqlite3_close(database->handle);
    free(database->bytes);
    *database = (struct tn_database){0};
    return status;
}

// ---- tables

bool tn_database_has(struct tn_database *database, const char *table, const char *column) {
    sqlite3_stmt *statement = NULL;
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", table);
    int code = sql != NULL ? sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL)
                           : SQLITE_NOMEM;
    bool has = code == SQLITE_OK;
    database->starved |= code == SQLITE_NOMEM;
    if (has && column != NULL) {
        int count = sqlite3_column_count(statement);
        has = false;
        for (int i = 0; i < count && !has; i++) {
            const char *name = sqlite3_column_name(statement, i);
            database->starved |= name == NULL;
            has = name != NULL && sqlite3_stricmp(name, column) == 0;
        }
    }
    (void)sqlite3_finalize(statement);
    sqlite3_free(sql);
    return has;
}

#define TABLES "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"

static tarn_status take_name(const struct tn_rows *rows, void *name) {
    const char *found = tn_rows_borrow_text(rows, 0);
    if (strlen(found) < TN_DATABASE_NAME) strcpy((char *)name, found);
    return TARN_OK;
}

tarn_status tn_database_find(struct tn_database *database, const char *prefix,
                             char name[TN_DATABASE_NAME]) {
    name[0] = '\0';
    return tn_rows_read(database, "sqlite_master", take_name, name,
                        TABLES " AND substr(name, 1, %zu) = '%s'"
                               " AND instr(name, char(34)) = 0 ORDER BY name LIMIT 1",
                        strlen(prefix), prefix);
}

static tarn_status take_names(const struct tn_rows *rows, void *names) {
    const char *found = tn_rows_borrow_text(rows, 0);
    bool is_cut = snprintf((char *)names, NAMES_BYTES, "%s", found) >= NAMES_BYTES;
    if (is_cut) memcpy((char *)names + NAMES_BYTES - 4, "...", 4);
    return TARN_OK;
}

tarn_status tn_database_fail_unknown(struct tn_database *database) {
    char names[NAMES_BYTES];
    TN_TRY(tn_rows_read(database, "sqlite_master", take_names, names,
                        "SELECT group_concat(name, ', ') FROM (" TABLES " ORDER BY name)"));
    return tn_fail(TARN_CORRUPT, "%s: a database without a table of memory events; it has %s%s",
                   database->builder->name, names[0] != '\0' ? names : "no table",
                   tn_database_has(database, "TARGET_INFO_GPU", NULL) ||
                           strstr(names, "CUPTI_ACTIVITY_") != NULL
                       ? ". Nsight Systems records memory with --cuda-memory-usage=true"
                       : "");
}

// ---- rows

tarn_status tn_rows_read(struct tn_database *database, const char *table, tn_rows_step *row,
                         void *reader, const char *format, ...) {
    struct tn_rows rows = {.database = database, .table = table};
    char *sql = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&sql, format, args);
    va_end(args);
    TN_REFUSE(length < 0, TARN_NO_HOST_MEMORY, "%s: out of host memory", database->builder->name);
    int code = sqlite3_prepare_v2(database->handle, sql, -1, &rows.statement, NULL);
    free(sql);
    tarn_status status = code == SQLITE_OK ? TARN_OK : fail_query(database, table, code);
    while (status == TARN_OK && (code = sqlite3_step(rows.statement)) == SQLITE_ROW) {
        if (++rows.row % 1024 == 0) tn_trace_report(TN_STAGE_BUILD, 0, 0);
        status = row(&rows, reader);
    }
    if (status == TARN_OK && code != SQLITE_DONE) status = fail_query(database, table, code);
    (void)sqlite3_finalize(rows.statement);
    return status;
}

void tn_database_list(struct tn_database *database, const char *table, const char *alias,
                      const struct tn_column *columns, size_t count,
                      char list[TN_DATABASE_COLUMNS]) {
    size_t used = 0;
    for (size_t i = 0; i < count && used < TN_DATABASE_COLUMNS; i++) {
        bool named = (columns[i].flags & TN_NEEDED) != 0 ||
                     tn_database_has(database, table, columns[i].name);
        used += (size_t)snprintf(list + used, TN_DATABASE_COLUMNS - used,
                                 named ? "%s%s\"%s\"" : "%sNULL", i > 0 ? ", " : "", alias,
                                 columns[i].name);
    }
}

tarn_status tn_rows_fields(const struct tn_rows *rows, const struct tn_column *columns,
                           size_t count, void *row) {
    for (size_t i = 0; i < count; i++)
        if ((columns[i].flags & TN_INTEGER) != 0)
            TN_TRY(tn_rows_number(rows, (int)i, (columns[i].flags & TN_OPTIONAL) != 0,
                                  (int64_t *)(void *)((char *)row + columns[i].field)));
    return TARN_OK;
}

tarn_status tn_rows_fail(const struct tn_rows *rows, const char *format, ...) {
    char what[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return tn_fail(TARN_CORRUPT, "%s: table %s, row %" PRIu64 ": %s", rows->database->builder->name,
                   rows->table, rows->row, what);
}

bool tn_rows_null(const struct tn_rows *rows, int column) {
    return sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
}

tarn_status tn_rows_number(const struct tn_rows *rows, int column, bool optional, int64_t *number) {
    if (optional && tn_rows_null(rows, column)) {
        *number = 0;
        return TARN_OK;
    }
    if (sqlite3_column_type(rows->statement, column) != SQLITE_INTEGER)
        return tn_rows_fail(rows, "%s is not an integer",
                            sqlite3_column_name(rows->statement, column));
    *number = sqlite3_column_int64(rows->statement, column);
    return TARN_OK;
}

const char *tn_rows_borrow_text(const struct tn_rows *rows, int column) {
    const char *text = (const char *)sqlite3_column_text(rows->statement, column);
    rows->database->starved |= text == NULL && !tn_rows_null(rows, column);
    return text != NULL ? text : "";
}

tarn_status tn_rows_intern_text(const struct tn_rows *rows, int column, uint32_t *text) {
    const char *chars = tn_rows_borrow_text(rows, column);
    return tn_builder_text(rows->database->builder, chars, strlen(chars), text);
}
