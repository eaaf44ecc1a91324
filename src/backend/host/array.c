// SPDX-License-Identifier: Apache-2.0
// Arrays: creation, tables, remaps. See array.h.
#include "backend/host/array.h"

#include <stdlib.h>

#include "backend/host/map.h"
#include "backend/host/memory.h"
#include "backend/host/phys.h"
#include "backend/host/space.h"
#include "backend/host/sys.h"
#include "base/error.h"
#include "base/list.h"

// ---- views

static tarn_status open_view(struct tn_host *h, uint32_t slot, void *owner) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    struct tn_host_view *view = (struct tn_host_view *)tn_host_sys_alloc(sizeof *view);
    TN_REFUSE(view == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the record of a view");
    view->owner = owner;
    tarn_status status =
        tn_host_memory_place_locked(h, phys->location - 1, slot, phys->bytes, 0, &view->addr);
    if (status == TARN_OK)
        phys->view = view;
    else
        free(view);
    return status;
}

// Adds references to a handle; the first one makes its view. NO_ADDRESS_SPACE, NO_MAPPINGS,
// NO_HANDLES, NO_HOST_MEMORY, with a text.
static tarn_status hold_view(struct tn_host *h, uint32_t slot, void *owner, uint64_t count) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    TARN_ASSERT(phys->location != TN_HOST_HERE);
    TN_TRY(phys->view == NULL ? open_view(h, slot, owner) : TARN_OK);
    TARN_ASSERT(phys->view->owner == owner);
    phys->view->refs += count;
    return TARN_OK;
}

// Drops references. Returns their owner, which the caller notifies once the lock is released.
static void *drop_view(struct tn_host *h, uint32_t slot, uint64_t count) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    struct tn_host_view *view = phys->view;
    void *owner = view->owner;
    TARN_ASSERT(view->refs >= count);
    view->refs -= count;
    if (view->refs == 0) {
        phys->view = NULL;
        tn_host_unmap_in(h, tn_host_space_find(h, view->addr), view->addr, phys->bytes);
        free(view);
    }
    return owner;
}

// ---- remaps

// The largest number of entries that change under one hold of the MMU lock.
#define HOLD_ENTRIES 4096u

static tarn_status hold_items(struct tn_host *h, const tarn_backend_array_item *items, size_t count,
                              struct tn_host_remap *remap) {
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < count && status == TARN_OK; i++) {
        struct tn_host_array *array = (struct tn_host_array *)items[i].array;
        struct tn_host_remap_item *item = &remap->items[i];
        *item = (struct tn_host_remap_item){array, tn_soft_shape_walk(&array->shape, &items[i]),
                                            (uint32_t)items[i].phys, items[i].phys_offset};
        if (item->slot != 0)
            status = hold_view(h, item->slot, items[i].owner, tn_tiles_walk_count(&item->walk));
        remap->count += status == TARN_OK;
    }
    return status;
}

tarn_status tn_host_remap_new(struct tn_host *h, const tarn_backend_array_item *items, size_t count,
                              struct tn_host_remap **remap) {
    struct tn_host_remap *made = (struct tn_host_remap *)tn_host_sys_alloc(
        sizeof *made + count * sizeof made->items[0]); // cannot overflow: the core's list is larger
    TN_REFUSE(made == NULL, TARN_NO_HOST_MEMORY, "out of host memory to map %zu parts of arrays",
              count);
    tn_rwlock_write(&h->mmu_lock);
    tarn_status status = hold_items(h, items, count, made);
    tn_rwlock_unlock(&h->mmu_lock);
    if (status != TARN_OK) {
        tn_host_remap_drop(h, made, false);
        free(made);
        return status;
    }
    *remap = made;
    return TARN_OK;
}

uint64_t tn_host_remap_entries(const struct tn_host_remap *remap) {
    uint64_t sum = 0;
    for (size_t i = 0; i < remap->count; i++) sum += tn_tiles_walk_count(&remap->items[i].walk);
    return sum;
}

// Changes as many entries as one hold of the lock allows. Returns false once the item is done. The
// owners of replaced entries are called when the lock has been released.
static bool remap_part(struct tn_host *h, struct tn_host_remap_item *item) {
    struct tn_host_array *array = item->array;
    struct {
        void *owner;
        uint64_t count;
    } released[32];
    unsigned count = 0;
    uint64_t index;
    bool more = true;
    tn_rwlock_write(&h->mmu_lock);
    for (unsigned i = 0; i < HOLD_ENTRIES && count < sizeof released / sizeof released[0]; i++) {
        more = tn_tiles_walk_step(&item->walk, &index);
        if (!more) break;
        TARN_ASSERT(index < array->shape.entries);
        uint64_t old = array->table[index];
        uint64_t entry = item->slot != 0 ? tn_host_entry(item->slot, item->offset) : 0;
        array->table[index] = entry;
        array->mapped += (entry != 0) - (uint64_t)(old != 0);
        TARN_ASSERT(array->mapped <= array->shape.entries);
        item->offset += TN_TILES_BYTES;
        if (old == 0) continue;
        void *owner = drop_view(h, tn_host_entry_slot(old), 1);
        if (count == 0 || released[count - 1].owner != owner) {
            released[count].owner = owner;
            released[count++].count = 0;
        }
        released[count - 1].count++;
    }
    tn_rwlock_unlock(&h->mmu_lock);
    for (unsigned i = 0; i < count; i++) array->unref(released[i].owner, released[i].count);
    return more;
}

void tn_host_remap_run(struct tn_host *h, struct tn_host_remap *remap) {
    for (size_t i = 0; i < remap->count; i++) {
        while (remap_part(h, &remap->items[i])) {
        }
    }
}

void tn_host_remap_drop(struct tn_host *h, const struct tn_host_remap *remap, bool notify) {
    for (size_t i = 0; i < remap->count; i++) {
        const struct tn_host_remap_item *item = &remap->items[i];
        uint64_t count = tn_tiles_walk_count(&item->walk);
        if (item->slot != 0) {
            tn_rwlock_write(&h->mmu_lock);
            void *owner = drop_view(h, item->slot, count);
            tn_rwlock_unlock(&h->mmu_lock);
            if (notify) item->array->unref(owner, count);
        }
    }
}

// ---- create and destroy

static tarn_status array_allocate(struct tn_host *h, struct tn_host_array *array) {
    const struct tn_soft_shape *shape = &array->shape;
    if (shape->kind == TN_SOFT_DENSE)
        return tn_host_memory_alloc(h, array->device, tn_tiles_bytes(&shape->tiles), &array->base);
    array->table = (uint64_t *)tn_host_sys_alloc(shape->entries * sizeof array->table[0]);
    return array->table != NULL
               ? TARN_OK
               : tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the table of %llu tiles",
                         (unsigned long long)shape->entries);
}

tarn_status tn_host_array_create(void *p, int device, const tarn_array_desc *desc,
                                 void (*unref)(void *owner, uint64_t count), void **array,
                                 tarn_backend_array_info *info) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_array *made = (struct tn_host_array *)tn_host_sys_alloc(sizeof *made);
    TN_REFUSE(made == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the record of an array");
    tn_soft_shape_init(&made->shape, desc);
    made->device = device;
    made->unref = unref;
    tarn_status status = array_allocate(h, made);
    if (status != TARN_OK) {
        free(made);
        return status;
    }
    tn_soft_shape_info(&made->shape, info);
    *array = made;
    TN_WRITE_LOCKED(&h->mmu_lock);
    TN_LIST_ADD(h->arrays, made, next, prev);
    return TARN_OK;
}

void tn_host_array_destroy(void *p, void *given) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_array *array = (struct tn_host_array *)given;
    // No thread works with the array any more, so the lock is only needed for the views.
    struct tn_host_remap_item all = {.array = array};

    tn_tiles_walk_all(array->shape.entries, &all.walk);
    while (array->mapped != 0 && remap_part(h, &all)) {
    }
    TARN_ASSERT(array->mapped == 0);
    tn_rwlock_write(&h->mmu_lock);
    TN_LIST_REMOVE(h->arrays, array, next, prev);
    tn_rwlock_unlock(&h->mmu_lock);
    if (array->shape.kind == TN_SOFT_DENSE) tn_host_memory_free(h, array->device, array->base);
    free(array->table);
    free(array);
}

// ---- the place of a byte

// Returns 0 for an entry without memory.
static tarn_addr entry_addr(const struct tn_host *h, uint64_t entry, uint64_t offset) {
    if (entry == 0) return 0;
    const struct tn_host_phys *phys = tn_host_phys_at(h, tn_host_entry_slot(entry));
    TARN_ASSERT(phys->view->refs != 0 && tn_host_entry_offset(entry) + offset < phys->bytes);
    return phys->view->addr + tn_host_entry_offset(entry) + offset;
}

tarn_status tn_host_array_find(const struct tn_host *h, const struct tn_host_array *array,
                               uint32_t level, const uint64_t at[3], uint64_t part, tarn_addr *addr,
                               uint64_t *bytes) {
    const struct tn_tiles *tiles = &array->shape.tiles;
    if (array->shape.kind == TN_SOFT_SPARSE) {
        struct tn_tiles_place place;
        tn_tiles_locate(tiles, level, at, &place);
        TARN_ASSERT(place.entry < array->shape.entries && part < place.run);
        *bytes = *bytes < place.run - part ? *bytes : place.run - part;
        *addr = entry_addr(h, array->table[place.entry], place.offset + part);
        return TARN_OK;
    }
    uint64_t offset = tn_tiles_linear(tiles, level, at) + part;
    TARN_ASSERT(offset < tn_tiles_bytes(tiles));
    if (array->shape.kind == TN_SOFT_DENSE) {
        *addr = array->base + offset;
        return TARN_OK;
    }
    *addr = entry_addr(h, array->table[0], offset);
    return *addr != 0 ? TARN_OK : tn_fail(TARN_NOT_MAPPED, "a deferred array is not mapped");
}

// ---- check

static const char *count_entries(struct tn_host *h, const struct tn_host_array *array) {
    uint64_t mapped = 0;
    for (uint64_t i = 0; i < array->shape.entries; i++) {
        uint32_t slot = tn_host_entry_slot(array->table[i]);
        if (array->table[i] != 0) {
            if (slot >= h->phys_count || tn_host_phys_at(h, slot)->view == NULL)
                return "a tile of an array has no view";
            tn_host_phys_at(h, slot)->view->counted++;
            mapped++;
        }
    }
    return mapped == array->mapped ? NULL : "an array has another number of tiles than it counted";
}

// References beyond the number of tiles belong to remaps that are submitted.
const char *tn_host_array_check(struct tn_host *h) {
    const char *wrong = NULL;
    for (uint32_t slot = 1; slot < h->phys_count; slot++)
        if (tn_host_phys_at(h, slot)->view != NULL) tn_host_phys_at(h, slot)->view->counted = 0;
    for (const struct tn_host_array *a = h->arrays; a != NULL && wrong == NULL; a = a->next)
        wrong = count_entries(h, a);
    for (uint32_t slot = 1; slot < h->phys_count && wrong == NULL; slot++) {
        const struct tn_host_phys *phys = tn_host_phys_at(h, slot);
        if (phys->view != NULL && (!phys->live || phys->view->counted > phys->view->refs))
            wrong = "a view has fewer references than tiles";
    }
    return wrong;
}
