// SPDX-License-Identifier: Apache-2.0
// The rows of a memory trace of rocprofv3, from CSV, JSON or SQLite. Each becomes an entry of a
// journal, which the caller ends in the order of times. Any thread may call, one for each journal.
#ifndef TARN_TRACE_READ_ROCPROF_H
#define TARN_TRACE_READ_ROCPROF_H

#include "trace/read/journal.h"

enum tn_rocprof_level {
    TN_ROCPROF_REAL,    // hsa_memory_allocate() and the like
    TN_ROCPROF_VIRTUAL, // handles of virtual memory management
    TN_ROCPROF_SCRATCH  // memory of a queue for its kernels; it has no address
};

struct tn_rocprof_row {
    uint64_t where;
    uint64_t time_ns; // of an allocation its end, if recorded; of a free its start
    uint64_t process;
    uint64_t address; // of SCRATCH: the queue
    uint64_t size;    // 0 in frees
    uint64_t stream;  // or the queue
    uint32_t device;  // number of the agent, TN_ENTRY_HOST, or TN_ENTRY_MATCHED if not recorded
    uint32_t stack;
    enum tn_rocprof_level level;
    bool frees;
};

tarn_status tn_rocprof_add(struct tn_journal *journal, const struct tn_rocprof_row *row);

#endif
