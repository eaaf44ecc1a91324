// SPDX-License-Identifier: Apache-2.0
// Received parcels: a table indexed by transit, with hash chains by start.
#include "channel/channel.h"

#include <stdlib.h>

#include "base/error.h"

enum { CHECKED = 64 }; // entries of a table that is checked at every change in debug builds

tarn_status tn_received_init(struct tn_received_table *t, uint32_t count) {
    TARN_ASSERT(count != 0 && (count & (count - 1)) == 0);
    t->table = (struct tn_received_parcel *)calloc(count, sizeof *t->table);
    t->buckets = (uint32_t *)calloc(count, sizeof *t->buckets);
    if (t->table == NULL || t->buckets == NULL) {
        tn_received_fini(t);
        return tn_fail(TARN_NO_HOST_MEMORY,
                       "out of host memory for the records of %u received parcels", count);
    }
    t->count = count;
    t->used = 0;
    return TARN_OK;
}

void tn_received_fini(struct tn_received_table *t) {
    free(t->table);
    free(t->buckets);
    t->table = NULL;
    t->buckets = NULL;
}

static uint32_t *bucket_of(const struct tn_received_table *t, uint64_t offset) {
    return &t->buckets[tn_received_bucket(t, offset)];
}

void tn_received_add(struct tn_received_table *t, const struct tn_parcel_ref *ref, uint8_t policy) {
    struct tn_received_parcel *parcel = &t->table[ref->transit];
    uint32_t *bucket = bucket_of(t, ref->offset);
    TARN_ASSERT(parcel->holds == 0 && t->used < t->count && *bucket <= t->count);
    *parcel = (struct tn_received_parcel){ref->offset, ref->capacity, ref->generation, *bucket,
                                          1,           policy};
    *bucket = ref->transit + 1;
    t->used++;
    TARN_ASSERT(t->count > CHECKED || tn_received_check(t));
}

uint32_t tn_received_find(const struct tn_received_table *t, uint64_t offset) {
    uint32_t found = TN_RECEIVED_NONE;
    for (uint32_t at = *bucket_of(t, offset); at != 0; at = t->table[at - 1].next) {
        const struct tn_received_parcel *parcel = &t->table[at - 1];
        TARN_ASSERT(at <= t->count && parcel->holds != 0); // a free entry is in no bucket
        if (parcel->offset == offset && (found == TN_RECEIVED_NONE || parcel->holds == 1))
            found = at - 1;
    }
    return found;
}

uint32_t tn_received_containing(const struct tn_received_table *t, uint64_t offset) {
    for (uint32_t i = 0; i < t->count; i++) {
        const struct tn_received_parcel *parcel = &t->table[i];
        if (parcel->holds != 0 && offset >= parcel->offset &&
            offset - parcel->offset < parcel->capacity)
            return i;
    }
    return TN_RECEIVED_NONE;
}

void tn_received_remove(struct tn_received_table *t, uint32_t transit) {
    struct tn_received_parcel *parcel = &t->table[transit];
    uint32_t *link = bucket_of(t, parcel->offset);
    TARN_ASSERT(transit < t->count && parcel->holds != 0 && t->used != 0);
    while (*link != transit + 1) link = &t->table[*link - 1].next;
    *link = parcel->next;
    parcel->holds = 0;
    t->used--;
    TARN_ASSERT(t->count > CHECKED || tn_received_check(t));
}
