// SPDX-License-Identifier: Apache-2.0
// The shelf: a short array, searched from its end.
#include "channel/parcel_cache.h"

#include <string.h>

static void close_gap(struct tn_parcel_cache *shelf, uint32_t at) {
    shelf->count--;
    memmove(&shelf->places[at], &shelf->places[at + 1],
            (shelf->count - at) * sizeof shelf->places[0]);
}

uint32_t tn_parcel_cache_pop(struct tn_parcel_cache *shelf, uint64_t bytes) {
    uint32_t page = TN_NO_PAGE;
    tn_spin_lock(&shelf->lock);
    for (uint32_t at = shelf->count; at-- > 0;) {
        if (shelf->places[at].bytes == bytes) {
            page = shelf->places[at].page;
            close_gap(shelf, at);
            break;
        }
    }
    tn_spin_unlock(&shelf->lock);
    return page;
}

uint32_t tn_parcel_cache_push(struct tn_parcel_cache *shelf, uint64_t bytes, uint32_t page) {
    uint32_t oldest = TN_NO_PAGE;
    tn_spin_lock(&shelf->lock);
    if (shelf->count == TN_PARCEL_CACHE_ENTRIES) {
        oldest = shelf->places[0].page;
        close_gap(shelf, 0);
    }
    shelf->places[shelf->count].bytes = bytes;
    shelf->places[shelf->count].page = page;
    shelf->count++;
    tn_spin_unlock(&shelf->lock);
    return oldest;
}

uint32_t tn_parcel_cache_clear(struct tn_parcel_cache *shelf,
                               uint32_t pages[TN_PARCEL_CACHE_ENTRIES]) {
    tn_spin_lock(&shelf->lock);
    uint32_t count = shelf->count;
    for (uint32_t i = 0; i < count; i++) {
        pages[i] = shelf->places[i].page;
    }
    shelf->count = 0;
    tn_spin_unlock(&shelf->lock);
    return count;
}
