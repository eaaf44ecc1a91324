// SPDX-License-Identifier: Apache-2.0
// A pool from the inside: what its parts share. The parts are
//
//   pool.c         creation, and the public calls that alloc, free and look
//   pool_core.c    the fit under the core lock: large blocks, and runs of granules for slabs
//   pool_small.c   slabs of one size class, and a class's list of those with room
//   pool_cache.c   each thread's magazines of small blocks and its tally
//   pool_stream.c  slots: what was freed on a stream and has not passed
//   pool_use.c     blocks used on other streams than their own
//   pool_grow.c    what to do when nothing fits: flush, promote, move pages, grow; and trim
//   pool_fence.c   pools in which each block has pages of its own, for finding errors
//   pool_choice.c  what a pool is made of where the device cannot do what was asked for
//   pool_access.c  who may use the memory
//   pool_walk.c    the walk over all blocks, and which of them holds an address
//   pool_stats.c   statistics
//   pool_tell.c    what those who listen are told (annotate/annotate.h)
//   pool_check.c   the check of every record
//
// Beside them are the sources of memory and of order (pool_source.h, pool_order.h), and what a pool
// is put together from: rules, size classes, arrays, tallies.
//
// Records. A piece of the managed range is a node of the fit, taken or free. The list of a free
// node says what kind of free it is (TN_LIST_...), that of a taken node is its slot. The granule
// map leads from the start of a block to its node, and from any byte of a slab to the slab.
//
// Locks, in the order in which they are taken: grow, order, the list of pools, a class, core.
#ifndef TARN_CORE_POOL_POOL_H
#define TARN_CORE_POOL_POOL_H

#include <tarn/pool.h>

#include "algo/fit.h"
#include "algo/granule.h"
#include "base/lock.h"
#include "core/platform/fork.h"
#include "core/pool/class.h"
#include "core/pool/order.h"
#include "core/pool/source.h"
#include "core/pool/tally.h"

enum {
    TN_LIST_FREE = 0,    // free for everyone
    TN_LIST_ASIDE = 1,   // EXPANDABLE: without physical memory. FIXED: the incomplete last unit
    TN_POOL_SLOTS = 127, // slot 0 is the host's order; slot r has the lists 2r and 2r + 1
    TN_MAGAZINE = 32,    // small blocks that a thread keeps of one class and slot
    TN_POOL_NODE_RESERVE = 8, // nodes kept back, so that a free can always split what it needs to
};

// Bits of the mark of a taken node; the low ones are the tag.
enum {
    TN_MARK_TAG = 0x3f,
    TN_MARK_SLAB = 0x40,     // a slab's run
    TN_MARK_SHARED = 0x80,   // used on other streams too
    TN_MARK_PENDING = 0x100, // freed; waits for those
    TN_MARK_GROWING = 0x200, // no block: between two lists while pages move
};

// Granule entries with this bit lead to a slab, the others to a node.
#define TN_SLAB_BIT UINT32_C(0x80000000)

// The state word of a small block. The low seven bits are tag + 1 for a live block, else 0. The high
// bits are the bytes requested. A word of 0 is a free block, in the slab or in a magazine. A word
// with the shared bit but no tag is a freed block that waits for streams.
#define TN_SMALL_FREE   UINT32_C(0)
#define TN_SMALL_SHARED UINT32_C(0x80) // used on other streams too
#define TN_SMALL_TAG    UINT32_C(0x7f)
enum { TN_SMALL_BYTES_SHIFT = 8 };

// The state word of a live block.
static inline uint32_t tn_small_live(uint32_t tag, uint64_t bytes) {
    return (tag + 1) | (uint32_t)bytes << TN_SMALL_BYTES_SHIFT;
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

// One size class's run of blocks. What `base` to `states` say is written before the granule
// entries and stays while they stand, so that a free may read it without a lock.
typedef struct tn_slab {
    uint64_t base;
    uint32_t stride;
    uint32_t reciprocal;
    uint16_t blocks;
    uint16_t class_index;
    uint16_t slot;
    bool listed;               // is in the class's list. Guard: class
    _Atomic(uint32_t) *states; // one a block; stays with the record, as do `words` and `room`
    _Atomic(uint64_t) *words;  // the owner's, one a block; NULL without TARN_POOL_USER_WORDS
    uint64_t *room;            // bit b: block b is in no magazine and not live. Guard: class
    uint32_t node;
    uint32_t count;      // bits in `room`. Guard: class
    uint32_t prev, next; // slabs of the class with room. Guard: class
} tn_slab;

_Static_assert(sizeof(tn_slab) == 64, "a slab's record is one cache line");

// The arrays of a slab in one allocation: `states`, then `room`, then `words`. The pool has them all
// in a list, because the records are in mapped memory, which leak checkers do not search.
typedef struct tn_slab_bytes {
    struct tn_slab_bytes *next;
    uint64_t padding[7]; // so that the states of few large blocks are one cache line
    _Atomic(uint32_t) states[];
} tn_slab_bytes;

// The slabs with room of one class and slot.
typedef struct tn_pool_class {
    struct tn_spin lock;
    uint32_t first;
    uint32_t empty; // of the listed ones without a live block, at most one
} tn_pool_class;

// A stream that the pool has seen. Frees on it go to the young list. When somebody else needs
// them, the stream's end is marked and the two lists change places; once the mark has passed the
// waiting list's pieces become free for everyone.
typedef struct tn_pool_slot {
    _Atomic(tarn_stream) stream; // 0: nobody's now (slot 0: the host's order)
    unsigned young;              // 0 or 1. Guard: core
    uint64_t taken;              // its taken nodes. Guard: core
    bool waiting;                // the other list waits. Guard: order, as for the rest
    tn_pool_mark mark;           // for this; 0: it could not be made yet
    uint64_t issued, told;       // marks of a pool without a device, and those told to have passed
    tn_fit_bins bins[2];
    tn_pool_class classes[TN_CLASSES];
} tn_pool_slot;

// A block used on other streams than its own. Guard: order.
typedef struct tn_pool_use {
    struct tn_pool_use *next; // in its bucket, later in the queue of freed ones
    tarn_addr addr;
    uint32_t node;   // once freed: the large block's node, or
    uint64_t packed; // the small block (TN_PACK)
    uint64_t bytes;  // occupied
    unsigned count;
    unsigned capacity;
    struct tn_pool_wait {
        unsigned slot;
        bool passed;
        tn_pool_mark mark; // 0: not made yet
    } * waits;
} tn_pool_use;

// A small block in a word: its slab and its number there.
#define TN_PACK(slab, block) ((uint64_t)(slab) << 32 | (block))

typedef struct tn_pool_magazine {
    uint32_t count;
    uint64_t blocks[TN_MAGAZINE];
} tn_pool_magazine;

// What one thread keeps of one pool. Touched by its thread only, but for the tally's counters, the
// links, which the list of pools' lock guards, and the magazines, which a thread in need may empty:
// the owner says when it is inside and looks whether it may; who seizes looks after the owner has
// surely seen it (tn_pool_cache_flush_all). The owner's side is two plain stores and a load.
typedef struct tn_pool_cache {
    struct tn_pool_cache *next;
    struct tn_pool_cache **link;
    _Atomic uint32_t inside; // the owner is among the magazines; released when it leaves
    _Atomic uint32_t seized; // another thread is, or wants to be; released when it leaves
    tarn_stream stream;      // the last one asked about, and
    unsigned slot;           // its slot
    tn_pool_tally tally;
    tn_pool_magazine *magazines[TN_POOL_SLOTS]; // an array of `classes.count` each
} tn_pool_cache;

// A piece of address space that the pool got in one go.
typedef struct tn_pool_span {
    uint32_t head; // its name in the fit: the node before its first
    tarn_addr addr;
    uint64_t bytes;
} tn_pool_span;

enum { TN_USE_BUCKETS = 1024 };

struct tarn_pool {
    // ---- set at creation, then only read
    uint64_t id;                 // never used twice
    unsigned generation;         // of the process it belongs to
    tarn_pool_desc desc;         // the limit is guarded by grow
    struct tn_pool_fence *fence; // NULL, as nearly always: none. Calls about blocks go there
    bool plain; // neither a fence nor user words: alloc and free take the short way
    tarn_rule rule;
    unsigned unit_shift;
    uint64_t small_max; // blocks that occupy at most this go to a class; 0: none do
    uint64_t large_min; // what others occupy at least, so that a granule has one start
    tn_pool_classes classes;
    tn_pool_source *source; // NULL: a fixed range
    tn_pool_order *order;   // NULL: told
    tn_granule map;
    tn_slab *slabs;
    uint64_t slab_room;
    _Atomic(uint64_t) *words; // user words of large blocks, by node; NULL without them
    uint64_t node_room;
    _Atomic(tn_pool_slot *) slots[TN_POOL_SLOTS]; // grows under `order`, stays

    // ---- guarded by core
    struct tn_spin fit_lock;
    tarn_addr base; // of unit 0. Changes only while there is no span
    tn_fit fit;
    tn_fit_bins free_bins;
    tn_fit_bins aside_bins;
    uint64_t taken_units;
    uint64_t peak_taken_units;
    uint64_t ready_units; // FIXED: up to here the granule map's entries have been committed
    uint64_t high_units;  // FIXED: end of the highest node ever taken
    uint32_t tail;        // FIXED: the incomplete last unit's node number, 0 when there is none
    uint64_t tail_bytes;  // FIXED: bytes of it
    uint64_t tail_start;  // FIXED: its first unit
    uint32_t slab_count;  // records ever made, record 0 unused
    uint32_t slab_spare[TN_CLASSES]; // records to use again, by class, through `next`
    tn_slab_bytes *slab_bytes;       // of all records
    tn_pool_span *spans;             // by address; changed under grow too
    size_t span_count;
    size_t span_capacity;

    // ---- guarded by order
    struct tn_mutex order_lock;
    unsigned slot_count;
    tn_pool_use **uses;       // buckets of live blocks used elsewhere; made at the first
    tn_pool_use *queue_first; // freed ones, oldest first
    tn_pool_use *queue_last;
    _Atomic(uint64_t) queue_bytes;

    // ---- guarded by grow
    struct tn_mutex grow_lock;

    // ---- guarded by the list of pools' lock
    struct tarn_pool *next_pool;
    tn_pool_cache *caches;

    tn_pool_totals totals;
    _Atomic(uint64_t) refusals;
    _Atomic(uint64_t) moved_bytes;
    _Atomic(uint64_t) release_threshold;
    struct tarn_pool *next_threshold; // guarded by the lock of threshold.c

    // What is told of its memory; written before the first block, and then only read.
    struct {
        bool placed;
        int device;
        uint32_t flags;
        uint32_t space;
    } told;

    // ---- set at creation, seldom read
    tarn_pool_kind asked;
    char reason[TARN_POOL_REASON]; // why `asked` is not the kind; "" where it is
};

// ---- pool.c

// Creates a pool over a source and an order, NULL for none; both are the pool's on success. For
// tarn_pool_create and for tests that bring their own.
tarn_status tn_pool_create_over(const tarn_pool_desc *desc, tn_pool_source *source,
                                tn_pool_order *order, tarn_pool **pool);

// Whether the caller may use the pool: BAD_ARGUMENT for NULL, FORKED in a child of the process it
// belongs to, where a lock may be held for ever and a change half done.
__attribute__((cold)) tarn_status tn_pool_unusable(const tarn_pool *pool);

static inline tarn_status tn_pool_usable(const tarn_pool *pool) {
    bool fine = pool != NULL && pool->generation == tn_load_relaxed(&tn_fork_generation);
    return __builtin_expect(fine, 1) ? TARN_OK : tn_pool_unusable(pool);
}

// Is the calling thread inside a host function of the pool's device's platform? Then it must not
// wait for work, nor free memory, which would.
bool tn_pool_in_hostfn(const tarn_pool *pool);

// The same as tn_pool_usable() for calls that wait. BUSY too, recorded.
tarn_status tn_pool_may_wait(const tarn_pool *pool);

// ---- pool_core.c

static inline tarn_addr tn_pool_addr(const tarn_pool *pool, uint64_t unit) {
    return pool->base + (unit << pool->unit_shift);
}

static inline uint64_t tn_pool_units(const tarn_pool *pool, uint64_t bytes) {
    return (bytes + (UINT64_C(1) << pool->unit_shift) - 1) >> pool->unit_shift;
}

static inline tn_pool_slot *tn_pool_slot_at(tarn_pool *pool, unsigned slot) {
    return tn_load_acquire(&pool->slots[slot]);
}

// What a large allocation asks the core for.
typedef struct tn_pool_want {
    uint64_t units;    // of the piece
    uint64_t align;    // of its start, in bytes, at least a unit
    uint64_t occupied; // bytes that must lie in the range; the rest of the last unit need not
    uint64_t bytes;    // asked for
    unsigned slot;
    uint32_t mark; // the tag, or TN_MARK_SLAB
} tn_pool_want;

tarn_status tn_pool_piece_init(tarn_pool *pool);
void tn_pool_piece_destroy(tarn_pool *pool);

// Adds a span of free units of a list: all whole units of [addr, addr + bytes). Takes core.
tarn_status tn_pool_add_span(tarn_pool *pool, unsigned list, tarn_addr addr, uint64_t bytes);

// Forgets a span that is wholly free for everyone. False: it is not. Takes core.
bool tn_pool_remove_span(tarn_pool *pool, tarn_addr addr);

// Takes a node for `want` from what the slot may use, notes it and sets the granule entry of its
// start. 0: nothing fits. Under core.
uint32_t tn_pool_piece_take(tarn_pool *pool, const tn_pool_want *want);

// The same out of one free node that is long enough, alignment included. Under core.
uint32_t tn_pool_piece_take_from(tarn_pool *pool, const tn_pool_want *want, uint32_t node);

// Gives a node that was taken so back to its slot. Under core.
void tn_pool_piece_free(tarn_pool *pool, uint32_t node);

// Puts the incomplete last unit of a fresh fixed range aside.
void tn_pool_piece_set_tail_aside(tarn_pool *pool);

// Makes every piece free for everyone. Slabs are closed, streams forgotten.
void tn_pool_piece_reset(tarn_pool *pool);

tarn_status tn_pool_large_alloc(tarn_pool *pool, const tn_pool_want *want, tarn_addr *addr);

// Frees the block that starts at `addr`, whose entry in the granule map is given; NULL: it has
// none.
tarn_status tn_pool_large_free(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry);

// The same, told to those who listen before the bytes are anybody's.
__attribute__((cold)) tarn_status tn_pool_large_free_told(tarn_pool *pool, tarn_addr addr,
                                                          tn_granule_entry *entry);

// The node of the live large block that starts at `addr`, 0 for none. Under core.
uint32_t tn_pool_large_at(tarn_pool *pool, tarn_addr addr);

// ---- pool_small.c

void tn_pool_class_init(tn_pool_class *c);

// Moves up to `most` blocks of a class into `blocks`, out of slabs with room or a new one. Returns
// how many; 0 when there is no room for a slab.
uint32_t tn_pool_small_refill(tarn_pool *pool, unsigned slot, unsigned class_index,
                              uint64_t *blocks, uint32_t most);

// Takes blocks back into their slabs, all of one slot and class.
void tn_pool_small_flush(tarn_pool *pool, unsigned slot, unsigned class_index,
                         const uint64_t *blocks, uint32_t count);

// Gives a slot's slabs without a live block back to the core.
void tn_pool_small_trim(tarn_pool *pool, unsigned slot);

// Closes every slab, whatever is live in it. Magazines are empty.
void tn_pool_small_reset(tarn_pool *pool);

// The slab and number of the block that starts at `addr`; false: none does.
bool tn_pool_small_at(const tarn_pool *pool, tarn_addr addr, uint32_t entry, uint32_t *block);

// Allocates a block for `bytes`, which the class holds.
tarn_status tn_pool_small_alloc(tarn_pool *pool, unsigned class_index, unsigned slot, uint32_t tag,
                                uint32_t bytes, tarn_addr *addr);
tarn_status tn_pool_small_free(tarn_pool *pool, tarn_addr addr, uint32_t entry);
__attribute__((cold)) tarn_status tn_pool_small_free_told(tarn_pool *pool, tarn_addr addr,
                                                          uint32_t entry);

// ---- pool_cache.c

// A cache and the pool it is of, as a thread knows it.
typedef struct tn_pool_held {
    uint64_t id;
    tn_pool_cache *cache;
} tn_pool_held;

// The cache this thread used last. Of the initial-exec model: two loads, no call, wherever the
// library is linked. A library with one such variable can be opened by dlopen() only while all of
// its thread's variables fit into the little room that the C library keeps for that; those made to
// be opened late, the faces, go without.
#ifdef TN_OPENED_LATE
#define TN_POOL_THREAD_LOCAL _Thread_local
#else
#define TN_POOL_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) _Thread_local
#endif
extern TN_POOL_THREAD_LOCAL tn_pool_held tn_pool_recent;

// What is not at hand is looked for, or made. NULL: no host memory.
tn_pool_cache *tn_pool_cache_find(tarn_pool *pool);
tn_pool_magazine *tn_pool_cache_equip(tarn_pool *pool, tn_pool_cache *cache, unsigned slot);

// The calling thread's cache of a pool; makes it. NULL: no host memory.
static inline tn_pool_cache *tn_pool_cache_of(tarn_pool *pool) {
    bool recent = __builtin_expect(tn_pool_recent.id == pool->id, 1);
    return recent ? tn_pool_recent.cache : tn_pool_cache_find(pool);
}

// The owner enters its magazines. False: another thread is emptying them.
static inline bool tn_pool_cache_enter(tn_pool_cache *cache) {
    tn_store_relaxed(&cache->inside, 1);
    atomic_signal_fence(memory_order_seq_cst); // made a real fence by who seizes
    if (__builtin_expect(tn_load_acquire(&cache->seized) == 0, 1)) {
        return true;
    }
    tn_store_release(&cache->inside, 0);
    return false;
}

static inline void tn_pool_cache_leave(tn_pool_cache *cache) {
    tn_store_release(&cache->inside, 0);
}

// Enters the magazine of a class and slot; makes it. To be left by tn_pool_cache_leave(). NULL,
// and not entered: no cache, no host memory, or another thread is emptying it.
static inline tn_pool_magazine *tn_pool_magazine_enter(tarn_pool *pool, tn_pool_cache *cache,
                                                       unsigned slot, unsigned class_index) {
    if (__builtin_expect(cache == NULL || !tn_pool_cache_enter(cache), 0)) {
        return NULL;
    }
    tn_pool_magazine *magazines = cache->magazines[slot];
    if (__builtin_expect(magazines == NULL, 0)) {
        magazines = tn_pool_cache_equip(pool, cache, slot);
        if (magazines == NULL) {
            tn_pool_cache_leave(cache);
            return NULL;
        }
    }
    return &magazines[class_index];
}

// Empties the calling thread's magazines of a slot into the slabs.
void tn_pool_cache_flush(tarn_pool *pool, unsigned slot);

// Empties the magazines of all threads. A system call that interrupts every processor on which this
// process runs, so only where a refusal would be the alternative. Without effect where the kernel
// has no membarrier().
void tn_pool_cache_flush_all(tarn_pool *pool);

// Enters a pool into, and takes it out of, the list that threads consult when they end. The latter
// frees its caches.
void tn_pool_cache_enlist(tarn_pool *pool);
void tn_pool_cache_delist(tarn_pool *pool);

// Calls visit for every cache under the list's lock.
void tn_pool_cache_each(tarn_pool *pool, void (*visit)(tn_pool_cache *, void *), void *arg);

// For a thread that has no cache: counts one block straight in the totals.
void tn_pool_count_alone(tarn_pool *pool, bool alloc, uint32_t tag, uint64_t live, uint64_t used);

enum { TN_FOLD_EVERY = 256 }; // blocks of a tag; a power of two

// Counts a block in the calling thread's cache, or NULL when it has none.
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

// ---- pool_stream.c

// Makes slot 0.
tarn_status tn_pool_stream_init(tarn_pool *pool);

// The slot of a stream; makes it.
tarn_status tn_pool_slot_find(tarn_pool *pool, tarn_stream stream, unsigned *slot);

// Makes free for everyone what streams have passed, and marks what they have not, so that it will
// be. With `wait` it waits for all of it. Returns whether anything became free.
bool tn_pool_promote(tarn_pool *pool, bool wait);

// The same with the order lock held.
tarn_status tn_pool_slot_get(tarn_pool *pool, tarn_stream stream, unsigned *slot);

// Marks the end of a slot's stream; asks whether a mark has passed, making it first when it is 0,
// and sets it to 0 then; forgets one. Under order.
tarn_status tn_pool_mark_make(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark);
bool tn_pool_mark_passed(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark, bool wait);
void tn_pool_mark_drop(tarn_pool *pool, tn_pool_mark mark);

// Forgets every use and every wait, whatever runs. For reset and destroy.
void tn_pool_stream_reset(tarn_pool *pool);
void tn_pool_stream_destroy(tarn_pool *pool);

// ---- pool_use.c

// Frees a block that is used on other streams: node, or packed small block, at `addr`.
void tn_pool_defer(tarn_pool *pool, tarn_addr addr, uint32_t node, uint64_t packed, uint64_t bytes);

// Finishes the frees of the oldest blocks in the queue whose marks have passed; stops after `most`
// that have not. Whether there was one. Under order.
bool tn_pool_use_poll(tarn_pool *pool, unsigned most, bool wait);

// Whether a block, live or freed, waits for a slot's stream. Under order.
bool tn_pool_use_knows(const tarn_pool *pool, unsigned slot);

// Forgets all of it. Under order.
void tn_pool_use_reset(tarn_pool *pool);

// ---- pool_grow.c

// Takes a node for `want` after everything else: flushing, promoting, moving pages, growing. Takes
// core itself. `node` is written on success.
tarn_status tn_pool_grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node);

// Releases a segment that is no span of the pool any more. Waits for work unless TARN_NO_WAIT is in
// `flags`.
void tn_pool_lose_segment(tarn_pool *pool, tarn_addr addr, uint64_t bytes, uint32_t flags);

// Releases memory without a live block until at most `keep_bytes` are held. Returns the bytes
// released. The caller has checked that it may wait, if `wait`.
uint64_t tn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, bool wait);

// ---- threshold.c

// Removes the pool from the list of those with a release threshold.
void tn_pool_threshold_forget(tarn_pool *pool);
void tn_pool_threshold_fork_child(void);

// ---- walk.c

// Sets the user word of the live block that starts at `addr`. False: no live block starts there, or
// the pool has no user words.
bool tn_pool_set_block_user(tarn_pool *pool, tarn_addr addr, uint64_t user);

// ---- pool_stats.c

// The bytes that live blocks occupy, as counted by all threads.
uint64_t tn_pool_used_bytes(tarn_pool *pool);

// Says how much was wanted and what there was, and returns NO_DEVICE_MEMORY.
tarn_status tn_pool_refuse(tarn_pool *pool, const tn_pool_want *want);

#endif
