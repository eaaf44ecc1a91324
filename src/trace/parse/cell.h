// SPDX-License-Identifier: Apache-2.0
// A cell: the text of one value of a table, which need not be terminated. Has no state; any thread
// may call.
#pragma once

#include <tarn/base.h>

struct tn_cell {
    const char *text;
    size_t length;
};

bool tn_cell_is(struct tn_cell cell, const char *text);

// Returns false if the cell is empty or says that there is no value: "N/A", "None".
bool tn_cell_has_value(struct tn_cell cell);

// Returns the cell without the blanks and tabs at its ends.
struct tn_cell tn_cell_trim(struct tn_cell cell);

// Parses a number that is the complete cell: decimal, or hexadecimal after "0x". Returns false if
// it is anything else or does not fit.
bool tn_cell_unsigned(struct tn_cell cell, uint64_t *value);

// Parses a decimal number, perhaps with a fraction, times `scale`. Digits behind the last one that
// `scale` (at most 2^30) can show are cut off.
bool tn_cell_scaled(struct tn_cell cell, uint64_t scale, uint64_t *value);

// Parses a time of day in nanoseconds: HH:MM:SS, and behind a point or a colon up to nine digits of
// a fraction.
bool tn_cell_time_of_day(struct tn_cell cell, uint64_t *time_ns);

// The times of day of rows in order. A time that falls by half a day or more is one of the next
// day; one that falls by less is that of a thread which another overtook.
struct tn_days {
    uint64_t day_ns; // added to the times of day
    uint64_t last_ns;
};
// Returns the time since the first midnight, which never falls.
uint64_t tn_days_add(struct tn_days *days, uint64_t time_of_day_ns);

// Quotes the beginning of a text so that it is safe to print. Returns `shown`.
#define TN_CELL_QUOTED 24
#define TN_CELL_SHOWN  (4 * TN_CELL_QUOTED + 4)
const char *tn_cell_quote(struct tn_cell cell, char shown[TN_CELL_SHOWN]);
