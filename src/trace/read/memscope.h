// SPDX-License-Identifier: Apache-2.0
// The rows of an msMemScope dump, from CSV or from SQLite, in any order. At the end they are sorted
// and become the devices of a trace. A reader owns the object. One thread at a time.
#ifndef TARN_TRACE_READ_MEMSCOPE_H
#define TARN_TRACE_READ_MEMSCOPE_H

#include "trace/parse/cell.h"
#include "trace/read/journal.h"

// X(NAME, "the column in both kinds of files"). The stacks may be missing.
#define TN_MEMSCOPE_COLUMN_LIST(X)                                                                 \
    X(ID, "ID")                                                                                    \
    X(EVENT, "Event")                                                                              \
    X(TYPE, "Event Type")                                                                          \
    X(NAME, "Name")                                                                                \
    X(TIME, "Timestamp(ns)")                                                                       \
    X(PROCESS, "Process Id")                                                                       \
    X(THREAD, "Thread Id")                                                                         \
    X(DEVICE, "Device Id")                                                                         \
    X(ADDRESS, "Ptr")                                                                              \
    X(ATTRIBUTES, "Attr")                                                                          \
    X(PYTHON_STACK, "Call Stack(Python)")                                                          \
    X(C_STACK, "Call Stack(C)")

enum tn_memscope_column {
#define TN_MEMSCOPE_COLUMN_ENUM(name, text) TN_MEMSCOPE_##name,
    TN_MEMSCOPE_COLUMN_LIST(TN_MEMSCOPE_COLUMN_ENUM)
#undef TN_MEMSCOPE_COLUMN_ENUM
        TN_MEMSCOPE_COLUMNS
};

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

#endif
