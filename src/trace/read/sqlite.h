// SPDX-License-Identifier: Apache-2.0
// The readers of SQLite databases, one for each program that writes them. Each fills a builder from
// an open database. To add one: a file that defines its function, and a line in the list.
#pragma once

#include "trace/parse/database.h"

// X(FORMAT, "table", reader): the reader of databases with a table or view whose name begins so.
// The first one that is found is taken.
#define TN_DATABASE_LIST(X)                                                                        \
    X(NSYS, "CUDA_GPU_MEMORY_USAGE_EVENTS", tn_nsys_read)                                          \
    X(MEMSCOPE, "memscope_dump", tn_memscope_sqlite_read)                                          \
    X(MEMSCOPE, "leaks_dump", tn_memscope_sqlite_read)                                             \
    X(ROCPROF, "rocpd_memory_allocate", tn_rocpd_read)                                             \
    X(SNAPSHOT, "device_traces", tn_snapshot_sqlite_read)                                          \
    X(SNAPSHOT, "trace_entry_", tn_snapshot_sqlite_read)                                           \
    X(SNAPSHOT, "segments", tn_snapshot_sqlite_read)                                               \
    X(SNAPSHOT, "allocs", tn_snapshot_sqlite_read)

#define TN_DATABASE_DECLARE(format, table, reader)                                                 \
    tarn_status reader(struct tn_database *database, const char *name);
TN_DATABASE_LIST(TN_DATABASE_DECLARE)
