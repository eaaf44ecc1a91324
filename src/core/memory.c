// SPDX-License-Identifier: Apache-2.0
// Plain device memory, and keys to it for other processes.
#include <tarn/memory.h>

#include "base/error.h"
#include "core/index.h"

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

// ---- between processes

// The first export may move the bytes: waits for work that could use them, with no lock held.
static tarn_status enter_settled(tarn_addr addr, struct tn_region **region) {
    tarn_status status = tn_index_enter(TN_REGION_MEMORY, addr, region);
    if (status != TARN_OK || tn_load_relaxed(&(*region)->exported)) {
        return status;
    }
    struct tn_platform *platform = (*region)->platform;
    tn_index_read_done();
    status = tn_platform_may_wait(platform);
    if (status != TARN_OK) {
        return status;
    }
    tn_platform_synchronize(platform);
    return tn_index_enter(TN_REGION_MEMORY, addr, region);
}

tarn_status tarn_memory_export(tarn_addr addr, tarn_memory_key *key) {
    if (key == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "key is NULL");
    }
    struct tn_region *region = NULL;
    tarn_status status = enter_settled(addr, &region);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_platform *platform = region->platform;
    tarn_memory_key made = {{0}};
    tn_mutex_lock(&region->lock);
    status = platform->ops->memory_export(platform->p, region->device, addr, region->size, &made);
    if (status == TARN_OK) {
        tn_store_relaxed(&region->exported, true);
    }
    tn_mutex_unlock(&region->lock);
    tn_index_read_done();
    if (status == TARN_OK) {
        TN_COUNT(platform, backend_calls, 1);
        *key = made;
    }
    return status;
}

tarn_status tarn_memory_import(tarn_device *device, const tarn_memory_key *key, tarn_addr *addr) {
    tarn_status status = tn_device_usable(device);
    if (status != TARN_OK) {
        return status;
    }
    if (key == NULL || addr == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "%s is NULL", key == NULL ? "key" : "addr");
    }
    struct tn_platform *platform = device->platform;
    struct tn_region *region = tn_region_new(TN_REGION_IMPORTED, platform);
    if (region == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    tarn_addr got = 0;
    uint64_t size = 0;
    status = platform->ops->memory_import(platform->p, device->ordinal, key, &got, &size);
    if (status != TARN_OK) {
        goto err_free;
    }
    status = index_memory(region, got, size, device->ordinal);
    if (status != TARN_OK) {
        goto err_close;
    }
    TN_COUNT(platform, imported_blocks, 1);
    TN_COUNT(platform, imported_bytes, size);
    TN_COUNT(platform, backend_calls, 1);
    *addr = got;
    return TARN_OK;

err_close:
    platform->ops->memory_close(platform->p, device->ordinal, got);
err_free:
    tn_region_free(region);
    return status;
}

tarn_status tarn_memory_close(tarn_addr addr) {
    if (addr == 0) {
        return TARN_OK;
    }
    struct tn_region *region = NULL;
    tarn_status status = tn_index_retire(TN_REGION_IMPORTED, addr, &region);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_platform *platform = region->platform;
    platform->ops->memory_close(platform->p, region->device, addr);
    TN_UNCOUNT(platform, imported_blocks, 1);
    TN_UNCOUNT(platform, imported_bytes, region->size);
    TN_COUNT(platform, backend_calls, 1);
    tn_region_free(region);
    return TARN_OK;
}
