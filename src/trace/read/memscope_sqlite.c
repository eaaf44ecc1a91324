// SPDX-License-Identifier: Apache-2.0
// The reader of msMemScope's dumps in SQLite: passes the rows to memscope.c. One thread at a time.
#include "base/error.h"
#include "trace/read/memscope.h"
#include "trace/read/sqlite.h"

static tarn_status read_row(const struct tn_rows *rows, void *reader) {
    struct tn_memscope_row row = {.where = rows->row};
    for (int i = 0; i < TN_MEMSCOPE_COLUMNS; i++) {
        row.cells[i].text = tn_rows_chars(rows, i);
        row.cells[i].length = strlen(row.cells[i].text);
    }
    return tn_memscope_add((struct tn_memscope *)reader, &row);
}

static tarn_status read_rows(struct tn_database *database, const char *table,
                             struct tn_memscope *memscope) {
    char list[TN_DATABASE_COLUMNS];
    for (int i = 0; i < TN_MEMSCOPE_COLUMNS; i++)
        TN_REFUSE((tn_memscope_columns[i].flags & TN_NEEDED) != 0 &&
                      !tn_database_has(database, table, tn_memscope_columns[i].name),
                  TARN_CORRUPT, "%s: table %s: no column \"%s\"", database->builder->name, table,
                  tn_memscope_columns[i].name);
    tn_database_list(database, table, "", tn_memscope_columns, TN_MEMSCOPE_COLUMNS, list);
    return tn_rows_read(database, table, read_row, memscope, "SELECT %s FROM \"%s\"", list, table);
}

tarn_status tn_memscope_sqlite_read(struct tn_database *database, const char *name) {
    struct tn_memscope *memscope = NULL;
    TN_TRY(tn_memscope_begin(database->builder, "row", &memscope));
    return tn_memscope_end(memscope, read_rows(database, name, memscope));
}
