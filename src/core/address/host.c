// SPDX-License-Identifier: Apache-2.0
// Pinned host memory: allocated by the library, or registered by the caller that owns it.
#include "core/address/notify.h"
#include "core/address/retire.h"
#include "fail/point.h"

static tarn_status check_request(const tarn_device *device, const void *ptr, uint64_t bytes,
                                 uint32_t flags, uint32_t known) {
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(ptr == NULL || bytes == 0, TARN_BAD_ARGUMENT, "%s",
              ptr == NULL ? "ptr is NULL" : "bytes is 0");
    TN_REFUSE((flags & ~known) != 0, TARN_BAD_ARGUMENT, "flags 0x%x: only 0x%x are known", flags,
              known);
    TN_REFUSE((flags & TARN_HOST_MUST_LOCK) != 0 && (flags & TARN_HOST_ON_TOUCH) != 0,
              TARN_BAD_ARGUMENT, "memory that is taken on touch cannot be locked");
    return TARN_OK;
}

tarn_status tarn_host_alloc(tarn_device *device, uint64_t bytes, uint32_t flags, void **ptr) {
    TN_FAIL_POINT(0, bytes);
    TN_TRY(check_request(device, ptr, bytes, flags, TARN_HOST_MUST_LOCK | TARN_HOST_ON_TOUCH));
    struct tn_platform *platform = device->platform;
    struct tn_region *region = tn_region_new(TN_REGION_HOST, platform, NULL);
    if (region == NULL) return TN_DONE(TARN_NO_HOST_MEMORY);
    void *got = NULL;
    tarn_pin_class pin_class = TARN_PIN_PLAIN;
    tarn_status status = platform->ops->host_alloc(platform->p, bytes, flags, &got, &pin_class);
    if (status != TARN_OK) {
        tn_region_free(region);
        if (tn_subscribed()) tn_emit_shortage(status, NULL, bytes, "tarn_host_alloc");
        return TN_DONE(status);
    }
    tn_store_relaxed(&region->pin_class, (int)pin_class);
    TARN_ASSERT(got != NULL && (uintptr_t)got <= UINT64_MAX - bytes);
    region->base = (tarn_addr)(uintptr_t)got;
    region->bytes = bytes;
    region->device = device->ordinal;
    // A vendor's call promises no zeros.
    TN_TRY(tn_region_publish(region, tn_annotate_caller() == NULL ? TN_MEM_ZEROED : 0,
                             "tarn_host_alloc"));
    *ptr = got;
    return TARN_OK;
}

tarn_status tarn_host_register(tarn_device *device, void *ptr, uint64_t bytes, uint32_t flags) {
    TN_FAIL_POINT(TARN_ADDR(ptr), bytes);
    TN_TRY(check_request(device, ptr, bytes, flags, TARN_HOST_MUST_LOCK));
    TN_REFUSE((uint64_t)(uintptr_t)ptr > UINT64_MAX - bytes, TARN_BAD_ADDRESS,
              "[%p, +0x%llx) wraps", ptr, (unsigned long long)bytes);
    struct tn_platform *platform = device->platform;
    struct tn_region *region = tn_region_new(TN_REGION_REGISTERED, platform, NULL);
    if (region == NULL) return TN_DONE(TARN_NO_HOST_MEMORY);
    // Indexed first: of two threads that register the same memory one must be refused before
    // anything is pinned.
    region->base = (tarn_addr)(uintptr_t)ptr;
    region->bytes = bytes;
    tarn_status status = tn_index_insert(region);
    if (status != TARN_OK) {
        tn_region_free(region);
        return TN_DONE(status);
    }
    tarn_pin_class pin_class = TARN_PIN_PLAIN;
    status = platform->ops->host_register(platform->p, ptr, bytes, flags, &pin_class);
    if (status != TARN_OK) {
        tn_region_abandon(TN_REGION_REGISTERED, (tarn_addr)(uintptr_t)ptr);
        return TN_DONE(status);
    }
    tn_store_relaxed(&region->pin_class, (int)pin_class);
    if (tn_subscribed()) tn_emit_region(TN_MEM_RESOURCE_BEGIN, region, 0, "tarn_host_register");
    return TARN_OK;
}

// ---- release

tarn_status tarn_host_free(void *ptr) {
    return TN_DONE(ptr == NULL ? TARN_OK
                               : tn_retire(TN_REGION_HOST, NULL, (tarn_addr)(uintptr_t)ptr, 0, 0,
                                           "tarn_host_free"));
}

tarn_status tarn_host_unregister(void *ptr) {
    return TN_DONE(tn_retire(TN_REGION_REGISTERED, NULL, (tarn_addr)(uintptr_t)ptr, 0, 0,
                             "tarn_host_unregister"));
}
