// SPDX-License-Identifier: Apache-2.0
// Holdings: a table by transit, and chains by start.
#include "channel/received.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/error.h"

tarn_status tn_received_init(struct tn_received_table *h, uint32_t count) {
    h->table = (struct tn_received_parcel *)calloc(count, sizeof *h->table);
    h->buckets = (uint32_t *)calloc(count, sizeof *h->buckets);
    if (h->table == NULL || h->buckets == NULL) {
        tn_received_fini(h);
        return tn_fail(TARN_NO_HOST_MEMORY, "records of %u received parcels", count);
    }
    h->count = count;
    h->used = 0;
    return TARN_OK;
}

void tn_received_fini(struct tn_received_table *h) {
    free(h->table);
    free(h->buckets);
    h->table = NULL;
    h->buckets = NULL;
}

static uint32_t *bucket_of(const struct tn_received_table *h, uint64_t offset) {
    uint64_t mixed = (offset / TN_SHM_PAGE) * UINT64_C(0x9e3779b97f4a7c15);
    return &h->buckets[(mixed >> 32) & (h->count - 1)];
}

void tn_received_add(struct tn_received_table *h, const struct tn_parcel_ref *ref, uint8_t policy) {
    struct tn_received_parcel *holding = &h->table[ref->transit];
    uint32_t *bucket = bucket_of(h, ref->offset);
    TARN_ASSERT(holding->holds == 0);
    *holding = (struct tn_received_parcel){ref->offset, ref->capacity, ref->generation, *bucket,
                                           1,           policy};
    *bucket = ref->transit + 1;
    h->used++;
}

uint32_t tn_received_find(const struct tn_received_table *h, uint64_t offset) {
    uint32_t found = TN_RECEIVED_NONE;
    for (uint32_t at = *bucket_of(h, offset); at != 0; at = h->table[at - 1].next) {
        const struct tn_received_parcel *holding = &h->table[at - 1];
        if (holding->offset == offset && (found == TN_RECEIVED_NONE || holding->holds == 1)) {
            found = at - 1;
        }
    }
    return found;
}

uint32_t tn_received_containing(const struct tn_received_table *h, uint64_t offset) {
    for (uint32_t i = 0; i < h->count; i++) {
        const struct tn_received_parcel *holding = &h->table[i];
        if (holding->holds != 0 && offset >= holding->offset &&
            offset - holding->offset < holding->capacity) {
            return i;
        }
    }
    return TN_RECEIVED_NONE;
}

void tn_received_remove(struct tn_received_table *h, uint32_t transit) {
    struct tn_received_parcel *holding = &h->table[transit];
    uint32_t *link = bucket_of(h, holding->offset);
    while (*link != transit + 1) {
        link = &h->table[*link - 1].next;
    }
    *link = holding->next;
    holding->holds = 0;
    h->used--;
}
