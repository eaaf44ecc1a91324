// SPDX-License-Identifier: Apache-2.0
// The rows of a memory trace of rocprofv3, from CSV, JSON or SQLite. Each becomes an entry of a
// journal, which the caller ends in the order of times: that of an allocation is its end, if
// recorded, that of a free its start. The address of SCRATCH is the queue. No state.
#pragma once

#include "trace/read/journal.h"

enum tn_rocprof_level {
    TN_ROCPROF_REAL,    // hsa_memory_allocate() and the like
    TN_ROCPROF_VIRTUAL, // handles of virtual memory management
    TN_ROCPROF_SCRATCH  // memory of a queue for its kernels; it has no address
};

// Sets the key, the space and the kind of an entry whose other fields are set, for an allocation or a
// free of a process. A free names neither its device nor its size.
void tn_rocprof_set(struct tn_entry *entry, uint64_t process, enum tn_rocprof_level level,
                    bool frees);
