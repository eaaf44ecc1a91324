// SPDX-License-Identifier: Apache-2.0
// A table in CSV (RFC 4180), row by row: quoted cells with commas, quotes and line breaks, lines
// that end with CRLF, a UTF-8 mark, blanks and tabs around values. The first row names the columns.
// A reader owns it. One thread at a time. Errors name the file and the line.
#pragma once

#include "trace/builder.h"
#include "trace/parse/column.h"
#include "trace/parse/source.h"

#define TN_CSV_COLUMNS   256
#define TN_CSV_ROW_BYTES (UINT32_C(1) << 20)

// Returned by tn_csv_find() for a column that is not there. Its cells are empty.
#define TN_CSV_NO_COLUMN TN_CSV_COLUMNS

struct tn_csv;

// Reads the names of the columns. Release with tn_csv_close().
tarn_status tn_csv_open(struct tn_source *source, struct tn_builder *builder, struct tn_csv **csv);
void tn_csv_close(struct tn_csv *csv);

// Returns the number of the column, or TN_CSV_NO_COLUMN.
size_t tn_csv_find(const struct tn_csv *csv, const char *name);
// The same, but fails if there is none.
tarn_status tn_csv_need(const struct tn_csv *csv, const char *name, size_t *column);

// Finds the columns of a format. From here on, here and below, a column is known by its number in
// `columns` in place of that in the table. Columns that the table lacks have empty cells, and are
// an error if they are needed.
tarn_status tn_csv_bind(struct tn_csv *csv, const struct tn_column *columns, size_t count);
// Returns true if the table has the column.
bool tn_csv_has(const struct tn_csv *csv, size_t column);

// Reads the next row that is not empty. *more is false at the end. A row whose end is missing at
// the end of the file is left out, and noted in the trace.
tarn_status tn_csv_next(struct tn_csv *csv, bool *more);

// The number of the line on which the row begins, from 1.
uint64_t tn_csv_line(const struct tn_csv *csv);

// Returns a cell of the row, without quotes and the blanks around it. It stays until the next row
// is read.
struct tn_cell tn_csv_cell(const struct tn_csv *csv, size_t column);
// The same, but with the blanks that were within quotes.
struct tn_cell tn_csv_text(const struct tn_csv *csv, size_t column);

// Reads the bound columns of the row into a reader's row.
tarn_status tn_csv_fields(const struct tn_csv *csv, void *row);

// Reads a cell as a number, decimal or hexadecimal, or fails.
tarn_status tn_csv_number(const struct tn_csv *csv, size_t column, uint64_t *value);

// Fails because of a cell: "FILE:LINE: COLUMN: expected ..., found ...".
tarn_status tn_csv_fail(const struct tn_csv *csv, size_t column, const char *expected);

// For detection: returns true if the first line begins with the names of these columns, quoted or
// not, perhaps behind a UTF-8 mark.
bool tn_csv_detect(const uint8_t *bytes, size_t size, const struct tn_column *columns,
                   size_t count);

// Reads a table: binds the columns of a format, calls `begin`, and `row` for each row. `reader` is
// passed to both. `begin` may be NULL; it binds the columns itself if `columns` is NULL.
typedef tarn_status tn_csv_step(struct tn_csv *csv, void *reader);
tarn_status tn_csv_read(struct tn_source *source, struct tn_builder *builder,
                        const struct tn_column *columns, size_t count, tn_csv_step *begin,
                        tn_csv_step *row, void *reader);
