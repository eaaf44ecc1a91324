// SPDX-License-Identifier: Apache-2.0
// Physical memory. A handle is live while it has user or mapping references. With the last one it
// leaves the table under the lock, and the backend destroys it without the lock.
#include "core/address/phys.h"

#include <inttypes.h>
#include <stdlib.h>

#include "algo/slots.h"
#include "base/list.h"
#include "base/struct.h"
#include "core/address/notify.h"
#include "core/platform/fork.h"
#include "core/platform/slot_kinds.h"
#include "fail/point.h"

static struct tn_mutex lock = TN_MUTEX(PHYS, "phys");
static struct tn_slots table; // payload = struct tn_phys *
static bool table_ready;

// For assertions, under the lock: tiles and running calls hold a part of the mapping references.
static bool refs_agree(const struct tn_phys *phys) {
    return tn_mutex_is_held(&lock) && phys->tile_refs <= phys->map_refs &&
           phys->call_refs <= phys->map_refs - phys->tile_refs;
}

// Finds a live handle of this process. Under the lock.
static tarn_status find_live(tarn_phys id, struct tn_phys **phys) {
    uint64_t payload = 0;
    TN_REFUSE(!tn_slots_get(&table, id, &payload), TARN_BAD_HANDLE,
              "0x%llx is not a live handle to physical memory", (unsigned long long)id);
    *phys = tn_slots_to_pointer(payload);
    TARN_ASSERT((*phys)->id == id && refs_agree(*phys));
    TARN_ASSERT((*phys)->user_refs != 0 || (*phys)->map_refs != 0); // or it were not in the table
    return tn_platform_usable((*phys)->platform);
}

// The same for a call that uses the handle: a handle that has ended is reported.
static tarn_status find_usable(tarn_phys id, const char *call, struct tn_phys **phys) {
    tarn_status status = find_live(id, phys);
    if (status == TARN_BAD_HANDLE && tn_subscribed()) tn_emit_stale(TN_MEM_PHYS, call, id);
    return status;
}

// ---- life of a record

static tarn_status insert_handle(struct tn_phys *phys, tarn_phys *id) {
    TN_LOCKED(&lock);
    if (!table_ready) {
        tn_slots_init(&table, TN_SLOT_PHYS, 0);
        table_ready = true;
    }
    tarn_status status = tn_slots_insert(&table, tn_slots_from_pointer(phys), id);
    if (status == TARN_OK) {
        phys->id = *id;
        phys->user_refs = 1;
        (void)tn_add_relaxed(&phys->platform->in_backend, 1);
        TN_COUNT(phys->platform, handles, 1);
        TN_COUNT(phys->platform, handle_bytes, phys->info.bytes);
        TN_COUNT(phys->platform, backend_calls, 1);
    }
    return status == TARN_OK ? TARN_OK : tn_fail(status, "the table of handles cannot grow");
}

// Removes the handle if it has no reference left, and returns true if the caller must destroy it
// without the lock. Under the lock.
static bool remove_if_unreferenced(struct tn_phys *phys) {
    TARN_ASSERT(refs_agree(phys));
    if (phys->user_refs != 0 || phys->map_refs != 0) return false;
    bool removed = tn_slots_remove(&table, phys->id, NULL);
    TARN_ASSERT(removed); // a handle leaves the table once, with its last reference
    (void)removed;
    TN_UNCOUNT(phys->platform, handles, 1);
    TN_UNCOUNT(phys->platform, handle_bytes, phys->info.bytes);
    TN_COUNT(phys->platform, backend_calls, 1);
    return true;
}

static void destroy_phys(struct tn_phys *phys) {
    struct tn_platform *platform = phys->platform;
    TARN_ASSERT(phys->user_refs == 0 && phys->map_refs == 0);
    platform->ops->phys_destroy(platform->p, phys->backend);
    free(phys);
    (void)tn_sub_acq_rel(&platform->in_backend, 1);
}

static tarn_status new_phys(struct tn_platform *platform, struct tn_phys **phys) {
    *phys = calloc(1, sizeof **phys);
    TN_REFUSE(*phys == NULL, TARN_NO_HOST_MEMORY, "no memory for the record of a handle");
    (*phys)->platform = platform;
    return TARN_OK;
}

// Completes create and import after the backend returned `status`: makes the record a handle, or
// destroys it.
static tarn_status finish_creation(struct tn_phys *record, tarn_status status, tarn_phys *id,
                                   const char *call) {
    bool made = status == TARN_OK;
    if (made) status = insert_handle(record, id);
    if (status != TARN_OK) {
        if (made) record->platform->ops->phys_destroy(record->platform->p, record->backend);
        free(record);
    } else if (tn_subscribed()) {
        tn_emit_phys(TN_MEM_RESOURCE_BEGIN, record, call);
    }
    return status;
}

// ---- create

static tarn_status check_location(const struct tarn_device *device, tarn_location location) {
    tarn_status status = tn_access_check_location(device->platform, location);
    if (status == TARN_OK && location.type != TARN_LOCATION_DEVICE &&
        (device->caps.features & TARN_FEATURE_HOST_PHYS) == 0)
        status =
            tn_fail(TARN_UNSUPPORTED, "this platform has no physical memory in host locations");
    return status;
}

tarn_status tn_check_page_class(const struct tarn_device *device, tarn_page_class page_class) {
    TN_REFUSE(page_class < TARN_PAGE_DEFAULT || page_class > TARN_PAGE_GIANT, TARN_BAD_ARGUMENT,
              "page class %d is unknown", (int)page_class);
    bool giant = (device->caps.features & TARN_FEATURE_GIANT_PAGES) != 0;
    return page_class != TARN_PAGE_GIANT || giant
               ? TARN_OK
               : tn_fail(TARN_UNSUPPORTED, "this device has no pages of 1 GiB");
}

uint64_t tn_page_bytes(const struct tn_platform *platform, tarn_page_class page_class) {
    TARN_ASSERT(page_class >= TARN_PAGE_DEFAULT && page_class <= TARN_PAGE_GIANT);
    return page_class == TARN_PAGE_DEFAULT ? platform->granularity : TARN_PAGE_BYTES(page_class);
}

static tarn_status check_desc(const struct tarn_device *device, const tarn_phys_desc *desc) {
    TN_REFUSE((desc->usage & ~(uint32_t)TARN_USAGE_TILE_POOL) != 0, TARN_BAD_ARGUMENT,
              "usage 0x%x is unknown", desc->usage);
    TN_TRY(tn_check_page_class(device, desc->page_class));
    TN_REFUSE((desc->shareable & ~device->caps.shareable) != 0, TARN_UNSUPPORTED,
              "shareable 0x%x is asked, the platform provides 0x%x", desc->shareable,
              device->caps.shareable);
    return check_location(device, desc->location);
}

static tarn_status check_create(tarn_device *device, uint64_t bytes, const tarn_phys_desc *given,
                                const tarn_phys *phys, tarn_phys_desc *desc) {
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(phys == NULL || bytes == 0, TARN_BAD_ARGUMENT, "%s",
              phys == NULL ? "phys is NULL" : "bytes is 0");
    if (given != NULL) TN_TRY(tn_struct_read(desc, sizeof *desc, given, "tarn_phys_desc"));
    desc->struct_size = sizeof *desc;
    if (desc->location.type == 0)
        desc->location = (tarn_location){TARN_LOCATION_DEVICE, device->ordinal};
    TN_TRY(check_desc(device, desc));
    uint64_t granularity = device->platform->granularity;
    if (desc->page_class == TARN_PAGE_GIANT && granularity < TARN_PAGE_BYTES(TARN_PAGE_GIANT))
        granularity = TARN_PAGE_BYTES(TARN_PAGE_GIANT);
    TN_REFUSE(bytes % granularity != 0, TARN_MISALIGNED,
              "0x%" PRIx64 " bytes are not a multiple of 0x%" PRIx64, bytes, granularity);
    return TARN_OK;
}

tarn_status tarn_phys_create(tarn_device *device, uint64_t bytes, const tarn_phys_desc *given,
                             tarn_phys *phys) {
    TN_FAIL_POINT(0, bytes);
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    TN_TRY(check_create(device, bytes, given, phys, &desc));
    struct tn_platform *platform = device->platform;
    struct tn_phys *record = NULL;
    TN_TRY(new_phys(platform, &record));
    memcpy(record->user, desc.user, sizeof record->user);
    tarn_status status =
        platform->ops->phys_create(platform->p, bytes, &desc, &record->backend, &record->info);
    record->info.page_bytes = tn_page_bytes(platform, desc.page_class);
    status = finish_creation(record, status, phys, "tarn_phys_create");
    if (status != TARN_OK && tn_subscribed()) {
        bool of_device = desc.location.type == TARN_LOCATION_DEVICE;
        tn_emit_shortage(status, of_device ? &platform->devices[desc.location.id] : NULL, bytes,
                         "tarn_phys_create");
    }
    return TN_DONE(status);
}

// ---- references

tarn_status tarn_phys_retain(tarn_phys id) {
    TN_LOCKED(&lock);
    struct tn_phys *phys = NULL;
    tarn_status status = find_usable(id, "tarn_phys_retain", &phys);
    if (status == TARN_OK && phys->user_refs++ == 0 && tn_subscribed())
        tn_emit_phys(TN_MEM_RESOURCE_BEGIN, phys, "tarn_phys_retain");
    return TN_DONE(status);
}

tarn_status tarn_phys_release(tarn_phys id) {
    tn_mutex_lock(&lock);
    struct tn_phys *phys = NULL;
    bool last = false;
    tarn_status status = find_live(id, &phys);
    if (status == TARN_OK && phys->user_refs == 0)
        status = tn_fail(TARN_BAD_HANDLE, "handle 0x%" PRIx64 " has no user reference left", id);
    if (status == TARN_OK && --phys->user_refs == 0) {
        if (tn_subscribed()) tn_emit_phys(TN_MEM_RESOURCE_END, phys, "tarn_phys_release");
        last = remove_if_unreferenced(phys);
    }
    tn_mutex_unlock(&lock);
    if (last) destroy_phys(phys);
    return TN_DONE(tn_refused(status, "tarn_phys_release", 0, 0, id));
}

static tarn_status hold_mapped(const tarn_map_item *item, const struct tn_platform *platform,
                               struct tn_phys **phys) {
    TN_TRY(find_usable(item->phys, "tarn_map", phys));
    TN_REFUSE((*phys)->platform != platform, TARN_BAD_ADDRESS,
              "handle 0x%" PRIx64 " is of another platform than the range", item->phys);
    TN_REFUSE(item->bytes > (*phys)->info.bytes, TARN_BAD_ADDRESS,
              "0x%" PRIx64 " bytes to map, handle 0x%" PRIx64 " has 0x%" PRIx64, item->bytes,
              item->phys, (*phys)->info.bytes);
    TARN_ASSERT((*phys)->map_refs != UINT32_MAX);
    (*phys)->map_refs++;
    return TARN_OK;
}

tarn_status tn_phys_map(const tarn_map_item *items, size_t count,
                        const struct tn_platform *platform, struct tn_phys **phys) {
    TN_LOCKED(&lock);
    for (size_t i = 0; i < count; i++) {
        tarn_status status = hold_mapped(&items[i], platform, &phys[i]);
        while (status != TARN_OK && i > 0) phys[--i]->map_refs--; // the user's references are left
        if (status != TARN_OK) return status;
    }
    return TARN_OK;
}

void tn_phys_drop_begin(void) { tn_mutex_lock(&lock); }

void tn_phys_drop(struct tn_phys *phys, uint32_t count, struct tn_phys **dead) {
    TARN_ASSERT(count <= phys->map_refs);
    phys->map_refs -= count;
    if (remove_if_unreferenced(phys)) {
        phys->next = *dead;
        *dead = phys;
    }
}

void tn_phys_drop_end(struct tn_phys *dead) {
    TARN_ASSERT(tn_mutex_is_held(&lock));
    tn_mutex_unlock(&lock);
    TN_CHAIN_DRAIN(struct tn_phys, phys, dead, next) destroy_phys(phys);
}

// Drops mapping references and releases the lock, which the caller holds.
static void drop_map_refs(struct tn_phys *phys, uint32_t count) {
    struct tn_phys *dead = NULL;
    tn_phys_drop(phys, count, &dead);
    tn_phys_drop_end(dead);
}

static tarn_status check_tiles(const struct tn_phys *phys, const struct tarn_device *device,
                               uint64_t offset, uint64_t bytes, uint64_t count) {
    unsigned long long id = phys->id;
    tarn_location location = phys->info.location;
    TN_REFUSE(phys->platform != device->platform || location.type != TARN_LOCATION_DEVICE ||
                  location.id != device->ordinal,
              TARN_BAD_DEVICE, "handle 0x%llx is not memory of the array's device, %d", id,
              device->ordinal);
    TN_REFUSE((phys->info.usage & TARN_USAGE_TILE_POOL) == 0, TARN_BAD_ARGUMENT,
              "handle 0x%llx was not created to back arrays", id);
    TN_REFUSE(offset > phys->info.bytes || bytes > phys->info.bytes - offset, TARN_BAD_ADDRESS,
              "0x%llx bytes at 0x%llx of handle 0x%llx, which has 0x%llx",
              (unsigned long long)bytes, (unsigned long long)offset, id,
              (unsigned long long)phys->info.bytes);
    TN_REFUSE(count > UINT32_MAX - phys->map_refs, TARN_NO_HANDLES,
              "%llu more mapping references to handle 0x%llx", (unsigned long long)count, id);
    return TARN_OK;
}

tarn_status tn_phys_hold_tiles(tarn_phys id, const struct tarn_device *device, uint64_t offset,
                               uint64_t bytes, uint64_t count, struct tn_phys **phys) {
    struct tn_phys *found = NULL;
    TN_LOCKED(&lock);
    tarn_status status = find_usable(id, "tarn_array_map", &found);
    if (status == TARN_OK) status = check_tiles(found, device, offset, bytes, count);
    if (status == TARN_OK) {
        found->map_refs += (uint32_t)count;
        found->tile_refs += (uint32_t)count;
        TARN_ASSERT(refs_agree(found));
        TN_COUNT(found->platform, tiles, count);
        *phys = found;
    }
    return status;
}

void tn_phys_release_tiles(struct tn_phys *phys, uint64_t count) {
    tn_mutex_lock(&lock);
    TARN_ASSERT(refs_agree(phys) && count <= phys->tile_refs);
    phys->tile_refs -= (uint32_t)count;
    TN_UNCOUNT(phys->platform, tiles, count);
    drop_map_refs(phys, (uint32_t)count);
}

void tn_phys_retain_mapped(struct tn_phys *phys) {
    TN_LOCKED(&lock);
    TARN_ASSERT(phys->map_refs != 0 && phys->user_refs != UINT32_MAX);
    if (phys->user_refs++ == 0 && tn_subscribed())
        tn_emit_phys(TN_MEM_RESOURCE_BEGIN, phys, "tarn_map_retain");
}

// ---- queries

tarn_status tarn_phys_query(tarn_phys id, tarn_phys_info *info) {
    tarn_phys_info own = {0};
    tn_mutex_lock(&lock);
    struct tn_phys *phys = NULL;
    tarn_status status = find_usable(id, "tarn_phys_query", &phys);
    if (status == TARN_OK) {
        own.bytes = phys->info.bytes;
        own.location = phys->info.location;
        own.shareable = phys->info.shareable;
        own.usage = phys->info.usage;
        own.page_class = phys->info.page_class;
        own.page_bytes = phys->info.page_bytes;
        own.user_refs = phys->user_refs;
        own.map_refs = phys->map_refs;
        own.imported = phys->imported;
        memcpy(own.user, phys->user, sizeof own.user);
    }
    tn_mutex_unlock(&lock);
    return TN_DONE(status == TARN_OK ? tn_struct_write(info, &own, sizeof own, "tarn_phys_info")
                                     : status);
}

void tn_phys_count(const struct tn_platform *platform, struct tn_phys_census *census) {
    *census = (struct tn_phys_census){0};
    uint32_t position = 0;
    uint64_t id = 0;
    uint64_t payload = 0;
    TN_LOCKED(&lock);
    while (tn_slots_next(&table, &position, &id, &payload)) {
        const struct tn_phys *phys = tn_slots_to_pointer(payload);
        TARN_ASSERT(phys->id == id && refs_agree(phys));
        if (phys->platform == platform) {
            census->handles++;
            census->bytes += phys->info.bytes;
            census->map_refs += phys->map_refs - phys->tile_refs - phys->call_refs;
        }
    }
    census->counted_handles = tn_load_relaxed(&platform->stats.handles);
    census->counted_bytes = tn_load_relaxed(&platform->stats.handle_bytes);
}

// ---- sharing

// Holds the handle by a mapping reference, so that it stays alive during a call of the backend.
static tarn_status hold_handle(tarn_phys id, struct tn_phys **phys) {
    TN_LOCKED(&lock);
    TN_TRY(find_usable(id, "tarn_phys_export", phys));
    (*phys)->map_refs++;
    (*phys)->call_refs++;
    return TARN_OK;
}

static void release_hold(struct tn_phys *phys) {
    tn_mutex_lock(&lock);
    TARN_ASSERT(refs_agree(phys) && phys->call_refs != 0);
    phys->call_refs--;
    drop_map_refs(phys, 1);
}

static bool is_one_bit(uint32_t type) { return type != 0 && (type & (type - 1)) == 0; }

tarn_status tarn_phys_export(tarn_phys id, uint32_t type, tarn_shareable *out) {
    TN_FAIL_POINT(0, 0);
    struct tn_phys *phys = NULL;
    tarn_status status = hold_handle(id, &phys);
    if (status != TARN_OK) return TN_DONE(status);
    if (out == NULL)
        status = tn_fail(TARN_BAD_ARGUMENT, "out is NULL");
    else if (!is_one_bit(type) || (type & phys->info.shareable) == 0)
        status = tn_fail(TARN_BAD_ARGUMENT, "export type 0x%x: the memory was created for 0x%x",
                         type, phys->info.shareable);
    else
        status = phys->platform->ops->phys_export(phys->platform->p, phys->backend, type, out);
    if (status == TARN_OK && tn_subscribed()) {
        if (type == TARN_SHAREABLE_FD) tn_emit_export((uint64_t)out->fd, id, "tarn_phys_export");
        tn_emit_shared_phys(phys, out);
    }
    release_hold(phys);
    return TN_DONE(status);
}

tarn_status tn_check_pids(const int *pids, size_t count) {
    TN_REFUSE(pids == NULL && count != 0, TARN_BAD_ARGUMENT, "pids is NULL, count %zu", count);
    for (size_t i = 0; i < count; i++)
        TN_REFUSE(pids[i] < 0, TARN_BAD_ARGUMENT, "pids[%zu] is %d", i, pids[i]);
    return TARN_OK;
}

tarn_status tarn_phys_allow(tarn_device *device, const tarn_shareable *exported, const int *pids,
                            size_t count) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(tn_device_usable(device));
    if (exported == NULL || exported->type != TARN_SHAREABLE_TOKEN)
        return TN_DONE(
            exported == NULL
                ? tn_fail(TARN_BAD_ARGUMENT, "exported is NULL")
                : tn_fail(TARN_BAD_ARGUMENT, "type 0x%x has no list of processes", exported->type));
    tarn_status status = tn_check_pids(pids, count);
    struct tn_platform *platform = device->platform;
    return TN_DONE(status == TARN_OK ? platform->ops->phys_allow(platform->p, exported, pids, count)
                                     : status);
}

static tarn_status check_import(tarn_device *device, const tarn_shareable *in,
                                const tarn_phys *phys) {
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(in == NULL || phys == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              in == NULL ? "in" : "phys");
    TN_REFUSE(!is_one_bit(in->type), TARN_BAD_ARGUMENT, "import type 0x%x is not one bit",
              in->type);
    TN_REFUSE((in->type & device->caps.shareable) == 0, TARN_UNSUPPORTED,
              "import type 0x%x: the platform provides 0x%x", in->type, device->caps.shareable);
    return TARN_OK;
}

tarn_status tarn_phys_import(tarn_device *device, const tarn_shareable *in, tarn_phys *phys) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(check_import(device, in, phys));
    struct tn_platform *platform = device->platform;
    struct tn_phys *record = NULL;
    TN_TRY(new_phys(platform, &record));
    record->imported = true;
    tarn_status status = platform->ops->phys_import(platform->p, device->ordinal, in,
                                                    &record->backend, &record->info);
    memcpy(record->user, record->info.user, sizeof record->info.user);
    TN_TRY(finish_creation(record, status, phys, "tarn_phys_import"));
    if (tn_subscribed()) tn_emit_shared_phys(record, in); // nobody else knows the handle yet
    return TARN_OK;
}

TN_ON_FORK(phys, .rank = TN_RANK_PHYS, .mutex = &lock);
