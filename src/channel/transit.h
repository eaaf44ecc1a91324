// SPDX-License-Identifier: Apache-2.0
// Transits: which parcels of ours are at the peer of one channel. The peer names a transit by its
// number and generation, so that a return that was never due is told from one that is. The table is
// private memory; its channel's send lock guards it.
#ifndef TARN_CHANNEL_TRANSIT_H
#define TARN_CHANNEL_TRANSIT_H

#include <tarn/base.h>

struct tn_transit {
    uint32_t generation; // counts uses
    uint32_t next;       // in the list of free ones
    uint32_t page;       // of the parcel
    bool used;
    bool returning; // a message that is not read yet brings it back: stays when the peer is gone
};

struct tn_transits {
    struct tn_transit *table;
    uint32_t count; // a power of two
    uint32_t used;
    uint32_t first; // free one, last freed first; `count`: none
};

tarn_status tn_transits_init(struct tn_transits *t, uint32_t count);
void tn_transits_fini(struct tn_transits *t);

static inline bool tn_transits_have(const struct tn_transits *t, uint32_t wanted) {
    return t->count - t->used >= wanted;
}

// Takes a free one, which there must be, for the parcel at `page`.
uint32_t tn_transit_take(struct tn_transits *t, uint32_t page);

// The transit that a peer names; NULL: it does not have it.
struct tn_transit *tn_transit_find(const struct tn_transits *t, uint32_t number,
                                   uint32_t generation);

void tn_transit_end(struct tn_transits *t, uint32_t number);

#endif
