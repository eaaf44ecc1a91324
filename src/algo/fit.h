// SPDX-License-Identifier: Apache-2.0
// Offset fit: records which pieces of each span of units are taken or free, and chooses the place
// of the next piece. It works with numbers only; the owner defines the unit.
//
// The owner serialises every call and provides the array of nodes. Node 0 does not exist, so 0
// means "none" everywhere.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <tarn/base.h>

#include "base/assert.h"

#define TN_FIT_LISTS     (1u << 14)
#define TN_FIT_ROWS      36 // one per power of two of a size in units
#define TN_FIT_COLUMNS   32 // sizes within a power of two
#define TN_FIT_MAX_UNITS ((UINT64_C(1) << 40) - 1)
#define TN_FIT_MAX_START ((UINT64_C(1) << 48) - 1)

// A span is tiled by nodes, each taken or free. A free node has a list id and is in the bins of
// that list, 32 size classes for each power of two. Free neighbours with the same list id merge.
// The owner defines the list ids: free, free on some stream, without physical memory.
//
// 32 bytes, so that two share a cache line and none straddles one.
typedef struct tn_fit_node {
    uint64_t place;  // start << 16 | list id << 2 | state
    uint64_t extent; // units << 24 | mark
    uint32_t before; // neighbours by address, 0 at the ends of a span
    uint32_t after;
    uint32_t prev; // free: neighbours in the bin; taken: the owner's word
    uint32_t next;
} tn_fit_node;

// The bins of one list id.
typedef struct tn_fit_bins {
    uint64_t owner;                // a word of the owner's
    uint64_t rows;                 // bit r: row r has a node
    uint64_t units;                // in all its nodes together
    uint64_t count;                // of its nodes
    uint32_t columns[TN_FIT_ROWS]; // bit c of row r: the bin has a node
    uint32_t heads[TN_FIT_ROWS * TN_FIT_COLUMNS];
} tn_fit_bins;

typedef struct tn_fit {
    tn_fit_node *nodes;
    uint32_t capacity;  // of nodes, node 0 included
    uint32_t used;      // nodes ever handed out, node 0 included
    uint32_t recycled;  // list of unused nodes, through `next`
    uint32_t room;      // nodes that can still be made, unused ones included
    tn_fit_bins **bins; // by list id
    unsigned lists;     // length of `bins`
} tn_fit;

// Initialises a fit. `nodes` is zeroed memory for `capacity` nodes, `bins` for `lists` pointers.
// Both stay the owner's and must outlive the fit.
void tn_fit_init(tn_fit *fit, tn_fit_node *nodes, uint32_t capacity, tn_fit_bins **bins,
                 unsigned lists);

// Sets the bins of a list id. The owner provides them zeroed and keeps them. A list id without bins
// must not be used.
void tn_fit_set_list(tn_fit *fit, unsigned list, tn_fit_bins *bins);

// Adds a free span. Returns its id, a taken node without units before all others, whose
// tn_fit_after() is the span's first node. Returns 0 if no node is left.
uint32_t tn_fit_add_span(tn_fit *fit, unsigned list, uint64_t start, uint64_t units);

// Removes a span that is one free node.
void tn_fit_remove_span(tn_fit *fit, uint32_t span);

// Takes `units` of one list at a multiple of `align`, a power of two, in units of absolute offset.
// Chooses the best of a few candidates, else a node of the next larger bin. The work is bounded.
// Returns 0 if none fits.
uint32_t tn_fit_take(tn_fit *fit, unsigned list, uint64_t units, uint64_t align);

// Returns the free node that a take without an alignment would choose, or 0.
uint32_t tn_fit_search(const tn_fit *fit, unsigned list, uint64_t units);

// Takes `units` out of one free node, from `skip` units after its start. Returns the taken node,
// whose list id is that of the free one. Returns 0, with nothing changed, if no node is left.
uint32_t tn_fit_carve(tn_fit *fit, uint32_t node, uint64_t skip, uint64_t units);

// Frees a taken node into a list and merges it with its neighbours. Returns the merged node.
uint32_t tn_fit_free(tn_fit *fit, uint32_t node, unsigned list);

// Splits a taken node after `units`. Returns the node of the rest, with the same list id and no
// mark. Returns 0, with nothing changed, if no node is left.
uint32_t tn_fit_split(tn_fit *fit, uint32_t node, uint64_t units);

// Joins a taken node with the taken node right behind it, which becomes unused.
void tn_fit_join(tn_fit *fit, uint32_t node);

// A part is a second fit over the same nodes, with bins of its own, that another lock may guard. It
// owns the nodes of its spans, and the unused nodes that were moved to it.
void tn_fit_init_part(tn_fit *part, const tn_fit *fit, tn_fit_bins **bins, unsigned lists);

// Moves up to `count` unused nodes, as far as `from` has them. While few nodes lie unused, parts
// share no cache line of nodes.
void tn_fit_move_room(tn_fit *from, tn_fit *to, uint32_t count);

// Puts the pieces of a span of a part in the place of a taken node of the same extent. Its free
// pieces are freed into a list. The node and the head of the span become unused.
void tn_fit_unite(tn_fit *fit, uint32_t node, tn_fit *part, uint32_t span, unsigned list);

// The inverse: makes the nodes from `first` to `last`, whose free ones are of one list, a span of a
// part, whose head is tn_fit_before() of `first` then. Returns the taken node in their place. Both
// have a node left.
uint32_t tn_fit_divide(tn_fit *fit, uint32_t first, uint32_t last, tn_fit *part, unsigned list);

// Returns the first free node of a list from the largest bin down, and the one that follows; within
// a bin in no order. A change of the fit between the calls ends the walk.
uint32_t tn_fit_largest(const tn_fit *fit, unsigned list);
uint32_t tn_fit_next_smaller(const tn_fit *fit, uint32_t node);

// The same from the bin of `units` up.
uint32_t tn_fit_at_least(const tn_fit *fit, unsigned list, uint64_t units);
uint32_t tn_fit_next_larger(const tn_fit *fit, uint32_t node);

// The same from the bin of `units` down: the start of that walk.
uint32_t tn_fit_at_most(const tn_fit *fit, unsigned list, uint64_t units);

// Returns the size of the largest free node of a list. It walks one bin.
uint64_t tn_fit_largest_units(const tn_fit *fit, unsigned list);

// Compares every node with every bin. TARN_CORRUPT with a text that names the contradiction.
tarn_status tn_fit_check(const tn_fit *fit);

enum { TN_FIT_UNUSED = 0, TN_FIT_TAKEN = 1, TN_FIT_FREE = 2 };

// Read the fields of a node that are packed into `place` and `extent`. The list id of a taken node
// is that of the free node it was taken from, until tn_fit_assign() sets another.
static inline uint64_t tn_fit_start(const tn_fit *fit, uint32_t node) {
    return fit->nodes[node].place >> 16;
}

static inline uint64_t tn_fit_units(const tn_fit *fit, uint32_t node) {
    return fit->nodes[node].extent >> 24;
}

static inline unsigned tn_fit_list(const tn_fit *fit, uint32_t node) {
    return (unsigned)(fit->nodes[node].place >> 2) & (TN_FIT_LISTS - 1);
}

static inline unsigned tn_fit_state(const tn_fit *fit, uint32_t node) {
    return (unsigned)(fit->nodes[node].place) & 3u;
}

// Returns true for a free node of that list, false for node 0.
static inline bool tn_fit_is_free(const tn_fit *fit, uint32_t node, unsigned list) {
    return (fit->nodes[node].place & 0xffffu) == ((uint64_t)list << 2 | TN_FIT_FREE);
}

static inline uint32_t tn_fit_before(const tn_fit *fit, uint32_t node) {
    return fit->nodes[node].before;
}

static inline uint32_t tn_fit_after(const tn_fit *fit, uint32_t node) {
    return fit->nodes[node].after;
}

// Returns how many more nodes can be made. A span needs two; a take or carve needs one for each
// piece that it leaves.
static inline uint32_t tn_fit_room(const tn_fit *fit) { return fit->room; }

// Sets the owner's data in a taken node: a list id, a mark of 24 bits and a word of 64 bits.
static inline void tn_fit_assign(tn_fit *fit, uint32_t node, unsigned list, uint32_t mark,
                                 uint64_t word) {
    tn_fit_node *n = &fit->nodes[node];
    TARN_ASSERT(tn_fit_state(fit, node) == TN_FIT_TAKEN); // a free node has links in that place
    TARN_ASSERT(list < TN_FIT_LISTS && mark >> 24 == 0);
    n->place = (n->place & ~UINT64_C(0xfffc)) | (uint64_t)list << 2;
    n->extent = (n->extent & ~UINT64_C(0xffffff)) | mark;
    n->prev = (uint32_t)word;
    n->next = (uint32_t)(word >> 32);
}

static inline uint32_t tn_fit_mark(const tn_fit *fit, uint32_t node) {
    return (uint32_t)(fit->nodes[node].extent & 0xffffffu);
}

static inline void tn_fit_set_mark(tn_fit *fit, uint32_t node, uint32_t mark) {
    tn_fit_node *n = &fit->nodes[node];
    TARN_ASSERT(mark >> 24 == 0 && (mark == 0 || tn_fit_state(fit, node) == TN_FIT_TAKEN));
    n->extent = (n->extent & ~UINT64_C(0xffffff)) | mark;
}

static inline uint64_t tn_fit_word(const tn_fit *fit, uint32_t node) {
    const tn_fit_node *n = &fit->nodes[node];
    return (uint64_t)n->next << 32 | n->prev;
}
