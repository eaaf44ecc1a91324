// SPDX-License-Identifier: Apache-2.0
// The parcel cache: a short array, searched from its end.
#include "channel/arena.h"

// For assertions: no page is in the cache twice.
static bool has_page(const struct tn_parcel_cache *cache, uint32_t page) {
    uint32_t at = 0;
    while (at < cache->count && cache->entries[at].page != page) at++;
    return at < cache->count;
}

static void close_gap(struct tn_parcel_cache *cache, uint32_t at) {
    TARN_ASSERT(tn_spin_is_held(&cache->lock) && at < cache->count);
    cache->count--;
    memmove(&cache->entries[at], &cache->entries[at + 1],
            (cache->count - at) * sizeof cache->entries[0]);
}

uint32_t tn_parcel_cache_pop(struct tn_parcel_cache *cache, uint64_t bytes) {
    TN_SPIN_LOCKED(&cache->lock);
    for (uint32_t at = cache->count; at-- > 0;) {
        if (cache->entries[at].bytes == bytes) {
            uint32_t page = cache->entries[at].page;
            close_gap(cache, at);
            return page;
        }
    }
    return TN_NO_PAGE;
}

uint32_t tn_parcel_cache_push(struct tn_parcel_cache *cache, uint64_t bytes, uint32_t page) {
    uint32_t oldest = TN_NO_PAGE;
    TN_SPIN_LOCKED(&cache->lock);
    TARN_ASSERT(page != TN_NO_PAGE && !has_page(cache, page));
    if (cache->count == TN_PARCEL_CACHE_ENTRIES) {
        oldest = cache->entries[0].page;
        close_gap(cache, 0);
    }
    cache->entries[cache->count].bytes = bytes;
    cache->entries[cache->count].page = page;
    cache->count++;
    TARN_ASSERT(cache->count <= TN_PARCEL_CACHE_ENTRIES);
    return oldest;
}

uint32_t tn_parcel_cache_clear(struct tn_parcel_cache *cache,
                               uint32_t pages[TN_PARCEL_CACHE_ENTRIES]) {
    TN_SPIN_LOCKED(&cache->lock);
    uint32_t count = cache->count;
    for (uint32_t i = 0; i < count; i++) pages[i] = cache->entries[i].page;
    cache->count = 0;
    return count;
}
