// SPDX-License-Identifier: Apache-2.0
// The reader of SQLite databases: chooses by the tables who reads them. One thread at a time.
#include "trace/read/sqlite.h"

#include "base/error.h"
#include "trace/read/read.h"

#define READER(format, table, reader) {TN_TRACE_##format, table, reader},
static const struct database_reader {
    enum tn_trace_format format;
    const char *table;
    tarn_status (*read)(struct tn_database *database, const char *table);
} database_readers[] = {TN_DATABASE_LIST(READER)};

static tarn_status read_tables(struct tn_database *database) {
    char name[TN_DATABASE_NAME];
    for (size_t i = 0; i < sizeof database_readers / sizeof *database_readers; i++) {
        TN_TRY(tn_database_find(database, database_readers[i].table, name));
        if (name[0] == '\0') continue;
        database->builder->trace.format = database->builder->trace.origin =
            database_readers[i].format;
        return database_readers[i].read(database, name);
    }
    return tn_database_fail_unknown(database);
}

bool tn_sqlite_detect(const uint8_t *bytes, size_t size) {
    static const char magic[] = "SQLite format 3"; // and its NUL
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

tarn_status tn_sqlite_read(struct tn_source *source, struct tn_builder *builder) {
    struct tn_database database;
    tarn_status status = tn_database_open(&database, source, builder);
    if (status == TARN_OK) status = read_tables(&database);
    return tn_database_end(&database, status);
}
