// SPDX-License-Identifier: Apache-2.0
// A shelf: the parcels that were freed last, kept out of the pool for the next request of the same
// size. A stream of frames then goes through as few parcels as it can, and those are in the caches:
// the pool alone would choose by address. What is on the shelf is free; whoever finds no room
// clears it first. One for each arena; any thread.
#ifndef TARN_CHANNEL_PARCEL_CACHE_H
#define TARN_CHANNEL_PARCEL_CACHE_H

#include "base/lock.h"

#define TN_PARCEL_CACHE_ENTRIES 16u
#define TN_NO_PAGE              UINT32_MAX

struct tn_parcel_cache {
    struct tn_spin lock;
    uint32_t count; // this and the following. Guard: lock
    struct {
        uint64_t bytes;                // that the parcel occupies
        uint32_t page;                 // where it starts
    } places[TN_PARCEL_CACHE_ENTRIES]; // the last one freed is the last
};

static inline void tn_parcel_cache_init(struct tn_parcel_cache *shelf) {
    shelf->count = 0;
    tn_spin_init(&shelf->lock, TN_RANK_CHANNEL_PARCEL_CACHE, "shelf of an arena");
}

// The page of the last one freed that occupies just `bytes`; TN_NO_PAGE: none is there.
uint32_t tn_parcel_cache_pop(struct tn_parcel_cache *shelf, uint64_t bytes);

// Puts one on the shelf. The page of the oldest when it was full, for the pool; else TN_NO_PAGE.
uint32_t tn_parcel_cache_push(struct tn_parcel_cache *shelf, uint64_t bytes, uint32_t page);

// Takes all; how many.
uint32_t tn_parcel_cache_clear(struct tn_parcel_cache *shelf,
                               uint32_t pages[TN_PARCEL_CACHE_ENTRIES]);

#endif
