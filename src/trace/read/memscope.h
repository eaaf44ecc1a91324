// SPDX-License-Identifier: Apache-2.0
// The rows of an msMemScope dump, from CSV or from SQLite, in any order. At the end they are sorted
// and become the devices of a trace. A reader owns the object. One thread at a time.
#pragma once

#include "trace/parse/column.h"
#include "trace/read/journal.h"

// X(NAME, "name", flags, how, field): the columns, in both kinds of files.
#define TN_MEMSCOPE_COLUMN_LIST(X)                                                                 \
    X(ID, "ID", TN_NEEDED | TN_OPTIONAL, NUMBER, row.id)                                           \
    X(EVENT, "Event", TN_NEEDED, TN_CELL, row)                                                     \
    X(TYPE, "Event Type", TN_NEEDED, TN_CELL, row)                                                 \
    X(NAME, "Name", TN_NEEDED, TN_CELL, row)                                                       \
    X(TIME, "Timestamp(ns)", TN_NEEDED | TN_OPTIONAL, NUMBER, row.entry.time_ns)                   \
    X(PROCESS, "Process Id", TN_NEEDED | TN_OPTIONAL, NUMBER, thread.process)                      \
    X(THREAD, "Thread Id", TN_NEEDED | TN_OPTIONAL, NUMBER, thread.thread)                         \
    X(DEVICE, "Device Id", TN_NEEDED | TN_OPTIONAL, DEVICE, row.entry.device)                      \
    X(ADDRESS, "Ptr", TN_NEEDED, TN_CELL, row)                                                     \
    X(ATTRIBUTES, "Attr", TN_NEEDED, TN_CELL, row)                                                 \
    X(PYTHON_STACK, "Call Stack(Python)", 0, TN_CELL, row)                                         \
    X(C_STACK, "Call Stack(C)", 0, TN_CELL, row)

#define TN_MEMSCOPE_COLUMN_ENUM(name, text, flags, how, field) TN_MEMSCOPE_##name,
enum tn_memscope_column { TN_MEMSCOPE_COLUMN_LIST(TN_MEMSCOPE_COLUMN_ENUM) TN_MEMSCOPE_COLUMNS };

extern const struct tn_column tn_memscope_columns[TN_MEMSCOPE_COLUMNS];

struct tn_memscope_row {
    uint64_t where; // the line, or the number of the row
    struct tn_cell cells[TN_MEMSCOPE_COLUMNS];
};

struct tn_memscope;

// `noun` is that of `where`: "line" or "row".
tarn_status tn_memscope_begin(struct tn_builder *builder, const char *noun,
                              struct tn_memscope **memscope);

// Adds a row. Kinds of rows that say nothing about memory are left out.
tarn_status tn_memscope_add(struct tn_memscope *memscope, const struct tn_memscope_row *row);

// Adds the devices to the trace if `status` is TARN_OK, and releases the object in any case.
// Returns the status, or the first failure.
tarn_status tn_memscope_end(struct tn_memscope *memscope, tarn_status status);
