// SPDX-License-Identifier: Apache-2.0
// Streams of a pool. A slot holds what was freed on one stream and may not have passed yet: its
// own stream uses it at once, others after promotion. Marks (events) are made only when somebody
// else needs the memory, not at each free; a later mark covers all earlier frees.
//
// Everything here is under the order lock, which is held across marks and queries of events: they
// do not wait, except in promotion with `wait`, which is the last thing tried before refusing.
#include <stdlib.h>

#include "base/error.h"
#include "core/pool/notify.h"
#include "core/pool/pool.h"

enum { PROMOTE_BATCH = 64 };

// ---- marks

tarn_status tn_pool_mark_make(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark) {
    if (pool->order == NULL) {
        *mark = ++slot->issued;
        return TARN_OK;
    }
    return pool->order->ops->mark(pool->order, tn_load_relaxed(&slot->stream), mark);
}

// A mark that could not be made is made now; a later one covers what the first would have.
bool tn_pool_mark_passed(tarn_pool *pool, tn_pool_slot *slot, tn_pool_mark *mark, bool wait) {
    if (*mark == 0 && tn_pool_mark_make(pool, slot, mark) != TARN_OK) {
        return false;
    }
    bool passed = pool->order != NULL ? pool->order->ops->passed(pool->order, *mark, wait)
                                      : *mark <= slot->told;
    if (passed) {
        *mark = 0;
    }
    return passed;
}

// ---- slots

static bool is_unused(tarn_pool *pool, tn_pool_slot *slot) {
    tn_spin_lock(&pool->fit_lock);
    bool unused = slot->taken == 0 && slot->bins[0].count == 0 && slot->bins[1].count == 0;
    tn_spin_unlock(&pool->fit_lock);
    return unused && !slot->waiting;
}

static tarn_status slot_make(tarn_pool *pool, unsigned *index) {
    unsigned r = pool->slot_count;
    tn_pool_slot *slot = (tn_pool_slot *)calloc(1, sizeof *slot);
    if (slot == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory for another stream of a pool");
    }
    for (unsigned c = 0; c < TN_CLASSES; c++) {
        tn_pool_class_init(&slot->classes[c]);
    }
    if (r != 0) {
        tn_spin_lock(&pool->fit_lock);
        tn_fit_set_list(&pool->fit, 2 * r, &slot->bins[0]);
        tn_fit_set_list(&pool->fit, 2 * r + 1, &slot->bins[1]);
        tn_spin_unlock(&pool->fit_lock);
    }
    // Release: whoever finds the slot finds it complete.
    tn_store_release(&pool->slots[r], slot);
    pool->slot_count++;
    *index = r;
    return TARN_OK;
}

tarn_status tn_pool_stream_init(tarn_pool *pool) {
    unsigned host;
    return slot_make(pool, &host);
}

// When all slots are made, one whose stream has nothing left here serves the next.
static tarn_status slot_reserve(tarn_pool *pool, unsigned *index) {
    if (pool->slot_count < TN_POOL_SLOTS) {
        return slot_make(pool, index);
    }
    for (unsigned r = 1; r < TN_POOL_SLOTS; r++) {
        if (is_unused(pool, tn_pool_slot_at(pool, r)) && !tn_pool_use_knows(pool, r)) {
            *index = r;
            return TARN_OK;
        }
    }
    return tn_fail(TARN_NO_HANDLES, "a pool knows %d streams at a time", TN_POOL_SLOTS - 1);
}

static bool slot_search(tarn_pool *pool, tarn_stream stream, unsigned *index) {
    for (unsigned r = 0; r < pool->slot_count; r++) {
        if (tn_load_relaxed(&tn_pool_slot_at(pool, r)->stream) == stream) {
            *index = r;
            return true;
        }
    }
    return false;
}

tarn_status tn_pool_slot_get(tarn_pool *pool, tarn_stream stream, unsigned *index) {
    if (slot_search(pool, stream, index)) {
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
    // The slot may have gone to another stream since this thread last asked.
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

// ---- promotion

// Moves all of a list to everyone's, some nodes at a time so that the core is not held for long.
static bool release_list(tarn_pool *pool, unsigned list) {
    bool any = false;
    for (bool more = true; more;) {
        tn_spin_lock(&pool->fit_lock);
        uint32_t node = 0;
        for (int i = 0; i < PROMOTE_BATCH; i++) {
            node = tn_fit_largest(&pool->fit, list);
            if (node == 0) {
                break;
            }
            node = tn_fit_carve(&pool->fit, node, 0, tn_fit_units(&pool->fit, node));
            (void)tn_fit_free(&pool->fit, node, TN_LIST_FREE);
            any = true;
        }
        more = node != 0;
        tn_spin_unlock(&pool->fit_lock);
    }
    return any;
}

// Turns the lists, if there is anything young.
static bool turn(tarn_pool *pool, tn_pool_slot *slot) {
    tn_spin_lock(&pool->fit_lock);
    bool any = slot->bins[slot->young].count != 0;
    if (any) {
        slot->young ^= 1u;
    }
    tn_spin_unlock(&pool->fit_lock);
    return any;
}

static bool promote_slot(tarn_pool *pool, unsigned r, bool wait) {
    tn_pool_slot *slot = tn_pool_slot_at(pool, r);
    bool any = false;
    // Twice: what waits already, and what was young.
    for (int round = 0; round < 2; round++) {
        if (!slot->waiting && turn(pool, slot)) {
            slot->waiting = true;
            (void)tn_pool_mark_make(pool, slot, &slot->mark); // else at the next look
        }
        if (!slot->waiting || !tn_pool_mark_passed(pool, slot, &slot->mark, wait)) {
            break;
        }
        slot->waiting = false;
        any = release_list(pool, 2 * r + (slot->young ^ 1u)) || any;
    }
    return any;
}

bool tn_pool_promote(tarn_pool *pool, bool wait) {
    tn_mutex_lock(&pool->order_lock);
    bool any = tn_pool_use_poll(pool, UINT32_MAX, wait);
    for (unsigned r = 1; r < pool->slot_count; r++) {
        any = promote_slot(pool, r, wait) || any;
    }
    tn_mutex_unlock(&pool->order_lock);
    return any;
}

tarn_status tarn_pool_passed(tarn_pool *pool, tarn_stream stream) {
    unsigned r = 0;
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (pool->order != NULL || stream == 0) {
        return TARN_OK;
    }
    if (tn_subscribed()) {
        tn_pool_emit_passed(pool, stream);
    }
    tn_mutex_lock(&pool->order_lock);
    if (slot_search(pool, stream, &r)) {
        tn_pool_slot *slot = tn_pool_slot_at(pool, r);
        slot->told = slot->issued;
        tn_pool_cache_flush(pool, r);
        tn_pool_small_trim(pool, r);
        (void)tn_pool_use_poll(pool, UINT32_MAX, false);
        if (slot->waiting) {
            slot->waiting = false;
            (void)release_list(pool, 2 * r + (slot->young ^ 1u));
        }
        if (turn(pool, slot)) {
            (void)release_list(pool, 2 * r + (slot->young ^ 1u));
        }
    }
    tn_mutex_unlock(&pool->order_lock);
    return TARN_OK;
}

// ---- the end

void tn_pool_mark_drop(tarn_pool *pool, tn_pool_mark mark) {
    if (pool->order != NULL && mark != 0) {
        (void)pool->order->ops->passed(pool->order, mark, true);
    }
}

void tn_pool_stream_reset(tarn_pool *pool) {
    tn_mutex_lock(&pool->order_lock);
    tn_pool_use_reset(pool);
    for (unsigned r = 1; r < pool->slot_count; r++) {
        tn_pool_slot *slot = tn_pool_slot_at(pool, r);
        tn_pool_mark_drop(pool, slot->mark);
        slot->mark = 0;
        slot->waiting = false;
        (void)release_list(pool, 2 * r);
        (void)release_list(pool, 2 * r + 1);
    }
    tn_mutex_unlock(&pool->order_lock);
}

void tn_pool_stream_destroy(tarn_pool *pool) {
    tn_pool_stream_reset(pool);
    for (unsigned r = 0; r < pool->slot_count; r++) {
        free(tn_pool_slot_at(pool, r));
    }
    free(pool->uses);
    if (pool->order != NULL) {
        pool->order->ops->destroy(pool->order);
    }
}
