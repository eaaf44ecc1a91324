// SPDX-License-Identifier: Apache-2.0
// Mapping and unmapping. A range is checked against the reservation and its mappings under the
// reservation's lock. The lock is held during the backend's call, so that no other call about the
// same reservation sees, or makes, half a change.
#include "core/address/map.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/address/notify.h"
#include "fail/point.h"

// ---- the reservation of a range

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
    tn_index_read();
    struct tn_region *found = tn_index_find(addr);
    if (found == NULL || found->kind != TN_REGION_SPACE ||
        addr + bytes > found->base + found->bytes)
        status = tn_fail(TARN_BAD_ADDRESS, "[0x%llx, +0x%llx) is not inside one reservation",
                         (unsigned long long)addr, (unsigned long long)bytes);
    else if (found->owner != owner)
        status = tn_region_refuse(addr);
    else
        status = tn_platform_usable(found->platform);
    if (status != TARN_OK) {
        tn_index_read_done();
        return status;
    }
    tn_mutex_lock(&found->lock);
    *region = found;
    return TARN_OK;
}

void tn_map_leave(struct tn_region *region) {
    tn_mutex_unlock(&region->lock);
    tn_index_read_done();
}

// ---- map

// The state of one call: the records of the new mappings, and the backend's list of them.
struct batch {
    size_t count;
    size_t held; // records that hold their reference
    struct tn_mapping **records;
    tarn_backend_map_item *items;
    struct tn_mapping *one_record; // for the common case of one item
    tarn_backend_map_item one_item;
};

static void batch_free(struct batch *batch) {
    if (batch->count != 1) {
        free(batch->records);
        free(batch->items);
    }
}

static tarn_status batch_init(struct batch *batch, size_t count) {
    *batch = (struct batch){.count = count};
    batch->records = &batch->one_record;
    batch->items = &batch->one_item;
    if (count == 1) return TARN_OK;
    batch->records = calloc(count, sizeof *batch->records);
    batch->items = calloc(count, sizeof *batch->items);
    if (batch->records == NULL || batch->items == NULL) {
        batch_free(batch);
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory to map %zu pieces", count);
    }
    return TARN_OK;
}

static void batch_drop(struct batch *batch) {
    for (size_t i = 0; i < batch->held; i++) {
        tn_phys_unmap(batch->records[i]->phys);
        free(batch->records[i]);
    }
}

static tarn_status batch_hold(struct batch *batch, const struct tn_platform *platform,
                              const tarn_map_item *items) {
    for (size_t i = 0; i < batch->count; i++) {
        struct tn_mapping *record = malloc(sizeof *record);
        tarn_status status =
            record == NULL ? tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of a mapping")
                           : tn_phys_map(items[i].phys, platform, items[i].bytes, &record->phys);
        if (status != TARN_OK) {
            free(record);
            batch_drop(batch);
            return status;
        }
        record->rights = 0;
        batch->records[i] = record;
        batch->items[i] = (tarn_backend_map_item){record->phys->backend, items[i].bytes};
        batch->held++;
    }
    return TARN_OK;
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
    if (tn_interval_next(&region->mappings, addr, &next) && next.start < addr + bytes) {
        status = tn_fail(
            TARN_ALREADY_MAPPED, "[0x%llx, +0x%llx) overlaps the mapping at [0x%llx, +0x%llx)",
            (unsigned long long)addr, (unsigned long long)bytes, (unsigned long long)next.start,
            (unsigned long long)(next.end - next.start));
        goto leave;
    }
    status = batch_init(&batch, count);
    if (status != TARN_OK) goto leave;
    status = batch_hold(&batch, platform, items);
    if (status != TARN_OK) goto free_batch;
    if (!tn_interval_reserve(&region->mappings, count))
        status = tn_fail(TARN_NO_HOST_MEMORY, "no memory for the records of %zu mappings", count);
    else
        status = platform->ops->map(platform->p, addr, batch.items, count);
    if (status != TARN_OK) {
        batch_drop(&batch);
        goto free_batch;
    }
    for (size_t i = 0; i < count; i++) { // cannot fail, because room was reserved
        tarn_addr end = addr + items[i].bytes;
        (void)tn_interval_insert(&region->mappings, addr, end,
                                 (uint64_t)(uintptr_t)batch.records[i]);
        if (tn_subscribed())
            tn_emit_mapping(TN_MEM_RESOURCE_BEGIN, region, addr, items[i].bytes, batch.records[i],
                            0);
        addr = end;
    }
    TN_COUNT(platform, mappings, count);
    TN_COUNT(platform, mapped_bytes, bytes);
    TN_COUNT(platform, map_calls, 1);
    TN_COUNT(platform, backend_calls, 1);
free_batch:
    batch_free(&batch);
leave:
    tn_map_leave(region);
    return status;
}

tarn_status tarn_map_many(tarn_addr addr, const tarn_map_item *items, size_t count) {
    TN_FAIL_POINT(addr, 0);
    return tn_keep_frame(tn_owner_map(NULL, addr, items, count));
}

// The item is in this function's frame, so no tail call can remove the frame.
tarn_status tarn_map(tarn_addr addr, uint64_t bytes, tarn_phys phys) {
    TN_FAIL_POINT(addr, bytes);
    tarn_map_item item = {phys, bytes};
    return tn_owner_map(NULL, addr, &item, 1);
}

// ---- runs of complete mappings

tarn_status tn_map_find_run(const struct tn_region *region, tarn_addr addr, uint64_t bytes,
                            struct tn_run *run) {
    struct tn_interval_entry entry;
    *run = (struct tn_run){addr, bytes, 0, tn_interval_seek(&region->mappings, addr)};
    struct tn_interval_cursor at = run->first;
    tarn_addr next = addr;
    while (next < addr + bytes && tn_interval_step(&at, &entry) && entry.start == next) {
        next = entry.end;
        run->count++;
    }
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
        if (mapping->phys->info.location.type == TARN_LOCATION_DEVICE)
            devices |= 1u << mapping->phys->info.location.id;
        for (int i = 0; i < region->platform->device_count; i++)
            devices |= tn_rights_allow(mapping->rights, i, TARN_ACCESS_READ) ? 1u << i : 0u;
    }
    return devices;
}

// Waits for the devices that may use the range, without any lock held, because a host function of
// theirs may be mapping.
static tarn_status drain_range(const struct tn_owner *owner, tarn_addr addr, uint64_t bytes) {
    struct tn_region *region = NULL;
    struct tn_run run;
    TN_TRY(tn_map_enter(owner, addr, bytes, &region));
    tarn_status status = tn_map_find_run(region, addr, bytes, &run);
    struct tn_platform *platform = region->platform;
    uint32_t devices = status == TARN_OK ? devices_using(region, &run) : 0;
    tn_map_leave(region);
    if (devices != 0) status = tn_platform_may_wait(platform);
    if (status == TARN_OK) tn_platform_synchronize(platform, devices);
    return status;
}

// Removes the records of a run that the backend has unmapped.
static void remove_records(struct tn_region *region, const struct tn_run *run,
                           uint32_t event_flags) {
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = run->first;
    while (tn_run_step(run, &at, &entry)) {
        struct tn_mapping *mapping = tn_mapping_of(&entry);
        if (tn_subscribed())
            tn_emit_mapping(TN_MEM_RESOURCE_END, region, entry.start, entry.end - entry.start,
                            mapping, event_flags);
        tn_phys_unmap(mapping->phys);
        free(mapping);
    }
    (void)tn_interval_remove_range(&region->mappings, run->addr, run->addr + run->bytes);
    TN_UNCOUNT(region->platform, mappings, run->count);
    TN_UNCOUNT(region->platform, mapped_bytes, run->bytes);
}

static tarn_status unmap_run(struct tn_region *region, const struct tn_run *run,
                             uint32_t event_flags) {
    struct tn_platform *platform = region->platform;
    TN_TRY(platform->ops->unmap(platform->p, run->addr, run->bytes));
    remove_records(region, run, event_flags);
    TN_COUNT(platform, unmap_calls, 1);
    TN_COUNT(platform, backend_calls, 1);
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
    TN_REFUSE((flags & ~(uint32_t)TARN_NO_WAIT) != 0, TARN_BAD_ARGUMENT,
              "unmap flags 0x%x are unknown", flags);
    bool wait = (flags & TARN_NO_WAIT) == 0;
    struct tn_region *region = NULL;
    tarn_status status = tn_map_enter(owner, addr, bytes, &region);
    // Without streams there is no work to wait for.
    if (status == TARN_OK && wait && tn_load_relaxed(&region->platform->stats.streams) != 0) {
        tn_map_leave(region);
        status = drain_range(owner, addr, bytes);
        status = status == TARN_OK ? tn_map_enter(owner, addr, bytes, &region) : status;
    }
    if (status != TARN_OK) return status;
    struct tn_run run;
    status = tn_map_find_run(region, addr, bytes, &run);
    if (status == TARN_OK) status = tn_platform_may_take_away(region->platform);
    if (status == TARN_OK) {
        bool at_once = run.count == 1 || tn_map_spans(region);
        uint32_t event_flags = wait ? 0 : TN_MEM_UNWAITED;
        status =
            at_once ? unmap_run(region, &run, event_flags) : unmap_each(region, &run, event_flags);
    }
    tn_map_leave(region);
    return status;
}

tarn_status tn_owner_unmap(struct tn_owner *owner, tarn_addr addr, uint64_t bytes, uint32_t flags) {
    return tn_refused(unmap_range(owner, addr, bytes, flags), "tarn_unmap", addr, bytes, 0);
}

tarn_status tarn_unmap(tarn_addr addr, uint64_t bytes, uint32_t flags) {
    return tn_owner_unmap(NULL, addr, bytes, flags);
}

// ---- queries

// Finds the mapping that holds addr. On success its region is entered, and the caller leaves it.
static tarn_status enter_mapping(tarn_addr addr, struct tn_region **region,
                                 struct tn_interval_entry *entry) {
    tn_index_read();
    struct tn_region *found = tn_index_find(addr);
    if (found != NULL && found->kind == TN_REGION_SPACE) {
        tn_mutex_lock(&found->lock);
        if (tn_interval_find(&found->mappings, addr, entry)) {
            *region = found;
            return TARN_OK;
        }
        tn_mutex_unlock(&found->lock);
    }
    tn_index_read_done();
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
    return status;
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
