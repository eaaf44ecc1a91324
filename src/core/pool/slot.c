// SPDX-License-Identifier: Apache-2.0
// Stream slots, marks and waits. A slot holds memory that was freed on one stream whose work may
// not have passed. That stream may allocate it at once, others after promotion (reclaim.c). A mark
// is an event; it is recorded only when another stream needs the memory, and covers all earlier
// frees. Everything here is under the order lock, except tn_pool_slot_find(), which takes it.
#include <stdlib.h>

#include "base/error.h"
#include "core/pool/pool.h"

// ---- marks

tarn_status tn_pool_mark_make(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark) {
    if (pool->order == NULL) {
        *mark = ++slot->issued;
        return TARN_OK;
    }
    return pool->order->ops->mark(pool->order, tn_load_relaxed(&slot->stream), mark);
}

bool tn_pool_mark_passed(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark, bool wait) {
    if (*mark == 0 && tn_pool_mark_make(pool, slot, mark) != TARN_OK) {
        return false;
    }
    bool passed = pool->order != NULL ? pool->order->ops->passed(pool->order, *mark, wait)
                                      : *mark <= slot->passed;
    if (passed) {
        *mark = 0;
    }
    return passed;
}

void tn_pool_mark_drop(tarn_pool *pool, tn_pool_mark mark) {
    if (pool->order != NULL && mark != 0) {
        (void)pool->order->ops->passed(pool->order, mark, true);
    }
}

// ---- the waits of a block

tarn_status tn_pool_waits_add(tarn_pool *pool, tn_pool_waits *waits, unsigned slot) {
    for (unsigned i = 0; i < waits->count; i++) {
        if (waits->list[i].slot == slot) {
            return TARN_OK;
        }
    }
    if (waits->count == waits->capacity) {
        unsigned capacity = waits->capacity != 0 ? 2 * waits->capacity : 2;
        tn_pool_wait *more = (tn_pool_wait *)realloc(waits->list, capacity * sizeof *more);
        if (more == NULL) {
            return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the streams of a block");
        }
        waits->list = more;
        waits->capacity = capacity;
    }
    waits->list[waits->count++] = (tn_pool_wait){slot, false, 0};
    tn_pool_slot_at(pool, slot)->waits++;
    return TARN_OK;
}

void tn_pool_waits_mark(tarn_pool *pool, tn_pool_waits *waits) {
    for (unsigned i = 0; i < waits->count; i++) {
        tn_pool_wait *wait = &waits->list[i];
        (void)tn_pool_mark_make(pool, tn_pool_slot_at(pool, wait->slot), &wait->mark);
    }
}

bool tn_pool_waits_passed(tarn_pool *pool, tn_pool_waits *waits, bool wait) {
    bool all = true;
    for (unsigned i = 0; i < waits->count; i++) {
        tn_pool_wait *w = &waits->list[i];
        tn_pool_slot *slot = tn_pool_slot_at(pool, w->slot);
        if (!w->passed && tn_pool_mark_passed(pool, slot, &w->mark, wait)) {
            w->passed = true;
            slot->waits--;
        }
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

static tarn_status slot_make(tarn_pool *pool, unsigned *index) {
    unsigned s = pool->slot_count;
    tn_pool_slot *slot = (tn_pool_slot *)calloc(1, sizeof *slot);
    if (slot == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a further stream of a pool");
    }
    for (unsigned c = 0; c < TN_CLASSES; c++) {
        tn_pool_class_init(&slot->classes[c]);
    }
    if (s != 0) {
        tn_pool_fit_lock(pool);
        tn_fit_set_list(&pool->fit, 2 * s, &slot->bins[0]);
        tn_fit_set_list(&pool->fit, 2 * s + 1, &slot->bins[1]);
        tn_pool_fit_unlock(pool);
    }
    // Release: a thread that sees the pointer sees the complete slot.
    tn_store_release(&pool->slots[s], slot);
    pool->slot_count++;
    *index = s;
    return TARN_OK;
}

tarn_status tn_pool_slot_init(tarn_pool *pool) {
    unsigned host;
    return slot_make(pool, &host);
}

static bool is_unused(tarn_pool *pool, tn_pool_slot *slot) {
    tn_pool_fit_lock(pool);
    bool unused = slot->taken == 0 && slot->bins[0].count == 0 && slot->bins[1].count == 0;
    tn_pool_fit_unlock(pool);
    return unused && !slot->waiting && slot->waits == 0;
}

// Writes a slot for a new stream: a further one, or one whose stream has nothing left in the pool.
static tarn_status slot_reserve(tarn_pool *pool, unsigned *index) {
    if (pool->slot_count < TN_POOL_SLOTS) {
        return slot_make(pool, index);
    }
    for (unsigned s = 1; s < TN_POOL_SLOTS; s++) {
        if (is_unused(pool, tn_pool_slot_at(pool, s))) {
            *index = s;
            return TARN_OK;
        }
    }
    return tn_fail(TARN_NO_HANDLES, "the pool already knows %d streams with memory in use",
                   TN_POOL_SLOTS - 1);
}

bool tn_pool_slot_search(tarn_pool *pool, tarn_stream stream, unsigned *index) {
    for (unsigned s = 0; s < pool->slot_count; s++) {
        if (tn_load_relaxed(&tn_pool_slot_at(pool, s)->stream) == stream) {
            *index = s;
            return true;
        }
    }
    return false;
}

tarn_status tn_pool_slot_get(tarn_pool *pool, tarn_stream stream, unsigned *index) {
    if (tn_pool_slot_search(pool, stream, index)) {
        return TARN_OK;
    }
    tarn_status status = TARN_OK;
    if (pool->order != NULL && stream != 0) {
        status = pool->order->ops->known(pool->order, stream);
    }
    if (status == TARN_OK) {
        status = slot_reserve(pool, index);
    }
    if (status == TARN_OK) {
        tn_store_relaxed(&tn_pool_slot_at(pool, *index)->stream, stream);
    }
    return status;
}

tarn_status tn_pool_slot_find(tarn_pool *pool, tarn_stream stream, unsigned *slot) {
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    // The slot may serve another stream since this thread's last look-up.
    if (cache != NULL && cache->stream == stream &&
        tn_load_relaxed(&tn_pool_slot_at(pool, cache->slot)->stream) == stream) {
        *slot = cache->slot;
        return TARN_OK;
    }
    tn_mutex_lock(&pool->order_lock);
    tarn_status status = tn_pool_slot_get(pool, stream, slot);
    tn_mutex_unlock(&pool->order_lock);
    if (status == TARN_OK && cache != NULL) {
        cache->stream = stream;
        cache->slot = *slot;
    }
    return status;
}

void tn_pool_slot_destroy(tarn_pool *pool) {
    for (unsigned s = 0; s < pool->slot_count; s++) {
        free(tn_pool_slot_at(pool, s));
    }
}
