// SPDX-License-Identifier: Apache-2.0
// Transits: a table with a list of free entries. The entry freed last is used next, so a steady
// stream touches few entries.
#include "channel/channel.h"

#include <stdlib.h>

#include "base/error.h"

enum { CHECKED = 64 }; // entries of a table that is checked at every change in debug builds

tarn_status tn_transits_init(struct tn_transits *t, uint32_t count) {
    TARN_ASSERT(count != 0 && (count & (count - 1)) == 0);
    t->table = (struct tn_transit *)calloc(count, sizeof *t->table);
    TN_REFUSE(t->table == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for the records of %u parcels in flight", count);
    for (uint32_t i = 0; i < count; i++) t->table[i].next = i + 1;
    t->count = count;
    t->used = 0;
    t->first = 0;
    return TARN_OK;
}

void tn_transits_fini(struct tn_transits *t) {
    TARN_ASSERT(t->table == NULL || tn_transits_check(t));
    free(t->table);
    t->table = NULL;
}

uint32_t tn_transit_take(struct tn_transits *t, uint32_t page) {
    uint32_t number = t->first;
    TARN_ASSERT(number < t->count && t->used < t->count);
    struct tn_transit *transit = &t->table[number];
    TARN_ASSERT(!transit->used);
    t->first = transit->next;
    t->used++;
    transit->generation++;
    transit->page = page;
    transit->used = true;
    transit->returning = false;
    TARN_ASSERT(t->count > CHECKED || tn_transits_check(t));
    return number;
}

struct tn_transit *tn_transit_find(const struct tn_transits *t, uint32_t number,
                                   uint32_t generation) {
    struct tn_transit *transit = number < t->count ? &t->table[number] : NULL;
    return transit != NULL && transit->used && transit->generation == generation ? transit : NULL;
}

void tn_transit_end(struct tn_transits *t, uint32_t number) {
    struct tn_transit *transit = &t->table[number];
    TARN_ASSERT(number < t->count && transit->used && t->used != 0);
    transit->used = false;
    transit->next = t->first;
    t->first = number;
    t->used--;
    TARN_ASSERT(t->count > CHECKED || tn_transits_check(t));
}
