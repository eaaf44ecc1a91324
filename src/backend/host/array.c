// SPDX-License-Identifier: Apache-2.0
// Arrays: their life, their tables, and changing those. See array.h.
#include "backend/host/array.h"

#include <stdlib.h>

#include "backend/host/memory.h"
#include "backend/host/sys.h"
#include "backend/host/view.h"
#include "base/error.h"

// The most entries that are changed under one hold of the MMU lock.
#define HOLD_ENTRIES 4096u

// ---- letting go

// References that went, by owner: told to them when the lock has been released.
struct gone {
    struct {
        void *owner;
        uint64_t count;
    } of[32];
    unsigned count;
};

static bool gone_is_full(const struct gone *gone) {
    return gone->count == sizeof gone->of / sizeof gone->of[0];
}

static void gone_add(struct gone *gone, void *owner, uint64_t count) {
    if (gone->count == 0 || gone->of[gone->count - 1].owner != owner) {
        gone->of[gone->count].owner = owner;
        gone->of[gone->count].count = 0;
        gone->count++;
    }
    gone->of[gone->count - 1].count += count;
}

static void gone_tell(struct gone *gone, const struct tn_host_array *array) {
    for (unsigned i = 0; i < gone->count; i++) {
        array->let_go(gone->of[i].owner, gone->of[i].count);
    }
    gone->count = 0;
}

// Under the MMU lock, held for writing. An entry that is replaced counts for `gone`.
static void set_entry(struct tn_host *h, struct tn_host_array *array, uint64_t index,
                      uint64_t entry, struct gone *gone) {
    uint64_t old = array->table[index];
    array->table[index] = entry;
    array->mapped += (entry != 0) - (uint64_t)(old != 0);
    if (old != 0) {
        gone_add(gone, tn_host_view_drop(h, tn_host_entry_slot(old), 1), 1);
    }
}

// ---- remaps

static struct tn_tiles_walk walk_of(const struct tn_host_array *array,
                                    const tarn_backend_array_item *item) {
    struct tn_tiles_walk walk;
    if (array->kind == TN_HOST_ARRAY_DEFERRED) {
        tn_tiles_walk_all(1, &walk);
    } else if (item->part == TARN_ARRAY_TAIL) {
        tn_tiles_walk_tail(&array->tiles, item->layer, item->tail_offset, item->tail_bytes, &walk);
    } else {
        struct tn_tiles_box box = {.level = item->level};
        for (int axis = 0; axis < 3; axis++) {
            box.at[axis] = item->offset[axis];
            box.extent[axis] = item->extent[axis];
        }
        tn_tiles_walk_box(&array->tiles, item->layer, &box, &walk);
    }
    return walk;
}

static tarn_status hold_items(struct tn_host *h, const tarn_backend_array_item *items, size_t count,
                              struct tn_host_remap *remap) {
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < count && status == TARN_OK; i++) {
        struct tn_host_array *array = (struct tn_host_array *)items[i].array;
        struct tn_host_remap_item *item = &remap->items[i];
        *item = (struct tn_host_remap_item){array, walk_of(array, &items[i]),
                                            (uint32_t)items[i].phys, items[i].phys_offset};
        if (item->slot != 0) {
            status =
                tn_host_view_hold(h, item->slot, items[i].owner, tn_tiles_walk_count(&item->walk));
        }
        remap->count += status == TARN_OK;
    }
    return status;
}

tarn_status tn_host_remap_new(struct tn_host *h, const tarn_backend_array_item *items, size_t count,
                              struct tn_host_remap **remap) {
    struct tn_host_remap *made = (struct tn_host_remap *)tn_host_sys_alloc(
        sizeof *made + count * sizeof made->items[0]); // the core's own list was no smaller
    if (made == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory to map %zu parts of arrays", count);
    }
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
    for (size_t i = 0; i < remap->count; i++) {
        sum += tn_tiles_walk_count(&remap->items[i].walk);
    }
    return sum;
}

// As much of an item as one hold of the lock allows. False: it is done.
static bool run_part(struct tn_host *h, struct tn_host_remap_item *item, struct gone *gone) {
    uint64_t index;
    bool more = true;
    tn_rwlock_write(&h->mmu_lock);
    for (unsigned i = 0; i < HOLD_ENTRIES && more && !gone_is_full(gone); i++) {
        more = tn_tiles_walk_step(&item->walk, &index);
        if (more) {
            uint64_t entry = item->slot != 0 ? tn_host_entry(item->slot, item->offset) : 0;
            set_entry(h, item->array, index, entry, gone);
            item->offset += TN_TILES_BYTES;
        }
    }
    tn_rwlock_unlock(&h->mmu_lock);
    gone_tell(gone, item->array);
    return more;
}

void tn_host_remap_run(struct tn_host *h, struct tn_host_remap *remap) {
    struct gone gone = {.count = 0};
    for (size_t i = 0; i < remap->count; i++) {
        while (run_part(h, &remap->items[i], &gone)) {
        }
    }
}

void tn_host_remap_drop(struct tn_host *h, const struct tn_host_remap *remap, bool tell) {
    for (size_t i = 0; i < remap->count; i++) {
        const struct tn_host_remap_item *item = &remap->items[i];
        uint64_t count = tn_tiles_walk_count(&item->walk);
        if (item->slot != 0) {
            tn_rwlock_write(&h->mmu_lock);
            void *owner = tn_host_view_drop(h, item->slot, count);
            tn_rwlock_unlock(&h->mmu_lock);
            if (tell) {
                item->array->let_go(owner, count);
            }
        }
    }
}

// ---- create and destroy

static void list_add(struct tn_host *h, struct tn_host_array *array) {
    tn_rwlock_write(&h->mmu_lock);
    array->next = h->arrays;
    if (array->next != NULL) {
        array->next->prev = array;
    }
    h->arrays = array;
    tn_rwlock_unlock(&h->mmu_lock);
}

static void list_remove(struct tn_host *h, struct tn_host_array *array) {
    tn_rwlock_write(&h->mmu_lock);
    if (array->prev != NULL) {
        array->prev->next = array->next;
    } else {
        h->arrays = array->next;
    }
    if (array->next != NULL) {
        array->next->prev = array->prev;
    }
    tn_rwlock_unlock(&h->mmu_lock);
}

static struct tn_host_array describe(int device, const tarn_array_desc *desc) {
    const uint64_t size[3] = {desc->extent.width, desc->extent.height, desc->extent.depth};
    struct tn_host_array array = {.kind = TN_HOST_ARRAY_DENSE, .device = device};
    bool fits = tn_tiles_init(&array.tiles, size, desc->layers, desc->levels, desc->element_bytes);
    TARN_ASSERT(fits);
    (void)fits;
    if ((desc->flags & TARN_ARRAY_DEFERRED) != 0) {
        array.kind = TN_HOST_ARRAY_DEFERRED;
        array.entries = 1;
    } else if ((desc->flags & TARN_ARRAY_SPARSE) != 0) {
        array.kind = TN_HOST_ARRAY_SPARSE;
        tn_tiles_cut_standard(&array.tiles, desc->levels == 0);
        array.entries = tn_tiles_entries(&array.tiles);
    }
    return array;
}

static tarn_status take_memory(struct tn_host *h, struct tn_host_array *array) {
    if (array->kind == TN_HOST_ARRAY_DENSE) {
        return tn_host_memory_alloc(h, array->device, tn_tiles_bytes(&array->tiles), &array->base);
    }
    array->table = (uint64_t *)tn_host_sys_alloc(array->entries * sizeof array->table[0]);
    return array->table != NULL
               ? TARN_OK
               : tn_fail(TARN_NO_HOST_MEMORY, "no memory for the table of %llu tiles",
                         (unsigned long long)array->entries);
}

static void tell(const struct tn_host_array *array, tarn_backend_array_info *info) {
    const struct tn_tiles *t = &array->tiles;
    *info = (tarn_backend_array_info){.tile_bytes = t->cut.tile_bytes,
                                      .tile = {t->cut.tile[0], t->cut.tile[1], t->cut.tile[2]},
                                      .sparse_levels = t->cut.sparse_levels,
                                      .tail_bytes = t->cut.tail_bytes,
                                      .single_tail = t->cut.single_tail};
    if (array->kind == TN_HOST_ARRAY_DEFERRED) {
        info->memory_bytes = (tn_tiles_bytes(t) + TN_TILES_BYTES - 1) & ~(TN_TILES_BYTES - 1);
        info->memory_alignment = TN_TILES_BYTES;
    }
}

tarn_status tn_host_array_create(void *p, int device, const tarn_array_desc *desc,
                                 void (*let_go)(void *owner, uint64_t count), void **array,
                                 tarn_backend_array_info *info) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_array *made = (struct tn_host_array *)tn_host_sys_alloc(sizeof *made);
    if (made == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of an array");
    }
    *made = describe(device, desc);
    made->let_go = let_go;
    tarn_status status = take_memory(h, made);
    if (status != TARN_OK) {
        free(made);
        return status;
    }
    list_add(h, made);
    tell(made, info);
    *array = made;
    return TARN_OK;
}

// Nobody works with it any more, so the lock is only for the views.
static void unmap_all(struct tn_host *h, struct tn_host_array *array) {
    struct tn_host_remap_item all = {.array = array};
    struct gone gone = {.count = 0};
    tn_tiles_walk_all(array->entries, &all.walk);
    while (array->mapped != 0 && run_part(h, &all, &gone)) {
    }
}

void tn_host_array_destroy(void *p, void *given) {
    struct tn_host *h = (struct tn_host *)p;
    struct tn_host_array *array = (struct tn_host_array *)given;
    unmap_all(h, array);
    list_remove(h, array);
    if (array->kind == TN_HOST_ARRAY_DENSE) {
        tn_host_memory_free(h, array->device, array->base);
    }
    free(array->table);
    free(array);
}

// ---- check

static const char *count_entries(struct tn_host *h, const struct tn_host_array *array) {
    uint64_t mapped = 0;
    for (uint64_t i = 0; i < array->entries; i++) {
        uint32_t slot = tn_host_entry_slot(array->table[i]);
        if (array->table[i] != 0) {
            if (slot >= h->phys_count || tn_host_phys_at(h, slot)->view == NULL) {
                return "a tile of an array has no view";
            }
            tn_host_phys_at(h, slot)->view->counted++;
            mapped++;
        }
    }
    return mapped == array->mapped ? NULL : "an array has another number of tiles than it counted";
}

// More references than tiles belong to remaps on their way.
const char *tn_host_array_check(struct tn_host *h) {
    const char *wrong = NULL;
    for (uint32_t slot = 1; slot < h->phys_count; slot++) {
        if (tn_host_phys_at(h, slot)->view != NULL) {
            tn_host_phys_at(h, slot)->view->counted = 0;
        }
    }
    for (const struct tn_host_array *a = h->arrays; a != NULL && wrong == NULL; a = a->next) {
        wrong = count_entries(h, a);
    }
    for (uint32_t slot = 1; slot < h->phys_count && wrong == NULL; slot++) {
        const struct tn_host_phys *phys = tn_host_phys_at(h, slot);
        if (phys->view != NULL && (!phys->live || phys->view->counted > phys->view->refs)) {
            wrong = "a view has fewer references than tiles";
        }
    }
    return wrong;
}
