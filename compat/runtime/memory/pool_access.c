// SPDX-License-Identifier: Apache-2.0
// See pool.h: the rights of devices to the memory of a pool. Tarn holds them. The file has no
// state.
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/memory/pool.h"

// Rights that are less than all.
static tn_rt_error check_less(const struct tn_rt_pool *pool, const struct tn_rt_access *desc) {
    bool own = desc->location.id == pool->device->ordinal;
    TN_RT_REFUSE(desc->flags == (int)TARN_ACCESS_NONE &&
                     (own || tn_rt_memory_policy.pool_keeps_rights_of_peers),
                 TN_RT_INVALID_DEVICE, "device %d cannot lose its rights", desc->location.id);
    TN_RT_REFUSE(desc->flags == (int)TARN_ACCESS_READ && own &&
                     tn_rt_memory_policy.pool_checks_own_rights,
                 TN_RT_NOT_SUPPORTED, "device %d keeps all rights to its pool", desc->location.id);
    return TN_RT_OK;
}

static tn_rt_error grant_of(const struct tn_rt_pool *pool, const struct tn_rt_access *desc,
                            tarn_grant *grant) {
    TN_RT_REFUSE(tn_rt_memory_policy.pool_knows_host &&
                     desc->location.type == (int)TARN_LOCATION_HOST,
                 TN_RT_NOT_SUPPORTED, "the host has no rights to a pool of a device");
    TN_RT_REFUSE(
        desc->location.type != (int)TARN_LOCATION_DEVICE ||
            (desc->flags != (int)TARN_ACCESS_NONE && desc->flags != (int)TARN_ACCESS_READ &&
             desc->flags != (int)TARN_ACCESS_READ_WRITE),
        TN_RT_INVALID_VALUE, "location type %d, flags %d", desc->location.type, desc->flags);
    TN_RT_TRY(tn_rt_location(desc->location.type, desc->location.id, &grant->location));
    TN_RT_TRY(check_less(pool, desc));
    // Where less is accepted for the own device, it keeps all rights.
    bool own = desc->location.id == pool->device->ordinal;
    grant->access = own ? TARN_ACCESS_READ_WRITE : (tarn_access)desc->flags;
    return TN_RT_OK;
}

// Segments, which processes share, are plain memory: its device has all rights, and peers have
// those that are enabled (peer.h).
static tn_rt_error grant_shared(const struct tn_rt_pool *pool, const tarn_grant *grants,
                                size_t count) {
    for (size_t i = 0; i < count; i++) {
        TN_RT_REFUSE(grants[i].location.id != pool->device->number, TN_RT_NOT_SUPPORTED,
                     "a pool with handle types has no rights of its own for other "
                     "devices: enable access by peers");
    }
    return TN_RT_OK;
}

static tn_rt_error set_rights(struct tn_rt_pool *pool, const void *descs, size_t count) {
    tarn_grant grants[TN_RT_DEVICES];
    for (size_t i = 0; i < count; i++) {
        struct tn_rt_access desc;
        memcpy(&desc, (const char *)descs + i * sizeof desc, sizeof desc);
        TN_RT_TRY(grant_of(pool, &desc, &grants[i]));
    }
    return pool->table != NULL ? grant_shared(pool, grants, count)
                               : tn_rt_error_of(tarn_pool_set_access(pool->tarn, grants, count));
}

tn_rt_error tn_rt_pool_set_access(void *handle, const void *descs, size_t count) {
    TN_RT_REFUSE(descs == NULL || (count == 0 && tn_rt_memory_policy.pool_checks_count),
                 TN_RT_INVALID_VALUE, "%zu rights at %p", count, descs);
    TN_RT_REFUSE(count > (size_t)tn_rt_devices.count, TN_RT_INVALID_DEVICE,
                 "%zu rights for %d devices", count, tn_rt_devices.count);
    TN_RT_GET(tn_rt_pool, pool, tn_rt_pool_get(handle, &pool));
    return count > 0 ? set_rights(pool, descs, count) : TN_RT_OK;
}

tn_rt_error tn_rt_pool_get_access(void *flags, void *handle, const void *location) {
    struct tn_rt_location given = {0, 0};
    tarn_location place;
    tarn_access access = TARN_ACCESS_NONE;
    if (location != NULL) memcpy(&given, location, sizeof given);
    bool host = tn_rt_memory_policy.pool_knows_host && given.type == (int)TARN_LOCATION_HOST;
    TN_RT_REFUSE(flags == NULL || (given.type != (int)TARN_LOCATION_DEVICE && !host),
                 TN_RT_INVALID_VALUE, "flags %p, location %p: the location must be a device", flags,
                 location);
    if (!host && tn_rt_location(given.type, given.id, &place) != TN_RT_OK)
        return TN_RT_INVALID_VALUE;
    TN_RT_GET(tn_rt_pool, pool, tn_rt_pool_get(handle, &pool));
    if (host)
        access = TARN_ACCESS_NONE;
    else if (pool->table == NULL)
        TN_RT_TRY(tn_rt_error_of(tarn_pool_get_access(pool->tarn, place, &access)));
    else if (place.id == pool->device->number)
        access = TARN_ACCESS_READ_WRITE;
    const int value = (int)access;
    memcpy(flags, &value, sizeof value);
    return TN_RT_OK;
}
