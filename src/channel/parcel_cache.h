// SPDX-License-Identifier: Apache-2.0
// The parcel cache of an arena: the parcels freed last, kept out of the pool for the next request
// of the same size. A stream of frames then reuses few parcels, which are still in the CPU caches,
// whereas the pool would choose by address. A cached parcel counts as free: a request that finds no
// room flushes the cache first. Any thread may call these functions.
#ifndef TARN_CHANNEL_PARCEL_CACHE_H
#define TARN_CHANNEL_PARCEL_CACHE_H

#include "base/lock.h"

#define TN_PARCEL_CACHE_ENTRIES 16u
#define TN_NO_PAGE              UINT32_MAX

struct tn_parcel_cache {
    struct tn_spin lock;
    uint32_t count; // this and the following. Guard: lock
    struct {
        uint64_t bytes;                 // that the parcel occupies
        uint32_t page;                  // its first page
    } entries[TN_PARCEL_CACHE_ENTRIES]; // in the order in which they were freed
};

static inline void tn_parcel_cache_init(struct tn_parcel_cache *cache) {
    cache->count = 0;
    tn_spin_init(&cache->lock, TN_RANK_CHANNEL_PARCEL_CACHE, "parcel cache of an arena");
}

// Removes the last freed parcel that occupies exactly `bytes`. Returns its first page, or
// TN_NO_PAGE if the cache has none.
uint32_t tn_parcel_cache_pop(struct tn_parcel_cache *cache, uint64_t bytes);

// Adds a parcel. If the cache was full, returns the first page of the oldest parcel, which the
// caller frees to the pool. Otherwise returns TN_NO_PAGE.
uint32_t tn_parcel_cache_push(struct tn_parcel_cache *cache, uint64_t bytes, uint32_t page);

// Removes all parcels, stores their first pages and returns their number.
uint32_t tn_parcel_cache_clear(struct tn_parcel_cache *cache,
                               uint32_t pages[TN_PARCEL_CACHE_ENTRIES]);

#endif
