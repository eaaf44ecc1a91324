// SPDX-License-Identifier: Apache-2.0
// The managed range of a pool: its pieces, the spans of addresses that they lie in, and the slot
// that is alone in it.
//
// A piece is a node of the fit, taken or free. The list of a free node states which streams may use
// it: all (`free_list`), one at once (a list of its slot), or none because it is aside. The list id
// of a taken node is its stream slot.
#pragma once

#include <limits.h>

#include <tarn/pool.h>

#include "algo/fit.h"
#include "base/biased.h"

// Lists of free pieces in the fit. Those of the slots lie between the first two and the last two.
enum {
    TN_LIST_FIRST = 0, // the free list of a new pool
    TN_LIST_ASIDE = 1, // EXPANDABLE: without physical memory. FIXED: the incomplete last unit
    TN_LIST_SHORT = TN_FIT_LISTS - 2, // for short blocks, free for all as those of the free list
    TN_LIST_PLAN = TN_FIT_LISTS - 1,  // of a pool with a plan: free places of it. No bins
};

// Stream slots. Slot 0 is the host's order; each other one has two lists.
enum {
    TN_POOL_SLOTS = TN_FIT_LISTS / 2 - 1,
    TN_POOL_SHARED = TN_POOL_SLOTS, // in place of the sole slot: several slots allocate
};

enum {
    TN_POOL_NODE_RESERVE = 8, // reserved nodes, so that a free can always split a node
    TN_STREAK_GUEST = 16, // another slot is a guest once for so many allocations of the sole slot
};

// Bits of the mark of a taken node. The low bits are the tag.
enum {
    TN_MARK_TAG = 0x3f,
    TN_MARK_SLAB = 0x40,      // the node is a slab
    TN_MARK_SHARED = 0x80,    // the block is used on other streams too
    TN_MARK_PENDING = 0x100,  // the block is freed and cannot be allocated yet
    TN_MARK_GROWING = 0x200,  // no block: the node's pages are being mapped or unmapped
    TN_MARK_CHUNK = 0x400,    // no block: a shard divides the node (shard.h)
    TN_MARK_ASLEEP = 0x800,   // the block, or a part of it, has no memory (sleep.c)
    TN_MARK_REMNANT = 0x1000, // no block: memory between sleeping blocks, which has none either
    TN_MARK_PLANNED = 0x2000, // the plan of the pool follows the block (plan/plan.h)
};

// Granule entries with this bit lead to a slab, the others to a node. Above the node stands the
// number of the shard that it belongs to, 0 under fit.
#define TN_SLAB_BIT          UINT32_C(0x80000000)
#define TN_ENTRY_NODE        UINT32_C(0x03ffffff)
#define TN_ENTRY_SHARD_SHIFT 26
#define TN_SHARDS            32u // 0: the pool's own fit

typedef struct tn_pool_shard tn_pool_shard;
typedef struct tn_pool_slot tn_pool_slot; // stream/streams.h

// How far growth goes that leaves the pieces of shards where they are.
enum tn_apart { TN_APART_NOT = 0, TN_APART_TO_GOAL, TN_APART_TO_LIMIT };

// A part of the address space that the pool got in one call.
typedef struct tn_pool_span {
    uint32_t head; // its name in the fit: the node before its first
    tarn_addr addr;
    uint64_t bytes;
} tn_pool_span;

// The request of an allocation to the fit.
typedef struct tn_pool_want {
    uint64_t units;    // of the piece
    uint64_t align;    // of its start, in bytes, at least a unit
    uint64_t occupied; // bytes that must lie in the range; the rest of the last unit need not
    uint64_t bytes;    // requested
    unsigned slot;
    uint32_t mark;  // the tag, TN_MARK_SLAB or TN_MARK_CHUNK
    uint64_t ahead; // units that growth adds for a chunk
    bool exact;     // for a plan: see grow.c and pages.c
} tn_pool_want;

// The lists of the free pieces of a slot; slot 0 has none. Guard: fit.
typedef struct tn_pool_lists {
    unsigned ids[2];
    unsigned young; // 0 or 1: the list that takes the frees; the other one waits, or is empty
} tn_pool_lists;

// A block that its owner has freed. Without bytes it is none.
typedef struct tn_pool_freed {
    uint32_t node;  // of a large block, else 0
    uint32_t mark;  // before the free: the tag, TN_MARK_SHARED, TN_MARK_ASLEEP
    unsigned slot;  // of a block that is kept
    uint64_t bytes; // requested
    uint64_t occupied;
    uint64_t packed; // the small block (TN_PACK)
} tn_pool_freed;

// The managed range. Guarded by `lock`, which comments call fit, unless they state otherwise.
typedef struct tn_pool_range {
    struct tn_biased lock; // its owner is the first thread that allocates a large block
    tn_fit fit;
    unsigned free_list;   // id of the list of pieces that are free for all, or for the sole slot
    unsigned sole;        // the only slot that allocates, or TN_POOL_SHARED
    uint32_t streak;      // how often the sole slot, or streak_slot, allocated more than others
    bool unsettled;       // work of the sole slot may still use pieces of the free list
    uint64_t short_units; // shorter blocks of the sole slot have a list of their own; 0: none have
    uint64_t short_most;  // the same while no plan keeps them together
    uint64_t taken_units;
    uint64_t peak_taken_units; // since the last trim
    uint64_t high_units;       // FIXED: end of the highest node ever taken
    uint64_t tail_bytes;       // FIXED: bytes of the incomplete last unit
    uint64_t tail_start;       // FIXED: its first unit

    // ---- seldom changed; threads with a shard read this, and nothing of a cache line above
    _Atomic(uint64_t) *words; // user words of large blocks, by node; NULL without them
    uint64_t node_room;
    _Atomic(tn_pool_shard *) shards[TN_SHARDS]; // a shard that exists stays
    tarn_addr base;                             // of unit 0. Changes only while there is no span
    // Takes all chunks back from the shards. NULL: the pool has none yet. Then large blocks are
    // claimed under fit.
    void (*_Atomic unify)(tarn_pool *pool);

    // ---- what few calls use
    _Atomic(uint32_t) pause; // takes until a chunk may be drawn again
    uint32_t pause_next;     // after the next shortage
    tn_fit_bins **lists;     // of the fit
    uint64_t list_room;
    tn_fit_bins first_bins;
    tn_fit_bins aside_bins;
    tn_fit_bins short_bins;
    unsigned streak_slot; // SHARED: the slot that allocates most
    uint64_t ready_units; // FIXED: up to here the granule map's entries have been committed
    uint32_t tail;        // FIXED: the incomplete last unit's node number, 0 when there is none
    unsigned tail_slot;   // FIXED: work of this slot may still use it; 0: of none
    enum tn_apart apart;  // growth leaves the pieces of shards where they are. Guard: grow
    bool tail_marked;     // FIXED: that slot's waiting mark covers it
    tn_pool_span *spans;  // by address; changed under grow too
    size_t span_count;
    size_t span_capacity;
} tn_pool_range;

// ---- piece.c

// Initialises the range, whose units are counted from `base`. The pool can have `bytes`; 0: any
// number. Blocks of less than `short_bytes` are gathered.
tarn_status tn_pool_piece_init(tarn_pool *pool, tarn_addr base, uint64_t bytes,
                               uint64_t short_bytes);
void tn_pool_piece_destroy(tarn_pool *pool);

// Adds the span of a fixed pool's range, and puts the incomplete unit at its end aside.
tarn_status tn_pool_add_range(tarn_pool *pool);

// Adds a span of free units of a list: all complete units of [addr, addr + bytes). Takes fit.
tarn_status tn_pool_add_span(tarn_pool *pool, unsigned list, tarn_addr addr, uint64_t bytes);

// Writes a span by its number. Returns false if there is none.
bool tn_pool_span_get(const tarn_pool *pool, size_t number, tn_pool_span *span);

// Takes a span that is entirely free for all as a chunk, for the slot of `want`. Returns its node, or
// 0 if it is not free. Takes fit.
uint32_t tn_pool_span_take(tarn_pool *pool, const tn_pool_want *want, tarn_addr addr);

// Removes a span that is entirely free for all streams. Returns false if it is not. Takes fit.
bool tn_pool_remove_span(tarn_pool *pool, tarn_addr addr);

// Returns a span that is entirely free for all streams, and whose memory is not in use: the
// smallest of at least `want` bytes, else the largest. Its bytes are 0 if there is none. Takes fit.
tn_pool_span tn_pool_find_free_span(tarn_pool *pool, uint64_t want);

// Returns the bytes of all such spans. Takes fit.
uint64_t tn_pool_free_span_bytes(tarn_pool *pool);

// Takes a node for `want` from the lists that its slot may use, and sets the granule entry of its
// start. Returns 0 if nothing fits, or if another slot is alone in the pool. Under fit.
uint32_t tn_pool_piece_take(tarn_pool *pool, const tn_pool_want *want);

// The same out of one free node that is long enough, alignment included. A chunk is the complete
// node, which does not count as taken. Under fit.
uint32_t tn_pool_piece_take_from(tarn_pool *pool, const tn_pool_want *want, uint32_t node);

// The same from the free list, whichever slot is the sole one, if the list is settled. Under fit.
uint32_t tn_pool_piece_take_settled(tarn_pool *pool, const tn_pool_want *want);

// The same from the young or the waiting list of a slot `from`, which the caller knows to be usable
// by that of `want`. From the young list only while `record` is the slot's young_record, so that the
// caller has judged all of its frees. Takes fit.
uint32_t tn_pool_piece_take_of(tarn_pool *pool, const tn_pool_want *want, unsigned from, bool young,
                               uint64_t record);

// The same out of several free pieces side by side that the slot may use, none of which is long
// enough. Under fit.
uint32_t tn_pool_piece_take_run(tarn_pool *pool, const tn_pool_want *want);

// Returns true for a free piece with memory that a slot may use at once. Under fit.
bool tn_pool_piece_is_usable(const tarn_pool *pool, uint32_t node, unsigned slot);

// Extends a taken node by `units` of the free pieces right behind it that its slot may use. Returns
// false, with nothing changed, if they do not suffice or no record is left. Under fit.
bool tn_pool_piece_extend(tarn_pool *pool, uint32_t node, uint64_t units);

// Moves up to `most` pieces of a list to the free list, where they merge with their neighbours.
// Returns true if some may be left. Under fit.
bool tn_pool_piece_promote(tarn_pool *pool, unsigned list, unsigned most);

// Makes an expandable pool gather short pieces, or end that: a plan already keeps them together. Under
// fit.
void tn_pool_piece_gather(tarn_pool *pool, bool gathers);

// Promotes all short pieces. Under fit.
static inline void tn_pool_piece_ungather(tarn_pool *pool) {
    (void)tn_pool_piece_promote(pool, TN_LIST_SHORT, UINT_MAX);
}

// Frees a taken node to its slot. Under fit.
void tn_pool_piece_free(tarn_pool *pool, uint32_t node);

// Makes every piece free for all streams. Slabs are closed, and uses and waits are discarded.
void tn_pool_piece_reset(tarn_pool *pool);

// Lets the need of a pool fall to `keep`, but not below what blocks take now. Takes fit.
void tn_pool_drop_need(tarn_pool *pool, uint64_t keep);

// ---- shard.c

// Returns the need of a pool: the most bytes that its blocks occupied at the same time since the
// last trim, including those wanted now. While threads have shards, only the moments count at which
// the pool grows or takes chunks back. Takes fit.
uint64_t tn_pool_need(tarn_pool *pool, const tn_pool_want *want);

// ---- lists.c

// Gives a new slot its lists.
void tn_pool_lists_init(tarn_pool *pool, unsigned number, tn_pool_slot *slot);

// Makes the young list of a slot its waiting list, which is empty, if it has pieces or the slot has
// the incomplete unit. Returns false if not. Takes fit.
bool tn_pool_lists_close(tarn_pool *pool, unsigned slot);

// Makes the pieces of the waiting list free for all, or those of both lists. Takes fit.
void tn_pool_lists_passed(tarn_pool *pool, unsigned slot);
void tn_pool_lists_release(tarn_pool *pool, unsigned slot);

// Sets the slots that have pieces in `used`. The incomplete unit becomes free for all if its slot
// has none. Takes fit.
void tn_pool_lists_find_used(tarn_pool *pool, bool used[TN_POOL_SLOTS]);

// Returns true if a slot may allocate as a guest of the sole one.
bool tn_pool_sole_welcomes(tarn_pool *pool, unsigned slot);

// Lets a slot allocate that is not the sole one. Under order.
void tn_pool_sole_end(tarn_pool *pool, unsigned slot);

// The work of a slot has passed. Under order.
void tn_pool_sole_passed(tarn_pool *pool, unsigned slot);

// Makes a slot the sole one again that has long been the only one to allocate. Under order.
void tn_pool_sole_again(tarn_pool *pool);

// Returns the sole slot if its unfinished work may use pieces of the free list, else 0. Takes fit,
// as for the next one.
unsigned tn_pool_sole_unsettled(tarn_pool *pool);

// Settles the free list around a query of the sole slot's mark. At the begin the list counts as
// settled, so that later frees are noticed. At the end it is unsettled again if the work has not
// passed.
void tn_pool_sole_settle(tarn_pool *pool, unsigned sole, bool begin, bool passed);

// ---- look.c

// Returns the largest request that occupies that many bytes under the rule.
uint64_t tn_pool_usable_bytes(const tarn_pool *pool, uint64_t occupied);

// Describes a piece that is not a slab. Under fit, as for the next one.
void tn_piece_look(const tarn_pool *pool, uint32_t node, tarn_block *out);

// Returns the last large block that starts at or before `addr` in the same span, or 0.
uint32_t tn_piece_block_before(const tarn_pool *pool, tarn_addr addr);

// Sets the user word of the large block that starts at `addr`, in a pool that has them.
bool tn_pool_large_set_user(tarn_pool *pool, tarn_addr addr, uint64_t user);

// Returns the bytes in the lists of a slot. Under fit.
uint64_t tn_pool_lists_bytes(const tarn_pool *pool, unsigned slot);

// Fill the fields about the range, and return the bytes of taken pieces. The first takes fit; the
// second is called under it.
uint64_t tn_pool_range_stats(tarn_pool *pool, tarn_pool_stats *stats);
uint64_t tn_pool_range_report(const tarn_pool *pool, tarn_pool_report *report);

// ---- verify.c

// Checks the records of the range against each other and against the granule map. Writes the units
// with physical memory. Under fit.
tarn_status tn_pool_range_verify(tarn_pool *pool, uint64_t *backed);
