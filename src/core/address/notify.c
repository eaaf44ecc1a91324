// SPDX-License-Identifier: Apache-2.0
// See notify.h.
#include "core/address/notify.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static _Thread_local bool for_pool;

bool tn_emit_for_pool(bool begin) {
    bool before = for_pool;
    for_pool = begin;
    return before;
}

bool tn_emit_is_for_pool(void) { return for_pool; }

static uint32_t owned_flag(unsigned kind) {
    return for_pool && kind == TN_MEM_RESOURCE_BEGIN ? TN_MEM_OWNED : 0;
}

// A device that checks each piece of work when it runs is software.
static uint32_t soft_flag(unsigned kind, const struct tn_region *region) {
    uint32_t features = region->platform->devices[0].caps.features;
    return kind == TN_MEM_RESOURCE_BEGIN && (features & TARN_FEATURE_CHECKED) != 0 ? TN_MEM_SOFT
                                                                                   : 0;
}

// Returns true if the process has mapped the page of addr.
static bool is_present(tarn_addr addr) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;
    return mincore((void *)((uintptr_t)addr & ~(page - 1)), 1, &resident) == 0;
}

void tn_emit_find_place(struct tn_mem_event *event, bool probe) {
    tn_index_read();
    const struct tn_region *region = tn_index_find(event->addr);
    if (region != NULL) {
        if (tn_region_is_host(region))
            event->device = -1;
        else if (event->device < 0)
            event->device = region->device;
        tn_emit_place(region->platform, event);
    }
    tn_index_read_done();
    if (region == NULL && event->addr >= TN_NUMBERS_FROM)
        event->flags |= TN_MEM_NUMBERS;
    else if (region == NULL &&
             (!probe || (is_present(event->addr) && is_present(event->addr + event->bytes - 1))))
        event->flags |= TN_MEM_HOST_CAN;
}

void tn_emit_region(unsigned kind, const struct tn_region *region, uint32_t flags,
                    const char *call) {
    static const uint16_t what[] = {
        [TN_REGION_SPACE] = TN_MEM_RESERVATION, [TN_REGION_MEMORY] = TN_MEM_MEMORY,
        [TN_REGION_HOST] = TN_MEM_PINNED,       [TN_REGION_REGISTERED] = TN_MEM_REGISTERED,
        [TN_REGION_IMPORTED] = TN_MEM_MEMORY,
    };
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = (uint16_t)kind, .what = what[region->kind],
                    .flags = flags | owned_flag(kind) | soft_flag(kind, region),
                    .device = tn_region_is_host(region) ? -1 : region->device, .addr = region->base,
                    .bytes = region->bytes, .other = region->charged, .name = call);
    tn_emit_place(region->platform, &event);
    tn_emit(&event);
}

void tn_emit_exported(const struct tn_region *region) {
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_INITIALISED, .device = region->device, .addr = region->base,
                    .bytes = region->bytes, .name = "tarn_memory_export");
    tn_emit_place(region->platform, &event);
    tn_emit(&event);
}

static int32_t device_of(const struct tn_phys *phys) {
    tarn_location location = phys->info.location;
    return location.type == TARN_LOCATION_DEVICE ? location.id : -1;
}

// The free memory of the device, which the vendor may change at any time, is that of now.
void tn_emit_shortage_of(tarn_status status, tarn_device *device, struct tn_mem_event *event) {
    struct tn_error_saved error;
    if (for_pool || !tn_is_shortage(status)) return;
    tn_error_save(&error);
    event->kind = TN_MEM_SHORTAGE;
    event->flags = (uint32_t)-status;
    event->device = device != NULL ? device->ordinal : -1;
    if (device == NULL || tarn_device_query_memory(device, &event->addr, NULL) != TARN_OK)
        event->addr = UINT64_MAX;
    tn_error_restore(&error);
    tn_emit(event);
}

void tn_emit_shortage(tarn_status status, tarn_device *device, uint64_t bytes, const char *call) {
    struct tn_mem_event event = TN_MEM_INIT(.bytes = bytes, .name = call);
    tn_emit_shortage_of(status, device, &event);
}

void tn_emit_phys(unsigned kind, const struct tn_phys *phys, const char *call) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = (uint16_t)kind, .what = TN_MEM_PHYS,
                                              .flags = owned_flag(kind), .device = device_of(phys),
                                              .bytes = phys->info.bytes, .object = phys->id,
                                              .name = call));
}

void tn_emit_mapping(unsigned kind, const struct tn_region *region, tarn_addr addr, uint64_t bytes,
                     const struct tn_mapping *mapping, uint32_t flags) {
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = (uint16_t)kind, .what = TN_MEM_MAPPING,
                    .flags = flags | owned_flag(kind), .device = device_of(mapping->phys),
                    .addr = addr, .bytes = bytes, .object = mapping->phys->id,
                    .name = kind == TN_MEM_RESOURCE_BEGIN ? "tarn_map" : "tarn_unmap");
    tn_emit_place(region->platform, &event);
    tn_emit(&event);
}

void tn_emit_export(uint64_t object, uint64_t id, const char *call) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_EXPORT,
                                              .device = -1, .object = object, .other = id,
                                              .name = call));
}

// ---- the identity of shared memory

// FNV-1a.
static uint64_t hash_bytes(const void *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

// Descriptors of one memory file have one inode. Drivers' descriptors of any memory may have one inode.
static bool identify_object(const tarn_shareable *object, uint64_t *identity) {
    struct stat file;
    if (object->type == TARN_SHAREABLE_TOKEN) {
        *identity = hash_bytes(&object->token, sizeof object->token);
        return true;
    }
    if (object->type != TARN_SHAREABLE_FD || fstat(object->fd, &file) != 0 ||
        !S_ISREG(file.st_mode))
        return false;
    const uint64_t number[2] = {(uint64_t)file.st_dev, (uint64_t)file.st_ino};
    *identity = hash_bytes(number, sizeof number);
    return true;
}

void tn_emit_shared_phys(const struct tn_phys *phys, const tarn_shareable *object) {
    uint64_t identity = 0;
    if (identify_object(object, &identity))
        tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_IDENTITY, .what = TN_MEM_PHYS,
                                                  .device = device_of(phys), .object = phys->id,
                                                  .other = identity));
}

static void emit_shared_memory(const struct tn_region *region, uint64_t identity) {
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_IDENTITY, .what = TN_MEM_MEMORY,
                    .flags = region->owner != NULL ? TN_MEM_OWNED : 0u, .device = region->device,
                    .addr = region->base, .bytes = region->bytes, .other = identity);
    tn_emit_place(region->platform, &event);
    tn_emit(&event);
}

void tn_emit_shared_memory(const struct tn_region *region, const tarn_key *key) {
    emit_shared_memory(region, hash_bytes(key, sizeof *key));
}

void tn_emit_shared_memory_fd(const struct tn_region *region, int fd) {
    const tarn_shareable object = {TARN_SHAREABLE_FD, fd, 0};
    uint64_t identity = 0;
    if (identify_object(&object, &identity)) emit_shared_memory(region, identity);
}
