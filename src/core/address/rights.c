// SPDX-License-Identifier: Apache-2.0
// See rights.h.
#include "core/address/rights.h"

#include "base/error.h"

tarn_status tn_access_check_location(const struct tn_platform *platform, tarn_location at) {
    TN_REFUSE(at.type < TARN_LOCATION_DEVICE || at.type > TARN_LOCATION_HOST_NUMA_CURRENT,
              TARN_BAD_ARGUMENT, "location type %d is unknown", (int)at.type);
    TN_REFUSE(at.type == TARN_LOCATION_DEVICE && (at.id < 0 || at.id >= platform->device_count),
              TARN_BAD_DEVICE, "device %d of a platform with %d", at.id, platform->device_count);
    return TARN_OK;
}

tarn_status tn_access_check_grant(const struct tn_platform *platform, const tarn_grant *grant) {
    TN_TRY(tn_access_check_location(platform, grant->location));
    TN_REFUSE(grant->access != TARN_ACCESS_NONE && grant->access != TARN_ACCESS_READ &&
                  grant->access != TARN_ACCESS_READ_WRITE,
              TARN_BAD_ARGUMENT, "access %d is not NONE, READ or READ_WRITE", (int)grant->access);
    TN_REFUSE(grant->location.type != TARN_LOCATION_DEVICE &&
                  (platform->devices[0].caps.features & TARN_FEATURE_HOST_ACCESS) == 0,
              TARN_UNSUPPORTED, "this platform gives the host no access to device memory");
    return TARN_OK;
}

tarn_status tn_access_check_path(const struct tn_platform *platform, tarn_location owner,
                                 const tarn_grant *grant) {
    int device = grant->location.id;
    TARN_ASSERT(owner.type != TARN_LOCATION_DEVICE ||
                (owner.id >= 0 && owner.id < platform->device_count));
    bool good = grant->location.type != TARN_LOCATION_DEVICE || grant->access == TARN_ACCESS_NONE ||
                owner.type != TARN_LOCATION_DEVICE || owner.id == device ||
                platform->ops->peer_can(platform->p, device, owner.id);
    return good ? TARN_OK
                : tn_fail(TARN_UNSUPPORTED, "device %d has no path to device %d, the owner", device,
                          owner.id);
}

tarn_status tn_access_check(const struct tn_platform *platform, tarn_location owner,
                            const tarn_grant *grants, size_t count) {
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < count && status == TARN_OK; i++) {
        status = tn_access_check_grant(platform, &grants[i]);
        status = status == TARN_OK ? tn_access_check_path(platform, owner, &grants[i]) : status;
    }
    return status;
}
