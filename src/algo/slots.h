// SPDX-License-Identifier: Apache-2.0
// A slot table issues 64-bit handles for records. It detects stale handles, handles of another
// kind, and numbers that were never issued. A handle is {generation 32 | kind 4 | slot 28}, high
// bits first, and never 0. Each reuse of a slot raises its generation; a slot whose generation
// would wrap is retired, so no handle is issued twice. The caller owns the table and serialises
// changes; reads may be concurrent while no thread changes it.
#pragma once

#include <tarn/base.h>

#define TN_SLOTS_KINDS 16u
#define TN_SLOTS_MAX   (1u << 28)

struct tn_slot;

// Fields are private to slots.c.
struct tn_slots {
    struct tn_slot *slot;
    uint32_t kind;
    uint32_t capacity; // slots allocated
    uint32_t used;     // slots ever issued
    uint32_t limit;    // largest capacity
    uint32_t free;     // first of the free slots
    uint32_t live;
};

// `kind` (below TN_SLOTS_KINDS) marks the handles of this table. `limit` is the largest number of
// slots; zero and values above TN_SLOTS_MAX select TN_SLOTS_MAX.
void tn_slots_init(struct tn_slots *table, uint32_t kind, uint32_t limit);

// Frees the table, but not the payloads. A zeroed table is valid here too.
void tn_slots_fini(struct tn_slots *table);

// Stores the payload and returns its handle. NO_HOST_MEMORY. NO_HANDLES: the limit is reached. A
// failure changes nothing and records no error text.
tarn_status tn_slots_insert(struct tn_slots *table, uint64_t payload, uint64_t *handle);

// Returns the payload of a handle. Returns false if the handle is stale, of another kind or was
// never issued. `payload` may be NULL.
bool tn_slots_get(const struct tn_slots *table, uint64_t handle, uint64_t *payload);

// Ends a handle. `payload` (may be NULL) receives its payload. Returns false as tn_slots_get().
bool tn_slots_remove(struct tn_slots *table, uint64_t handle, uint64_t *payload);

uint32_t tn_slots_count(const struct tn_slots *table);

// Walks the live slots, in no particular order. Start with *position = 0. Returns false at the end.
// The slot just returned may be removed during the walk. A slot inserted meanwhile may be skipped.
bool tn_slots_next(const struct tn_slots *table, uint32_t *position, uint64_t *handle,
                   uint64_t *payload);

// Payloads are often pointers.
static inline uint64_t tn_slots_from_pointer(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}

static inline void *tn_slots_to_pointer(uint64_t payload) { return (void *)(uintptr_t)payload; }

// Returns true if counts and the free list are consistent.
bool tn_slots_check(const struct tn_slots *table);
