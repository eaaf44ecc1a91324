// SPDX-License-Identifier: Apache-2.0
// Transits: the parcels of this process that the peer of one channel holds. The peer names a
// transit by number and generation, so a return that is not due is recognised. The table is private
// memory, guarded by the channel's send lock.
#ifndef TARN_CHANNEL_TRANSIT_H
#define TARN_CHANNEL_TRANSIT_H

#include <tarn/base.h>

struct tn_transit {
    uint32_t generation; // counts the uses of this entry
    uint32_t next;       // in the list of free entries
    uint32_t page;       // first page of the parcel
    bool used;
    bool returning; // an unread message returns the parcel: the entry outlives the peer
};

struct tn_transits {
    struct tn_transit *table;
    uint32_t count; // a power of two
    uint32_t used;
    uint32_t first; // the free entry that was freed last, or `count`
};

tarn_status tn_transits_init(struct tn_transits *t, uint32_t count);
void tn_transits_fini(struct tn_transits *t);

static inline bool tn_transits_have(const struct tn_transits *t, uint32_t wanted) {
    return t->count - t->used >= wanted;
}

// Removes a free entry from the list for the parcel at `page`. Returns its number. One must be
// free.
uint32_t tn_transit_take(struct tn_transits *t, uint32_t page);

// Returns the transit that a peer names, or NULL if the peer does not hold it.
struct tn_transit *tn_transit_find(const struct tn_transits *t, uint32_t number,
                                   uint32_t generation);

void tn_transit_end(struct tn_transits *t, uint32_t number);

#endif
