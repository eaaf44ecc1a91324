// SPDX-License-Identifier: Apache-2.0
// A database: an SQLite file in memory that is read without trust in its contents. No extension, no
// virtual table and no second file is opened, and every query has a limit on its steps. One thread
// at a time.
#pragma once

#include "trace/builder.h"
#include "trace/parse/column.h"
#include "trace/parse/source.h"

struct sqlite3;
struct sqlite3_stmt;

struct tn_database {
    struct tn_builder *builder;
    struct sqlite3 *handle;
    uint8_t *bytes; // of the file
    uint64_t steps; // thousands, taken by all queries
    uint64_t steps_max;
    bool starved; // a column or a text could not be read without memory
};

// Opens the rest of the source. Notes changes that lie in another file and are therefore not seen.
// Call tn_database_end() in any case.
tarn_status tn_database_open(struct tn_database *database, struct tn_source *source,
                             struct tn_builder *builder);
// Closes the database. Returns `status`, or NO_HOST_MEMORY if a shortage hid a column or a text.
tarn_status tn_database_end(struct tn_database *database, tarn_status status);

// Returns true if a table or view of this name exists and has the column. NULL asks for the table
// alone.
bool tn_database_has(struct tn_database *database, const char *table, const char *column);

// Finds the first table or view, in the order of names, that begins with `prefix`. An empty name is
// returned if there is none.
#define TN_DATABASE_NAME 128
tarn_status tn_database_find(struct tn_database *database, const char *prefix,
                             char name[TN_DATABASE_NAME]);

// Fails with the names of the tables.
tarn_status tn_database_fail_unknown(struct tn_database *database);

// The rows that a query returns.
struct tn_rows {
    struct tn_database *database;
    const char *table; // for error texts
    struct sqlite3_stmt *statement;
    uint64_t row; // from 1
};

// Makes a query, like a text of printf(), and calls `row` for each row. `reader` is passed to it.
typedef tarn_status tn_rows_step(const struct tn_rows *rows, void *reader);
tarn_status tn_rows_read(struct tn_database *database, const char *table, tn_rows_step *row,
                         void *reader, const char *format, ...) TARN_PRINTF(5, 6);

// Writes the columns of a format for a query, each behind `alias`. Those that the table lacks are
// NULL; needed ones are named in any case, so that the query fails.
#define TN_DATABASE_COLUMNS 1024
void tn_database_list(struct tn_database *database, const char *table, const char *alias,
                      const struct tn_column *columns, size_t count,
                      char list[TN_DATABASE_COLUMNS]);
// Reads the columns with TN_INTEGER, which come first in the query, into a reader's row.
tarn_status tn_rows_fields(const struct tn_rows *rows, const struct tn_column *columns,
                           size_t count, void *row);

// Reads a column, by its number from 0. A number must be an integer; NULL is 0 where `optional`.
tarn_status tn_rows_number(const struct tn_rows *rows, int column, bool optional, int64_t *number);
bool tn_rows_null(const struct tn_rows *rows, int column);
// Finds or adds the text of a column to the trace; text 0 for NULL.
tarn_status tn_rows_intern_text(const struct tn_rows *rows, int column, uint32_t *text);
// Returns the text of a column until the next row, or "" for NULL.
const char *tn_rows_borrow_text(const struct tn_rows *rows, int column);

// Fails with the name of the file, the table and the row.
tarn_status tn_rows_fail(const struct tn_rows *rows, const char *format, ...) TARN_PRINTF(2, 3);
