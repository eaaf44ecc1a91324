// SPDX-License-Identifier: Apache-2.0
// A pool: what its rooms share. Each room has a part of it, with a header for the part's fields and
// the functions that the room offers the others. Only the room names the fields.
//
//   here      creation (create.c), allocation and free (ordinary.c, large.c), events (notify.c),
//             pools whose blocks have own pages (fence.c), queries and the walk (block.c), blocks
//             in the address book (owner.c), blocks that grow in place (extend.c), rules (rule.c)
//   fit/      pieces of the range, the lists of slots, the shards of several threads
//   small/    blocks of a size class: slabs, each thread's magazines
//   stream/   the streams that a pool knows, freed memory for all (reclaim.c), blocks used on
//             further streams (use.c), streams that wait for each other (reuse.c)
//   plan/     places for the requests of a pass that repeats itself
//   grow/     sources of memory and their choice, growth, release, blocks without memory (sleep.c)
//   report/   statistics, reports of refusals (explain.c), snapshots
//
// Each file and each room calls only those that do not call it.
//
// Locks, in the order in which they are taken: thresholds, grow, order, the list of pools, a class,
// fit, a shard.
#pragma once

#include <tarn/pool.h>

#include "algo/granule.h"
#include "core/platform/fork.h"
#include "core/pool/fit/range.h"
#include "core/pool/grow/growth.h"
#include "core/pool/report/reports.h"
#include "core/pool/small/small.h"
#include "core/pool/stream/streams.h"

// The calls about blocks that ordinary pools and fences implement differently. The caller has
// checked the pool and the arguments.
typedef struct tn_pool_ops {
    tarn_status (*alloc)(tarn_pool *pool, const tarn_pool_request *request, tarn_addr *addr);
    // Frees the block that starts at `addr`, unless that is 0, behind the work on `stream` too, unless
    // that is 0. Emits a refusal of `call`, a public function.
    tarn_status (*free)(tarn_pool *pool, tarn_addr addr, tarn_stream stream, const char *call);
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
} tn_pool_ops;

extern const tn_pool_ops tn_pool_ordinary;

struct tarn_pool {
    // ---- what every allocation and free reads, close together; set at creation
    uint64_t plain_id; // the same while `plain`, else one that no pool has
    tarn_rule rule;
    unsigned unit_shift;
    uint64_t large_min; // bytes that blocks without a class occupy at least, so that a granule has
                        // one start
    tn_granule map; // from the start of a block to its node, from any byte of a slab to the slab
    tn_pool_classes classes;
    tn_pool_small small;
    struct tn_pool_plan *plan; // plan/plan.h; NULL: none

    // ---- set at creation, then only read; more than a cache line between those and the next
    uint64_t id;         // never used twice
    unsigned generation; // of the process it belongs to
    bool plain;          // an ordinary pool without further duties, on the fast path
    const tn_pool_ops *ops;
    struct tn_pool_fence *fence; // of a pool with the ops of fence.c, else NULL
    tarn_pool_desc desc;         // the limits are guarded by grow

    // ---- the parts
    tn_pool_range range;
    tn_pool_streams streams;
    tn_pool_growth growth;
    tn_pool_reports reports;
    tn_pool_totals totals; // of the blocks; each thread has counts to add (small/tally.h)

    // ---- set at creation, seldom read
    tarn_pool_kind kind; // for queries: a fence has the kind that was requested
    tarn_pool_kind asked;
    char reason[TARN_POOL_REASON]; // why `kind` is not the kind requested; "" if it is
};

// The largest alignment of a request. Unit 0 lies at a multiple of it.
#define TN_POOL_ALIGN_MAX (UINT64_C(2) << 20)

// For assertions: return true if the calling thread holds the lock, or if the build does not know.
static inline bool tn_pool_fit_is_held(const tarn_pool *pool) {
    return tn_spin_is_held(&pool->range.lock.spin);
}

static inline bool tn_pool_grow_is_held(const tarn_pool *pool) {
    return tn_mutex_is_held(&pool->growth.lock);
}

static inline bool tn_pool_order_is_held(const tarn_pool *pool) {
    return tn_mutex_is_held(&pool->streams.lock);
}

// The bytes of memory that a pool with a source holds.
static inline uint64_t tn_pool_held_bytes(const tarn_pool *pool) {
    return tn_load_relaxed(&pool->growth.source->held_bytes);
}

// ---- pool.c

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

// Returns BAD_ARGUMENT if a block of `before` bytes is to be extended to fewer.
tarn_status tn_pool_check_growth(uint64_t bytes, uint64_t before);

// ---- create.c

// Creates a pool over a source and an order, each of which may be NULL; on success both are the
// pool's. For tarn_pool_create and for tests.
tarn_status tn_pool_create_over(const tarn_pool_desc *desc, tn_pool_source *source,
                                tn_pool_order *order, tarn_pool **pool);

// ---- fence.c

// Writes the fence flags for a pool of this description: its own, or those of the environment where
// the pool can have a fence. BAD_CONFIG: the environment's text. UNSUPPORTED: the flags of a pool
// that cannot have a fence.
tarn_status tn_fence_wanted(const tarn_pool_desc *desc, uint32_t *flags);

// Reserves the range and makes `desc` the description of a FIXED pool over it.
tarn_status tn_fence_create(tarn_pool_desc *desc, uint32_t flags, struct tn_pool_fence **fence);

// Sets the pool's operations to those of the fence, and ends the fence when no block is live.
void tn_fence_attach(struct tn_pool_fence *fence, tarn_pool *pool);
void tn_fence_finish(tarn_pool *pool);

// Hides the pool from address queries, which no longer run afterwards.
void tn_fence_detach(struct tn_pool_fence *fence);

// Releases the range of a fence without a block.
void tn_fence_destroy(struct tn_pool_fence *fence);

// ---- extend.c

tarn_status tn_pool_extend(tarn_pool *pool, tarn_addr addr, uint64_t bytes);

// ---- block.c

bool tn_pool_find(tarn_pool *pool, tarn_addr addr, tarn_block *block);
bool tn_pool_set_user(tarn_pool *pool, tarn_addr addr, uint64_t user);
void tn_pool_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg);

// The slots, which all rooms look up.
#include "core/pool/stream/slot.h"
