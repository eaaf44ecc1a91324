// SPDX-License-Identifier: Apache-2.0
// An interval map: disjoint half-open ranges [start, end) of 64-bit numbers, each with one 64-bit
// value. Every mapping table is one. The caller owns the map and serialises changes; reads may be
// concurrent while no thread changes it. It is a B+tree of wide nodes with about 25 to 50 bytes for
// each entry: look-up, insertion and removal take logarithmic time, or constant time near the last
// change, and a step of a walk takes constant time.
#pragma once

#include <tarn/base.h>

#include "base/assert.h"

// The largest height. Trees of 64-bit keys in nodes at least an eighth full stay well below it.
#define TN_INTERVAL_LEVELS 24

// At least 8, see nodes_for(). The fuzz target uses narrow nodes, so that few entries build deep
// trees.
#ifndef TN_INTERVAL_WIDTH
#define TN_INTERVAL_WIDTH 64
#endif

// Fields are private to interval.c and to the walk below.
struct tn_interval_node {
    unsigned count;
    struct tn_interval_node *prev; // leaves: neighbours in address order
    struct tn_interval_node *next; // leaves, and spares: the next spare
    uint64_t start[TN_INTERVAL_WIDTH];
    union {
        uint64_t value[TN_INTERVAL_WIDTH];                 // leaves
        struct tn_interval_node *child[TN_INTERVAL_WIDTH]; // inner nodes
    } of;
    uint64_t end[TN_INTERVAL_WIDTH]; // leaves
};

// Fields are private to interval.c.
struct tn_interval {
    struct tn_interval_node *root;      // NULL until the first insertion
    struct tn_interval_node *recent;    // the leaf of the last change; may be NULL
    unsigned slot;                      // in it, behind the last change or tn_interval_seek_near()
    unsigned height;                    // levels above the leaves
    uint64_t count;                     // entries
    uint64_t nodes[TN_INTERVAL_LEVELS]; // nodes of each level, leaves first
    struct tn_interval_node *spare;     // list of nodes ready for use
    uint64_t spares;
    uint64_t reserved_inserts; // insertions left of the last tn_interval_reserve()
    uint64_t reserved_nodes;   // number of spares kept for them
};

struct tn_interval_entry {
    uint64_t start;
    uint64_t end;
    uint64_t value;
};

void tn_interval_init(struct tn_interval *map);

// Frees all memory. The map may be initialised again. A zeroed map is valid here too.
void tn_interval_fini(struct tn_interval *map);

uint64_t tn_interval_count(const struct tn_interval *map);

// Adds [start, end). BAD_ARGUMENT: the range is empty. BUSY: it overlaps an entry. NO_HOST_MEMORY.
// A failure changes nothing and records no error text, because only the caller knows the meaning of
// the range.
tarn_status tn_interval_insert(struct tn_interval *map, uint64_t start, uint64_t end,
                               uint64_t value);

// Reserves memory, so that the next `inserts` insertions do not return NO_HOST_MEMORY, even if
// entries are removed in between. A call replaces the previous reservation; 0 drops it. Returns
// false, with nothing changed, if host memory is exhausted.
bool tn_interval_reserve(struct tn_interval *map, uint64_t inserts);

// Removes the entry that starts at exactly `start`. Returns false if there is none. `removed` may
// be NULL.
bool tn_interval_remove(struct tn_interval *map, uint64_t start, struct tn_interval_entry *removed);

// Removes the entry that starts at exactly `start` if it has this value. Returns false if no entry
// starts there, or if its value is another one.
bool tn_interval_remove_value(struct tn_interval *map, uint64_t start, uint64_t value);

// Removes the entries that lie completely in [lo, hi), and returns their number. Much faster than
// removing them one by one.
uint64_t tn_interval_remove_range(struct tn_interval *map, uint64_t lo, uint64_t hi);

// Each of these three finds an entry and returns false if there is none. `entry` may be NULL.
//
// Finds the entry that contains `address`.
bool tn_interval_find(const struct tn_interval *map, uint64_t address,
                      struct tn_interval_entry *entry);

// Finds the first entry that ends above `address`: the one that contains it, or else the next one.
bool tn_interval_next(const struct tn_interval *map, uint64_t address,
                      struct tn_interval_entry *entry);

// Finds the last entry that starts below `address`.
bool tn_interval_prev(const struct tn_interval *map, uint64_t address,
                      struct tn_interval_entry *entry);

// Replaces the value of the entry that starts at exactly `start`. Returns false if there is none.
bool tn_interval_set(struct tn_interval *map, uint64_t start, uint64_t value);

// Returns true if an entry overlaps [lo, hi).
bool tn_interval_overlaps(const struct tn_interval *map, uint64_t lo, uint64_t hi);

// Returns true if every number of [lo, hi) lies in an entry. Entries may reach beyond both ends.
bool tn_interval_covers(const struct tn_interval *map, uint64_t lo, uint64_t hi);

// Returns true if [lo, hi) consists of one or more complete entries without gaps, as the rules for
// unmapping and for changing access require. `count` (may be NULL) receives their number then.
bool tn_interval_covers_whole(const struct tn_interval *map, uint64_t lo, uint64_t hi,
                              uint64_t *count);

// Finds the lowest aligned start of `size` free numbers in [lo, hi). `alignment` is a power of two
// and `size` is not 0. Takes time for each entry of the range. Returns false if there is no such
// gap.
bool tn_interval_gap(const struct tn_interval *map, uint64_t lo, uint64_t hi, uint64_t size,
                     uint64_t alignment, uint64_t *start);

// A position in a walk in address order. It is valid until the map's next insertion or removal.
// Values may be set.
struct tn_interval_cursor {
    struct tn_interval_node *leaf; // NULL: at the end
    unsigned index;
};

// Returns a cursor before the first entry that ends above `address`.
struct tn_interval_cursor tn_interval_seek(const struct tn_interval *map, uint64_t address);

// The same for a caller that may change the map. It keeps the place, so that a call or a change
// there, or at the entry behind it, takes no search.
struct tn_interval_cursor tn_interval_seek_near(struct tn_interval *map, uint64_t address);

// Returns the next entry and moves past it. Returns false at the end.
static inline bool tn_interval_step(struct tn_interval_cursor *cursor,
                                    struct tn_interval_entry *entry) {
    const struct tn_interval_node *leaf = cursor->leaf;
    if (leaf != NULL && cursor->index == leaf->count) {
        leaf = cursor->leaf = leaf->next;
        cursor->index = 0;
    }
    // Only the root of an empty map is a leaf without entries.
    if (leaf == NULL || leaf->count == 0) return false;
    entry->start = leaf->start[cursor->index];
    entry->end = leaf->end[cursor->index];
    entry->value = leaf->of.value[cursor->index];
    cursor->index++;
    return true;
}

// A loop over the entries from a cursor on that begin below `hi`:
//
//     TN_INTERVAL_EACH(entry, at, tn_interval_seek(map, lo), hi) { ... }
#define TN_INTERVAL_EACH(entry, at, cursor, hi)                                                    \
    for (struct tn_interval_entry entry, *entry##_of = &entry; entry##_of != NULL;                 \
         entry##_of = NULL)                                                                        \
        for (struct tn_interval_cursor at = (cursor);                                              \
             tn_interval_step(&at, &entry) && entry.start < (hi);)

// Replaces the value of the entry that the last step returned.
static inline void tn_interval_cursor_set(struct tn_interval_cursor *cursor, uint64_t value) {
    TARN_ASSERT(cursor->index > 0 && cursor->index <= cursor->leaf->count);
    cursor->leaf->of.value[cursor->index - 1] = value;
}

// Finds the entry before the position: after a seek, the last one that ends at or below the address.
// The cursor is not at the end of a walk. Returns false if there is none.
bool tn_interval_cursor_prev(const struct tn_interval_cursor *cursor,
                             struct tn_interval_entry *entry);

// Returns true if order, disjointness, links and counts of the complete tree are consistent.
bool tn_interval_check(const struct tn_interval *map);
