// SPDX-License-Identifier: Apache-2.0
// The hot part of cache.c: the calling thread's cache of a pool, its magazines and its tally.
#ifndef TARN_CORE_POOL_SMALL_CACHE_H
#define TARN_CORE_POOL_SMALL_CACHE_H

#include "core/pool/pool.h"

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
    if (__builtin_expect(tn_load_acquire(&cache->seized) == 0, 1)) return true;
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
        if (magazines == NULL) return NULL;
    }
    return &magazines[class_index];
}

// Enters the magazine of a class and slot; the caller leaves it by tn_pool_cache_leave(). Returns
// NULL, not entered, without a cache or host memory, or if another thread is emptying it.
static inline tn_pool_magazine *tn_pool_magazine_enter(tarn_pool *pool, tn_pool_cache *cache,
                                                       unsigned slot, unsigned class_index) {
    if (__builtin_expect(cache == NULL || !tn_pool_cache_enter(cache), 0)) return NULL;
    tn_pool_magazine *magazine = tn_pool_magazine_at(pool, cache, slot, class_index);
    if (__builtin_expect(magazine == NULL, 0)) tn_pool_cache_leave(cache);
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
    if (__builtin_expect(cache == NULL, 0))
        tn_pool_count_alone(pool, true, tag, live, used);
    else if (tn_pool_tally_alloc(&cache->tally, tag, live, used) % TN_FOLD_EVERY == 0)
        tn_pool_tally_fold(&cache->tally, &pool->reports.totals);
}

static inline void tn_pool_count_free(tarn_pool *pool, tn_pool_cache *cache, uint32_t tag,
                                      uint64_t live, uint64_t used) {
    if (__builtin_expect(cache == NULL, 0))
        tn_pool_count_alone(pool, false, tag, live, used);
    else if (tn_pool_tally_free(&cache->tally, tag, live, used) % TN_FOLD_EVERY == 0)
        tn_pool_tally_fold(&cache->tally, &pool->reports.totals);
}

// Counts what an extension adds to a live block.
void tn_pool_count_extension(tarn_pool *pool, uint32_t tag, uint64_t live, uint64_t used);

#endif
