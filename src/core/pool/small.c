// SPDX-License-Identifier: Apache-2.0
// Small blocks: slabs of one size class, and each class's list of slabs with room, under the
// class's lock. A slab is a run of whole granules, so any byte of it leads to its record. Which
// blocks are live is said by a state per block, changed by compare-and-swap: a block freed twice,
// from whatever threads, is found out.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/pool/notify.h"
#include "core/pool/pool.h"
#include "core/pool/rule.h"

enum { LINE = 64 }; // bytes of a cache line

void tn_pool_class_init(tn_pool_class *c) {
    tn_spin_init(&c->lock, TN_RANK_POOL_CLASS, "pool class");
}

// ---- slab records

static uint32_t room_words(uint32_t blocks) {
    return (blocks + 63) / 64;
}

// The memory that a record needs, once. Without it `states` stays NULL.
static void record_allocate(tarn_pool *pool, tn_slab *slab, uint32_t blocks) {
    bool with_users = (pool->desc.flags & TARN_POOL_USER_WORDS) != 0;
    size_t states = (blocks + 1) / 2 * 2; // so that the words behind them are aligned
    size_t words = room_words(blocks) + (with_users ? blocks : 0);
    size_t whole =
        sizeof(tn_slab_bytes) + states * sizeof slab->states[0] + words * sizeof(uint64_t);
    tn_slab_bytes *bytes = (tn_slab_bytes *)aligned_alloc(LINE, (whole + LINE - 1) / LINE * LINE);
    if (bytes == NULL) {
        return;
    }
    memset(bytes, 0, whole);
    tn_spin_lock(&pool->fit_lock);
    bytes->next = pool->slab_bytes;
    pool->slab_bytes = bytes;
    tn_spin_unlock(&pool->fit_lock);
    slab->room = (uint64_t *)(void *)(bytes->states + states);
    slab->words = with_users ? (_Atomic(uint64_t) *)(slab->room + room_words(blocks)) : NULL;
    slab->states = bytes->states;
}

// A record for a slab of a class, with the memory it needs. 0: there is none.
static uint32_t record_new(tarn_pool *pool, unsigned class_index) {
    tn_spin_lock(&pool->fit_lock);
    uint32_t index = pool->slab_spare[class_index];
    if (index != 0) {
        pool->slab_spare[class_index] = pool->slabs[index].next;
    } else if (pool->slab_count + 1 < pool->slab_room) {
        index = ++pool->slab_count;
    }
    tn_spin_unlock(&pool->fit_lock);
    tn_slab *slab = &pool->slabs[index];
    if (index != 0 && slab->states == NULL) {
        record_allocate(pool, slab, pool->classes.slab_blocks[class_index]);
    }
    return index;
}

static void record_drop(tarn_pool *pool, uint32_t index) {
    tn_slab *slab = &pool->slabs[index];
    tn_spin_lock(&pool->fit_lock);
    slab->next = pool->slab_spare[slab->class_index];
    pool->slab_spare[slab->class_index] = index;
    if (slab->node != 0) {
        tn_pool_piece_free(pool, slab->node);
        slab->node = 0;
    }
    tn_spin_unlock(&pool->fit_lock);
}

// ---- the list of a class; its lock is held

static void list_slab(tarn_pool *pool, tn_pool_class *c, uint32_t index) {
    tn_slab *slab = &pool->slabs[index];
    slab->prev = 0;
    slab->next = c->first;
    if (c->first != 0) {
        pool->slabs[c->first].prev = index;
    }
    c->first = index;
    slab->listed = true;
}

static void unlist_slab(tarn_pool *pool, tn_pool_class *c, uint32_t index) {
    tn_slab *slab = &pool->slabs[index];
    if (slab->next != 0) {
        pool->slabs[slab->next].prev = slab->prev;
    }
    if (slab->prev != 0) {
        pool->slabs[slab->prev].next = slab->next;
    } else {
        c->first = slab->next;
    }
    slab->listed = false;
}

static void make_room(tn_slab *slab) {
    for (uint32_t word = 0; word < room_words(slab->blocks); word++) {
        uint32_t left = slab->blocks - word * 64;
        slab->room[word] = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    }
    slab->count = slab->blocks;
}

static tn_pool_want slab_want(const tarn_pool *pool, unsigned slot, unsigned class_index) {
    uint64_t bytes = pool->classes.slab_bytes[class_index];
    tn_pool_want want = {bytes >> pool->unit_shift, TN_SMALL_MAX, bytes, bytes, slot, TN_MARK_SLAB};
    return want;
}

// Describes a fresh slab and shows it to look-ups. The class's lock is held, the node is ours.
static void slab_open(tarn_pool *pool, unsigned slot, unsigned class_index, uint32_t index,
                      uint32_t node) {
    tn_slab *slab = &pool->slabs[index];
    const tn_pool_classes *classes = &pool->classes;
    slab->base = tn_pool_addr(pool, tn_fit_start(&pool->fit, node));
    slab->stride = classes->stride[class_index];
    slab->reciprocal = classes->reciprocal[class_index];
    slab->blocks = (uint16_t)classes->slab_blocks[class_index];
    slab->class_index = (uint16_t)class_index;
    slab->slot = (uint16_t)slot;
    slab->node = node;
    make_room(slab);
    tn_granule_set(&pool->map, slab->base, classes->slab_bytes[class_index], TN_SLAB_BIT | index);
    tn_pool_class *c = &tn_pool_slot_at(pool, slot)->classes[class_index];
    list_slab(pool, c, index);
    c->empty++;
}

// Makes a slab; `node` is a run for it, or 0 to take one from the core. False: no room for one.
static bool slab_new(tarn_pool *pool, unsigned slot, unsigned class_index, uint32_t node) {
    uint32_t index = record_new(pool, class_index);
    if (index == 0) {
        return false;
    }
    tn_slab *slab = &pool->slabs[index];
    slab->class_index = (uint16_t)class_index;
    slab->node = node;
    if (slab->states != NULL && node == 0) {
        tn_pool_want want = slab_want(pool, slot, class_index);
        tn_spin_lock(&pool->fit_lock);
        slab->node = tn_pool_piece_take(pool, &want);
        tn_spin_unlock(&pool->fit_lock);
    }
    if (slab->states == NULL || slab->node == 0) {
        record_drop(pool, index);
        return false;
    }
    slab_open(pool, slot, class_index, index, slab->node);
    return true;
}

static void slab_close(tarn_pool *pool, tn_pool_class *c, uint32_t index) {
    const tn_slab *slab = &pool->slabs[index];
    unlist_slab(pool, c, index);
    c->empty--;
    tn_granule_set(&pool->map, slab->base, pool->classes.slab_bytes[slab->class_index], 0);
    record_drop(pool, index);
}

// ---- moving blocks between slabs and magazines

// Takes up to `most` blocks out of the first listed slab.
static uint32_t take_from_first(tarn_pool *pool, tn_pool_class *c, uint64_t *blocks,
                                uint32_t most) {
    uint32_t index = c->first;
    tn_slab *slab = &pool->slabs[index];
    uint32_t got = 0;
    c->empty -= slab->count == slab->blocks;
    for (uint32_t word = 0; word < room_words(slab->blocks) && got < most; word++) {
        while (slab->room[word] != 0 && got < most) {
            uint32_t bit = (uint32_t)__builtin_ctzll(slab->room[word]);
            slab->room[word] &= slab->room[word] - 1;
            blocks[got++] = TN_PACK(index, word * 64 + bit);
        }
    }
    slab->count -= got;
    if (slab->count == 0) {
        unlist_slab(pool, c, index);
    }
    return got;
}

uint32_t tn_pool_small_refill(tarn_pool *pool, unsigned slot, unsigned class_index,
                              uint64_t *blocks, uint32_t most) {
    tn_pool_class *c = &tn_pool_slot_at(pool, slot)->classes[class_index];
    uint32_t got = 0;
    tn_spin_lock(&c->lock);
    while (got < most) {
        // A new slab only when there is nothing at all to give.
        if (c->first == 0 && (got != 0 || !slab_new(pool, slot, class_index, 0))) {
            break;
        }
        got += take_from_first(pool, c, blocks + got, most - got);
    }
    tn_spin_unlock(&c->lock);
    return got;
}

static void put_back(tarn_pool *pool, tn_pool_class *c, uint64_t packed) {
    uint32_t index = (uint32_t)(packed >> 32);
    uint32_t block = (uint32_t)packed;
    tn_slab *slab = &pool->slabs[index];
    TARN_ASSERT((slab->room[block / 64] >> (block % 64) & 1) == 0);
    slab->room[block / 64] |= UINT64_C(1) << (block % 64);
    slab->count++;
    if (!slab->listed) {
        list_slab(pool, c, index);
    }
    if (slab->count == slab->blocks) {
        c->empty++;
        if (c->empty > 1) {
            slab_close(pool, c, index);
        }
    }
}

void tn_pool_small_flush(tarn_pool *pool, unsigned slot, unsigned class_index,
                         const uint64_t *blocks, uint32_t count) {
    tn_pool_class *c = &tn_pool_slot_at(pool, slot)->classes[class_index];
    tn_spin_lock(&c->lock);
    for (uint32_t i = 0; i < count; i++) {
        put_back(pool, c, blocks[i]);
    }
    tn_spin_unlock(&c->lock);
}

static void trim_class(tarn_pool *pool, tn_pool_class *c) {
    tn_spin_lock(&c->lock);
    for (uint32_t index = c->first; index != 0;) {
        uint32_t next = pool->slabs[index].next;
        if (pool->slabs[index].count == pool->slabs[index].blocks) {
            slab_close(pool, c, index);
        }
        index = next;
    }
    tn_spin_unlock(&c->lock);
}

void tn_pool_small_trim(tarn_pool *pool, unsigned slot) {
    for (unsigned c = 0; c < pool->classes.count; c++) {
        trim_class(pool, &tn_pool_slot_at(pool, slot)->classes[c]);
    }
}

static void reset_slab(tarn_pool *pool, uint32_t index) {
    tn_slab *slab = &pool->slabs[index];
    tn_granule_set(&pool->map, slab->base, pool->classes.slab_bytes[slab->class_index], 0);
    for (uint32_t b = 0; b < slab->blocks; b++) {
        tn_store_relaxed(&slab->states[b], TN_SMALL_FREE);
    }
    slab->node = 0; // taken still; the core is reset next
    slab->next = pool->slab_spare[slab->class_index];
    pool->slab_spare[slab->class_index] = index;
}

void tn_pool_small_reset(tarn_pool *pool) {
    for (unsigned r = 0; r < TN_POOL_SLOTS && tn_pool_slot_at(pool, r) != NULL; r++) {
        for (unsigned c = 0; c < pool->classes.count; c++) {
            tn_pool_class *class_ = &tn_pool_slot_at(pool, r)->classes[c];
            tn_spin_lock(&class_->lock);
            class_->first = 0;
            class_->empty = 0;
            tn_spin_unlock(&class_->lock);
        }
    }
    tn_spin_lock(&pool->fit_lock);
    for (uint32_t i = 1; i <= pool->slab_count; i++) {
        if (pool->slabs[i].node != 0) {
            reset_slab(pool, i);
        }
    }
    tn_spin_unlock(&pool->fit_lock);
}

// ---- blocks

bool tn_pool_small_at(const tarn_pool *pool, tarn_addr addr, uint32_t entry, uint32_t *block) {
    const tn_slab *slab = &pool->slabs[entry & ~TN_SLAB_BIT];
    uint64_t offset = addr - slab->base;
    *block = (uint32_t)(offset * slab->reciprocal >> 32);
    return *block < slab->blocks && (uint64_t)*block * slab->stride == offset;
}

static inline tarn_addr hand_out(tarn_pool *pool, tn_pool_cache *cache, uint64_t packed,
                                 uint32_t tag, uint32_t bytes) {
    const tn_slab *slab = &pool->slabs[packed >> 32];
    uint32_t block = (uint32_t)packed;
    tn_store_relaxed(&slab->states[block], tn_small_live(tag, bytes));
    tn_pool_count_alloc(pool, cache, tag, bytes, slab->stride);
    return slab->base + (uint64_t)block * slab->stride;
}

// No magazine, for want of host memory or because another thread empties it: one block straight
// from the slabs.
static __attribute__((cold, noinline)) tarn_status
alloc_uncached(tarn_pool *pool, tn_pool_cache *cache, unsigned class_index, unsigned slot,
               uint32_t tag, uint32_t bytes, tarn_addr *addr) {
    uint64_t packed;
    if (tn_pool_small_refill(pool, slot, class_index, &packed, 1) == 0) {
        return TARN_NO_DEVICE_MEMORY;
    }
    *addr = hand_out(pool, cache, packed, tag, bytes);
    return TARN_OK;
}

static inline tarn_status alloc_cached(tarn_pool *pool, unsigned class_index, unsigned slot,
                                       uint32_t tag, uint32_t bytes, tarn_addr *addr) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    tn_pool_magazine *magazine = tn_pool_magazine_enter(pool, cache, slot, class_index);
    if (__builtin_expect(magazine == NULL, 0)) {
        return alloc_uncached(pool, cache, class_index, slot, tag, bytes, addr);
    }
    if (__builtin_expect(magazine->count == 0, 0)) {
        magazine->count =
            tn_pool_small_refill(pool, slot, class_index, magazine->blocks, TN_MAGAZINE / 2);
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

// Grows the pool by a slab. The class's lock is not held while the pool grows.
static tarn_status add_slab(tarn_pool *pool, unsigned class_index, unsigned slot) {
    tn_pool_want want = slab_want(pool, slot, class_index);
    tn_pool_class *c = &tn_pool_slot_at(pool, slot)->classes[class_index];
    uint32_t node = 0;
    tarn_status status = tn_pool_grow(pool, &want, &node);
    if (status != TARN_OK) {
        return status;
    }
    tn_spin_lock(&c->lock);
    bool made = slab_new(pool, slot, class_index, node);
    tn_spin_unlock(&c->lock);
    return made ? TARN_OK : tn_fail(TARN_NO_HOST_MEMORY, "no host memory for a slab");
}

// The last resort where a whole slab does not fit: a large block of the least size.
static tarn_status alloc_as_large(tarn_pool *pool, unsigned class_index, unsigned slot,
                                  uint32_t tag, uint32_t bytes, tarn_addr *addr) {
    uint32_t stride = pool->classes.stride[class_index];
    tn_pool_want want = {pool->large_min >> pool->unit_shift,
                         stride & (0 - stride),
                         tn_rule_occupied(&pool->rule, bytes),
                         bytes,
                         slot,
                         tag};
    return tn_pool_large_alloc(pool, &want, addr);
}

static __attribute__((noinline)) tarn_status alloc_growing(tarn_pool *pool, unsigned class_index,
                                                           unsigned slot, uint32_t tag,
                                                           uint32_t bytes, tarn_addr *addr) {
    tarn_status status = TARN_NO_DEVICE_MEMORY;
    bool added = true;
    while (status == TARN_NO_DEVICE_MEMORY && added) {
        added = add_slab(pool, class_index, slot) == TARN_OK;
        // Without a new slab too: on the way to a refusal other threads' blocks were taken back.
        status = alloc_cached(pool, class_index, slot, tag, bytes, addr);
    }
    return status == TARN_NO_DEVICE_MEMORY
               ? alloc_as_large(pool, class_index, slot, tag, bytes, addr)
               : status;
}

tarn_status tn_pool_small_alloc(tarn_pool *pool, unsigned class_index, unsigned slot, uint32_t tag,
                                uint32_t bytes, tarn_addr *addr) {
    tarn_status status = alloc_cached(pool, class_index, slot, tag, bytes, addr);
    return __builtin_expect(status == TARN_NO_DEVICE_MEMORY, 0)
               ? alloc_growing(pool, class_index, slot, tag, bytes, addr)
               : status;
}

static inline __attribute__((always_inline)) void recycle(tarn_pool *pool, tn_pool_cache *cache,
                                                          const tn_slab *slab, uint64_t packed) {
    tn_pool_magazine *magazine = tn_pool_magazine_enter(pool, cache, slab->slot, slab->class_index);
    if (__builtin_expect(magazine == NULL, 0)) {
        tn_pool_small_flush(pool, slab->slot, slab->class_index, &packed, 1);
        return;
    }
    if (__builtin_expect(magazine->count == TN_MAGAZINE, 0)) {
        const uint32_t half = TN_MAGAZINE / 2; // the longest idle ones
        tn_pool_small_flush(pool, slab->slot, slab->class_index, magazine->blocks, half);
        for (uint32_t i = 0; i < half; i++) {
            magazine->blocks[i] = magazine->blocks[i + half];
        }
        magazine->count = half;
    }
    magazine->blocks[magazine->count++] = packed;
    tn_pool_cache_leave(cache);
}

static inline __attribute__((always_inline)) tarn_status small_free(tarn_pool *pool, tarn_addr addr,
                                                                    uint32_t entry, bool told) {
    const tn_slab *slab = &pool->slabs[entry & ~TN_SLAB_BIT];
    uint32_t block;
    uint32_t state = TN_SMALL_FREE;
    bool shared = false;
    if (tn_pool_small_at(pool, addr, entry, &block)) {
        state = tn_load_relaxed(&slab->states[block]);
        do {
            shared = (state & TN_SMALL_SHARED) != 0;
            if (!tn_small_is_live(state)) {
                state = TN_SMALL_FREE;
                break;
            }
        } while (!tn_cas_weak_relaxed(&slab->states[block], &state,
                                      shared ? state & ~TN_SMALL_TAG : TN_SMALL_FREE));
    }
    if (__builtin_expect(state == TN_SMALL_FREE, 0)) {
        return tn_fail(TARN_BAD_ADDRESS, "0x%llx is not the start of a live block of this pool",
                       (unsigned long long)addr);
    }
    uint32_t tag = tn_small_tag(state);
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    if (told) {
        tn_pool_emit_free(pool, addr, slab->stride, slab->slot);
    }
    tn_pool_count_free(pool, cache, tag, tn_small_bytes(state), slab->stride);
    if (__builtin_expect(shared, 0)) {
        tn_pool_defer(pool, addr, 0, TN_PACK(entry & ~TN_SLAB_BIT, block), slab->stride);
        return TARN_OK;
    }
    recycle(pool, cache, slab, TN_PACK(entry & ~TN_SLAB_BIT, block));
    return TARN_OK;
}

tarn_status tn_pool_small_free(tarn_pool *pool, tarn_addr addr, uint32_t entry) {
    return small_free(pool, addr, entry, false);
}

tarn_status tn_pool_small_free_told(tarn_pool *pool, tarn_addr addr, uint32_t entry) {
    return small_free(pool, addr, entry, true);
}
