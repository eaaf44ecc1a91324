// SPDX-License-Identifier: Apache-2.0
// Small blocks: slabs of one size class, and the magazines and tally of each thread. The granule
// map leads from any byte of a slab to the slab.
#pragma once

#include <tarn/pool.h>

#include "algo/granule.h"
#include "core/pool/class.h"
#include "core/pool/fit/range.h"
#include "core/pool/small/tally.h"

enum {
    TN_MAGAZINE = 32,       // blocks in a magazine
    TN_MAGAZINE_SLOTS = 64, // threads keep small blocks of the slots below
    TN_HOMES = 4,           // groups of threads with slabs of their own
};

// The state word of a small block. The low seven bits are tag + 1 for a live block, else 0. The
// high bits are the bytes requested. A word of 0 is a free block, in the slab or in a magazine. A
// word with the shared bit but no tag is a freed block that waits for streams.
#define TN_SMALL_FREE   UINT32_C(0)
#define TN_SMALL_SHARED UINT32_C(0x80) // used on other streams too; TN_MARK_SHARED is the same bit
#define TN_SMALL_TAG    UINT32_C(0x7f)
enum { TN_SMALL_BYTES_SHIFT = 8 };

// The state word of a live block.
static inline uint32_t tn_small_live(uint32_t tag, uint32_t bytes) {
    return (tag + 1) | bytes << TN_SMALL_BYTES_SHIFT;
}

// The tag of a live block.
static inline uint32_t tn_small_tag(uint32_t state) { return (state & TN_SMALL_TAG) - 1; }

static inline uint32_t tn_small_bytes(uint32_t state) { return state >> TN_SMALL_BYTES_SHIFT; }

static inline bool tn_small_is_live(uint32_t state) { return (state & TN_SMALL_TAG) != 0; }

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
    bool listed;               // is in a list of the class. Guard: class
    uint8_t home;              // in whose list it is, or will be. Guard: class
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

// The slabs with room of one class and slot. Each belongs to a home. A thread refills from slabs of
// its own home, so that threads of different homes seldom write to the same cache lines.
typedef struct tn_pool_class {
    struct tn_spin lock;
    uint32_t empty; // number of listed slabs without a live block, at most one
    uint32_t first[TN_HOMES];
    uint32_t room[TN_HOMES]; // number of blocks in the listed slabs
} tn_pool_class;

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
    uint32_t home;               // from whose slabs it refills
    uint32_t common;             // takes without a shard from a pool with shards
    uint32_t waits;              // for the fit lock since `waits_since`
    uint64_t waits_since;
    tn_pool_tally tally;
    tn_pool_magazine *magazines[TN_MAGAZINE_SLOTS]; // an array of `classes.count` each
} tn_pool_cache;

// The small blocks of a pool.
typedef struct tn_pool_small {
    // ---- set at creation, then only read
    uint64_t max; // blocks that occupy at most this have a class; 0: no block has one
    tn_slab *slabs;
    uint64_t room; // of `slabs`
    // The cache of the only thread that has ever used the pool, else NULL. That thread claims small
    // blocks without an atomic read-modify-write, inside its cache.
    _Atomic(tn_pool_cache *) alone;

    // ---- guarded by fit
    uint32_t made;              // records ever made, record 0 unused
    uint32_t spare[TN_CLASSES]; // records to use again, by class, through `next`
    tn_slab_bytes *bytes;       // of all records

    // ---- written under the lock of the list of pools, read by any thread
    _Atomic(uint32_t) residents[TN_HOMES]; // number of caches of each home

    // ---- guarded by the lock of the list of pools
    tarn_pool *next_pool;
    tn_pool_cache *caches;
    bool joined; // a thread has used the pool
} tn_pool_small;

// ---- slab.c

// Gives small blocks classes, before any other call.
void tn_pool_small_begin(tarn_pool *pool);

// Returns the alignment that all blocks of a class have.
uint64_t tn_pool_slab_alignment(const tarn_pool *pool, unsigned class_index);

// Maps the records of slabs, if small blocks have classes.
tarn_status tn_pool_slab_init(tarn_pool *pool);
void tn_pool_slab_destroy(tarn_pool *pool);

void tn_pool_class_init(tn_pool_class *c);

// Returns the request of a slab of a class to the fit.
tn_pool_want tn_pool_slab_want(const tarn_pool *pool, unsigned slot, unsigned class_index);

// Adds a slab over a piece that was taken for that request to a home. Returns false, with the piece
// freed, if it cannot.
bool tn_pool_slab_add(tarn_pool *pool, unsigned home, unsigned slot, unsigned class_index,
                      uint32_t node);

// Moves up to `max` blocks of a class into `blocks`, out of slabs of the home with room, one of
// another home or a new one. Returns their number; 0 if there is no room for a slab.
uint32_t tn_pool_slab_refill(tarn_pool *pool, unsigned home, unsigned slot, unsigned class_index,
                             uint64_t *blocks, uint32_t max);

// Returns blocks to their slabs, all of one slot and class.
void tn_pool_slab_flush(tarn_pool *pool, unsigned slot, unsigned class_index,
                        const uint64_t *blocks, uint32_t count);

// Frees the slabs of a slot that have no live block.
void tn_pool_slab_trim(tarn_pool *pool, unsigned slot);

// Closes every slab, even with live blocks. Magazines are empty.
void tn_pool_slab_reset(tarn_pool *pool);

// ---- look.c; `entry` is the granule entry of a slab

// Describes the block that holds `addr`. Returns true if it is live.
bool tn_pool_small_find(const tarn_pool *pool, uint32_t entry, tarn_addr addr, tarn_block *block);

// Visits the blocks of a slab, and the rest behind them.
bool tn_pool_slab_walk(const tarn_pool *pool, uint32_t entry,
                       bool (*visit)(const tarn_block *, void *), void *arg);

// Sets the user word of the live block that starts at `addr`. Returns false if none does.
bool tn_pool_small_set_user(tarn_pool *pool, uint32_t entry, tarn_addr addr, uint64_t user);

// Writes the slot of the live block that starts at `addr`, and with `share` marks the block as used
// on other streams. Returns false if no live block starts there.
bool tn_pool_small_share(tarn_pool *pool, uint32_t entry, tarn_addr addr, bool share,
                         unsigned *slot);

// Extends the block that starts at `addr` within the stride of its class.
tarn_status tn_pool_small_extend(tarn_pool *pool, uint32_t entry, tarn_addr addr, uint64_t bytes,
                                 unsigned *slot);

// The slot of a packed block; and the end of one that was pending: it is free.
unsigned tn_pool_small_slot(const tarn_pool *pool, uint64_t packed);
void tn_pool_small_finish(tarn_pool *pool, uint64_t packed);

// Returns the bytes of the records of slabs. Takes fit.
uint64_t tn_pool_small_host_bytes(tarn_pool *pool);

// ---- verify.c

// Checks the lists of slabs with room, and each slab against its piece. The second is called under
// fit.
tarn_status tn_pool_small_verify(tarn_pool *pool);
tarn_status tn_pool_slabs_verify(const tarn_pool *pool);

// Returns the number of the block that holds `addr` in a slab, or that of the rest behind the blocks.
static inline uint32_t tn_pool_small_number(const tn_slab *slab, tarn_addr addr) {
    return (uint32_t)((addr - slab->base) * slab->reciprocal >> 32);
}

// Writes the number of the block that starts at `addr` in a slab. Returns false if none does.
static inline bool tn_pool_small_at(const tn_slab *slab, tarn_addr addr, uint32_t *block) {
    *block = tn_pool_small_number(slab, addr);
    return *block < slab->blocks && (uint64_t)*block * slab->stride == addr - slab->base;
}
