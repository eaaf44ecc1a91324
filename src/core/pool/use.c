// SPDX-License-Identifier: Apache-2.0
// Blocks used on other streams than their own. Such a block has a record from its first use
// elsewhere, so that a free of it cannot fail. The free marks the end of each of those streams and
// puts the record in a queue; when all marks have passed the block goes back to its own stream's
// free pieces. Under the order lock.
#include <stdlib.h>

#include "base/error.h"
#include "core/pool/fence.h"
#include "core/pool/notify.h"
#include "core/pool/pool.h"

enum { POLL_MAX = 8 };

static bool waits_for(const tn_pool_use *use, unsigned slot) {
    for (unsigned i = 0; i < use->count; i++) {
        if (use->waits[i].slot == slot && !use->waits[i].passed) {
            return true;
        }
    }
    return false;
}

static bool any_waits_for(const tn_pool_use *use, unsigned slot) {
    while (use != NULL && !waits_for(use, slot)) {
        use = use->next;
    }
    return use != NULL;
}

bool tn_pool_use_knows(const tarn_pool *pool, unsigned slot) {
    bool any = any_waits_for(pool->queue_first, slot);
    for (unsigned b = 0; pool->uses != NULL && b < TN_USE_BUCKETS && !any; b++) {
        any = any_waits_for(pool->uses[b], slot);
    }
    return any;
}

// ---- freed ones

static void finish(tarn_pool *pool, tn_pool_use *use) {
    if (use->node != 0) {
        tn_spin_lock(&pool->fit_lock);
        tn_pool_piece_free(pool, use->node);
        tn_spin_unlock(&pool->fit_lock);
    } else {
        const tn_slab *slab = &pool->slabs[use->packed >> 32];
        tn_store_relaxed(&slab->states[(uint32_t)use->packed], TN_SMALL_FREE);
        tn_pool_small_flush(pool, slab->slot, slab->class_index, &use->packed, 1);
    }
    (void)tn_sub_relaxed(&pool->queue_bytes, use->bytes);
    free(use->waits);
    free(use);
}

static bool is_over(tarn_pool *pool, tn_pool_use *use, bool wait) {
    bool over = true;
    for (unsigned i = 0; i < use->count; i++) {
        struct tn_pool_wait *w = &use->waits[i];
        w->passed =
            w->passed || tn_pool_mark_passed(pool, tn_pool_slot_at(pool, w->slot), &w->mark, wait);
        over = over && w->passed;
    }
    return over;
}

bool tn_pool_use_poll(tarn_pool *pool, unsigned most, bool wait) {
    bool any = false;
    tn_pool_use **link = &pool->queue_first;
    tn_pool_use *last = NULL;
    while (*link != NULL && most > 0) {
        tn_pool_use *use = *link;
        if (is_over(pool, use, wait)) {
            *link = use->next;
            if (pool->queue_last == use) {
                pool->queue_last = last;
            }
            finish(pool, use);
            any = true;
        } else {
            last = use;
            link = &use->next;
            most--;
        }
    }
    return any;
}

static tn_pool_use **bucket_of(tarn_pool *pool, tarn_addr addr) {
    return &pool->uses[(addr >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

static tn_pool_use **find_use(tarn_pool *pool, tarn_addr addr) {
    tn_pool_use **link = bucket_of(pool, addr);
    while (*link != NULL && (*link)->addr != addr) {
        link = &(*link)->next;
    }
    return link;
}

void tn_pool_defer(tarn_pool *pool, tarn_addr addr, uint32_t node, uint64_t packed,
                   uint64_t bytes) {
    tn_mutex_lock(&pool->order_lock);
    tn_pool_use **link = find_use(pool, addr);
    tn_pool_use *use = *link;
    *link = use->next;
    use->next = NULL;
    use->node = node;
    use->packed = packed;
    use->bytes = bytes;
    for (unsigned i = 0; i < use->count; i++) {
        struct tn_pool_wait *w = &use->waits[i];
        (void)tn_pool_mark_make(pool, tn_pool_slot_at(pool, w->slot),
                                &w->mark); // else at the next look
    }
    if (pool->queue_last != NULL) {
        pool->queue_last->next = use;
    } else {
        pool->queue_first = use;
    }
    pool->queue_last = use;
    (void)tn_add_relaxed(&pool->queue_bytes, bytes);
    (void)tn_pool_use_poll(pool, POLL_MAX, false);
    tn_mutex_unlock(&pool->order_lock);
}

// Looks at a live small block, and with `share` marks it as used elsewhere.
static bool look_small(tarn_pool *pool, tarn_addr addr, uint32_t entry, bool share) {
    const tn_slab *slab = &pool->slabs[entry & ~TN_SLAB_BIT];
    uint32_t block;
    if (!tn_pool_small_at(pool, addr, entry, &block)) {
        return false;
    }
    uint32_t state = tn_load_relaxed(&slab->states[block]);
    do {
        if (!tn_small_is_live(state)) {
            return false;
        }
    } while (share && !tn_cas_weak_relaxed(&slab->states[block], &state, state | TN_SMALL_SHARED));
    return true;
}

// The same for any block; writes its slot. False: no live block starts there.
static bool look(tarn_pool *pool, tarn_addr addr, bool share, unsigned *slot) {
    uint32_t entry = tn_granule_get(&pool->map, addr);
    if ((entry & TN_SLAB_BIT) != 0) {
        *slot = pool->slabs[entry & ~TN_SLAB_BIT].slot;
        return look_small(pool, addr, entry, share);
    }
    tn_spin_lock(&pool->fit_lock);
    uint32_t node = tn_pool_large_at(pool, addr);
    if (node != 0) {
        *slot = tn_fit_list(&pool->fit, node);
    }
    if (node != 0 && share) {
        tn_fit_set_mark(&pool->fit, node, tn_fit_mark(&pool->fit, node) | TN_MARK_SHARED);
    }
    tn_spin_unlock(&pool->fit_lock);
    return node != 0;
}

static tarn_status reserve_wait(tn_pool_use *use) {
    if (use->count < use->capacity) {
        return TARN_OK;
    }
    unsigned capacity = use->capacity != 0 ? 2 * use->capacity : 2;
    struct tn_pool_wait *more = (struct tn_pool_wait *)realloc(use->waits, capacity * sizeof *more);
    if (more == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory to note a stream of a block");
    }
    use->waits = more;
    use->capacity = capacity;
    return TARN_OK;
}

static tarn_status make_use(tarn_pool *pool, tarn_addr addr, tn_pool_use **use) {
    if (pool->uses == NULL) {
        pool->uses = (tn_pool_use **)calloc(TN_USE_BUCKETS, sizeof *pool->uses);
    }
    tn_pool_use **link = pool->uses != NULL ? find_use(pool, addr) : NULL;
    if (link != NULL && *link == NULL) {
        *link = (tn_pool_use *)calloc(1, sizeof **link);
    }
    if (link == NULL || *link == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory to note the use of a block");
    }
    (*link)->addr = addr;
    *use = *link;
    return TARN_OK;
}

static void drop_use_if_empty(tarn_pool *pool, tarn_addr addr) {
    tn_pool_use **link = find_use(pool, addr);
    tn_pool_use *use = *link;
    if (use != NULL && use->count == 0) {
        *link = use->next;
        free(use->waits);
        free(use);
    }
}

static tarn_status add_use(tarn_pool *pool, tarn_addr addr, unsigned slot) {
    tn_pool_use *use = NULL;
    tarn_status status = make_use(pool, addr, &use);
    if (status != TARN_OK) {
        return status;
    }
    if (waits_for(use, slot)) {
        return TARN_OK;
    }
    status = reserve_wait(use);
    unsigned own;
    // The record stands before the block says that it has one: a free looks for it.
    if (status == TARN_OK && !look(pool, addr, true, &own)) {
        status =
            tn_fail(TARN_BAD_ADDRESS, "block 0x%llx was freed meanwhile", (unsigned long long)addr);
    }
    if (status == TARN_OK) {
        use->waits[use->count++] = (struct tn_pool_wait){slot, false, 0};
    } else {
        drop_use_if_empty(pool, addr);
    }
    return status;
}

tarn_status tarn_pool_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream) {
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (pool->fence != NULL) {
        return tn_fence_used_on(pool, addr, stream);
    }
    unsigned own = 0;
    if (!look(pool, addr, false, &own)) {
        return tn_fail(TARN_BAD_ADDRESS, "0x%llx is not the start of a live block of this pool",
                       (unsigned long long)addr);
    }
    if (stream == 0) {
        return TARN_OK; // the host's own order: over when the block is freed
    }
    unsigned slot = 0;
    tn_mutex_lock(&pool->order_lock);
    status = tn_pool_slot_get(pool, stream, &slot);
    if (status == TARN_OK && slot != own) {
        status = add_use(pool, addr, slot);
    }
    tn_mutex_unlock(&pool->order_lock);
    if (status == TARN_OK && tn_subscribed()) {
        tn_pool_emit_used_on(pool, addr, stream);
    }
    return status;
}

// ---- the end

static void drop_uses(tarn_pool *pool, tn_pool_use *use) {
    while (use != NULL) {
        tn_pool_use *next = use->next;
        for (unsigned i = 0; i < use->count; i++) {
            tn_pool_mark_drop(pool, use->waits[i].mark);
        }
        free(use->waits);
        free(use);
        use = next;
    }
}

void tn_pool_use_reset(tarn_pool *pool) {
    for (unsigned b = 0; pool->uses != NULL && b < TN_USE_BUCKETS; b++) {
        drop_uses(pool, pool->uses[b]);
        pool->uses[b] = NULL;
    }
    drop_uses(pool, pool->queue_first);
    pool->queue_first = NULL;
    pool->queue_last = NULL;
    tn_store_relaxed(&pool->queue_bytes, 0);
}
