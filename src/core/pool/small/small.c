// SPDX-License-Identifier: Apache-2.0
// Blocks of a size class. They pass from slabs through the thread's magazine to the caller and
// back, mostly without a lock. Each block has a state word, changed by compare-and-swap once a second
// thread uses the pool, so that a block freed twice is detected, even on two threads. Any thread.
#include "base/error.h"
#include "core/pool/pool.h"
#include "core/pool/report/notify.h"
#include "core/pool/rule.h"
#include "core/pool/small/cache.h"
#include "core/pool/stream/use.h"

// ---- allocation

static inline __attribute__((always_inline)) tarn_addr
hand_out(tarn_pool *pool, tn_pool_cache *cache, uint64_t packed, uint32_t tag, uint32_t bytes) {
    const tn_slab *slab = &pool->small.slabs[packed >> 32];
    uint32_t block = (uint32_t)packed;
    tn_store_relaxed(&slab->states[block], tn_small_live(tag, bytes));
    tn_pool_count_alloc(pool, cache, tag, bytes, slab->stride);
    return slab->base + (uint64_t)block * slab->stride;
}

// Allocates one block directly from the slabs: there is no magazine, because host memory is
// exhausted or another thread empties it.
static __attribute__((cold, noinline)) tarn_status
alloc_uncached(tarn_pool *pool, tn_pool_cache *cache, unsigned class_index, unsigned slot,
               uint32_t tag, uint32_t bytes, tarn_addr *addr) {
    uint64_t packed;
    if (tn_pool_slab_refill(pool, slot, class_index, &packed, 1) == 0) return TARN_NO_DEVICE_MEMORY;
    *addr = hand_out(pool, cache, packed, tag, bytes);
    return TARN_OK;
}

// Fails without a record if neither the magazine nor the slabs have a block.
static inline __attribute__((always_inline)) tarn_status
alloc_cached(tarn_pool *pool, unsigned class_index, unsigned slot, uint32_t tag, uint32_t bytes,
             tarn_addr *addr) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    tn_pool_magazine *magazine = tn_pool_magazine_enter(pool, cache, slot, class_index);
    if (__builtin_expect(magazine == NULL, 0))
        return alloc_uncached(pool, cache, class_index, slot, tag, bytes, addr);
    if (__builtin_expect(magazine->count == 0, 0)) {
        magazine->count =
            tn_pool_slab_refill(pool, slot, class_index, magazine->blocks, TN_MAGAZINE / 2);
        if (magazine->count == 0) {
            tn_pool_cache_leave(cache);
            return TARN_NO_DEVICE_MEMORY;
        }
    }
    uint64_t packed = magazine->blocks[--magazine->count];
    tn_pool_cache_leave(cache);
    *addr = hand_out(pool, cache, packed, tag, bytes);
    return TARN_OK;
}

// Allocates after growing. Each round adds a slab, whose blocks other threads may take first. When
// no slab can be added, the attempt to grow has still reclaimed the blocks of other threads. As the
// last resort the block becomes a large one of the minimum size.
static __attribute__((noinline)) tarn_status alloc_growing(tarn_pool *pool, unsigned class_index,
                                                           unsigned slot, uint32_t tag,
                                                           uint32_t bytes, tarn_addr *addr) {
    const tn_pool_want slab = tn_pool_slab_want(pool, slot, class_index);
    bool grown = true;
    while (grown) {
        uint32_t node = 0; // the class's lock is not held while the pool grows
        grown = tn_pool_grow(pool, &slab, &node) == TARN_OK &&
                tn_pool_slab_add(pool, slot, class_index, node);
        tarn_status status = alloc_cached(pool, class_index, slot, tag, bytes, addr);
        if (status != TARN_NO_DEVICE_MEMORY) return status;
    }
    uint32_t stride = pool->small.classes.stride[class_index];
    return tn_pool_large_alloc(pool, bytes, tn_rule_occupied(&pool->rule, bytes),
                               stride & (0 - stride), slot, tag, addr);
}

tarn_status tn_pool_small_alloc(tarn_pool *pool, unsigned class_index, unsigned slot, uint32_t tag,
                                uint32_t bytes, tarn_addr *addr) {
    tarn_status status = alloc_cached(pool, class_index, slot, tag, bytes, addr);
    return __builtin_expect(status == TARN_NO_DEVICE_MEMORY, 0)
               ? alloc_growing(pool, class_index, slot, tag, bytes, addr)
               : status;
}

// ---- free

// Changes the state of the live block that starts at `addr` to free, or to pending if other streams
// use it. Only one of several threads that free the block succeeds. `alone` states that no other
// thread frees blocks meanwhile. Returns the state before, which is not live if no live block starts
// there.
static inline __attribute__((always_inline)) uint32_t
claim_small(const tn_slab *slab, tarn_addr addr, bool alone, uint32_t *block) {
    if (!tn_pool_small_at(slab, addr, block)) return TN_SMALL_FREE;
    _Atomic(uint32_t) *place = &slab->states[*block];
    uint32_t state = tn_load_relaxed(place);
    uint32_t freed;
    do {
        freed = (state & TN_SMALL_SHARED) != 0 ? state & ~TN_SMALL_TAG : TN_SMALL_FREE;
        if (__builtin_expect(alone && tn_small_is_live(state), 1)) {
            tn_store_relaxed(place, freed);
            return state;
        }
    } while (tn_small_is_live(state) && !tn_cas_weak_relaxed(place, &state, freed));
    return state;
}

// Puts a block into the thread's magazine. A full magazine first returns half of its blocks, those
// that were idle longest.
static inline __attribute__((always_inline)) void
push_block(tarn_pool *pool, tn_pool_magazine *magazine, const tn_slab *slab, uint64_t packed) {
    const uint32_t half = TN_MAGAZINE / 2;
    if (__builtin_expect(magazine == NULL, 0)) {
        tn_pool_slab_flush(pool, slab->slot, slab->class_index, &packed, 1);
        return;
    }
    if (__builtin_expect(magazine->count == TN_MAGAZINE, 0)) {
        tn_pool_slab_flush(pool, slab->slot, slab->class_index, magazine->blocks, half);
        for (uint32_t i = 0; i < half; i++)
            magazine->blocks[i] = magazine->blocks[i + half];
        magazine->count = half;
    }
    magazine->blocks[magazine->count++] = packed;
}

// The thread is inside its cache from before the claim on, so that a second thread that begins to
// use the pool waits for the claim. With `emits`, it enters after the event, which precedes every
// reuse: the block is claimed but in no magazine yet.
static inline __attribute__((always_inline)) tarn_status free_small(tarn_pool *pool, tarn_addr addr,
                                                                    uint32_t entry, bool emits) {
    const tn_slab *slab = &pool->small.slabs[entry & ~TN_SLAB_BIT];
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    bool entered = !emits && __builtin_expect(cache != NULL && tn_pool_cache_enter(cache), 1);
    bool alone = entered && tn_load_relaxed(&pool->small.alone) == cache;
    uint32_t block;
    uint32_t state = claim_small(slab, addr, alone, &block);
    bool live = tn_small_is_live(state);
    uint32_t stride = slab->stride; // once the block is in a magazine, the slab may be made anew
    if (emits && live) {
        tn_pool_emit_free(pool, addr, stride, slab->slot);
        entered = cache != NULL && tn_pool_cache_enter(cache);
    }
    if (__builtin_expect(live && (state & TN_SMALL_SHARED) == 0, 1)) {
        tn_pool_magazine *magazine =
            entered ? tn_pool_magazine_at(pool, cache, slab->slot, slab->class_index) : NULL;
        push_block(pool, magazine, slab, TN_PACK(entry & ~TN_SLAB_BIT, block));
    }
    if (__builtin_expect(entered, 1)) tn_pool_cache_leave(cache);
    if (__builtin_expect(!live, 0)) return tn_pool_no_block(addr);
    tn_pool_count_free(pool, cache, tn_small_tag(state), tn_small_bytes(state), stride);
    if (__builtin_expect((state & TN_SMALL_SHARED) != 0, 0))
        tn_pool_defer(pool, addr, 0, TN_PACK(entry & ~TN_SLAB_BIT, block), stride);
    return TARN_OK;
}

tarn_status tn_pool_small_free(tarn_pool *pool, tarn_addr addr, uint32_t entry) {
    return free_small(pool, addr, entry, false);
}

tarn_status tn_pool_small_free_and_emit(tarn_pool *pool, tarn_addr addr, uint32_t entry) {
    return free_small(pool, addr, entry, true);
}
