// SPDX-License-Identifier: Apache-2.0
// The hot part of cache.c: the calling thread's cache of a pool, its magazines and its tally.
#pragma once

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

// Allocates the magazines of a slot. Returns NULL without host memory, and for slots that have
// none.
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
    TARN_ASSERT(tn_load_relaxed(&cache->inside) != 0);
    tn_store_release(&cache->inside, 0);
}

// The magazine of a class and slot, of a cache that its thread has entered. Returns NULL without
// host memory.
static inline tn_pool_magazine *tn_pool_magazine_at(tarn_pool *pool, tn_pool_cache *cache,
                                                    unsigned slot, unsigned class_index) {
    TARN_ASSERT(class_index < pool->classes.count);
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

// Forgets the blocks in the magazines of all threads, for a reset.
void tn_pool_cache_reset(tarn_pool *pool);

// Adds a pool to the list that threads consult when they end, and removes it. The latter frees its
// caches.
void tn_pool_cache_enlist(tarn_pool *pool);
void tn_pool_cache_delist(tarn_pool *pool);

// Adds the tally of a cache to the totals of its pool.
void tn_pool_count_fold(tn_pool_cache *cache, void *pool);

// Calls visit for every cache of the pool under the list's lock.
void tn_pool_cache_each(tarn_pool *pool, void (*visit)(tn_pool_cache *, void *), void *arg);

// ---- slots

// Writes the slot of a stream of which the calling thread's cache does not know it, and stores it
// there.
tarn_status tn_pool_slot_learn(tarn_pool *pool, tn_pool_cache *cache, tarn_stream stream,
                               unsigned *slot);

// Writes the slot of a stream; makes one for a new stream. `cache` is the calling thread's.
static inline tarn_status tn_pool_slot_find(tarn_pool *pool, tn_pool_cache *cache,
                                            tarn_stream stream, unsigned *slot) {
    *slot = 0;
    if (stream == 0) return TARN_OK;
    if (__builtin_expect(cache == NULL || cache->stream != stream, 0))
        return tn_pool_slot_learn(pool, cache, stream, slot);
    *slot = tn_load_relaxed(&cache->slot);
    return TARN_OK;
}

// ---- small blocks

// Returns the class in whose slabs blocks that occupy so many bytes lie, all at multiples of
// `alignment` if that is not 0; TN_CLASSES if there is none.
static inline __attribute__((always_inline)) unsigned
tn_pool_small_class(const tarn_pool *pool, uint64_t occupied, uint64_t alignment) {
    const tn_pool_classes *classes = &pool->classes;
    if (occupied > pool->small.max) return TN_CLASSES;
    unsigned c = tn_pool_class_of(classes, occupied);
    if (alignment == 0) return tn_load_relaxed(&pool->classes.serving[c]);
    while (c < classes->count && classes->stride[c] % alignment != 0) c++;
    return c < classes->count ? c : TN_CLASSES;
}

// Takes a free block of a class out of the magazine or the slabs. Returns it packed, or 0 if there is
// none.
static inline __attribute__((always_inline)) uint64_t
tn_pool_small_take(tarn_pool *pool, tn_pool_cache *cache, unsigned class_index, unsigned slot) {
    tn_pool_magazine *magazine = tn_pool_magazine_enter(pool, cache, slot, class_index);
    if (__builtin_expect(magazine == NULL, 0)) { // directly from the slabs
        uint64_t one;
        unsigned home = cache != NULL ? cache->home : 0;
        return tn_pool_slab_refill(pool, home, slot, class_index, &one, 1) != 0 ? one : 0;
    }
    if (__builtin_expect(magazine->count == 0, 0))
        magazine->count = tn_pool_slab_refill(pool, cache->home, slot, class_index,
                                              magazine->blocks, TN_MAGAZINE / 2);
    uint64_t packed =
        __builtin_expect(magazine->count != 0, 1) ? magazine->blocks[--magazine->count] : 0;
    tn_pool_cache_leave(cache);
    return packed;
}

// Sets the user word of a block that is not live yet, in a pool that has them.
static inline void tn_pool_small_set_word(tarn_pool *pool, uint64_t packed, uint64_t user) {
    const tn_slab *slab = &pool->small.slabs[packed >> 32];
    if (slab->words != NULL) tn_store_relaxed(&slab->words[(uint32_t)packed], user);
}

// Makes a block that was taken live, for `bytes`. Writes its address. Returns the bytes that it
// occupies.
static inline __attribute__((always_inline)) uint64_t
tn_pool_small_start(tarn_pool *pool, uint64_t packed, uint32_t tag, uint32_t bytes,
                    tarn_addr *addr) {
    const tn_slab *slab = &pool->small.slabs[packed >> 32];
    uint32_t block = (uint32_t)packed;
    tn_store_relaxed(&slab->states[block], tn_small_live(tag, bytes));
    *addr = slab->base + (uint64_t)block * slab->stride;
    return slab->stride;
}

// Puts a block of a slab into the thread's magazine. A full magazine first returns half of its
// blocks, those that were idle longest. `entered` states that the thread is inside its cache.
static inline __attribute__((always_inline)) void
tn_pool_magazine_push(tarn_pool *pool, tn_pool_cache *cache, bool entered, const tn_slab *slab,
                      uint64_t packed) {
    const uint32_t half = TN_MAGAZINE / 2;
    tn_pool_magazine *magazine =
        entered ? tn_pool_magazine_at(pool, cache, slab->slot, slab->class_index) : NULL;
    if (__builtin_expect(magazine == NULL, 0)) {
        tn_pool_slab_flush(pool, slab->slot, slab->class_index, &packed, 1);
        return;
    }
    if (__builtin_expect(magazine->count == TN_MAGAZINE, 0)) {
        tn_pool_slab_flush(pool, slab->slot, slab->class_index, magazine->blocks, half);
        for (uint32_t i = 0; i < half; i++) magazine->blocks[i] = magazine->blocks[i + half];
        magazine->count = half;
    }
    magazine->blocks[magazine->count++] = packed;
}

// Returns a freed block that the caller has kept.
void tn_pool_small_return(tarn_pool *pool, tn_pool_cache *cache, uint64_t packed);

// Ends the block that starts at `addr` in a slab, `entry`: its state becomes free, or pending if
// other streams use it. Only one of several threads that free the block succeeds. Unless it is
// pending, or the caller keeps it, it goes into the magazine.
//
// The thread is inside its cache from before the claim on, so that a second thread that begins to
// use the pool waits for the claim.
static inline __attribute__((always_inline)) tn_pool_freed
tn_pool_small_free(tarn_pool *pool, tn_pool_cache *cache, tarn_addr addr, uint32_t entry,
                   bool keep) {
    const tn_slab *slab = &pool->small.slabs[entry & ~TN_SLAB_BIT];
    tn_pool_freed freed = {.node = 0};
    uint32_t block;
    if (__builtin_expect(!tn_pool_small_at(slab, addr, &block), 0)) return freed;
    bool entered = !keep && __builtin_expect(cache != NULL && tn_pool_cache_enter(cache), 1);
    bool alone = entered && tn_load_relaxed(&pool->small.alone) == cache;
    _Atomic(uint32_t) *place = &slab->states[block];
    uint32_t state = tn_load_relaxed(place);
    if (__builtin_expect(alone && (state & TN_SMALL_SHARED) == 0, 1)) {
        tn_store_relaxed(place, TN_SMALL_FREE); // it may be free
    } else {
        while (tn_small_is_live(state) &&
               !tn_cas_weak_relaxed(place, &state,
                                    (state & TN_SMALL_SHARED) != 0 ? state & ~TN_SMALL_TAG
                                                                   : TN_SMALL_FREE)) {
        }
    }
    // Once the block is in a magazine, the slab may be made anew.
    if (__builtin_expect(tn_small_is_live(state), 1))
        freed = (tn_pool_freed){.mark = tn_small_tag(state) | (state & TN_SMALL_SHARED),
                                .slot = keep ? slab->slot : 0,
                                .bytes = tn_small_bytes(state),
                                .occupied = slab->stride,
                                .packed = TN_PACK(entry & ~TN_SLAB_BIT, block)};
    if (__builtin_expect(freed.packed != 0 && !keep && (state & TN_SMALL_SHARED) == 0, 1))
        tn_pool_magazine_push(pool, cache, entered, slab, freed.packed);
    if (__builtin_expect(entered, 1)) tn_pool_cache_leave(cache);
    return freed;
}
