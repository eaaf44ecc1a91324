// SPDX-License-Identifier: Apache-2.0
// Plain device memory, and the question what an address is.
#include <tarn/memory.h>

#include "base/error.h"
#include "core/describe.h"
#include "core/map.h"

static tarn_status index_memory(struct tn_region *region, tarn_addr addr, uint64_t size,
                                int device) {
    region->base = addr;
    region->size = size;
    region->device = device;
    return tn_index_insert(region);
}

tarn_status tarn_memory_alloc(tarn_device *device, uint64_t size, tarn_addr *addr) {
    tarn_status status = tn_device_usable(device);
    if (status != TARN_OK) {
        return status;
    }
    if (addr == NULL || size == 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "%s", addr == NULL ? "addr is NULL" : "size is 0");
    }
    struct tn_platform *platform = device->platform;
    struct tn_region *region = tn_region_new(TN_REGION_MEMORY, platform);
    if (region == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    tarn_addr got = 0;
    status = platform->ops->memory_alloc(platform->p, device->ordinal, size, &got);
    if (status != TARN_OK) {
        goto err_free;
    }
    status = index_memory(region, got, size, device->ordinal);
    if (status != TARN_OK) {
        goto err_give_back;
    }
    TN_COUNT(platform, memory_blocks, 1);
    TN_COUNT(platform, memory_bytes, size);
    TN_COUNT(platform, backend_calls, 1);
    *addr = got;
    return TARN_OK;

err_give_back:
    platform->ops->memory_free(platform->p, device->ordinal, got);
err_free:
    tn_region_free(region);
    return status;
}

tarn_status tarn_memory_free(tarn_addr addr) {
    if (addr == 0) {
        return TARN_OK;
    }
    struct tn_region *region = NULL;
    tarn_status status = tn_index_retire(TN_REGION_MEMORY, addr, &region);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_platform *platform = region->platform;
    platform->ops->memory_free(platform->p, region->device, addr);
    TN_UNCOUNT(platform, memory_blocks, 1);
    TN_UNCOUNT(platform, memory_bytes, region->size);
    TN_COUNT(platform, backend_calls, 1);
    tn_region_free(region);
    return TARN_OK;
}

// ---- what is it

static void describe_space(struct tn_region *region, tarn_addr addr, tarn_address_info *info) {
    struct tn_interval_entry entry;
    tn_mutex_lock(&region->lock);
    if (tn_interval_find(&region->mappings, addr, &entry)) {
        const struct tn_phys *phys = tn_mapping_of(&entry)->phys;
        info->kind = TARN_ADDRESS_MAPPED;
        info->base = entry.start;
        info->bytes = entry.end - entry.start;
        info->location = phys->info.location;
        info->phys = phys->id;
    } else {
        info->kind = TARN_ADDRESS_RESERVED;
    }
    tn_mutex_unlock(&region->lock);
}

static void describe_region(struct tn_region *region, tarn_addr addr, tarn_address_info *info) {
    info->base = region->base;
    info->bytes = region->size;
    switch (region->kind) {
    case TN_REGION_SPACE:
        describe_space(region, addr, info);
        break;
    case TN_REGION_MEMORY:
        info->kind = TARN_ADDRESS_MEMORY;
        info->location = (tarn_location){TARN_LOCATION_DEVICE, region->device};
        break;
    case TN_REGION_HOST:
    case TN_REGION_REGISTERED:
        info->kind = region->kind == TN_REGION_HOST ? TARN_ADDRESS_HOST : TARN_ADDRESS_REGISTERED;
        info->location = (tarn_location){TARN_LOCATION_HOST, 0};
        break;
    }
}

tarn_status tarn_address_query(tarn_addr addr, tarn_address_info *info) {
    tarn_address_info own = {0};
    tn_index_read();
    struct tn_region *region = tn_index_find(addr);
    if (region != NULL) {
        describe_region(region, addr, &own);
    }
    tn_index_read_done();
    return tn_describe_write(info, &own, sizeof own, "tarn_address_info");
}
