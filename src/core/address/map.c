// SPDX-License-Identifier: Apache-2.0
// Mapping and unmapping. A range is checked against the reservation and its mappings under the
// reservation's lock. The lock is held during the backend's call, so that no other call about the
// same reservation sees, or makes, half a change.
#include "core/address/map.h"

#include <tarn/face.h>

#include <inttypes.h>
#include <stdlib.h>

#include "core/address/notify.h"
#include "fail/point.h"

// ---- the reservation of a range

enum { CHECKED = 16 }; // mappings of a reservation that is checked at every change in debug builds

// For assertions, under the region's lock. Returns true if the mappings lie inside the reservation and
// each has a record of the same platform, and if the spare records are as many as are counted.
static bool is_sound(const struct tn_region *region) {
    struct tn_interval_cursor at = tn_interval_seek(&region->mappings, 0);
    struct tn_interval_entry entry;
    size_t spares = 0;
    if (tn_interval_count(&region->mappings) > CHECKED || region->spares > CHECKED) return true;
    while (tn_interval_step(&at, &entry)) {
        const struct tn_mapping *mapping = tn_mapping_of(&entry);
        if (entry.start < region->base || entry.end - region->base > region->bytes) return false;
        if (mapping->phys->platform != region->platform || mapping->next != NULL) return false;
    }
    for (const struct tn_mapping *it = region->spare; it != NULL && spares <= region->spares;
         it = it->next)
        spares++;
    return spares == region->spares;
}

static tarn_status check_range(tarn_addr addr, uint64_t bytes) {
    return addr == 0 || bytes == 0
               ? tn_fail(TARN_BAD_ARGUMENT, "%s is 0", addr == 0 ? "addr" : "bytes")
           : addr > UINT64_MAX - bytes
               ? tn_fail(TARN_BAD_ADDRESS, "[0x%" PRIx64 ", +0x%" PRIx64 ") wraps", addr, bytes)
               : TARN_OK;
}

tarn_status tn_map_enter(const struct tn_owner *owner, tarn_addr addr, uint64_t bytes,
                         struct tn_region **region) {
    tarn_status status = check_range(addr, bytes);
    if (status != TARN_OK) return status;
    struct tn_reader *reader = tn_index_peek();
    struct tn_region *found = tn_index_peek_find(reader, addr);
    if (found == NULL || found->kind != TN_REGION_SPACE ||
        addr + bytes > found->base + found->bytes)
        status = tn_fail(TARN_BAD_ADDRESS, "[0x%llx, +0x%llx) is not inside one reservation",
                         (unsigned long long)addr, (unsigned long long)bytes);
    else if (found->owner != owner)
        status = tn_region_refuse(addr);
    else
        status = tn_platform_usable(found->platform);
    if (status != TARN_OK) {
        tn_index_peek_done(reader);
        return status;
    }
    tn_mutex_lock(&found->lock);
    found->reader = reader;
    *region = found;
    return TARN_OK;
}

void tn_map_leave(struct tn_region *region) {
    struct tn_reader *reader = region->reader;
    TARN_ASSERT(tn_mutex_is_held(&region->lock) && is_sound(region));
    tn_mutex_unlock(&region->lock);
    tn_index_peek_done(reader);
}

// ---- map

enum { SPARES_KEPT = 1024 }; // records of a region

// The lists of one call.
struct batch {
    struct tn_phys **phys; // each holds its reference
    tarn_backend_map_item *items;
    struct tn_phys *one_phys; // for the common case of one item
    tarn_backend_map_item one_item;
};

static tarn_status batch_init(struct batch *batch, size_t count) {
    batch->phys = &batch->one_phys;
    batch->items = &batch->one_item;
    if (count == 1) return TARN_OK;
    batch->items = malloc(count * (sizeof *batch->items + sizeof *batch->phys));
    TN_REFUSE(batch->items == NULL, TARN_NO_HOST_MEMORY, "no memory to map %zu pieces", count);
    batch->phys = (struct tn_phys **)(void *)(batch->items + count);
    return TARN_OK;
}

static void batch_free(struct batch *batch) {
    if (batch->items != &batch->one_item) free(batch->items);
}

static void drop_phys(struct tn_phys *const *phys, size_t count) {
    struct tn_phys *dead = NULL;
    tn_phys_drop_begin();
    for (size_t i = 0; i < count; i++) tn_phys_drop(phys[i], 1, &dead);
    tn_phys_drop_end(dead);
}

static struct tn_mapping *new_record(struct tn_region *region, struct tn_phys *phys) {
    struct tn_mapping *record = region->spare;
    TARN_ASSERT(tn_mutex_is_held(&region->lock) && region->spares > 0);
    region->spare = record->next;
    region->spares--;
    *record = (struct tn_mapping){.phys = phys};
    return record;
}

static void drop_record(struct tn_region *region, struct tn_mapping *record) {
    TARN_ASSERT(tn_mutex_is_held(&region->lock));
    record->next = region->spare;
    region->spare = record;
    region->spares++;
}

// Reserves memory for the records of `count` mappings, so that inserting them cannot fail.
static tarn_status reserve_records(struct tn_region *region, size_t count) {
    bool done = tn_interval_reserve(&region->mappings, count);
    while (done && region->spares < count) {
        struct tn_mapping *record = malloc(sizeof *record);
        done = record != NULL;
        if (done) drop_record(region, record);
    }
    TARN_ASSERT(!done || region->spares >= count);
    return done ? TARN_OK
                : tn_fail(TARN_NO_HOST_MEMORY, "no memory for the records of %zu mappings", count);
}

static tarn_status sum_items(const tarn_map_item *items, size_t count, uint64_t *total) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        TN_REFUSE(items[i].bytes == 0 || items[i].bytes > UINT64_MAX - sum, TARN_BAD_ARGUMENT,
                  "item %zu: bytes 0x%" PRIx64 " is 0 or the sum overflows", i, items[i].bytes);
        sum += items[i].bytes;
    }
    *total = sum;
    return TARN_OK;
}

tarn_status tn_owner_map(struct tn_owner *owner, tarn_addr addr, const tarn_map_item *items,
                         size_t count) {
    struct tn_region *region = NULL;
    struct tn_interval_entry next;
    struct batch batch;
    uint64_t bytes = 0;
    TN_REFUSE(items == NULL || count == 0, TARN_BAD_ARGUMENT, "%s",
              items == NULL ? "items is NULL" : "count is 0");
    TN_TRY(sum_items(items, count, &bytes));
    tarn_status status = tn_map_enter(owner, addr, bytes, &region);
    if (status != TARN_OK) return status;
    struct tn_platform *platform = region->platform;
    uint64_t misfit = addr % platform->granularity != 0 ? addr : 0;
    for (size_t i = 0; i < count && misfit == 0; i++)
        misfit = items[i].bytes % platform->granularity != 0 ? items[i].bytes : 0;
    if (misfit != 0) {
        status = tn_fail(TARN_MISALIGNED, "0x%llx is not a multiple of the granularity 0x%llx",
                         (unsigned long long)misfit, (unsigned long long)platform->granularity);
        goto leave;
    }
    struct tn_interval_cursor at = tn_interval_seek_near(&region->mappings, addr);
    if (tn_interval_step(&at, &next) && next.start < addr + bytes) {
        status = tn_fail(
            TARN_ALREADY_MAPPED, "[0x%llx, +0x%llx) overlaps the mapping at [0x%llx, +0x%llx)",
            (unsigned long long)addr, (unsigned long long)bytes, (unsigned long long)next.start,
            (unsigned long long)(next.end - next.start));
        goto leave;
    }
    status = batch_init(&batch, count);
    if (status != TARN_OK) goto leave;
    status = tn_phys_map(items, count, platform, batch.phys);
    if (status != TARN_OK) goto free_batch;
    for (size_t i = 0; i < count; i++)
        batch.items[i] = (tarn_backend_map_item){batch.phys[i]->backend, items[i].bytes};
    status = reserve_records(region, count);
    if (status == TARN_OK) status = platform->ops->map(platform->p, addr, batch.items, count);
    if (status != TARN_OK) {
        tn_region_keep_spares(region, SPARES_KEPT);
        drop_phys(batch.phys, count);
        goto free_batch;
    }
    for (size_t i = 0; i < count; i++) { // cannot fail, because room was reserved
        struct tn_mapping *record = new_record(region, batch.phys[i]);
        tarn_addr end = addr + items[i].bytes;
        tarn_status inserted =
            tn_interval_insert(&region->mappings, addr, end, (uint64_t)(uintptr_t)record);
        TARN_ASSERT(inserted == TARN_OK && end - region->base <= region->bytes);
        (void)inserted;
        if (tn_subscribed())
            tn_emit_mapping(TN_MEM_RESOURCE_BEGIN, region, addr, items[i].bytes, record, 0);
        addr = end;
    }
    TN_COUNT(platform, mappings, count);
    TN_COUNT(platform, mapped_bytes, bytes);
    TN_COUNT(platform, map_calls, 1);
free_batch:
    batch_free(&batch);
leave:
    tn_map_leave(region);
    return status;
}

tarn_status tarn_map_many(tarn_addr addr, const tarn_map_item *items, size_t count) {
    TN_FAIL_POINT(addr, 0);
    return TN_DONE(tn_owner_map(NULL, addr, items, count));
}

// The item is in this function's frame, so no tail call can remove the frame.
tarn_status tarn_map(tarn_addr addr, uint64_t bytes, tarn_phys phys) {
    TN_FAIL_POINT(addr, bytes);
    tarn_map_item item = {phys, bytes};
    return TN_DONE(tn_owner_map(NULL, addr, &item, 1));
}

// ---- runs of complete mappings

tarn_status tn_map_find_run(struct tn_region *region, tarn_addr addr, uint64_t bytes,
                            struct tn_run *run) {
    struct tn_interval_entry entry;
    TARN_ASSERT(tn_mutex_is_held(&region->lock) && addr - region->base <= region->bytes);
    struct tn_interval_cursor at = tn_interval_seek_near(&region->mappings, addr);
    *run = (struct tn_run){.addr = addr, .bytes = bytes, .first = at};
    tarn_addr next = addr;
    while (next < addr + bytes && tn_interval_step(&at, &entry) && entry.start == next) {
        next = entry.end;
        run->count++;
    }
    run->last = at;
    TARN_ASSERT(next == addr || run->count != 0);
    if (next == addr + bytes) return TARN_OK;
    return tn_interval_covers(&region->mappings, addr, addr + bytes)
               ? tn_fail(TARN_BAD_ADDRESS, "[0x%llx, +0x%llx) begins or ends inside a mapping",
                         (unsigned long long)addr, (unsigned long long)bytes)
               : tn_fail(TARN_NOT_MAPPED, "[0x%llx, +0x%llx) is not mapped throughout",
                         (unsigned long long)addr, (unsigned long long)bytes);
}

bool tn_map_spans(const struct tn_region *region) {
    return (region->platform->devices[0].caps.caps & TARN_CAP_SPANS) != 0;
}

// ---- unmap

// Returns the devices that own memory in the range or have rights in it, one bit each.
static uint32_t devices_using(const struct tn_region *region, const struct tn_run *run) {
    uint32_t devices = 0;
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = run->first;
    while (tn_run_step(run, &at, &entry)) {
        const struct tn_mapping *mapping = tn_mapping_of(&entry);
        TARN_ASSERT(mapping->phys->info.location.type != TARN_LOCATION_DEVICE ||
                    mapping->phys->info.location.id < region->platform->device_count);
        if (mapping->phys->info.location.type == TARN_LOCATION_DEVICE)
            devices |= 1u << mapping->phys->info.location.id;
        for (int i = 0; i < region->platform->device_count; i++)
            devices |= tn_rights_allow(mapping->rights, i, TARN_ACCESS_READ) ? 1u << i : 0u;
    }
    return devices;
}

// Waits for the devices that may use the range, without any lock held, because a host function of
// theirs may be mapping.
static tarn_status drain_range(const struct tn_owner *owner, tarn_addr addr, uint64_t bytes,
                               bool seen) {
    struct tn_region *region = NULL;
    struct tn_run run;
    TN_TRY(tn_map_enter(owner, addr, bytes, &region));
    tarn_status status = tn_map_find_run(region, addr, bytes, &run);
    struct tn_platform *platform = region->platform;
    uint32_t devices = status == TARN_OK ? devices_using(region, &run) : 0;
    tn_map_leave(region);
    if (devices != 0) status = tn_platform_may_wait(platform);
    if (status == TARN_OK) tn_platform_synchronize(platform, devices, seen);
    return status;
}

// Removes the records of a run that the backend has unmapped.
static void remove_records(struct tn_region *region, const struct tn_run *run,
                           uint32_t event_flags) {
    struct tn_phys *dead = NULL;
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = run->first;
    tn_phys_drop_begin();
    while (tn_run_step(run, &at, &entry)) {
        struct tn_mapping *mapping = tn_mapping_of(&entry);
        if (tn_subscribed())
            tn_emit_mapping(TN_MEM_RESOURCE_END, region, entry.start, entry.end - entry.start,
                            mapping, event_flags);
        tn_phys_drop(mapping->phys, 1, &dead);
        drop_record(region, mapping);
    }
    tn_phys_drop_end(dead);
    tn_region_keep_spares(region, SPARES_KEPT);
    uint64_t removed =
        tn_interval_remove_range(&region->mappings, run->addr, run->addr + run->bytes);
    TARN_ASSERT(removed == run->count && tn_mutex_is_held(&region->lock));
    (void)removed;
    TN_UNCOUNT(region->platform, mappings, run->count);
    TN_UNCOUNT(region->platform, mapped_bytes, run->bytes);
}

static tarn_status unmap_run(struct tn_region *region, const struct tn_run *run,
                             uint32_t event_flags) {
    struct tn_platform *platform = region->platform;
    TN_TRY(platform->ops->unmap(platform->p, run->addr, run->bytes));
    remove_records(region, run, event_flags);
    TN_COUNT(platform, unmap_calls, 1);
    return TARN_OK;
}

// One call for each mapping. A backend fails here only when its device is lost: mappings that are
// unmapped by then stay unmapped.
static tarn_status unmap_each(struct tn_region *region, const struct tn_run *run,
                              uint32_t event_flags) {
    tarn_addr end = run->addr + run->bytes;
    struct tn_interval_entry entry;
    tarn_status status = TARN_OK;
    for (tarn_addr at = run->addr;
         status == TARN_OK && at < end && tn_interval_find(&region->mappings, at, &entry);
         at = entry.end) {
        struct tn_run one;
        status = tn_map_find_run(region, at, entry.end - at, &one);
        if (status == TARN_OK) status = unmap_run(region, &one, event_flags);
    }
    return status;
}

static tarn_status unmap_range(const struct tn_owner *owner, tarn_addr addr, uint64_t bytes,
                               uint32_t flags) {
    TN_REFUSE((flags & ~(TARN_NO_WAIT | TARN_WAIT_UNSEEN)) != 0 ||
                  flags == (TARN_NO_WAIT | TARN_WAIT_UNSEEN),
              TARN_BAD_ARGUMENT, "unmap flags 0x%x are unknown", flags);
    bool wait = (flags & TARN_NO_WAIT) == 0;
    struct tn_region *region = NULL;
    tarn_status status = tn_map_enter(owner, addr, bytes, &region);
    // Without streams there is no work to wait for.
    if (status == TARN_OK && wait && tn_load_relaxed(&region->platform->stats.streams) != 0) {
        tn_map_leave(region);
        status = drain_range(owner, addr, bytes, flags == 0);
        status = status == TARN_OK ? tn_map_enter(owner, addr, bytes, &region) : status;
    }
    if (status != TARN_OK) return status;
    struct tn_run run;
    status = tn_map_find_run(region, addr, bytes, &run);
    if (status == TARN_OK) status = tn_platform_may_take_away(region->platform);
    if (status == TARN_OK) {
        bool at_once = run.count == 1 || tn_map_spans(region);
        uint32_t event_flags = flags == 0 ? 0 : TN_MEM_UNWAITED;
        status =
            at_once ? unmap_run(region, &run, event_flags) : unmap_each(region, &run, event_flags);
    }
    tn_map_leave(region);
    return status;
}

__attribute__((flatten)) tarn_status tn_owner_unmap(struct tn_owner *owner, tarn_addr addr,
                                                    uint64_t bytes, uint32_t flags) {
    return tn_refused(unmap_range(owner, addr, bytes, flags), "tarn_unmap", addr, bytes, 0);
}

tarn_status tarn_unmap(tarn_addr addr, uint64_t bytes, uint32_t flags) {
    return TN_DONE(tn_owner_unmap(NULL, addr, bytes, flags));
}

// ---- queries

// Finds the mapping that holds addr. On success its region is entered, and the caller leaves it.
static tarn_status enter_mapping(tarn_addr addr, struct tn_region **region,
                                 struct tn_interval_entry *entry) {
    struct tn_reader *reader = tn_index_peek();
    struct tn_region *found = tn_index_peek_find(reader, addr);
    if (found != NULL && found->kind == TN_REGION_SPACE) {
        tn_mutex_lock(&found->lock);
        if (tn_interval_find(&found->mappings, addr, entry)) {
            found->reader = reader;
            *region = found;
            return TARN_OK;
        }
        tn_mutex_unlock(&found->lock);
    }
    tn_index_peek_done(reader);
    return tn_fail(TARN_NOT_MAPPED, "0x%llx is in no mapping", (unsigned long long)addr);
}

// The same for the application's mappings: those of pools, and of the parent process, are refused.
static tarn_status enter_own_mapping(tarn_addr addr, struct tn_region **region,
                                     struct tn_interval_entry *entry) {
    TN_TRY(enter_mapping(addr, region, entry));
    const struct tn_region *found = *region;
    tarn_status status =
        found->owner == NULL ? tn_platform_usable(found->platform) : tn_region_refuse(addr);
    if (status != TARN_OK) tn_map_leave(*region);
    return status;
}

tarn_status tarn_map_get_access(tarn_addr addr, tarn_location location, tarn_access *access) {
    TN_REFUSE(access == NULL, TARN_BAD_ARGUMENT, "access is NULL");
    struct tn_region *region = NULL;
    struct tn_interval_entry entry;
    TN_TRY(enter_own_mapping(addr, &region, &entry));
    tarn_status status = tn_access_check_location(region->platform, location);
    if (status == TARN_OK) *access = tn_rights_get(tn_mapping_of(&entry)->rights, location);
    tn_map_leave(region);
    return TN_DONE(status);
}

tarn_status tarn_map_retain(tarn_addr addr, tarn_phys *phys) {
    TN_REFUSE(phys == NULL, TARN_BAD_ARGUMENT, "phys is NULL");
    struct tn_region *region = NULL;
    struct tn_interval_entry entry;
    TN_TRY(enter_own_mapping(addr, &region, &entry));
    struct tn_mapping *mapping = tn_mapping_of(&entry);
    if (!mapping->phys->platform->weak_retain) tn_phys_retain_mapped(mapping->phys);
    *phys = mapping->phys->id;
    tn_map_leave(region);
    return TARN_OK;
}

// ---- descriptors

static tarn_status enter_mapping_at(tarn_addr addr, struct tn_region **region,
                                    struct tn_interval_entry *entry) {
    TN_TRY(enter_own_mapping(addr, region, entry));
    if (entry->start == addr) return TARN_OK;
    tn_map_leave(*region);
    return tn_fail(TARN_BAD_ADDRESS, "0x%llx is inside the mapping at 0x%llx",
                   (unsigned long long)addr, (unsigned long long)entry->start);
}

// Bytes that may have to move wait for work that may use them, without any lock held. Those of
// memory that was created to be shared, or that is imported, stay.
tarn_status tn_map_export(tarn_addr addr, int *fd) {
    struct tn_region *region = NULL;
    struct tn_interval_entry entry;
    TN_TRY(enter_mapping_at(addr, &region, &entry));
    const struct tn_phys *phys = tn_mapping_of(&entry)->phys;
    struct tn_platform *platform = region->platform;
    if (phys->info.shareable == 0 && !phys->imported) {
        tn_map_leave(region);
        TN_TRY(tn_platform_may_wait(platform));
        tn_platform_synchronize(platform, UINT32_MAX, true);
        TN_TRY(enter_mapping_at(addr, &region, &entry));
        phys = tn_mapping_of(&entry)->phys;
        platform = region->platform;
    }
    tarn_status status =
        platform->ops->memory_export_fd(platform->p, entry.start, entry.end - entry.start, fd);
    if (status == TARN_OK) {
        TN_COUNT(platform, backend_calls, 1);
        if (tn_subscribed()) {
            const tarn_shareable object = {TARN_SHAREABLE_FD, *fd, 0};
            tn_emit_export((uint64_t)*fd, phys->id, "tarn_memory_export_fd");
            tn_emit_shared_phys(phys, &object);
        }
    }
    tn_map_leave(region);
    return status;
}
