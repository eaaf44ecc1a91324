// SPDX-License-Identifier: Apache-2.0
// The parcels of a peer that this process holds, received over one channel and looked up by their
// start in the peer's arena. A parcel that was sent twice has two entries, each with the transit
// that its return must name. The table is private memory, guarded by the channel's received lock.
#ifndef TARN_CHANNEL_RECEIVED_H
#define TARN_CHANNEL_RECEIVED_H

#include <tarn/base.h>

#include "channel/mailbox.h"

struct tn_received_parcel {
    uint64_t offset;
    uint64_t capacity;
    uint32_t generation;
    uint32_t next;  // index of the next entry of the bucket, plus 1; or 0
    uint32_t holds; // 0 if the entry is free
    uint8_t policy;
};

struct tn_received_table {
    struct tn_received_parcel *table; // indexed by the peer's transit
    uint32_t *buckets;                // index of the first entry, plus 1
    uint32_t count;                   // of both; a power of two
    uint32_t used;
};

#define TN_RECEIVED_NONE UINT32_MAX

tarn_status tn_received_init(struct tn_received_table *t, uint32_t count);
void tn_received_fini(struct tn_received_table *t);

// Returns true if the transit that a peer names is in range and its entry is free.
static inline bool tn_received_is_free(const struct tn_received_table *t, uint32_t transit) {
    return transit < t->count && t->table[transit].holds == 0;
}

// Adds a parcel by its reference, which was checked.
void tn_received_add(struct tn_received_table *t, const struct tn_parcel_ref *ref, uint8_t policy);

// Returns the entry of a parcel that starts at `offset`, or TN_RECEIVED_NONE. If there are several,
// prefers one with a single hold, so that frees and holds balance in any order.
uint32_t tn_received_find(const struct tn_received_table *t, uint64_t offset);

// Returns the entry of the parcel that contains the byte at `offset`. Searches the whole table.
uint32_t tn_received_containing(const struct tn_received_table *t, uint64_t offset);

void tn_received_remove(struct tn_received_table *t, uint32_t transit);

#endif
