// SPDX-License-Identifier: Apache-2.0
// What this process holds of a peer's parcels, received over one channel: found by where they start
// in the peer's arena. A parcel that was lent twice is held twice, each time with the transit that
// its return must name. The table is private; the channel's held lock guards it.
#ifndef TARN_CHANNEL_RECEIVED_H
#define TARN_CHANNEL_RECEIVED_H

#include <tarn/base.h>

#include "channel/mailbox.h"

struct tn_received_parcel {
    uint64_t offset;
    uint64_t capacity;
    uint32_t generation;
    uint32_t next;  // holding of the same bucket, plus 1; 0: none
    uint32_t holds; // 0: not in use
    uint8_t policy;
};

struct tn_received_table {
    struct tn_received_parcel *table; // by the number of the peer's transit
    uint32_t *buckets;                // number plus 1
    uint32_t count;                   // of both; a power of two
    uint32_t used;
};

#define TN_RECEIVED_NONE UINT32_MAX

tarn_status tn_received_init(struct tn_received_table *h, uint32_t count);
void tn_received_fini(struct tn_received_table *h);

// May the peer's descriptor be believed: is that transit not here already?
static inline bool tn_received_is_free(const struct tn_received_table *h, uint32_t transit) {
    return transit < h->count && h->table[transit].holds == 0;
}

// Adds what the reference says, which was checked.
void tn_received_add(struct tn_received_table *h, const struct tn_parcel_ref *ref, uint8_t policy);

// A holding that starts at `offset`; TN_RECEIVED_NONE. Of several, one that takes a single free goes
// first, so that frees and holds come out even whatever their order.
uint32_t tn_received_find(const struct tn_received_table *h, uint64_t offset);

// The one that has the byte at `offset`, anywhere in it. Walks the table.
uint32_t tn_received_containing(const struct tn_received_table *h, uint64_t offset);

void tn_received_remove(struct tn_received_table *h, uint32_t transit);

#endif
