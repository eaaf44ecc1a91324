// SPDX-License-Identifier: Apache-2.0
// Pinned host memory: allocated here, or registered by its owner.
#include <tarn/host.h>

#include "base/error.h"
#include "core/address/index.h"
#include "core/notify.h"

static tarn_status check_request(const tarn_device *device, const void *ptr, uint64_t size,
                                 uint32_t flags) {
    tarn_status status = tn_device_usable(device);
    if (status != TARN_OK) {
        return status;
    }
    if (ptr == NULL || size == 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "%s", ptr == NULL ? "ptr is NULL" : "size is 0");
    }
    if ((flags & ~(uint32_t)TARN_HOST_MUST_LOCK) != 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "flags 0x%x are unknown", flags);
    }
    return TARN_OK;
}

static tarn_status index_host(struct tn_region *region, void *ptr, uint64_t size) {
    region->base = (tarn_addr)(uintptr_t)ptr;
    region->size = size;
    tarn_status status = tn_index_insert(region);
    if (status == TARN_OK) {
        TN_COUNT(region->platform, host_blocks, 1);
        TN_COUNT(region->platform, host_bytes, size);
        TN_COUNT(region->platform, backend_calls, 1);
    }
    return status;
}

static void forget(struct tn_region *region) {
    TN_UNCOUNT(region->platform, host_blocks, 1);
    TN_UNCOUNT(region->platform, host_bytes, region->size);
    TN_COUNT(region->platform, backend_calls, 1);
    tn_region_free(region);
}

tarn_status tarn_host_alloc(tarn_device *device, uint64_t size, uint32_t flags, void **ptr) {
    tarn_status status = check_request(device, ptr, size, flags);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_platform *platform = device->platform;
    struct tn_region *region = tn_region_new(TN_REGION_HOST, platform);
    if (region == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    void *got = NULL;
    tarn_pin_class pin_class = TARN_PIN_PLAIN;
    status = platform->ops->host_alloc(platform->p, size, flags, &got, &pin_class);
    if (status != TARN_OK) {
        goto err_free;
    }
    tn_store_relaxed(&region->pin_class, (int)pin_class);
    status = index_host(region, got, size);
    if (status != TARN_OK) {
        goto err_give_back;
    }
    if (tn_subscribed()) {
        tn_emit_region(TN_MEM_RESOURCE_BEGIN, region, 0, "tarn_host_alloc");
    }
    *ptr = got;
    return TARN_OK;

err_give_back:
    platform->ops->host_free(platform->p, got, size);
err_free:
    tn_region_free(region);
    return status;
}

tarn_status tarn_host_register(tarn_device *device, void *ptr, uint64_t size, uint32_t flags) {
    tarn_status status = check_request(device, ptr, size, flags);
    if (status != TARN_OK) {
        return status;
    }
    if ((uint64_t)(uintptr_t)ptr > UINT64_MAX - size) {
        return tn_fail(TARN_BAD_ADDRESS, "[%p, +0x%llx) wraps", ptr, (unsigned long long)size);
    }
    struct tn_platform *platform = device->platform;
    struct tn_region *region = tn_region_new(TN_REGION_REGISTERED, platform);
    if (region == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    // Indexed first: of two threads that register the same memory one must be refused before
    // anything is pinned.
    status = index_host(region, ptr, size);
    if (status != TARN_OK) {
        tn_region_free(region);
        return status;
    }
    tarn_pin_class pin_class = TARN_PIN_PLAIN;
    status = platform->ops->host_register(platform->p, ptr, size, flags, &pin_class);
    if (status != TARN_OK) {
        struct tn_region *taken = NULL;
        if (tn_index_take(TN_REGION_REGISTERED, region->base, 0, &taken) == TARN_OK) {
            forget(taken); // else somebody unregistered it meanwhile, and it is gone
        }
        return status;
    }
    tn_store_relaxed(&region->pin_class, (int)pin_class);
    if (tn_subscribed()) {
        tn_emit_region(TN_MEM_RESOURCE_BEGIN, region, 0, "tarn_host_register");
    }
    return TARN_OK;
}

// ---- giving back

tarn_status tarn_host_free(void *ptr) {
    if (ptr == NULL) {
        return TARN_OK;
    }
    struct tn_region *region = NULL;
    tarn_status status = tn_index_retire(TN_REGION_HOST, (tarn_addr)(uintptr_t)ptr, &region);
    if (status == TARN_OK) {
        if (tn_subscribed()) {
            tn_emit_region(TN_MEM_RESOURCE_END, region, 0, "tarn_host_free");
        }
        region->platform->ops->host_free(region->platform->p, ptr, region->size);
        forget(region);
    }
    return tn_refused(status, "tarn_host_free", (tarn_addr)(uintptr_t)ptr, 0);
}

tarn_status tarn_host_unregister(void *ptr) {
    struct tn_region *region = NULL;
    tarn_status status = tn_index_retire(TN_REGION_REGISTERED, (tarn_addr)(uintptr_t)ptr, &region);
    if (status == TARN_OK) {
        if (tn_subscribed()) {
            tn_emit_region(TN_MEM_RESOURCE_END, region, 0, "tarn_host_unregister");
        }
        region->platform->ops->host_unregister(region->platform->p, ptr, region->size);
        forget(region);
    }
    return tn_refused(status, "tarn_host_unregister", (tarn_addr)(uintptr_t)ptr, 0);
}

tarn_status tarn_host_query(const void *ptr, void **base, uint64_t *size,
                            tarn_pin_class *pin_class) {
    tn_index_read();
    const struct tn_region *region = tn_index_find((tarn_addr)(uintptr_t)ptr);
    bool found =
        region != NULL && (region->kind == TN_REGION_HOST || region->kind == TN_REGION_REGISTERED);
    if (found && base != NULL) {
        *base = (void *)(uintptr_t)region->base;
    }
    if (found && size != NULL) {
        *size = region->size;
    }
    if (found && pin_class != NULL) {
        *pin_class = (tarn_pin_class)tn_load_relaxed(&region->pin_class);
    }
    tn_index_read_done();
    return found ? TARN_OK
                 : tn_fail(TARN_BAD_ADDRESS, "%p is in no pinned or registered host memory", ptr);
}
