// SPDX-License-Identifier: Apache-2.0
// A slot table: hands out 64-bit handles for records, and tells a live handle from a stale one,
// from one of another kind and from a number that was never issued. Pure: no locks, no I/O, no
// globals. The caller owns the table and serialises changes; reads may run side by side while
// nobody changes it.
//
// A handle is {generation 32 | kind 4 | slot 28}, high bits first, and never 0. Each reuse of a
// slot raises its generation. A slot whose generation would wrap is retired, so that a handle value
// is never issued twice.
#ifndef TARN_ALGO_SLOTS_H
#define TARN_ALGO_SLOTS_H

#include <tarn/base.h>

#define TN_SLOTS_KINDS 16u
#define TN_SLOTS_MAX   (1u << 28)

struct tn_slot;

// Fields are private to slots.c.
struct tn_slots {
    struct tn_slot *slot;
    uint32_t kind;
    uint32_t capacity; // slots allocated
    uint32_t used;     // slots ever issued; the rest is fresh
    uint32_t limit;    // capacity never grows beyond
    uint32_t free;     // first of the free slots, or none
    uint32_t live;
};

// `kind` (below TN_SLOTS_KINDS) marks the handles of this table. At most `limit` slots are made; 0
// and anything above mean TN_SLOTS_MAX.
void tn_slots_init(struct tn_slots *table, uint32_t kind, uint32_t limit);

// Frees the table. The payloads are the caller's. A zeroed table may be finished too.
void tn_slots_fini(struct tn_slots *table);

// Stores the payload and gives its handle. TARN_NO_HOST_MEMORY; TARN_NO_HANDLES: the limit is
// reached. On failure nothing has changed, and no error text is recorded.
tarn_status tn_slots_insert(struct tn_slots *table, uint64_t payload, uint64_t *handle);

// The payload of a live handle. False: stale, foreign or never issued. `payload` may be NULL.
bool tn_slots_get(const struct tn_slots *table, uint64_t handle, uint64_t *payload);

// Replaces the payload of a live handle.
bool tn_slots_set(struct tn_slots *table, uint64_t handle, uint64_t payload);

// Ends a live handle. `payload` (may be NULL) receives what it stood for.
bool tn_slots_remove(struct tn_slots *table, uint64_t handle, uint64_t *payload);

uint32_t tn_slots_count(const struct tn_slots *table);

// Walks the live slots, in no particular order. Start with *position = 0. False at the end. The
// slot just given may be removed during the walk; one inserted meanwhile may be given or not.
bool tn_slots_next(const struct tn_slots *table, uint32_t *position, uint64_t *handle,
                   uint64_t *payload);

// Payloads are often pointers.
static inline uint64_t tn_slots_from_pointer(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}

static inline void *tn_slots_to_pointer(uint64_t payload) {
    return (void *)(uintptr_t)payload;
}

// Walks everything: do counts and the free list agree?
bool tn_slots_check(const struct tn_slots *table);

#endif
