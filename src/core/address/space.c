// SPDX-License-Identifier: Apache-2.0
// Reservations of address space. A reservation is a region of the index; its mappings are map.c's.
#include <tarn/space.h>

#include "base/error.h"
#include "core/address/index.h"
#include "core/notify.h"

static tarn_status check_reserve(const tarn_device *device, uint64_t size, uint64_t alignment,
                                 const tarn_addr *addr) {
    tarn_status status = tn_device_usable(device);
    if (status != TARN_OK) {
        return status;
    }
    if (addr == NULL || size == 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "%s", addr == NULL ? "addr is NULL" : "size is 0");
    }
    if ((alignment & (alignment - 1)) != 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "alignment 0x%llx is not a power of two",
                       (unsigned long long)alignment);
    }
    uint64_t granularity = device->platform->granularity;
    if (size % granularity != 0) {
        return tn_fail(TARN_MISALIGNED, "size 0x%llx is not a multiple of the granularity 0x%llx",
                       (unsigned long long)size, (unsigned long long)granularity);
    }
    return TARN_OK;
}

// A hint that cannot be honoured is no hint.
static tarn_addr usable_hint(tarn_addr hint, uint64_t size, uint64_t alignment) {
    return hint % alignment == 0 && hint <= UINT64_MAX - size ? hint : 0;
}

static tarn_status index_reservation(struct tn_region *region, tarn_addr addr, uint64_t size) {
    region->base = addr;
    region->size = size;
    tarn_status status = tn_index_insert(region);
    if (status == TARN_OK) {
        TN_COUNT(region->platform, reservations, 1);
        TN_COUNT(region->platform, reserved_bytes, size);
        TN_COUNT(region->platform, backend_calls, 1);
    }
    return status;
}

tarn_status tarn_space_reserve(tarn_device *device, uint64_t size, uint64_t alignment,
                               tarn_addr hint, tarn_addr *addr) {
    tarn_status status = check_reserve(device, size, alignment, addr);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_platform *platform = device->platform;
    if (alignment < platform->granularity) {
        alignment = platform->granularity;
    }
    struct tn_region *region = tn_region_new(TN_REGION_SPACE, platform);
    if (region == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    tarn_addr got = 0;
    status = platform->ops->reserve(platform->p, size, alignment,
                                    usable_hint(hint, size, alignment), &got);
    if (status != TARN_OK) {
        goto err_free;
    }
    status = index_reservation(region, got, size);
    if (status != TARN_OK) {
        goto err_release;
    }
    if (tn_subscribed()) {
        tn_emit_region(TN_MEM_RESOURCE_BEGIN, region, 0, "tarn_space_reserve");
    }
    *addr = got;
    return TARN_OK;

err_release:
    platform->ops->release(platform->p, got, size);
err_free:
    tn_region_free(region);
    return status;
}

tarn_status tarn_space_release(tarn_addr addr, uint64_t size) {
    if (addr == 0 || size == 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "%s is 0", addr == 0 ? "addr" : "size");
    }
    struct tn_region *region = NULL;
    tarn_status status = tn_index_take(TN_REGION_SPACE, addr, size, &region);
    if (status != TARN_OK) {
        return tn_refused(status, "tarn_space_release", addr, 0);
    }
    struct tn_platform *platform = region->platform;
    if (tn_subscribed()) {
        tn_emit_region(TN_MEM_RESOURCE_END, region, 0, "tarn_space_release");
    }
    platform->ops->release(platform->p, addr, size);
    TN_UNCOUNT(platform, reservations, 1);
    TN_UNCOUNT(platform, reserved_bytes, size);
    TN_COUNT(platform, backend_calls, 1);
    tn_region_free(region);
    return TARN_OK;
}

tarn_status tarn_space_query(tarn_addr addr, tarn_addr *base, uint64_t *size) {
    tn_index_read();
    const struct tn_region *region = tn_index_find(addr);
    bool found = region != NULL && region->kind == TN_REGION_SPACE;
    if (found && base != NULL) {
        *base = region->base;
    }
    if (found && size != NULL) {
        *size = region->size;
    }
    tn_index_read_done();
    return found
               ? TARN_OK
               : tn_fail(TARN_BAD_ADDRESS, "0x%llx is in no reservation", (unsigned long long)addr);
}
