// SPDX-License-Identifier: Apache-2.0
// Quirks about references to physical memory: memory that outlives its handle until the reservation
// ends in which it was mapped, and a retain without a reference. In held-memory, `ranges` has an
// entry [handle, handle + 1) for each handle that was mapped; its value is the start of the last
// reservation in which it was, plus DEAD if the core has destroyed it. The quirk's lock guards it.
#include "backend/layer/quirk.h"
#include "base/error.h"

enum { DEAD = 1 }; // starts of reservations are even

// ---- reservations

static tarn_status reserve_space(void *p, uint64_t size, uint64_t alignment, tarn_addr hint,
                                 tarn_addr *addr) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    tarn_addr start = 0;
    TN_TRY(TN_LAYER_NEXT(p, reserve, size, alignment, hint, &start));
    tn_mutex_lock(&quirk->lock);
    tarn_status status = tn_interval_insert(&quirk->spaces, start, start + size, 0);
    tn_mutex_unlock(&quirk->lock);
    if (status != TARN_OK) {
        TN_LAYER_NEXT(p, release, start, size);
        return tn_quirk_fail(quirk, status, "no record for the reservation", start, size);
    }
    *addr = start;
    return TARN_OK;
}

// Removes the first handle at or above *phys that belongs to the reservation. Returns false if
// there is none.
static bool take_handle(struct tn_quirk *quirk, tarn_addr space, tarn_backend_phys *phys,
                        bool *dead) {
    TN_LOCKED(&quirk->lock);
    TN_INTERVAL_EACH(entry, at, tn_interval_seek(&quirk->ranges, *phys), UINT64_MAX) {
        if ((entry.value & ~(uint64_t)DEAD) != space) continue;
        (void)tn_interval_remove(&quirk->ranges, entry.start, NULL);
        *phys = entry.start;
        *dead = (entry.value & DEAD) != 0;
        return true;
    }
    return false;
}

static void release_space(void *p, tarn_addr addr, uint64_t size) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    tarn_backend_phys phys = 0;
    bool dead = false;
    tn_mutex_lock(&quirk->lock);
    (void)tn_interval_remove(&quirk->spaces, addr, NULL);
    tn_mutex_unlock(&quirk->lock);
    TN_LAYER_NEXT(p, release, addr, size);
    for (; take_handle(quirk, addr, &phys, &dead); phys++)
        if (dead) TN_LAYER_NEXT(p, phys_destroy, phys);
}

// ---- handles

// A handle without a record, for want of host memory, is destroyed as usual.
static tarn_status map_held(void *p, tarn_addr addr, const tarn_backend_map_item *items,
                            size_t count) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    struct tn_interval_entry space;
    TN_TRY(TN_LAYER_NEXT(p, map, addr, items, count));
    TN_LOCKED(&quirk->lock);
    bool found = tn_interval_find(&quirk->spaces, addr, &space);
    for (size_t i = 0; found && i < count; i++)
        if (!tn_interval_set(&quirk->ranges, items[i].phys, space.start))
            (void)tn_interval_insert(&quirk->ranges, items[i].phys, items[i].phys + 1, space.start);
    return TARN_OK;
}

static void destroy_later(void *p, tarn_backend_phys phys) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    struct tn_interval_entry entry;
    tn_mutex_lock(&quirk->lock);
    bool held = tn_interval_find(&quirk->ranges, phys, &entry);
    if (held) (void)tn_interval_set(&quirk->ranges, phys, entry.value | DEAD);
    tn_mutex_unlock(&quirk->lock);
    if (!held) TN_LAYER_NEXT(p, phys_destroy, phys);
}

void tn_quirk_held_memory(struct tn_quirk *quirk) {
    quirk->layer.table.reserve = reserve_space;
    quirk->layer.table.release = release_space;
    quirk->layer.table.map = map_held;
    quirk->layer.table.phys_destroy = destroy_later;
}

// The core counts references, so it reads the property of the layer.
void tn_quirk_weak_retain(struct tn_quirk *quirk) { quirk->layer.weak_retain = true; }
