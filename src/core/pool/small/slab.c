// SPDX-License-Identifier: Apache-2.0
// Slabs of one size class, and each class's lists of slabs with room, under the class's lock. A slab
// is a run of whole granules, so any byte of it leads to its record. Records and their arrays are
// never freed before the pool, so that a late free of a block reads valid memory. Any thread.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/pool/array.h"
#include "core/pool/fit/piece.h"
#include "core/pool/plan/plan.h"

enum {
    CACHE_LINE = 64,
    SLABS_VISITED = 4, // by one refill: each may be a miss of the cache
    SLABS_MIN = 4096,
    SLABS_MAX = 1 << 22
};

void tn_pool_small_begin(tarn_pool *pool) {
    tn_pool_classes_init(&pool->classes, pool->unit_shift);
    pool->small.max = TN_SMALL_MAX;
}

uint64_t tn_pool_slab_alignment(const tarn_pool *pool, unsigned class_index) {
    uint32_t stride = pool->classes.stride[class_index];
    return stride & (0 - stride);
}

tarn_status tn_pool_slab_init(tarn_pool *pool) {
    void *array = NULL;
    if (pool->small.max == 0) return TARN_OK;
    tarn_status status =
        tn_pool_array_map(sizeof(tn_slab), SLABS_MAX, SLABS_MIN, false, &array, &pool->small.room);
    pool->small.slabs = (tn_slab *)array;
    return status;
}

void tn_pool_slab_destroy(tarn_pool *pool) {
    while (pool->small.bytes != NULL) {
        tn_slab_bytes *next = pool->small.bytes->next;
        free(pool->small.bytes);
        pool->small.bytes = next;
    }
    tn_pool_array_unmap(pool->small.slabs, sizeof(tn_slab), pool->small.room);
}

void tn_pool_class_init(tn_pool_class *c) {
    tn_spin_init(&c->lock, TN_RANK_POOL_CLASS, "pool class");
}

static tn_pool_class *class_of(tarn_pool *pool, unsigned slot, unsigned class_index) {
    return &tn_pool_slot_at(pool, slot)->classes[class_index];
}

// ---- records

static uint32_t room_words(uint32_t blocks) { return (blocks + 63) / 64; }

// Allocates the arrays of a new record. Without host memory `states` stays NULL.
static void record_allocate(tarn_pool *pool, tn_slab *slab, uint32_t blocks) {
    bool with_users = (pool->desc.flags & TARN_POOL_USER_WORDS) != 0;
    size_t states = (blocks + 1) / 2 * 2; // so that the words behind them are aligned
    size_t words = room_words(blocks) + (with_users ? blocks : 0);
    size_t whole =
        sizeof(tn_slab_bytes) + states * sizeof slab->states[0] + words * sizeof(uint64_t);
    whole = (whole + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    tn_slab_bytes *bytes = (tn_slab_bytes *)aligned_alloc(CACHE_LINE, whole);
    if (bytes == NULL) return;
    memset(bytes, 0, whole);
    (void)tn_pool_main_lock(pool);
    bytes->next = pool->small.bytes;
    pool->small.bytes = bytes;
    tn_pool_main_unlock(pool);
    slab->room = (uint64_t *)(void *)(bytes->states + states);
    slab->words = with_users ? (_Atomic(uint64_t) *)(slab->room + room_words(blocks)) : NULL;
    slab->states = bytes->states;
}

// Returns a record with its arrays for a slab of a class, or 0 if there is none.
static uint32_t record_new(tarn_pool *pool, unsigned class_index) {
    (void)tn_pool_main_lock(pool);
    uint32_t index = pool->small.spare[class_index];
    if (index != 0)
        pool->small.spare[class_index] = pool->small.slabs[index].next;
    else if (pool->small.made + 1 < pool->small.room)
        index = ++pool->small.made;
    tn_pool_main_unlock(pool);
    tn_slab *slab = &pool->small.slabs[index];
    if (index != 0 && slab->states == NULL)
        record_allocate(pool, slab, tn_pool_class_room(&pool->classes, class_index));
    return index;
}

// Keeps a record for reuse, and frees the slab's node. Under fit.
static void record_drop(tarn_pool *pool, uint32_t index) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && index != 0);
    tn_slab *slab = &pool->small.slabs[index];
    slab->next = pool->small.spare[slab->class_index];
    pool->small.spare[slab->class_index] = index;
    if (slab->node != 0) {
        tn_pool_block_free(pool, slab->node);
        slab->node = 0;
    }
}

// ---- the lists of a class; its lock is held

static void list_slab(tarn_pool *pool, tn_pool_class *c, uint32_t index) {
    tn_slab *slab = &pool->small.slabs[index];
    uint32_t *first = &c->first[slab->home];
    TARN_ASSERT(tn_spin_is_held(&c->lock) && *first != index);
    slab->prev = 0;
    slab->next = *first;
    if (*first != 0) pool->small.slabs[*first].prev = index;
    *first = index;
    c->room[slab->home] += slab->count;
    slab->listed = true;
}

static void unlist_slab(tarn_pool *pool, tn_pool_class *c, uint32_t index) {
    TARN_ASSERT(tn_spin_is_held(&c->lock) && pool->small.slabs[index].listed);
    tn_slab *slab = &pool->small.slabs[index];
    if (slab->next != 0) pool->small.slabs[slab->next].prev = slab->prev;
    if (slab->prev != 0)
        pool->small.slabs[slab->prev].next = slab->next;
    else
        c->first[slab->home] = slab->next;
    c->room[slab->home] -= slab->count;
    slab->listed = false;
}

tn_pool_want tn_pool_slab_want(const tarn_pool *pool, unsigned slot, unsigned class_index) {
    uint64_t bytes = pool->classes.slab_bytes[class_index];
    return (tn_pool_want){.units = bytes >> pool->unit_shift,
                          .align = TN_SMALL_MAX,
                          .occupied = bytes,
                          .bytes = bytes,
                          .slot = slot,
                          .mark = TN_MARK_SLAB};
}

static uint64_t slab_bytes(const tarn_pool *pool, const tn_slab *slab) {
    return tn_piece_units(pool, slab->node) << pool->unit_shift;
}

// Takes a piece for a slab: the place that the plan has for it, or another. Under fit.
static uint32_t take_piece(tarn_pool *pool, unsigned slot, unsigned class_index) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    const tn_pool_want want = tn_pool_slab_want(pool, slot, class_index);
    uint32_t stride = pool->classes.stride[class_index];
    bool waits;
    uint32_t node = tn_plan_take_slab(pool, &want, stride, &waits);
    return node != 0 || waits ? node : tn_pool_piece_take(pool, &want);
}

// Describes a fresh slab over `node`, and publishes it for look-ups.
static void slab_open(tarn_pool *pool, unsigned home, unsigned slot, unsigned class_index,
                      uint32_t index, uint32_t node) {
    TARN_ASSERT(tn_spin_is_held(&class_of(pool, slot, class_index)->lock) && node != 0);
    tn_slab *slab = &pool->small.slabs[index];
    const tn_pool_classes *classes = &pool->classes;
    slab->base = tn_piece_addr(pool, node);
    slab->stride = classes->stride[class_index];
    slab->reciprocal = classes->reciprocal[class_index];
    slab->class_index = (uint16_t)class_index;
    slab->slot = (uint16_t)slot;
    slab->home = (uint8_t)home;
    slab->node = node;
    uint64_t fit = slab_bytes(pool, slab) / slab->stride; // in a plan's place, as many as planned
    uint32_t room = tn_pool_class_room(classes, class_index);
    slab->blocks = (uint16_t)(fit < room ? fit : room);
    for (uint32_t word = 0; word < room_words(slab->blocks); word++) {
        uint32_t left = slab->blocks - word * 64;
        slab->room[word] = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    }
    slab->count = slab->blocks;
    tn_granule_set(&pool->map, slab->base, slab_bytes(pool, slab), TN_SLAB_BIT | index);
    tn_pool_class *c = class_of(pool, slot, class_index);
    (void)tn_add_relaxed(&tn_pool_slot_at(pool, slot)->slabs, 1);
    list_slab(pool, c, index);
    c->empty++;
}

// Makes a slab; `node` is a piece for it, or 0 to take one from the fit. Returns false, with `node`
// freed, if no slab can be made.
static bool slab_new(tarn_pool *pool, unsigned home, unsigned slot, unsigned class_index,
                     uint32_t node) {
    TARN_ASSERT(tn_spin_is_held(&class_of(pool, slot, class_index)->lock));
    uint32_t index = record_new(pool, class_index);
    bool usable = index != 0 && pool->small.slabs[index].states != NULL;
    (void)tn_pool_main_lock(pool);
    if (usable && node == 0) node = take_piece(pool, slot, class_index);
    bool made = usable && node != 0;
    if (!made && node != 0) tn_pool_block_free(pool, node);
    if (!made && index != 0) {
        pool->small.slabs[index].class_index = (uint16_t)class_index;
        record_drop(pool, index);
    }
    tn_pool_main_unlock(pool);
    if (made) slab_open(pool, home, slot, class_index, index, node);
    return made;
}

static void slab_close(tarn_pool *pool, tn_pool_class *c, uint32_t index) {
    TARN_ASSERT(tn_spin_is_held(&c->lock) && c->empty != 0);
    const tn_slab *slab = &pool->small.slabs[index];
    unlist_slab(pool, c, index);
    c->empty--;
    (void)tn_sub_relaxed(&tn_pool_slot_at(pool, slab->slot)->slabs, 1);
    tn_granule_set(&pool->map, slab->base, slab_bytes(pool, slab), 0);
    (void)tn_pool_main_lock(pool);
    record_drop(pool, index);
    tn_pool_main_unlock(pool);
}

bool tn_pool_slab_add(tarn_pool *pool, unsigned home, unsigned slot, unsigned class_index,
                      uint32_t node) {
    tn_pool_class *c = class_of(pool, slot, class_index);
    tn_spin_lock(&c->lock);
    bool made = slab_new(pool, home, slot, class_index, node);
    tn_spin_unlock(&c->lock);
    return made;
}

// ---- blocks between slabs and magazines

// Moves a slab with room of another home to this one. With `spare` the other home must have no
// thread, or as many blocks as a slab. Returns false if there is none.
static bool adopt_slab(tarn_pool *pool, tn_pool_class *c, unsigned home, unsigned class_index,
                       bool spare) {
    TARN_ASSERT(tn_spin_is_held(&c->lock) && c->first[home] == 0);
    uint32_t enough = tn_pool_class_room(&pool->classes, class_index);
    for (unsigned h = 0; h < TN_HOMES; h++) {
        uint32_t index = c->first[h];
        if (index == 0 ||
            (spare && c->room[h] < enough && tn_load_relaxed(&pool->small.residents[h]) != 0))
            continue;
        unlist_slab(pool, c, index);
        pool->small.slabs[index].home = (uint8_t)home;
        list_slab(pool, c, index);
        return true;
    }
    return false;
}

// Takes up to `max` blocks out of the first listed slab of a home.
static uint32_t take_from_first(tarn_pool *pool, tn_pool_class *c, unsigned home, uint64_t *blocks,
                                uint32_t max) {
    TARN_ASSERT(tn_spin_is_held(&c->lock) && c->first[home] != 0);
    uint32_t index = c->first[home];
    tn_slab *slab = &pool->small.slabs[index];
    uint32_t got = 0;
    __builtin_prefetch(&pool->small.slabs[slab->next]); // a refill often visits several
    c->empty -= slab->count == slab->blocks;
    for (uint32_t word = 0; word < room_words(slab->blocks) && got < max; word++) {
        while (slab->room[word] != 0 && got < max) {
            uint32_t bit = (uint32_t)__builtin_ctzll(slab->room[word]);
            slab->room[word] &= slab->room[word] - 1;
            blocks[got++] = TN_PACK(index, word * 64 + bit);
        }
    }
    slab->count -= got;
    c->room[home] -= got;
    if (slab->count == 0) unlist_slab(pool, c, index);
    return got;
}

// While another home has room, a slab is made only of memory that the pool holds.
uint32_t tn_pool_slab_refill(tarn_pool *pool, unsigned home, unsigned slot, unsigned class_index,
                             uint64_t *blocks, uint32_t max) {
    tn_pool_class *c = class_of(pool, slot, class_index);
    uint32_t got = 0;
    tn_spin_lock(&c->lock);
    if (c->first[home] != 0 || adopt_slab(pool, c, home, class_index, true) ||
        slab_new(pool, home, slot, class_index, 0) || adopt_slab(pool, c, home, class_index, false))
        for (int left = SLABS_VISITED; got < max && c->first[home] != 0 && left > 0; left--)
            got += take_from_first(pool, c, home, blocks + got, max - got);
    tn_spin_unlock(&c->lock);
    return got;
}

void tn_pool_slab_flush(tarn_pool *pool, unsigned slot, unsigned class_index,
                        const uint64_t *blocks, uint32_t count) {
    tn_pool_class *c = class_of(pool, slot, class_index);
    tn_spin_lock(&c->lock);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)(blocks[i] >> 32);
        uint32_t block = (uint32_t)blocks[i];
        tn_slab *slab = &pool->small.slabs[index];
        TARN_ASSERT((slab->room[block / 64] >> (block % 64) & 1) == 0);
        slab->room[block / 64] |= UINT64_C(1) << (block % 64);
        slab->count++;
        if (slab->listed)
            c->room[slab->home]++;
        else
            list_slab(pool, c, index);
        if (slab->count == slab->blocks && ++c->empty > 1) slab_close(pool, c, index);
    }
    tn_spin_unlock(&c->lock);
}

// ---- trim and reset

void tn_pool_slab_trim(tarn_pool *pool, unsigned slot) {
    bool any = tn_load_relaxed(&tn_pool_slot_at(pool, slot)->slabs) != 0;
    for (unsigned k = 0; any && k < pool->classes.count; k++) {
        tn_pool_class *c = class_of(pool, slot, k);
        tn_spin_lock(&c->lock);
        for (unsigned h = 0; h < TN_HOMES; h++) {
            for (uint32_t index = c->first[h]; index != 0;) {
                uint32_t next = pool->small.slabs[index].next;
                if (pool->small.slabs[index].count == pool->small.slabs[index].blocks)
                    slab_close(pool, c, index);
                index = next;
            }
        }
        tn_spin_unlock(&c->lock);
    }
}

void tn_pool_slab_reset(tarn_pool *pool) {
    for (unsigned s = 0; s < tn_pool_slot_count(pool); s++) {
        for (unsigned k = 0; k < pool->classes.count; k++) {
            tn_pool_class *c = class_of(pool, s, k);
            tn_spin_lock(&c->lock);
            memset(c->first, 0, sizeof c->first);
            memset(c->room, 0, sizeof c->room);
            c->empty = 0;
            tn_spin_unlock(&c->lock);
        }
        tn_store_relaxed(&tn_pool_slot_at(pool, s)->slabs, 0);
    }
    tn_pool_fit_lock(pool);
    for (uint32_t i = 1; i <= pool->small.made; i++) {
        tn_slab *slab = &pool->small.slabs[i];
        if (slab->node == 0) continue;
        tn_granule_set(&pool->map, slab->base, slab_bytes(pool, slab), 0);
        for (uint32_t b = 0; b < slab->blocks; b++)
            tn_store_relaxed(&slab->states[b], TN_SMALL_FREE);
        slab->node = 0; // its piece is freed when the range is reset next
        record_drop(pool, i);
    }
    tn_pool_fit_unlock(pool);
}
