// SPDX-License-Identifier: Apache-2.0
// Quirks about memory that a call returns: where it begins, what it contains, and when it comes
// back. The lock guards the tables of handles.
#include <fcntl.h>
#include <unistd.h>

#include "backend/layer/quirk.h"
#include "base/error.h"

// ---- align-64

enum { PINNED_OFFSET = 64 };

static tarn_status host_alloc_aside(void *p, uint64_t size, uint32_t flags, void **ptr,
                                    tarn_pin_class *pin_class) {
    void *start = NULL;
    if (size > UINT64_MAX - PINNED_OFFSET)
        return tn_quirk_fail(p, TARN_NO_HOST_MEMORY, "too many bytes", 0, size);
    TN_TRY(TN_LAYER_NEXT(p, host_alloc, size + PINNED_OFFSET, flags, &start, pin_class));
    *ptr = (char *)start + PINNED_OFFSET;
    return TARN_OK;
}

static void host_free_aside(void *p, void *ptr, uint64_t size) {
    TN_LAYER_NEXT(p, host_free, (char *)ptr - PINNED_OFFSET, size + PINNED_OFFSET);
}

void tn_quirk_align_64(struct tn_quirk *quirk) {
    quirk->layer.table.host_alloc = host_alloc_aside;
    quirk->layer.table.host_free = host_free_aside;
}

// ---- dirty-memory: `spaces` has an entry for each handle that was never mapped, `ranges` the
// mappings of such handles that no device has had rights to yet

enum { DIRT = 0xa5 };

// The memory stays as it is if the device refuses.
static void soil(const struct tn_layer *layer, int device, tarn_addr addr, uint64_t bytes) {
    const tarn_backend_fill fill = {.dst = addr,
                                    .width = bytes,
                                    .height = 1,
                                    .pitch = bytes,
                                    .value = DIRT,
                                    .element_bytes = 1,
                                    .device = device,
                                    .depth = 1,
                                    .slice_pitch = bytes};
    (void)TN_LAYER_NEXT(layer, fill, NULL, &fill);
}

static tarn_status alloc_dirty(void *p, int device, uint64_t size, tarn_addr *addr) {
    TN_TRY(TN_LAYER_NEXT(p, memory_alloc, device, size, addr));
    soil(p, device, *addr, size);
    return TARN_OK;
}

static tarn_status alloc_dirty_with(void *p, int device, const tarn_backend_memory *desc,
                                    tarn_addr *addr, tarn_page_class *page_class) {
    TN_TRY(TN_LAYER_NEXT(p, memory_alloc_with, device, desc, addr, page_class));
    soil(p, device, *addr, desc->bytes);
    return TARN_OK;
}

static tarn_status create_fresh(void *p, uint64_t bytes, const tarn_phys_desc *desc,
                                tarn_backend_phys *phys, tarn_backend_phys_info *info) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    TN_TRY(TN_LAYER_NEXT(p, phys_create, bytes, desc, phys, info));
    TN_LOCKED(&quirk->lock);
    (void)tn_interval_insert(&quirk->spaces, *phys, *phys + 1, 0);
    return TARN_OK;
}

static void destroy_fresh(void *p, tarn_backend_phys phys) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    tn_mutex_lock(&quirk->lock);
    (void)tn_interval_remove(&quirk->spaces, phys, NULL);
    tn_mutex_unlock(&quirk->lock);
    TN_LAYER_NEXT(p, phys_destroy, phys);
}

static tarn_status map_fresh(void *p, tarn_addr addr, const tarn_backend_map_item *items,
                             size_t count) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    TN_TRY(TN_LAYER_NEXT(p, map, addr, items, count));
    TN_LOCKED(&quirk->lock);
    for (size_t i = 0; i < count; i++) {
        if (tn_interval_remove(&quirk->spaces, items[i].phys, NULL))
            (void)tn_interval_insert(&quirk->ranges, addr, addr + items[i].size, 0);
        addr += items[i].size;
    }
    return TARN_OK;
}

// Removes the first range that ends above addr and begins below end.
static bool take_range(struct tn_quirk *quirk, tarn_addr addr, tarn_addr end,
                       struct tn_interval_entry *entry) {
    TN_LOCKED(&quirk->lock);
    bool found = tn_interval_next(&quirk->ranges, addr, entry) && entry->start < end;
    if (found) (void)tn_interval_remove(&quirk->ranges, entry->start, NULL);
    return found;
}

static tarn_status access_fresh(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                                size_t count) {
    struct tn_interval_entry entry;
    TN_TRY(TN_LAYER_NEXT(p, set_access, addr, size, grants, count));
    for (size_t i = 0; i < count; i++) {
        bool writes = grants[i].location.type == TARN_LOCATION_DEVICE &&
                      grants[i].access == TARN_ACCESS_READ_WRITE;
        while (writes && take_range(p, addr, addr + size, &entry))
            soil(p, grants[i].location.id, entry.start, entry.end - entry.start);
    }
    return TARN_OK;
}

static tarn_status unmap_fresh(void *p, tarn_addr addr, uint64_t size) {
    struct tn_interval_entry entry;
    TN_TRY(TN_LAYER_NEXT(p, unmap, addr, size));
    while (take_range(p, addr, addr + size, &entry)) {
    }
    return TARN_OK;
}

void tn_quirk_dirty_memory(struct tn_quirk *quirk) {
    tarn_backend *table = &quirk->layer.table;
    table->memory_alloc = alloc_dirty;
    table->memory_alloc_with = alloc_dirty_with;
    table->phys_create = create_fresh;
    table->phys_destroy = destroy_fresh;
    table->map = map_fresh;
    table->set_access = access_fresh;
    table->unmap = unmap_fresh;
}

// ---- late-handles: `ranges` has an entry for each handle that the core has destroyed and the device
// still has; its value is a descriptor, plus 1, or 0 if the process had none left

static void destroy_by_and_by(void *p, tarn_backend_phys phys) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    tn_mutex_lock(&quirk->lock);
    bool kept = tn_interval_insert(&quirk->ranges, phys, phys + 1, (uint64_t)(fd + 1)) == TARN_OK;
    tn_mutex_unlock(&quirk->lock);
    if (!kept) {
        if (fd >= 0) (void)close(fd);
        TN_LAYER_NEXT(p, phys_destroy, phys);
    }
}

static tarn_status end_late_handles(struct tn_quirk *quirk, tarn_status status) {
    struct tn_interval_entry entry;
    while (take_range(quirk, 0, UINT64_MAX, &entry)) {
        if (entry.value != 0) (void)close((int)entry.value - 1);
        TN_LAYER_NEXT(quirk, phys_destroy, entry.start);
    }
    return status;
}

static tarn_status late_device_synchronize(void *p, int device, uint64_t deadline_ns) {
    return end_late_handles(p, TN_LAYER_NEXT(p, device_synchronize, device, deadline_ns));
}

static void close_late(void *p) {
    (void)end_late_handles((struct tn_quirk *)p, TARN_OK);
    tn_layer_close(p);
}

void tn_quirk_late_handles(struct tn_quirk *quirk) {
    quirk->layer.table.platform_close = close_late;
    quirk->layer.table.phys_destroy = destroy_by_and_by;
    quirk->layer.table.device_synchronize = late_device_synchronize;
}

// ---- no-threshold: the core trims pools, so it reads the property of the layer

void tn_quirk_no_threshold(struct tn_quirk *quirk) { quirk->layer.drops_threshold = true; }
