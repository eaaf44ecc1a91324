// SPDX-License-Identifier: Apache-2.0
// The functions about pools themselves: making them, their attributes and rights, and which one a
// device uses.
#include <string.h>

#include <hip/detail/pool.h>

#include "compat/hip/pool.h"
#include "compat/hip/vmm.h"

static hipMemPool_t handle_of(const struct tn_hip_pool *pool) {
    return (hipMemPool_t)pool->object.handle;
}

// ---- making and ending

static bool is_of_host(hipMemLocationType type) {
    return type == hipMemLocationTypeHost || type == hipMemLocationTypeHostNuma ||
           type == hipMemLocationTypeHostNumaCurrent;
}

static bool is_blank(const unsigned char *bytes, size_t size) {
    while (size > 0 && bytes[size - 1] == 0) {
        size--;
    }
    return size == 0;
}

static hipError_t check_props(const hipMemPoolProps *props) {
    if (props->allocType != hipMemAllocationTypePinned ||
        !is_blank(props->reserved, sizeof props->reserved)) {
        return tn_hip_fail(hipErrorInvalidValue, "allocType %d, or reserved bytes are set",
                           (int)props->allocType);
    }
    if (is_of_host(props->location.type)) {
        return tn_hip_fail(hipErrorNotSupported, "no pools of location type %d",
                           (int)props->location.type);
    }
    if (props->location.type != hipMemLocationTypeDevice ||
        tn_hip_device(props->location.id) == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "location type %d, id %d",
                           (int)props->location.type, props->location.id);
    }
    if (props->handleTypes != hipMemHandleTypeNone) {
        return tn_hip_fail(hipErrorNotSupported, "handle types 0x%x: pools are not shared",
                           (unsigned)props->handleTypes);
    }
    return hipSuccess;
}

static hipError_t create(hipMemPool_t *handle, const hipMemPoolProps *props) {
    struct tn_hip_pool *pool = NULL;
    if (handle == NULL || props == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%s is NULL",
                           handle == NULL ? "mem_pool" : "pool_props");
    }
    TN_HIP_TRY(check_props(props));
    TN_HIP_TRY(tn_hip_pool_new(tn_hip_device(props->location.id), props->maxSize, &pool));
    *handle = handle_of(pool);
    return hipSuccess;
}

hipError_t hipMemPoolCreate(hipMemPool_t *mem_pool, const hipMemPoolProps *pool_props) {
    return TN_HIP_CALL(create(mem_pool, pool_props));
}

hipError_t hipMemPoolDestroy(hipMemPool_t mem_pool) {
    return TN_HIP_CALL(tn_hip_pool_close(mem_pool));
}

static hipError_t trim(hipMemPool_t handle, size_t keep) {
    struct tn_hip_pool *pool = NULL;
    TN_HIP_TRY(tn_hip_pool_get(handle, &pool));
    hipError_t error = tn_hip_from(tarn_pool_trim(pool->tarn, keep, TARN_NO_WAIT, NULL));
    tn_hip_pool_put(pool);
    return error;
}

hipError_t hipMemPoolTrimTo(hipMemPool_t mem_pool, size_t min_bytes_to_hold) {
    return TN_HIP_CALL(trim(mem_pool, min_bytes_to_hold));
}

// ---- attributes

// Bytes that a value of the attribute has. 0: there is no such attribute.
static size_t size_of(hipMemPoolAttr attribute) {
    switch (attribute) {
    case hipMemPoolReuseFollowEventDependencies:
    case hipMemPoolReuseAllowOpportunistic:
    case hipMemPoolReuseAllowInternalDependencies:
        return sizeof(int);
    case hipMemPoolAttrReleaseThreshold:
    case hipMemPoolAttrReservedMemCurrent:
    case hipMemPoolAttrReservedMemHigh:
    case hipMemPoolAttrUsedMemCurrent:
    case hipMemPoolAttrUsedMemHigh:
        return sizeof(uint64_t);
    }
    return 0;
}

static hipError_t reset_high(struct tn_hip_pool *pool, int which, uint64_t value) {
    return value == 0 ? tn_hip_pool_reset_high(pool, which)
                      : tn_hip_fail(hipErrorInvalidValue, "a high mark is set to 0, not to %llu",
                                    (unsigned long long)value);
}

static hipError_t set(struct tn_hip_pool *pool, hipMemPoolAttr attribute, uint64_t value) {
    switch (attribute) {
    case hipMemPoolReuseFollowEventDependencies:
        atomic_store_explicit(&pool->follow_events, value != 0, memory_order_relaxed);
        return hipSuccess;
    case hipMemPoolReuseAllowInternalDependencies:
        atomic_store_explicit(&pool->internal_dependencies, value != 0, memory_order_relaxed);
        return hipSuccess;
    case hipMemPoolReuseAllowOpportunistic:
        return value != 0 ? hipSuccess
                          : tn_hip_fail(hipErrorNotSupported,
                                        "memory whose work has passed is always reused");
    case hipMemPoolAttrReleaseThreshold:
        atomic_store_explicit(&pool->threshold, value, memory_order_relaxed);
        return hipSuccess;
    case hipMemPoolAttrReservedMemHigh:
        return reset_high(pool, 1, value);
    case hipMemPoolAttrUsedMemHigh:
        return reset_high(pool, 0, value);
    case hipMemPoolAttrReservedMemCurrent:
    case hipMemPoolAttrUsedMemCurrent:
        break;
    }
    return tn_hip_fail(hipErrorInvalidValue, "attribute %d cannot be set", (int)attribute);
}

static hipError_t tell(struct tn_hip_pool *pool, hipMemPoolAttr attribute, uint64_t *value) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    hipError_t error = tn_hip_from(tarn_pool_query_stats(pool->tarn, &stats));
    switch (attribute) {
    case hipMemPoolReuseFollowEventDependencies:
        *value = atomic_load_explicit(&pool->follow_events, memory_order_relaxed);
        break;
    case hipMemPoolReuseAllowInternalDependencies:
        *value = atomic_load_explicit(&pool->internal_dependencies, memory_order_relaxed);
        break;
    case hipMemPoolReuseAllowOpportunistic:
        *value = 1;
        break;
    case hipMemPoolAttrReleaseThreshold:
        *value = atomic_load_explicit(&pool->threshold, memory_order_relaxed);
        break;
    case hipMemPoolAttrReservedMemCurrent:
        *value = stats.held_bytes;
        break;
    case hipMemPoolAttrUsedMemCurrent:
        *value = stats.used_bytes;
        break;
    case hipMemPoolAttrReservedMemHigh:
        return tn_hip_pool_high(pool, 1, value);
    case hipMemPoolAttrUsedMemHigh:
        return tn_hip_pool_high(pool, 0, value);
    }
    return error;
}

static hipError_t check_value(hipMemPoolAttr attribute, const void *value) {
    return value != NULL && size_of(attribute) != 0
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidValue, "attribute %d, value %p", (int)attribute, value);
}

static hipError_t set_attribute(hipMemPool_t handle, hipMemPoolAttr attribute, const void *value) {
    struct tn_hip_pool *pool = NULL;
    uint64_t wide = 0; // an int fills its low half
    TN_HIP_TRY(check_value(attribute, value));
    TN_HIP_TRY(tn_hip_pool_get(handle, &pool));
    memcpy(&wide, value, size_of(attribute));
    hipError_t error = set(pool, attribute, wide);
    tn_hip_pool_put(pool);
    return error;
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value) {
    return TN_HIP_CALL(set_attribute(mem_pool, attr, value));
}

static hipError_t get_attribute(hipMemPool_t handle, hipMemPoolAttr attribute, void *value) {
    struct tn_hip_pool *pool = NULL;
    uint64_t wide = 0;
    hipError_t error = check_value(attribute, value);
    if (error == hipSuccess) {
        error = tn_hip_pool_get(handle, &pool);
    }
    if (error == hipSuccess) {
        error = tell(pool, attribute, &wide);
        tn_hip_pool_put(pool);
    }
    if (error == hipSuccess) {
        memcpy(value, &wide, size_of(attribute));
    }
    return error;
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value) {
    return TN_HIP_CALL(get_attribute(mem_pool, attr, value));
}

// ---- rights

#define GRANTS_MOST 64

static hipError_t grant_of(const struct tn_hip_pool *pool, const hipMemAccessDesc *desc,
                           tarn_grant *grant) {
    if (desc->location.type != hipMemLocationTypeDevice ||
        (desc->flags != hipMemAccessFlagsProtNone && desc->flags != hipMemAccessFlagsProtRead &&
         desc->flags != hipMemAccessFlagsProtReadWrite)) {
        return tn_hip_fail(hipErrorInvalidValue, "location type %d, flags %d",
                           (int)desc->location.type, (int)desc->flags);
    }
    if (desc->location.id == pool->device->hip && desc->flags != hipMemAccessFlagsProtReadWrite) {
        return tn_hip_fail(hipErrorInvalidValue, "device %d keeps all rights to its own pool",
                           desc->location.id);
    }
    grant->access = (tarn_access)desc->flags;
    return tn_hip_location(desc->location, &grant->location);
}

static hipError_t set_rights(struct tn_hip_pool *pool, const hipMemAccessDesc *descs,
                             size_t count) {
    tarn_grant grants[GRANTS_MOST];
    hipError_t error = hipSuccess;
    for (size_t i = 0; i < count && error == hipSuccess; i++) {
        error = grant_of(pool, &descs[i], &grants[i]);
    }
    return error == hipSuccess ? tn_hip_from(tarn_pool_set_access(pool->tarn, grants, count))
                               : error;
}

static hipError_t set_access(hipMemPool_t handle, const hipMemAccessDesc *descs, size_t count) {
    struct tn_hip_pool *pool = NULL;
    if (descs == NULL || count == 0 || count > GRANTS_MOST) {
        return tn_hip_fail(hipErrorInvalidValue, "%zu rights at %p", count, (const void *)descs);
    }
    TN_HIP_TRY(tn_hip_pool_get(handle, &pool));
    hipError_t error = set_rights(pool, descs, count);
    tn_hip_pool_put(pool);
    return error;
}

hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc *desc_list,
                               size_t count) {
    return TN_HIP_CALL(set_access(mem_pool, desc_list, count));
}

static hipError_t get_access(hipMemAccessFlags *flags, hipMemPool_t handle,
                             const hipMemLocation *given) {
    struct tn_hip_pool *pool = NULL;
    tarn_location location;
    tarn_access access = TARN_ACCESS_NONE;
    if (flags == NULL || given == NULL || given->type != hipMemLocationTypeDevice) {
        return tn_hip_fail(hipErrorInvalidValue, "flags %p, location %p: a device is asked for",
                           (void *)flags, (const void *)given);
    }
    hipError_t error = tn_hip_location(*given, &location);
    if (error == hipSuccess) {
        error = tn_hip_pool_get(handle, &pool);
    }
    if (error == hipSuccess) {
        error = tn_hip_from(tarn_pool_get_access(pool->tarn, location, &access));
        tn_hip_pool_put(pool);
    }
    if (error == hipSuccess) {
        *flags = (hipMemAccessFlags)access;
    }
    return error;
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t mem_pool,
                               hipMemLocation *location) {
    return TN_HIP_CALL(get_access(flags, mem_pool, location));
}

// ---- devices

static hipError_t check_device(int device) {
    return tn_hip_device(device) != NULL
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidDevice, "no device %d, there are %d", device,
                             tn_hip_face.count);
}

static hipError_t tell_pool(hipMemPool_t *handle, int device,
                            hipError_t (*which)(struct tn_hip_device *, struct tn_hip_pool **)) {
    struct tn_hip_pool *pool = NULL;
    if (handle == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "mem_pool is NULL");
    }
    TN_HIP_TRY(check_device(device));
    TN_HIP_TRY(which(tn_hip_device(device), &pool));
    *handle = handle_of(pool);
    tn_hip_pool_put(pool);
    return hipSuccess;
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *mem_pool, int device) {
    return TN_HIP_CALL(tell_pool(mem_pool, device, tn_hip_pool_own));
}

hipError_t hipDeviceGetMemPool(hipMemPool_t *mem_pool, int device) {
    return TN_HIP_CALL(tell_pool(mem_pool, device, tn_hip_pool_current));
}

static hipError_t select_pool(int device, hipMemPool_t handle) {
    struct tn_hip_pool *pool = NULL;
    hipError_t error = check_device(device);
    if (error == hipSuccess) {
        error = tn_hip_pool_get(handle, &pool);
    }
    if (error != hipSuccess) {
        return error;
    }
    if (pool->device == tn_hip_device(device)) {
        tn_hip_pool_select(pool);
    } else {
        error = tn_hip_fail(hipErrorInvalidValue, "%p is a pool of device %d, not of %d",
                            (void *)handle, pool->device->hip, device);
    }
    tn_hip_pool_put(pool);
    return error;
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t mem_pool) {
    return TN_HIP_CALL(select_pool(device, mem_pool));
}
