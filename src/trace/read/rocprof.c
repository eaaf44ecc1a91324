// SPDX-License-Identifier: Apache-2.0
// Converts rows of rocprofv3 into entries of a journal; see rocprof.h. A free names neither its
// device nor its size, so that both come from the allocation with its address.
#include "trace/read/rocprof.h"

// A queue has one range of scratch memory at a time, which a larger one replaces.
tarn_status tn_rocprof_add(struct tn_journal *journal, const struct tn_rocprof_row *row) {
    enum tn_entry_kind begins = row->level == TN_ROCPROF_SCRATCH ? TN_ENTRY_RENEW : TN_ENTRY_ALLOC;
    const struct tn_entry entry = {.time_ns = row->time_ns,
                                   .where = row->where,
                                   .key = row->address,
                                   .address = row->address,
                                   .size = row->size,
                                   .stream = row->stream,
                                   // Processes have address spaces of their own.
                                   .space = (uint32_t)(row->process * 3 + row->level),
                                   .device = row->device,
                                   .stack = row->stack,
                                   .kind = (uint32_t)(row->frees ? TN_ENTRY_FREE : begins)};
    return tn_journal_add(journal, &entry);
}
