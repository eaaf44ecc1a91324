// SPDX-License-Identifier: Apache-2.0
// Reservations of address space. A reservation is a region of the index; map.c manages its
// mappings.
#include "core/address/notify.h"
#include "core/address/retire.h"
#include "fail/point.h"

static tarn_status check_reserve(const tarn_device *device, uint64_t bytes, uint64_t alignment,
                                 const tarn_addr *addr) {
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(addr == NULL || bytes == 0, TARN_BAD_ARGUMENT, "%s",
              addr == NULL ? "addr is NULL" : "bytes is 0");
    TN_REFUSE((alignment & (alignment - 1)) != 0, TARN_BAD_ARGUMENT,
              "alignment 0x%llx is not a power of two", (unsigned long long)alignment);
    uint64_t granularity = device->platform->granularity;
    TN_REFUSE(bytes % granularity != 0, TARN_MISALIGNED,
              "bytes 0x%llx is not a multiple of the granularity 0x%llx", (unsigned long long)bytes,
              (unsigned long long)granularity);
    return TARN_OK;
}

tarn_status tn_owner_reserve(struct tn_owner *owner, tarn_device *device, uint64_t bytes,
                             uint64_t alignment, tarn_addr hint, tarn_addr *addr) {
    TN_TRY(check_reserve(device, bytes, alignment, addr));
    struct tn_platform *platform = device->platform;
    if (alignment < platform->granularity) alignment = platform->granularity;
    struct tn_region *region = tn_region_new(TN_REGION_SPACE, platform, owner);
    if (region == NULL) return TARN_NO_HOST_MEMORY;
    tarn_addr got = 0;
    if (hint % alignment != 0 || hint > UINT64_MAX - bytes)
        hint = 0; // one that cannot be honoured counts as none
    tarn_status status = platform->ops->reserve(platform->p, bytes, alignment, hint, &got);
    if (status != TARN_OK) {
        tn_region_free(region);
        return status;
    }
    TARN_ASSERT(got % alignment == 0 && got <= UINT64_MAX - bytes);
    region->base = got;
    region->bytes = bytes;
    TN_TRY(tn_region_publish(region, 0, "tarn_space_reserve"));
    *addr = got;
    return TARN_OK;
}

tarn_status tarn_space_reserve(tarn_device *device, uint64_t bytes, uint64_t alignment,
                               tarn_addr hint, tarn_addr *addr) {
    TN_FAIL_POINT(hint, bytes);
    return TN_DONE(tn_owner_reserve(NULL, device, bytes, alignment, hint, addr));
}

tarn_status tn_owner_release(struct tn_owner *owner, tarn_addr addr, uint64_t bytes) {
    TN_REFUSE(addr == 0 || bytes == 0, TARN_BAD_ARGUMENT, "%s is 0", addr == 0 ? "addr" : "bytes");
    return tn_retire(TN_REGION_SPACE, owner, addr, bytes, 0, "tarn_space_release");
}

tarn_status tarn_space_release(tarn_addr addr) {
    TN_REFUSE(addr == 0, TARN_BAD_ARGUMENT, "addr is 0");
    return TN_DONE(tn_retire(TN_REGION_SPACE, NULL, addr, 0, 0, "tarn_space_release"));
}

tarn_status tarn_space_release_sized(tarn_addr addr, uint64_t bytes) {
    return TN_DONE(tn_owner_release(NULL, addr, bytes));
}
