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
// free of a process. A free names neither its device nor its size. Processes have address spaces of
// their own. A queue has one range of scratch memory at a time, which a larger one replaces.
static inline void tn_rocprof_set(struct tn_entry *entry, uint64_t process,
                                  enum tn_rocprof_level level, bool frees) {
    enum tn_entry_kind begins = level == TN_ROCPROF_SCRATCH ? TN_ENTRY_RENEW : TN_ENTRY_ALLOC;
    entry->key = entry->address;
    entry->space = (uint32_t)(process * 3 + level);
    entry->kind = (uint32_t)(frees ? TN_ENTRY_FREE : begins);
}
