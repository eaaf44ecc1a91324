// SPDX-License-Identifier: Apache-2.0
// The columns of a format, declared as data: the name of each, how its cells are read and into
// which field of the reader's row. The reader keeps only the meaning of its rows. Has no state; any
// thread may call.
#pragma once

#include "trace/parse/cell.h"

// A text that a cell may have, and the number that the field gets.
struct tn_choice {
    const char *name; // NULL behind the last one
    uint32_t value;
};
// Finds the number of a text. Returns false if it is none of the choices.
bool tn_choice_find(const struct tn_choice *choices, struct tn_cell cell, uint32_t *value);

enum {
    TN_NEEDED = 1,   // a table without the column is refused
    TN_OPTIONAL = 2, // a cell without a value leaves the field as it is
    TN_INTEGER = 4   // of a database: an integer, for an int64_t
};

struct tn_column {
    const char *name; // NULL: no table has it
    unsigned flags;
    size_t field; // its offset in the row
    // Reads the cell, or returns false. NULL: the reader itself looks at the cell.
    bool (*parse)(const struct tn_column *column, struct tn_cell cell, void *field);
    const char *expected; // for error texts
    uint64_t scale;
    const struct tn_choice *choices;
};

// Each parses into a uint64_t: a number, a decimal fraction times `scale`, a time of day in ns.
bool tn_column_number(const struct tn_column *column, struct tn_cell cell, void *field);
bool tn_column_scaled(const struct tn_column *column, struct tn_cell cell, void *field);
bool tn_column_time(const struct tn_column *column, struct tn_cell cell, void *field);
// Parses one of the choices into a uint32_t.
bool tn_column_choice(const struct tn_column *column, struct tn_cell cell, void *field);

// Readers of cells, for lists of columns: X(NAME, "name", flags, how, field).
#define TN_CELL                        .parse = NULL
#define TN_CELL_PARSED(function, text) .parse = (function), .expected = (text)
#define TN_CELL_NUMBER                 TN_CELL_PARSED(tn_column_number, "a number of 64 bits")
#define TN_CELL_SCALED(unit)           TN_CELL_PARSED(tn_column_scaled, "a decimal number"), .scale = (unit)
#define TN_CELL_CHOICE(list, text)     TN_CELL_PARSED(tn_column_choice, text), .choices = (list)

// An element of the table for such a list, and the number of a column. A reader defines TN_ROW, the
// type of its row, before it uses the list.
#define TN_COLUMN(name, text, flags, how, field)        {text, flags, offsetof(TN_ROW, field), how},
#define TN_COLUMN_NUMBER(name, text, flags, how, field) COLUMN_##name,

// Reads the cells of a row, in the order of the columns, and fails at the first one that is not
// what its column expects: "FILE:WHERE: COLUMN: expected ..., found ...".
tarn_status tn_column_fields(const struct tn_column *columns, size_t count,
                             const struct tn_cell *cells, const char *file, uint64_t where,
                             void *row);
// Fails because of a cell in the same words.
tarn_status tn_column_fail(const struct tn_column *column, struct tn_cell cell, const char *file,
                           uint64_t where, const char *expected);
