// SPDX-License-Identifier: Apache-2.0
// The slot table: an array that doubles, and a linked list of its free slots. The slot freed last
// is reused first, so that the used part of the array stays in the cache. See slots.h.
#include "algo/slots.h"

#include <stdlib.h>

#include "base/assert.h"

#define SLOT_BITS    28
#define KIND_BITS    4
#define SLOT_MASK    (TN_SLOTS_MAX - 1)
#define NONE         UINT32_MAX       // end of the free list
#define LIVE         (UINT32_MAX - 1) // in `next` of a slot in use
#define RETIRED      (UINT32_MAX - 2) // in `next` of a slot that is never used again
#define FIRST_LENGTH 16u

struct tn_slot {
    uint64_t payload;
    uint32_t generation; // of the handle that is live, or of the next one; never 0
    uint32_t next;       // LIVE, RETIRED, or the next free slot
};

static uint64_t handle_of(const struct tn_slots *table, uint32_t index) {
    TARN_ASSERT(index < table->used && table->slot[index].generation != 0);
    return (uint64_t)table->slot[index].generation << (SLOT_BITS + KIND_BITS) |
           (uint64_t)table->kind << SLOT_BITS | index;
}

void tn_slots_init(struct tn_slots *table, uint32_t kind, uint32_t limit) {
    TARN_ASSERT(kind < TN_SLOTS_KINDS);
    if (limit == 0 || limit > TN_SLOTS_MAX) limit = TN_SLOTS_MAX;
    *table = (struct tn_slots){.kind = kind, .limit = limit, .free = NONE};
}

void tn_slots_fini(struct tn_slots *table) {
    TARN_ASSERT(table->slot == NULL || tn_slots_check(table));
    free(table->slot);
    *table = (struct tn_slots){.free = NONE};
}

// Takes the slot freed last, or else one that was never used.
static tarn_status new_slot(struct tn_slots *table, uint32_t *index) {
    if (table->free != NONE) {
        *index = table->free;
        TARN_ASSERT(*index < table->used && table->slot[*index].next != LIVE);
        table->free = table->slot[*index].next;
        return TARN_OK;
    }
    if (table->used == table->capacity) {
        if (table->capacity == table->limit) return TARN_NO_HANDLES;
        uint32_t capacity = table->capacity == 0 ? FIRST_LENGTH : table->capacity * 2;
        if (capacity > table->limit) capacity = table->limit;
        struct tn_slot *slot = (struct tn_slot *)realloc(table->slot, capacity * sizeof *slot);
        if (slot == NULL) return TARN_NO_HOST_MEMORY;
        table->slot = slot;
        table->capacity = capacity;
    }
    *index = table->used++;
    table->slot[*index].generation = 1;
    return TARN_OK;
}

tarn_status tn_slots_insert(struct tn_slots *table, uint64_t payload, uint64_t *handle) {
    uint32_t index;
    tarn_status status = new_slot(table, &index);
    if (status != TARN_OK) return status;
    TARN_ASSERT(table->live < table->used);
    table->slot[index].payload = payload;
    table->slot[index].next = LIVE;
    table->live++;
    *handle = handle_of(table, index);
    return TARN_OK;
}

bool tn_slots_get(const struct tn_slots *table, uint64_t handle, uint64_t *payload) {
    uint32_t index = (uint32_t)(handle & SLOT_MASK);
    if (index >= table->used || table->slot[index].next != LIVE ||
        handle_of(table, index) != handle)
        return false;
    if (payload != NULL) *payload = table->slot[index].payload;
    return true;
}

bool tn_slots_remove(struct tn_slots *table, uint64_t handle, uint64_t *payload) {
    if (!tn_slots_get(table, handle, payload)) return false;
    uint32_t index = (uint32_t)(handle & SLOT_MASK);
    struct tn_slot *slot = &table->slot[index];
    TARN_ASSERT(table->live > 0);
    if (slot->generation == UINT32_MAX) {
        slot->next = RETIRED;
    } else {
        slot->generation++;
        slot->next = table->free;
        table->free = index;
    }
    table->live--;
    return true;
}

uint32_t tn_slots_count(const struct tn_slots *table) { return table->live; }

bool tn_slots_next(const struct tn_slots *table, uint32_t *position, uint64_t *handle,
                   uint64_t *payload) {
    while (*position < table->used) {
        uint32_t index = (*position)++;
        if (table->slot[index].next == LIVE) {
            *handle = handle_of(table, index);
            *payload = table->slot[index].payload;
            return true;
        }
    }
    return false;
}

bool tn_slots_check(const struct tn_slots *table) {
    uint32_t live = 0;
    uint32_t retired = 0;
    if (table->used > table->capacity || table->capacity > table->limit) return false;
    for (uint32_t i = 0; i < table->used; i++) {
        live += table->slot[i].next == LIVE;
        retired += table->slot[i].next == RETIRED;
        if (table->slot[i].generation == 0) return false;
    }
    uint32_t unused = table->used - live - retired;
    for (uint32_t i = table->free; i != NONE; i = table->slot[i].next)
        if (i >= table->used || unused-- == 0) return false;
    return live == table->live && unused == 0;
}
