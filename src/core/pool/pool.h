// SPDX-License-Identifier: Apache-2.0
// The structures that the files of a pool share, and the functions that each file offers the
// others.
//
//   here      creation and destruction, ordinary pools (ordinary.c), pools whose blocks have own
//             pages (fence.c), queries and the walk (block.c), blocks in the address book (owner.c),
//             blocks that grow in place (extend.c), rules (rule.c), checks (verify.c)
//   fit/      pieces of the range: the fit, large blocks, and the shards of several threads
//   small/    blocks of a size class: slabs, each thread's magazines
//   stream/   the streams that a pool knows: one alone (sole.c), freed memory for all (reclaim.c),
//             blocks used on further streams (use.c), streams that wait for each other (follow.c,
//             reuse.c), release at a synchronisation (threshold.c)
//   grow/     sources of memory, growth, what blocks needed of late (need.c), release (trim.c),
//             memory set aside for a tag (reserve.c), blocks without memory (sleep.c, nap.c)
//   report/   counters, reports of refusals (explain.c), events (notify.c), snapshots
//
// Each file uses only files that do not use it.
//
// A piece of the managed range is a node of the fit, taken or free. The list of a free node states
// which streams may use it: all (`free_list`), one at once (a list of its slot), or none because it
// is aside. The list id of a taken node is its stream slot. The granule map leads from the start of a block to its node, and from any
// byte of a slab to the slab.
//
// Locks, in the order in which they are taken: thresholds, grow, order, the list of pools, a class,
// fit, a shard.
#ifndef TARN_CORE_POOL_POOL_H
#define TARN_CORE_POOL_POOL_H

#include <tarn/pool.h>

#include "algo/fit.h"
#include "algo/granule.h"
#include "base/biased.h"
#include "core/platform/fork.h"
#include "core/pool/grow/need.h"
#include "core/pool/grow/source.h"
#include "core/pool/report/tally.h"
#include "core/pool/small/class.h"
#include "core/pool/stream/order.h"

enum {
    TN_LIST_FIRST = 0, // the free list of a new pool
    TN_LIST_ASIDE = 1, // EXPANDABLE: without physical memory. FIXED: the incomplete last unit
    TN_POOL_SLOTS = TN_FIT_LISTS / 2, // slot 0 is the host's order; slots 1 and up have two lists
    TN_POOL_SHARED = TN_POOL_SLOTS,   // in place of the sole slot: several slots allocate
    TN_MAGAZINE = 32,                 // blocks in a magazine
    TN_MAGAZINE_SLOTS = 64,           // threads keep small blocks of the slots below
    TN_SLOT_BUCKETS = 256,
    TN_POOL_NODE_RESERVE = 8, // reserved nodes, so that a free can always split a node
};

// Bits of the mark of a taken node. The low bits are the tag.
enum {
    TN_MARK_TAG = 0x3f,
    TN_MARK_SLAB = 0x40,      // the node is a slab
    TN_MARK_SHARED = 0x80,    // the block is used on other streams too
    TN_MARK_PENDING = 0x100,  // the block is freed and cannot be allocated yet
    TN_MARK_GROWING = 0x200,  // no block: the node's pages are being mapped or unmapped
    TN_MARK_ASLEEP = 0x800,   // the block, or a part of it, has no memory (sleep.c)
    TN_MARK_REMNANT = 0x1000, // no block: memory between sleeping blocks, which has none either
    TN_MARK_CHUNK = 0x400,    // no block: a shard divides the node (shard.h)
};

// Granule entries with this bit lead to a slab, the others to a node. Above the node stands the
// number of the shard that it belongs to, 0 under fit.
#define TN_SLAB_BIT          UINT32_C(0x80000000)
#define TN_ENTRY_NODE        UINT32_C(0x03ffffff)
#define TN_ENTRY_SHARD_SHIFT 26
#define TN_SHARDS            32u // 0: the pool's own fit

// The state word of a small block. The low seven bits are tag + 1 for a live block, else 0. The
// high bits are the bytes requested. A word of 0 is a free block, in the slab or in a magazine. A
// word with the shared bit but no tag is a freed block that waits for streams.
#define TN_SMALL_FREE   UINT32_C(0)
#define TN_SMALL_SHARED UINT32_C(0x80) // used on other streams too
#define TN_SMALL_TAG    UINT32_C(0x7f)
enum { TN_SMALL_BYTES_SHIFT = 8 };

// The state word of a live block.
static inline uint32_t tn_small_live(uint32_t tag, uint32_t bytes) {
    return (tag + 1) | bytes << TN_SMALL_BYTES_SHIFT;
}

// The tag of a live block.
static inline uint32_t tn_small_tag(uint32_t state) {
    return (state & TN_SMALL_TAG) - 1;
}

static inline uint32_t tn_small_bytes(uint32_t state) {
    return state >> TN_SMALL_BYTES_SHIFT;
}

static inline bool tn_small_is_live(uint32_t state) {
    return (state & TN_SMALL_TAG) != 0;
}

// A run of blocks of one size class. The fields from `base` to `slot` and the array pointers are
// written before the granule entries and do not change while those exist. So a free may read them
// without a lock.
typedef struct tn_slab {
    uint64_t base;
    uint32_t stride;
    uint32_t reciprocal;
    uint16_t blocks;
    uint16_t class_index;
    uint16_t slot;
    bool listed;               // is in the class's list. Guard: class
    _Atomic(uint32_t) *states; // one a block; stays with the record, as do `words` and `room`
    _Atomic(uint64_t) *words;  // user words, one a block; NULL without TARN_POOL_USER_WORDS
    uint64_t *room;            // bit b: block b is in no magazine and not live. Guard: class
    uint32_t node;
    uint32_t count;      // bits in `room`. Guard: class
    uint32_t prev, next; // slabs of the class with room. Guard: class
} tn_slab;

_Static_assert(sizeof(tn_slab) == 64, "a slab's record is one cache line");

// The arrays of a slab in one allocation: `states`, then `room`, then `words`. The pool has them
// all in a list, because the records are in mapped memory, which leak checkers do not search.
typedef struct tn_slab_bytes {
    struct tn_slab_bytes *next;
    uint64_t padding[7]; // so that the states of a few large blocks are one cache line
    _Atomic(uint32_t) states[];
} tn_slab_bytes;

// A small block in a word: its slab and its number there.
#define TN_PACK(slab, block) ((uint64_t)(slab) << 32 | (block))

// The slabs with room of one class and slot.
typedef struct tn_pool_class {
    struct tn_spin lock;
    uint32_t first;
    uint32_t empty; // number of listed slabs without a live block, at most one
} tn_pool_class;

// A stream that the pool knows. Frees on it go to the young list, unless the stream is alone in the
// pool (sole.c). When another stream needs the memory, the stream's end is marked and the two lists
// change places. Once the mark has passed, the pieces of the waiting list become free for all
// streams.
typedef struct tn_pool_slot {
    _Atomic(tarn_stream) stream; // 0: the host's order, slot 0
    unsigned lists[2];           // ids. Guard: fit
    unsigned young;              // 0 or 1: the place of the young list. Guard: fit
    bool waiting;                // the other list waits. Guard: order, as for the rest
    bool spare;                  // serves no stream, and waits for a new one
    unsigned next;               // in its bucket, or the next spare one; 0: the last
    tn_pool_mark mark;           // of the waiting list; 0: it could not be made yet
    tn_pool_mark sole_mark;      // see sole.c; 0: none
    uint64_t issued, passed;     // a pool without a device: marks made, and those that have passed
    uint64_t waits;              // waits of blocks in use.c for this slot that have not passed
    struct tn_vector_clock *clock;  // of the stream, in a pool that selects_reuse; with a reference
    _Atomic(uint64_t) young_record; // the record of the stream that covers the young list, or will
    uint64_t waiting_record;        // the same for the waiting list
    tn_fit_bins bins[2];
    _Atomic(uint32_t) slabs;    // of all its classes
    struct tn_pool_slot *older; // made before; leak checkers do not search the table
    tn_pool_class classes[TN_CLASSES];
} tn_pool_slot;

// The wait of a block for a stream. Guard: order.
typedef struct tn_pool_wait {
    unsigned slot;
    bool passed;
    tn_pool_mark mark; // 0: not made yet
    uint64_t record;   // of the stream, which covers the work; UINT64_MAX: not known
} tn_pool_wait;

// The waits of one block. Guard: order.
typedef struct tn_pool_waits {
    tn_pool_wait *list;
    unsigned count;
    unsigned capacity;
} tn_pool_waits;

// A block used on other streams than its own. Guard: order.
typedef struct tn_pool_use {
    struct tn_pool_use *next; // in its bucket, later in the queue of freed blocks
    tarn_addr addr;
    uint32_t node;   // once freed: the node of a large block, or
    uint64_t packed; // the small block (TN_PACK)
    uint64_t bytes;  // occupied
    tn_pool_waits waits;
} tn_pool_use;

// Blocks of one class and slot that a thread keeps: a magazine as in Bonwick and Adams, "Magazines
// and Vmem" (USENIX 2001).
typedef struct tn_pool_magazine {
    uint32_t count;
    uint64_t blocks[TN_MAGAZINE];
} tn_pool_magazine;

// The state of one thread for one pool. Only its thread uses it, with three exceptions: any thread
// reads the counters of the tally, the links are guarded by the lock of the list of pools, and
// tn_pool_cache_flush_all() empties the magazines of all threads.
typedef struct tn_pool_cache {
    struct tn_pool_cache *next;
    struct tn_pool_cache **link;
    _Atomic uint32_t inside; // the owner uses the magazines; released when it leaves
    _Atomic uint32_t seized; // another thread uses them or waits for them; released when it leaves
    tarn_stream stream;      // the last stream that the thread looked up, and
    _Atomic(unsigned) slot;  // its slot, which is not given to another stream meanwhile
    struct tn_pool_shard *shard; // from which the thread takes large blocks; NULL: the pool's fit
    uint32_t common;             // takes without a shard from a pool with shards
    uint32_t waits;              // for the fit lock since `waits_since`
    uint64_t waits_since;
    tn_pool_tally tally;
    tn_pool_magazine *magazines[TN_MAGAZINE_SLOTS]; // an array of `classes.count` each
} tn_pool_cache;

typedef struct tn_pool_shard tn_pool_shard;

// A part of the address space that the pool got in one call.
typedef struct tn_pool_span {
    uint32_t head; // its name in the fit: the node before its first
    tarn_addr addr;
    uint64_t bytes;
} tn_pool_span;

enum { TN_USE_BUCKETS = 1024 };

// The calls about blocks that ordinary pools and fences implement differently. The caller has
// checked the pool and the arguments.
typedef struct tn_pool_ops {
    tarn_status (*alloc)(tarn_pool *pool, const tarn_pool_request *request, tarn_addr *addr);
    tarn_status (*free)(tarn_pool *pool, tarn_addr addr);
    tarn_status (*extend)(tarn_pool *pool, tarn_addr addr, uint64_t bytes); // NULL: unsupported
    tarn_status (*used_on)(tarn_pool *pool, tarn_addr addr, tarn_stream stream);
    // Describes the live block that holds `addr`. Returns false if none does.
    bool (*find)(tarn_pool *pool, tarn_addr addr, tarn_block *block);
    // Sets the user word of the live block that starts at `addr`. Returns false if none does.
    bool (*set_user)(tarn_pool *pool, tarn_addr addr, uint64_t user);
    void (*walk)(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg);
    void (*fill_stats)(tarn_pool *pool, tarn_pool_stats *stats);
    // Fills the fields about the pool's memory in the report of a refusal. Under grow.
    void (*fill_report)(tarn_pool *pool, unsigned slot, tarn_pool_report *report);
    void (*reset_peaks)(tarn_pool *pool, uint32_t which);
    void (*reset)(tarn_pool *pool);
    // Releases the parts that only this kind of pool has. No block is live.
    void (*finish)(tarn_pool *pool);
} tn_pool_ops;

extern const tn_pool_ops tn_pool_ordinary;

struct tarn_pool {
    // ---- what every allocation and free reads, close together; set at creation
    uint64_t plain_id; // the same while `plain`, else one that no pool has
    tarn_rule rule;
    unsigned unit_shift;
    uint64_t small_max; // blocks that occupy at most this have a class; 0: no block has one
    uint64_t large_min; // bytes that other blocks occupy at least, so that a granule has one start
    tn_granule map;
    tn_slab *slabs;

    // ---- set at creation, then only read; more than a cache line between those and the next
    uint64_t id;         // never used twice
    unsigned generation; // of the process it belongs to
    bool plain;          // an ordinary pool without further duties, on the fast path
    bool selects_reuse;  // TARN_POOL_SELECT_REUSE, and its order has clocks
    const tn_pool_ops *ops;
    struct tn_pool_fence *fence; // of a pool with the ops of fence.c, else NULL
    tarn_pool_desc desc;         // the limits are guarded by grow

    // ---- what every large block changes; guarded by fit
    struct tn_biased fit_lock; // its owner is the first thread that allocates a large block
    // Takes all chunks back from the shards. NULL: the pool has none yet. Then large blocks are
    // claimed under fit.
    void (*_Atomic unify)(tarn_pool *pool);
    tarn_addr base; // of unit 0. Changes only while there is no span
    tn_fit fit;
    unsigned free_list; // id of the list of pieces that are free for all, or for the sole slot
    unsigned sole;      // the only slot that allocates, or TN_POOL_SHARED
    uint32_t streak;    // how often the sole slot, or streak_slot, allocated more than others
    bool unsettled;     // work of the sole slot may still use pieces of the free list
    uint64_t taken_units;
    uint64_t peak_taken_units; // within the present window (need.h)
    uint64_t high_units;       // FIXED: end of the highest node ever taken
    uint64_t tail_bytes;       // FIXED: bytes of the incomplete last unit
    uint64_t tail_start;       // FIXED: its first unit

    // ---- set at creation, then only read
    tn_pool_classes classes;
    tn_pool_source *source; // NULL: a fixed range
    tn_pool_order *order;   // NULL: tarn_pool_passed() reports passed streams
    uint64_t slab_room;
    _Atomic(uint64_t) *words; // user words of large blocks, by node; NULL without them
    uint64_t node_room;
    // The cache of the only thread that has ever used the pool, else NULL. That thread claims small
    // blocks without an atomic read-modify-write, inside its cache.
    _Atomic(tn_pool_cache *) alone;
    _Atomic(tn_pool_slot *) *slots; // an array of `slot_room`; slots are added under order and stay
    uint64_t slot_room;

    // ---- guarded by fit
    _Atomic(tn_pool_shard *) shards[TN_SHARDS]; // a shard that exists stays
    _Atomic(uint32_t) pause;                    // takes until a chunk may be drawn again
    uint32_t pause_next;                        // after the next shortage
    tn_fit_bins **lists;                        // of the fit
    uint64_t list_room;
    tn_fit_bins first_bins;
    tn_fit_bins aside_bins;
    unsigned streak_slot; // SHARED: the slot that allocates most
    uint64_t ready_units; // FIXED: up to here the granule map's entries have been committed
    uint32_t tail;        // FIXED: the incomplete last unit's node number, 0 when there is none
    unsigned tail_slot;   // FIXED: work of this slot may still use it; 0: of none
    bool tail_marked;     // FIXED: that slot's waiting mark covers it
    uint32_t slab_count;  // records ever made, record 0 unused
    uint32_t slab_spare[TN_CLASSES]; // records to use again, by class, through `next`
    tn_slab_bytes *slab_bytes;       // of all records
    tn_pool_span *spans;             // by address; changed under grow too
    size_t span_count;
    size_t span_capacity;

    // ---- guarded by grow
    tn_pool_need need;

    // ---- guarded by order
    struct tn_mutex order_lock;
    _Atomic(unsigned) slot_count;           // read by any thread: slots below it exist
    unsigned slot_buckets[TN_SLOT_BUCKETS]; // by stream, through `next`
    unsigned slot_spare;
    tn_pool_slot *newest_slot; // the list of all, through `older`
    unsigned slot_sweep;       // the number of slots at which spare ones are searched for
    bool slots_pinned;        // a thread without a cache uses a slot, so no slot changes its stream
    tn_pool_use **uses;       // buckets of live blocks used elsewhere; made at the first one
    tn_pool_use *queue_first; // freed blocks, oldest first
    tn_pool_use *queue_last;
    _Atomic(uint64_t) queue_bytes;

    // ---- guarded by grow
    struct tn_mutex grow_lock;
    tarn_pool_report report;             // of the last refusal
    struct tn_nap *naps[TARN_POOL_TAGS]; // tags whose blocks sleep

    // ---- guarded by the lock of the list of pools
    struct tarn_pool *next_pool;
    tn_pool_cache *caches;
    bool joined; // a thread has used the pool

    tn_pool_totals totals;
    _Atomic(uint64_t) refusals;
    _Atomic(uint64_t) moved_bytes;
    _Atomic(uint64_t) asleep_bytes; // of pages that sleeping blocks have given up
    _Atomic(uint64_t) moved_handles;
    _Atomic(uint64_t) release_threshold;
    _Atomic(uint32_t) reuse;          // TARN_REUSE_ bits
    struct tarn_pool *next_threshold; // guarded by the lock of threshold.c

    // The part that all events of its memory have in common; written before the first block.
    struct {
        bool known;
        int device;
        uint32_t flags;
        uint32_t space;
    } place;

    // ---- set at creation, seldom read
    tarn_pool_kind kind; // for queries: a fence has the kind that was requested
    tarn_pool_kind asked;
    char reason[TARN_POOL_REASON]; // why `kind` is not the kind requested; "" if it is
};

// The largest alignment of a request. Unit 0 lies at a multiple of it.
#define TN_POOL_ALIGN_MAX (UINT64_C(2) << 20)

// ---- usable.c

// Returns the status of a pool that the caller may not use: BAD_ARGUMENT for NULL, and FORKED in a
// child of its process, where a lock may stay held and a change may be incomplete.
__attribute__((cold)) tarn_status tn_pool_unusable(const tarn_pool *pool);

static inline tarn_status tn_pool_usable(const tarn_pool *pool) {
    bool fine = pool != NULL && pool->generation == tn_load_relaxed(&tn_fork_generation);
    return __builtin_expect(fine, 1) ? TARN_OK : tn_pool_unusable(pool);
}

// Returns true inside a host function of the pool's platform. There the thread must not wait for
// work, nor release memory, which may wait.
bool tn_pool_in_hostfn(const tarn_pool *pool);

// tn_pool_usable() for calls that wait: BUSY inside a host function.
tarn_status tn_pool_may_wait(const tarn_pool *pool);

// Records that no live block of the pool starts at `addr`, and returns BAD_ADDRESS.
__attribute__((cold)) tarn_status tn_pool_no_block(tarn_addr addr);

// Returns true if the pool allows that reuse, a TARN_REUSE_ bit.
static inline bool tn_pool_reuses(const tarn_pool *pool, uint32_t bit) {
    return (tn_load_relaxed(&pool->reuse) & bit) != 0;
}

// ---- pool.c

// Creates a pool over a source and an order, each of which may be NULL; on success both are the
// pool's. For tarn_pool_create and for tests.
tarn_status tn_pool_create_over(const tarn_pool_desc *desc, tn_pool_source *source,
                                tn_pool_order *order, tarn_pool **pool);

// ---- piece.c

// The fit lock is held for tens of nanoseconds, and never across a call of the device. Its holder
// sees all pieces in the pool's fit.
static inline void tn_pool_fit_lock(tarn_pool *pool) {
    (void)tn_biased_lock(&pool->fit_lock);
    void (*unify)(tarn_pool *) = tn_load_relaxed(&pool->unify);
    if (__builtin_expect(unify != NULL, 0)) {
        unify(pool);
    }
}

static inline void tn_pool_fit_unlock(tarn_pool *pool) {
    tn_biased_unlock(&pool->fit_lock);
}

// The same lock for those that need not see the pieces of shards. Returns true if the thread had to
// wait for another.
static inline bool tn_pool_main_lock(tarn_pool *pool) {
    return tn_biased_lock(&pool->fit_lock);
}

static inline void tn_pool_main_unlock(tarn_pool *pool) {
    tn_biased_unlock(&pool->fit_lock);
}

static inline tarn_addr tn_pool_addr(const tarn_pool *pool, uint64_t unit) {
    return pool->base + (unit << pool->unit_shift);
}

static inline uint64_t tn_pool_units(const tarn_pool *pool, uint64_t bytes) {
    return (bytes + (UINT64_C(1) << pool->unit_shift) - 1) >> pool->unit_shift;
}

static inline unsigned tn_pool_slot_count(const tarn_pool *pool) {
    return tn_load_acquire(&pool->slot_count);
}

static inline tn_pool_slot *tn_pool_slot_at(const tarn_pool *pool, unsigned slot) {
    return tn_load_acquire(&pool->slots[slot]);
}

// The request of an allocation to the fit.
typedef struct tn_pool_want {
    uint64_t units;    // of the piece
    uint64_t align;    // of its start, in bytes, at least a unit
    uint64_t occupied; // bytes that must lie in the range; the rest of the last unit need not
    uint64_t bytes;    // requested
    unsigned slot;
    uint32_t mark; // the tag, or TN_MARK_SLAB
} tn_pool_want;

tarn_status tn_pool_piece_init(tarn_pool *pool);
void tn_pool_piece_destroy(tarn_pool *pool);

// Adds a span of free units of a list: all complete units of [addr, addr + bytes). Takes fit.
tarn_status tn_pool_add_span(tarn_pool *pool, unsigned list, tarn_addr addr, uint64_t bytes);

// Removes a span that is entirely free for all streams. Returns false if it is not. Takes fit.
bool tn_pool_remove_span(tarn_pool *pool, tarn_addr addr);

// Returns true if a span is entirely free for all streams, and its memory is not in use. Under fit.
bool tn_pool_span_is_free(const tarn_pool *pool, const tn_pool_span *span);

// Takes a node for `want` from the lists that its slot may use, and sets the granule entry of its
// start. Returns 0 if nothing fits, or if another slot is alone in the pool. Under fit.
uint32_t tn_pool_piece_take(tarn_pool *pool, const tn_pool_want *want);

// The same out of one free node that is long enough, alignment included. Under fit.
uint32_t tn_pool_piece_take_from(tarn_pool *pool, const tn_pool_want *want, uint32_t node);

// The same from the free list, whichever slot is the sole one, if the list is settled. Under fit.
uint32_t tn_pool_piece_take_settled(tarn_pool *pool, const tn_pool_want *want);

// The same from a list that the caller knows to be usable by the slot. Under fit.
uint32_t tn_pool_piece_take_list(tarn_pool *pool, const tn_pool_want *want, unsigned list);

// The same out of several free pieces side by side that the slot may use, none of which is long
// enough. Under fit.
uint32_t tn_pool_piece_take_run(tarn_pool *pool, const tn_pool_want *want);

// Returns true for a free piece with memory that a slot may use at once. Under fit.
bool tn_pool_piece_is_usable(const tarn_pool *pool, uint32_t node, unsigned slot);

// Extends a taken node by `units` of the free pieces right behind it that its slot may use. Returns
// false, with nothing changed, if they do not suffice or no record is left. Under fit.
bool tn_pool_piece_extend(tarn_pool *pool, uint32_t node, uint64_t units);

// Frees a taken node to its slot. Under fit.
void tn_pool_piece_free(tarn_pool *pool, uint32_t node);

// Puts the incomplete last unit of a fresh fixed range aside.
void tn_pool_set_tail_aside(tarn_pool *pool);

// Makes every piece free for all streams. Slabs are closed, and uses and waits are discarded.
void tn_pool_piece_reset(tarn_pool *pool);

// Returns true if the granule entry `node` is that of a large block that starts at `addr`. Under
// fit.
static inline bool tn_pool_large_is_at(const tarn_pool *pool, uint32_t node, tarn_addr addr) {
    bool found = node != 0 && (node & TN_SLAB_BIT) == 0 &&
                 tn_pool_addr(pool, tn_fit_start(&pool->fit, node)) == addr;
    TARN_ASSERT(!found || tn_fit_state(&pool->fit, node) == TN_FIT_TAKEN);
    return found;
}

// ---- slab.c

void tn_pool_class_init(tn_pool_class *c);

// Returns the request of a slab of a class to the fit.
tn_pool_want tn_pool_slab_want(const tarn_pool *pool, unsigned slot, unsigned class_index);

// A block that its owner has freed.
typedef struct tn_pool_freed {
    uint32_t node;
    uint32_t mark; // before the free
    unsigned slot;
    uint64_t bytes; // requested
} tn_pool_freed;

// Adds a slab over `node`, a taken piece for it. Returns false without host memory; then the node
// is freed.
bool tn_pool_slab_add(tarn_pool *pool, unsigned slot, unsigned class_index, uint32_t node);

// Moves up to `max` blocks of a class into `blocks`, out of slabs with room or a new one. Returns
// their number; 0 if there is no room for a slab.
uint32_t tn_pool_slab_refill(tarn_pool *pool, unsigned slot, unsigned class_index, uint64_t *blocks,
                             uint32_t max);

// Returns blocks to their slabs, all of one slot and class.
void tn_pool_slab_flush(tarn_pool *pool, unsigned slot, unsigned class_index,
                        const uint64_t *blocks, uint32_t count);

// Frees the slabs of a slot that have no live block.
void tn_pool_slab_trim(tarn_pool *pool, unsigned slot);

// Closes every slab, even with live blocks. Magazines are empty.
void tn_pool_slab_reset(tarn_pool *pool);

// Writes the number of the block that starts at `addr` in a slab. Returns false if none does.
static inline bool tn_pool_small_at(const tn_slab *slab, tarn_addr addr, uint32_t *block) {
    uint64_t offset = addr - slab->base;
    *block = (uint32_t)(offset * slab->reciprocal >> 32);
    return *block < slab->blocks && (uint64_t)*block * slab->stride == offset;
}

// ---- cache.c

// An entry of a thread's list: a cache and the pool it belongs to.
typedef struct tn_pool_held {
    uint64_t id;
    tn_pool_cache *cache;
} tn_pool_held;

// The cache that this thread used last. The initial-exec model costs two loads and no call wherever
// the library is linked. A library with such a variable can be opened by dlopen() only while all
// its thread-local variables fit into the small reserve of the C library, and a face may be opened
// late. So the faces do not use it.
#ifdef TN_OPENED_LATE
#define TN_POOL_THREAD_LOCAL _Thread_local
#else
#define TN_POOL_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) _Thread_local
#endif
extern TN_POOL_THREAD_LOCAL tn_pool_held tn_pool_recent;

// Searches the thread's caches, or creates one. Returns NULL without host memory.
tn_pool_cache *tn_pool_cache_find(tarn_pool *pool);

// Allocates the magazines of a slot. Returns NULL without host memory, and for slots that have none.
tn_pool_magazine *tn_pool_cache_equip(tarn_pool *pool, tn_pool_cache *cache, unsigned slot);

// The calling thread's cache of a pool. Returns NULL without host memory.
static inline tn_pool_cache *tn_pool_cache_of(tarn_pool *pool) {
    bool recent = __builtin_expect(tn_pool_recent.id == pool->id, 1);
    return recent ? tn_pool_recent.cache : tn_pool_cache_find(pool);
}

// The owner enters its magazines. Returns false if another thread is emptying them.
// tn_pool_cache_flush_all() explains the protocol.
static inline bool tn_pool_cache_enter(tn_pool_cache *cache) {
    tn_store_relaxed(&cache->inside, 1);
    atomic_signal_fence(memory_order_seq_cst); // the seizing thread makes it a real fence
    if (__builtin_expect(tn_load_acquire(&cache->seized) == 0, 1)) {
        return true;
    }
    tn_store_release(&cache->inside, 0);
    return false;
}

static inline void tn_pool_cache_leave(tn_pool_cache *cache) {
    tn_store_release(&cache->inside, 0);
}

// The magazine of a class and slot, of a cache that its thread has entered. Returns NULL without host
// memory.
static inline tn_pool_magazine *tn_pool_magazine_at(tarn_pool *pool, tn_pool_cache *cache,
                                                    unsigned slot, unsigned class_index) {
    tn_pool_magazine *magazines = slot < TN_MAGAZINE_SLOTS ? cache->magazines[slot] : NULL;
    if (__builtin_expect(magazines == NULL, 0)) {
        magazines = tn_pool_cache_equip(pool, cache, slot);
        if (magazines == NULL) {
            return NULL;
        }
    }
    return &magazines[class_index];
}

// Enters the magazine of a class and slot; the caller leaves it by tn_pool_cache_leave(). Returns
// NULL, not entered, without a cache or host memory, or if another thread is emptying it.
static inline tn_pool_magazine *tn_pool_magazine_enter(tarn_pool *pool, tn_pool_cache *cache,
                                                       unsigned slot, unsigned class_index) {
    if (__builtin_expect(cache == NULL || !tn_pool_cache_enter(cache), 0)) {
        return NULL;
    }
    tn_pool_magazine *magazine = tn_pool_magazine_at(pool, cache, slot, class_index);
    if (__builtin_expect(magazine == NULL, 0)) {
        tn_pool_cache_leave(cache);
    }
    return magazine;
}

// Empties the calling thread's magazines of a slot, if it has any, into the slabs.
void tn_pool_cache_flush(tarn_pool *pool, unsigned slot);

// Empties the magazines of all threads. The system call interrupts every processor on which this
// process runs, so it is made only for a trim, or where an allocation would otherwise fail.
void tn_pool_cache_flush_all(tarn_pool *pool);

// Adds a pool to the list that threads consult when they end, and removes it. The latter frees its
// caches.
void tn_pool_cache_enlist(tarn_pool *pool);
void tn_pool_cache_delist(tarn_pool *pool);

// Calls visit for every cache of the pool under the list's lock.
void tn_pool_cache_each(tarn_pool *pool, void (*visit)(tn_pool_cache *, void *), void *arg);

// For a thread that has no cache: counts one block directly in the totals.
void tn_pool_count_alone(tarn_pool *pool, bool alloc, uint32_t tag, uint64_t live, uint64_t used);

// Blocks of a tag; a power of two. A fold takes longer than all but one in a thousand allocations.
enum { TN_FOLD_EVERY = 2048 };

// Counts a block in the calling thread's cache, which may be NULL.
static inline void tn_pool_count_alloc(tarn_pool *pool, tn_pool_cache *cache, uint32_t tag,
                                       uint64_t live, uint64_t used) {
    if (__builtin_expect(cache == NULL, 0)) {
        tn_pool_count_alone(pool, true, tag, live, used);
    } else if (tn_pool_tally_alloc(&cache->tally, tag, live, used) % TN_FOLD_EVERY == 0) {
        tn_pool_tally_fold(&cache->tally, &pool->totals);
    }
}

static inline void tn_pool_count_free(tarn_pool *pool, tn_pool_cache *cache, uint32_t tag,
                                      uint64_t live, uint64_t used) {
    if (__builtin_expect(cache == NULL, 0)) {
        tn_pool_count_alone(pool, false, tag, live, used);
    } else if (tn_pool_tally_free(&cache->tally, tag, live, used) % TN_FOLD_EVERY == 0) {
        tn_pool_tally_fold(&cache->tally, &pool->totals);
    }
}

// Counts what an extension adds to a live block.
void tn_pool_count_extension(tarn_pool *pool, uint32_t tag, uint64_t live, uint64_t used);

// ---- slot.c

// Makes slot 0.
tarn_status tn_pool_slot_init(tarn_pool *pool);

// Writes the slot of a stream; makes one for a new stream. The second is called under order.
tarn_status tn_pool_slot_find(tarn_pool *pool, tarn_stream stream, unsigned *slot);
tarn_status tn_pool_slot_get(tarn_pool *pool, tarn_stream stream, unsigned *slot);

// Writes the slot that a stream has already. Returns false if it has none. Under order.
bool tn_pool_slot_search(tarn_pool *pool, tarn_stream stream, unsigned *slot);

// Marks the end of a slot's stream.  Under order, as for the next two.
tarn_status tn_pool_mark_make(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark);
// Returns true if a mark has passed, and sets it to 0 then. A mark of 0 is made first.
bool tn_pool_mark_passed(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark, bool wait);
// Waits for a mark and discards it.
void tn_pool_mark_drop(tarn_pool *pool, tn_pool_mark mark);

// Waits of a block for streams, under order. tn_pool_waits_add() may be called twice for a slot.
tarn_status tn_pool_waits_add(tarn_pool *pool, tn_pool_waits *waits, unsigned slot);
// Marks the ends of the streams. A mark that cannot be made now is made at the next check.
void tn_pool_waits_mark(tarn_pool *pool, tn_pool_waits *waits);
// Returns true if all have passed. `query` false: only those count that the slot `own` follows.
bool tn_pool_waits_passed(tarn_pool *pool, unsigned own, tn_pool_waits *waits, bool query,
                          bool wait);
// Discards them, after waiting for marks that have not passed.
void tn_pool_waits_drop(tarn_pool *pool, tn_pool_waits *waits);

void tn_pool_slot_destroy(tarn_pool *pool);

// ---- sole.c

// An allocation of another slot is welcome once for so many of the sole slot.
enum { TN_STREAK_GUEST = 16 };

// Returns true if a slot may allocate as a guest of the sole one.
bool tn_pool_sole_welcomes(tarn_pool *pool, unsigned slot);

// Lets a slot allocate that is not the sole one. Under order.
void tn_pool_sole_end(tarn_pool *pool, unsigned slot);

// The work of a slot has passed. Under order.
void tn_pool_sole_passed(tarn_pool *pool, unsigned slot);

// Makes a slot the sole one again that has long been the only one to allocate. Under order.
void tn_pool_sole_again(tarn_pool *pool);

// Returns true if no unfinished work uses pieces of the free list, so that their memory may be
// unmapped. With `wait` it waits for that work. Under order.
bool tn_pool_settle(tarn_pool *pool, bool wait);

// Moves all nodes of a list to the list that all streams may use. Takes fit.
void tn_pool_promote(tarn_pool *pool, unsigned list);

// ---- grow.c, trim.c

// Takes a node for `want` by the remaining means: reclaiming, moving pages, growing. Takes fit
// itself. `node` is written on success.
tarn_status tn_pool_grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node);

// Releases a segment that is no longer a span of the pool. Waits for work unless TARN_NO_WAIT is in
// `flags`.
void tn_pool_release_segment(tarn_pool *pool, tarn_addr addr, uint64_t bytes, uint32_t flags);

// Releases memory without a live block until at most `keep_bytes` are held. Returns the bytes
// released. The caller has checked that it may wait, if `wait`.
uint64_t tn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, bool wait);

// ---- small.c, large.c

// Allocates a block for `bytes`, which the class holds.
tarn_status tn_pool_small_alloc(tarn_pool *pool, unsigned class_index, unsigned slot, uint32_t tag,
                                uint32_t bytes, tarn_addr *addr);
tarn_status tn_pool_large_alloc(tarn_pool *pool, const tn_pool_want *want, tarn_addr *addr);

// Frees the block that starts at `addr`. `entry` is its granule entry: the value, which leads to a
// slab, or the place, NULL if there is none. The second of each emits the event as well.
tarn_status tn_pool_small_free(tarn_pool *pool, tarn_addr addr, uint32_t entry);
tarn_status tn_pool_large_free(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry);
__attribute__((cold)) tarn_status tn_pool_small_free_and_emit(tarn_pool *pool, tarn_addr addr,
                                                              uint32_t entry);
__attribute__((cold)) tarn_status tn_pool_large_free_and_emit(tarn_pool *pool, tarn_addr addr,
                                                              tn_granule_entry *entry);

// ---- sleep.c

// Finishes the free of a block that was asleep when its owner freed it. Takes grow.
void tn_pool_sleep_free(tarn_pool *pool, tarn_addr addr, uint32_t node, uint64_t occupied);

// Forgets all sleeping blocks; their pages are holes afterwards. Under grow.
void tn_pool_sleep_reset(tarn_pool *pool);

// ---- extend.c

tarn_status tn_pool_extend(tarn_pool *pool, tarn_addr addr, uint64_t bytes);

// ---- block.c

bool tn_pool_find(tarn_pool *pool, tarn_addr addr, tarn_block *block);
bool tn_pool_set_user(tarn_pool *pool, tarn_addr addr, uint64_t user);
void tn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg);

// ---- stats.c

void tn_pool_fill_stats(tarn_pool *pool, tarn_pool_stats *stats);
void tn_pool_reset_peaks(tarn_pool *pool, uint32_t which);

// Writes the bytes of the live blocks of each tag, as counted by all threads.
void tn_pool_live_by_tag(tarn_pool *pool, uint64_t bytes[TARN_POOL_TAGS]);

// The bytes that live blocks occupy, as counted by all threads.
uint64_t tn_pool_used_bytes(tarn_pool *pool);

// ---- threshold.c

// Removes the pool from the list of those with a release threshold.
void tn_pool_threshold_forget(tarn_pool *pool);

#endif
