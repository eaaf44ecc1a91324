// SPDX-License-Identifier: Apache-2.0
// Stream slots, marks and waits. A slot holds memory that was freed on one stream whose work may
// not have passed. That stream may allocate it at once, others after promotion (reclaim.c). A mark
// is an event; it is recorded only when another stream needs the memory, and covers all earlier
// frees. Everything here is under the order lock, except tn_pool_slot_learn(), which takes it.
#include <stdlib.h>

#include "base/error.h"
#include "core/pool/array.h"
#include "core/pool/small/cache.h"
#include "core/work/vector_clock.h"

enum { SWEEP_FIRST = 64 }; // slots before spare ones are searched for

// ---- marks

tarn_status tn_pool_mark_make(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    if (!tn_pool_has_order(pool)) {
        *mark = ++slot->issued;
        return TARN_OK;
    }
    return pool->streams.order->ops->mark(pool->streams.order, tn_load_relaxed(&slot->stream),
                                          mark);
}

bool tn_pool_mark_passed(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark, bool wait) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    if (*mark == 0 && tn_pool_mark_make(pool, slot, mark) != TARN_OK)
        return wait && tn_pool_has_order(pool) && pool->streams.order->ops->finish != NULL &&
               pool->streams.order->ops->finish(pool->streams.order,
                                                tn_load_relaxed(&slot->stream));
    bool passed = tn_pool_has_order(pool)
                      ? pool->streams.order->ops->passed(pool->streams.order, *mark, wait)
                      : *mark <= slot->passed;
    if (passed) *mark = 0;
    return passed;
}

void tn_pool_mark_drop(tarn_pool *pool, tn_pool_mark mark) {
    if (tn_pool_has_order(pool) && mark != 0)
        (void)pool->streams.order->ops->passed(pool->streams.order, mark, true);
}

// ---- slots that follow each other, as far as the core knows (core/work/vector_clock.h)

static void detach_clock(tn_pool_slot *slot) {
    tn_vector_clock_put(slot->clock);
    slot->clock = NULL;
}

// Without a clock no record covers the free.
void tn_pool_follow_freed(tn_pool_slot *slot) {
    uint64_t next = slot->clock != NULL ? tn_clock_next(slot->clock) : UINT64_MAX;
    tn_raise_relaxed(&slot->young_record, next);
}

bool tn_pool_follows(const tarn_pool *pool, const tn_pool_slot *slot, const tn_pool_slot *first,
                     uint64_t record) {
    return tn_pool_reuses(pool, TARN_REUSE_FOLLOWED) && slot->clock != NULL &&
           first->clock != NULL && tn_clock_follows(slot->clock, first->clock, record);
}

// ---- the waits of a block

tarn_status tn_pool_waits_add(tarn_pool *pool, tn_pool_waits *waits, unsigned slot) {
    TARN_ASSERT(tn_pool_order_is_held(pool) && waits->count <= waits->capacity);
    for (unsigned i = 0; i < waits->count; i++)
        if (waits->list[i].slot == slot) return TARN_OK;
    if (waits->count == waits->capacity) {
        unsigned capacity = waits->capacity != 0 ? 2 * waits->capacity : 2;
        tn_pool_wait *more = (tn_pool_wait *)realloc(waits->list, capacity * sizeof *more);
        TN_REFUSE(more == NULL, TARN_NO_HOST_MEMORY,
                  "out of host memory for the streams of a block");
        waits->list = more;
        waits->capacity = capacity;
    }
    waits->list[waits->count++] = (tn_pool_wait){slot, false, 0, UINT64_MAX};
    tn_pool_slot_at(pool, slot)->waits++;
    return TARN_OK;
}

void tn_pool_waits_mark(tarn_pool *pool, tn_pool_waits *waits) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    for (unsigned i = 0; i < waits->count; i++) {
        tn_pool_wait *wait = &waits->list[i];
        tn_pool_slot *slot = tn_pool_slot_at(pool, wait->slot);
        wait->record = slot->clock != NULL ? tn_clock_next(slot->clock) : UINT64_MAX;
        (void)tn_pool_mark_make(pool, slot, &wait->mark);
    }
}

bool tn_pool_waits_passed(tarn_pool *pool, unsigned own, tn_pool_waits *waits, bool query,
                          bool wait) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    bool all = true;
    for (unsigned i = 0; i < waits->count; i++) {
        tn_pool_wait *w = &waits->list[i];
        tn_pool_slot *slot = tn_pool_slot_at(pool, w->slot);
        if (w->passed) continue;
        if (own != 0 && tn_pool_follows(pool, tn_pool_slot_at(pool, own), slot, w->record)) {
            // A wait that the block's own stream follows is discarded without waiting.
            if (w->mark != 0) pool->streams.order->ops->discard(pool->streams.order, w->mark);
            w->mark = 0;
            w->passed = true;
        } else {
            w->passed = query && tn_pool_mark_passed(pool, slot, &w->mark, wait);
        }
        slot->waits -= w->passed;
        all = all && w->passed;
    }
    return all;
}

void tn_pool_waits_drop(tarn_pool *pool, tn_pool_waits *waits) {
    for (unsigned i = 0; i < waits->count; i++) {
        tn_pool_mark_drop(pool, waits->list[i].mark);
        tn_pool_slot_at(pool, waits->list[i].slot)->waits -= !waits->list[i].passed;
    }
    free(waits->list);
    *waits = (tn_pool_waits){NULL, 0, 0};
}

// ---- slots

static unsigned *bucket_of(tarn_pool *pool, tarn_stream stream) {
    return &pool->streams.buckets[(uint64_t)stream * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

// Allocates a further slot.
static tarn_status slot_make(tarn_pool *pool, unsigned *index) {
    unsigned s = tn_pool_slot_count(pool);
    TN_REFUSE(s == TN_POOL_SLOTS, TARN_NO_HANDLES,
              "the pool already knows %d streams with memory in use", TN_POOL_SLOTS - 1);
    tn_pool_slot *slot = (tn_pool_slot *)calloc(1, sizeof *slot);
    TN_REFUSE(slot == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for a further stream of a pool");
    for (unsigned c = 0; c < TN_CLASSES; c++) tn_pool_class_init(&slot->classes[c]);
    tn_pool_lists_init(pool, s, slot);
    slot->older = pool->streams.newest;
    pool->streams.newest = slot;
    // Release: a thread that sees the slot or its number sees the complete slot.
    tn_store_release(&pool->streams.slots[s], slot);
    tn_store_release(&pool->streams.count, s + 1);
    *index = s;
    return TARN_OK;
}

void tn_pool_order_lock(tarn_pool *pool) { tn_mutex_lock(&pool->streams.lock); }

void tn_pool_order_unlock(tarn_pool *pool) { tn_mutex_unlock(&pool->streams.lock); }

tarn_status tn_pool_slot_init(tarn_pool *pool) {
    unsigned host;
    void *array;
    TN_TRY(tn_pool_array_map(sizeof *pool->streams.slots, TN_POOL_SLOTS, TN_POOL_SLOTS, false,
                             &array, &pool->streams.slot_room));
    pool->streams.slots = (_Atomic(tn_pool_slot *) *)array;
    tn_mutex_init(&pool->streams.lock, TN_RANK_POOL_ORDER, "pool order");
    pool->streams.sweep = SWEEP_FIRST;
    return slot_make(pool, &host);
}

bool tn_pool_slot_order(tarn_pool *pool, tn_pool_order *order) {
    bool selects = (pool->desc.flags & TARN_POOL_SELECT_REUSE) != 0 && order != NULL &&
                   order->ops->clock != NULL;
    pool->streams.order = order;
    pool->streams.selects_reuse = selects;
    tn_store_relaxed(&pool->streams.reuse, TARN_REUSE_PASSED | (selects ? TARN_REUSE_FOLLOWED : 0));
    if (selects) tn_clock_start();
    return selects;
}

// ---- spare slots

static void keep_cached(tn_pool_cache *cache, void *arg) {
    ((bool *)arg)[tn_load_relaxed(&cache->slot)] = true;
}

// Makes those slots spare whose streams have nothing in the pool any more and that no thread has
// looked up last. Without host memory none becomes spare.
static void sweep_slots(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    unsigned count = tn_pool_slot_count(pool);
    unsigned kept = count;
    bool *used = pool->streams.pinned ? NULL : (bool *)calloc(TN_POOL_SLOTS, sizeof *used);
    if (used != NULL) {
        for (unsigned s = 1; s < count; s++) {
            const tn_pool_slot *slot = tn_pool_slot_at(pool, s);
            used[s] = slot->waiting || slot->waits != 0 || slot->sole_mark != 0;
        }
        tn_pool_lists_find_used(pool, used);
        tn_pool_cache_each(pool, keep_cached, used);
        for (unsigned s = 1; s < count; s++) {
            tn_pool_slot *slot = tn_pool_slot_at(pool, s);
            if (used[s] || slot->spare) continue;
            unsigned *link = bucket_of(pool, tn_load_relaxed(&slot->stream));
            while (*link != s) link = &tn_pool_slot_at(pool, *link)->next;
            *link = slot->next;
            detach_clock(slot);
            slot->spare = true;
            slot->next = pool->streams.spare;
            pool->streams.spare = s;
            kept--;
        }
        free(used);
    }
    if (kept > count / 2)
        pool->streams.sweep = 2 * count < TN_POOL_SLOTS ? 2 * count : TN_POOL_SLOTS;
}

// ---- look-up

bool tn_pool_slot_search(tarn_pool *pool, tarn_stream stream, unsigned *index) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    unsigned s = stream != 0 ? *bucket_of(pool, stream) : 0;
    while (s != 0 && tn_load_relaxed(&tn_pool_slot_at(pool, s)->stream) != stream)
        s = tn_pool_slot_at(pool, s)->next;
    *index = s;
    return s != 0 || stream == 0;
}

tarn_status tn_pool_slot_get(tarn_pool *pool, tarn_stream stream, unsigned *index) {
    TARN_ASSERT(tn_pool_order_is_held(pool));
    unsigned s = 0;
    if (tn_pool_slot_search(pool, stream, index)) return TARN_OK;
    tarn_status status = TARN_OK;
    if (pool->streams.order != NULL)
        status = pool->streams.order->ops->known(pool->streams.order, stream);
    if (status == TARN_OK && pool->streams.spare == 0 &&
        tn_pool_slot_count(pool) >= pool->streams.sweep)
        sweep_slots(pool);
    if (status == TARN_OK && pool->streams.spare != 0) {
        s = pool->streams.spare;
        tn_pool_slot_at(pool, s)->spare = false;
        pool->streams.spare = tn_pool_slot_at(pool, s)->next;
    } else if (status == TARN_OK) {
        status = slot_make(pool, &s);
    }
    if (status == TARN_OK) {
        unsigned *bucket = bucket_of(pool, stream);
        tn_pool_slot *slot = tn_pool_slot_at(pool, s);
        tn_store_relaxed(&slot->stream, stream);
        detach_clock(slot);
        slot->waiting_record = 0;
        tn_store_relaxed(&slot->young_record, 0);
        if (pool->streams.selects_reuse)
            slot->clock = pool->streams.order->ops->clock(pool->streams.order, stream);
        slot->next = *bucket;
        *bucket = s;
        *index = s;
    }
    return status;
}

// The slot is stored in the thread's cache under the order lock, so that no sweep retires it before
// the thread has used it.
tarn_status tn_pool_slot_learn(tarn_pool *pool, tn_pool_cache *cache, tarn_stream stream,
                               unsigned *slot) {
    TN_LOCKED(&pool->streams.lock);
    tarn_status status = tn_pool_slot_get(pool, stream, slot);
    if (status == TARN_OK && cache != NULL) {
        cache->stream = stream;
        tn_store_relaxed(&cache->slot, *slot);
    }
    pool->streams.pinned = pool->streams.pinned || cache == NULL;
    return status;
}

void tn_pool_slot_end_order(tarn_pool *pool) {
    if (tn_pool_has_order(pool)) pool->streams.order->ops->destroy(pool->streams.order);
}

void tn_pool_slot_destroy(tarn_pool *pool) {
    if (pool->streams.slots == NULL) return;
    for (unsigned s = 0; s < tn_pool_slot_count(pool); s++) {
        detach_clock(tn_pool_slot_at(pool, s));
        free(tn_pool_slot_at(pool, s));
    }
    tn_pool_array_unmap(pool->streams.slots, sizeof *pool->streams.slots, pool->streams.slot_room);
    free(pool->streams.uses);
    tn_mutex_fini(&pool->streams.lock);
}
