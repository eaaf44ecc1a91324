// SPDX-License-Identifier: Apache-2.0
// The reader of msMemScope's dumps in SQLite: passes the rows to memscope.c. One thread at a time.
#include <stdio.h>
#include <string.h>

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
    char quoted[TN_MEMSCOPE_COLUMNS][32];
    for (int i = 0; i < TN_MEMSCOPE_COLUMNS; i++) {
        const struct tn_column *column = &tn_memscope_columns[i];
        bool has = tn_database_has(database, table, column->name);
        TN_REFUSE(!has && (column->flags & TN_NEEDED) != 0, TARN_CORRUPT,
                  "%s: table %s: no column \"%s\"", database->builder->name, table, column->name);
        (void)snprintf(quoted[i], sizeof quoted[i], has ? "\"%s\"" : "NULL", column->name);
    }
    return tn_rows_read(database, table, read_row, memscope,
                        "SELECT %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s FROM \"%s\"",
                        quoted[0], quoted[1], quoted[2], quoted[3], quoted[4], quoted[5], quoted[6],
                        quoted[7], quoted[8], quoted[9], quoted[10], quoted[11], table);
}

tarn_status tn_memscope_sqlite_read(struct tn_database *database, const char *name) {
    struct tn_memscope *memscope = NULL;
    TN_TRY(tn_memscope_begin(database->builder, "row", &memscope));
    return tn_memscope_end(memscope, read_rows(database, name, memscope));
}
