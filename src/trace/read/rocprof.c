// SPDX-License-Identifier: Apache-2.0
// Converts rows of rocprofv3 into entries of a journal; see rocprof.h.
#include "trace/read/rocprof.h"

// Processes have address spaces of their own. A queue has one range of scratch memory at a time,
// which a larger one replaces.
void tn_rocprof_set(struct tn_entry *entry, uint64_t process, enum tn_rocprof_level level,
                    bool frees) {
    enum tn_entry_kind begins = level == TN_ROCPROF_SCRATCH ? TN_ENTRY_RENEW : TN_ENTRY_ALLOC;
    entry->key = entry->address;
    entry->space = (uint32_t)(process * 3 + level);
    entry->kind = (uint32_t)(frees ? TN_ENTRY_FREE : begins);
}
