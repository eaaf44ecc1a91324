// SPDX-License-Identifier: Apache-2.0
// An interval map: disjoint half-open ranges [start, end) of 64-bit numbers, each with one 64-bit
// value. It is the heart of every mapping table. Pure: no locks, no I/O, no globals. The caller
// owns the map and serialises changes; reads may run side by side while nobody changes it.
//
// Inside it is a B+tree of wide nodes, about 25 to 50 bytes an entry. A lookup, insertion or
// removal is logarithmic, a step of a walk is constant.
#ifndef TARN_ALGO_INTERVAL_H
#define TARN_ALGO_INTERVAL_H

#include <tarn/base.h>

// The tallest tree. 64-bit keys in nodes that are at least an eighth full stay well below it.
#define TN_INTERVAL_LEVELS 24

struct tn_interval_node;

// Fields are private to interval.c.
struct tn_interval {
    struct tn_interval_node *root;      // NULL until the first insertion
    unsigned height;                    // levels above the leaves
    uint64_t count;                     // entries
    uint64_t nodes[TN_INTERVAL_LEVELS]; // nodes of each level, leaves first
    struct tn_interval_node *spare;     // nodes ready for use
    uint64_t spares;
    uint64_t promised_inserts; // what is left of the last tn_interval_prepare(),
    uint64_t promised_nodes;   // and how many spares are kept for it
};

struct tn_interval_entry {
    uint64_t start;
    uint64_t end;
    uint64_t value;
};

void tn_interval_init(struct tn_interval *map);

// Frees everything. The map may be initialised again. A zeroed map may be finished too.
void tn_interval_fini(struct tn_interval *map);

uint64_t tn_interval_count(const struct tn_interval *map);

// Adds [start, end). TARN_BAD_ARGUMENT: the range is empty. TARN_BUSY: it overlaps an entry.
// TARN_NO_HOST_MEMORY. On failure nothing has changed, and no error text is recorded: the caller
// knows what the range means.
tarn_status tn_interval_insert(struct tn_interval *map, uint64_t start, uint64_t end,
                               uint64_t value);

// Guarantees that the next `inserts` insertions do not fail for want of memory, whatever is removed
// in between. A new promise replaces the old one, zero drops it. False: no memory, nothing changed.
bool tn_interval_prepare(struct tn_interval *map, uint64_t inserts);

// Removes the entry that starts at exactly `start`. `removed` may be NULL. False: there is none.
bool tn_interval_remove(struct tn_interval *map, uint64_t start, struct tn_interval_entry *removed);

// Removes every entry that lies wholly inside [lo, hi) and returns how many; entries that stick out
// stay. Much cheaper than removing one by one.
uint64_t tn_interval_remove_range(struct tn_interval *map, uint64_t lo, uint64_t hi);

// The entry that contains `address`. `entry` may be NULL in these three.
bool tn_interval_find(const struct tn_interval *map, uint64_t address,
                      struct tn_interval_entry *entry);

// The first entry that ends above `address`: the one that contains it, or else the next.
bool tn_interval_next(const struct tn_interval *map, uint64_t address,
                      struct tn_interval_entry *entry);

// The last entry that starts below `address`.
bool tn_interval_prev(const struct tn_interval *map, uint64_t address,
                      struct tn_interval_entry *entry);

// Replaces the value of the entry that starts at exactly `start`. False: there is none.
bool tn_interval_set(struct tn_interval *map, uint64_t start, uint64_t value);

// Does any entry touch [lo, hi)?
bool tn_interval_overlaps(const struct tn_interval *map, uint64_t lo, uint64_t hi);

// Is every number of [lo, hi) in some entry? Entries may stick out at both ends. An empty range is.
bool tn_interval_covers(const struct tn_interval *map, uint64_t lo, uint64_t hi);

// Is [lo, hi) exactly a gap-free run of one or more whole entries? This is the rule for unmapping
// and for changing access. `count` (may be NULL) receives their number when it is.
bool tn_interval_covers_whole(const struct tn_interval *map, uint64_t lo, uint64_t hi,
                              uint64_t *count);

// The lowest aligned start of `size` free numbers inside [lo, hi). `alignment` is a power of two,
// `size` is not zero. Walks the entries of the range. False: there is no such gap.
bool tn_interval_gap(const struct tn_interval *map, uint64_t lo, uint64_t hi, uint64_t size,
                     uint64_t alignment, uint64_t *start);

// A walk in address order. It is valid until the map's next insertion or removal; setting values is
// fine. Usage:
//
//     struct tn_interval_cursor at = tn_interval_seek(map, lo);
//     while (tn_interval_step(&at, &entry) && entry.start < hi) ...
struct tn_interval_cursor {
    struct tn_interval_node *leaf; // NULL: at the end
    unsigned index;
    uint64_t *value; // of the entry that the last step gave
};

// A cursor before the first entry that ends above `address`.
struct tn_interval_cursor tn_interval_seek(const struct tn_interval *map, uint64_t address);

// Gives the next entry and moves past it. False at the end.
bool tn_interval_step(struct tn_interval_cursor *cursor, struct tn_interval_entry *entry);

// Replaces the value of the entry that the last step gave.
void tn_interval_cursor_set(struct tn_interval_cursor *cursor, uint64_t value);

// Walks everything: do order, disjointness, links and counts all hold?
bool tn_interval_check(const struct tn_interval *map);

#endif
