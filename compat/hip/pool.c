// SPDX-License-Identifier: Apache-2.0
// HIP's functions about pools: creation, attributes, rights, blocks, and the pool that a device uses.
// See compat/runtime/pool.h.
#include <string.h>

#include <hip/detail/pool.h>

#include "compat/hip/face.h"
#include "compat/hip/vmm.h"
#include "compat/runtime/memory.h"
#include "compat/runtime/pool.h"
#include "compat/runtime/pool_table.h"

static hipMemPool_t handle_of(const struct tn_rt_pool *pool) {
    return (hipMemPool_t)pool->object.handle;
}

// ---- lifetime

static bool is_host_type(hipMemLocationType type) {
    return type == hipMemLocationTypeHost || type == hipMemLocationTypeHostNuma ||
           type == hipMemLocationTypeHostNumaCurrent;
}

static tn_rt_error check_props(const hipMemPoolProps *props) {
    static const unsigned char zeros[sizeof props->reserved] = {0};
    if (props->allocType != hipMemAllocationTypePinned ||
        memcmp(props->reserved, zeros, sizeof zeros) != 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "allocType %d, or reserved bytes are set",
                          (int)props->allocType);
    }
    if (is_host_type(props->location.type)) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED,
                          "location type %d: pools of host memory are not supported",
                          (int)props->location.type);
    }
    if (props->location.type != hipMemLocationTypeDevice ||
        tn_rt_device(props->location.id) == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "location type %d, id %d", (int)props->location.type,
                          props->location.id);
    }
    if (props->handleTypes != hipMemHandleTypeNone &&
        props->handleTypes != hipMemHandleTypePosixFileDescriptor) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED, "handle types 0x%x: pools are shared by 0x1 only",
                          (unsigned)props->handleTypes);
    }
    return TN_RT_OK;
}

static tn_rt_error open_with_props(const hipMemPoolProps *props, struct tn_rt_pool **pool) {
    struct tn_rt_pool_table *table = NULL;
    if (props->handleTypes != hipMemHandleTypeNone) {
        TN_RT_TRY(tn_rt_pool_table_new(&table));
    }
    tn_rt_error error =
        tn_rt_pool_new(tn_rt_device(props->location.id), props->maxSize, table, false, pool);
    if (error != TN_RT_OK) {
        tn_rt_pool_table_end(table);
    }
    return error;
}

static tn_rt_error create_pool(hipMemPool_t *handle, const hipMemPoolProps *props) {
    struct tn_rt_pool *pool = NULL;
    if (handle == NULL || props == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%s is NULL",
                          handle == NULL ? "mem_pool" : "pool_props");
    }
    TN_RT_TRY(check_props(props));
    TN_RT_TRY(open_with_props(props, &pool));
    *handle = handle_of(pool);
    return TN_RT_OK;
}

hipError_t hipMemPoolCreate(hipMemPool_t *mem_pool, const hipMemPoolProps *pool_props) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(create_pool(mem_pool, pool_props));
}

hipError_t hipMemPoolDestroy(hipMemPool_t mem_pool) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(tn_rt_pool_close(mem_pool));
}

hipError_t hipMemPoolTrimTo(hipMemPool_t mem_pool, size_t min_bytes_to_hold) {
    return TN_HIP_CALL(tn_rt_pool_trim(mem_pool, min_bytes_to_hold));
}

// ---- attributes

_Static_assert((int)hipMemPoolReuseFollowEventDependencies == TN_RT_POOL_FOLLOW_EVENTS &&
                   (int)hipMemPoolAttrUsedMemHigh == TN_RT_POOL_USED_HIGH,
               "attributes have the same numbers");

hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value) {
    return TN_HIP_CALL(tn_rt_pool_set_attribute(mem_pool, (int)attr, value));
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value) {
    return TN_HIP_CALL(tn_rt_pool_get_attribute(mem_pool, (int)attr, value));
}

// ---- rights

// Rights that are less than all.
static tn_rt_error check_less(const struct tn_rt_pool *pool, const hipMemAccessDesc *desc) {
    bool own = desc->location.id == pool->device->ordinal;
    if (desc->flags == hipMemAccessFlagsProtNone &&
        (own || tn_rt_policy.pool_keeps_rights_of_peers)) {
        return tn_rt_fail(TN_RT_INVALID_DEVICE, "device %d cannot lose its rights",
                          desc->location.id);
    }
    if (desc->flags == hipMemAccessFlagsProtRead && own && tn_rt_policy.pool_checks_own_rights) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED, "device %d keeps all rights to its pool",
                          desc->location.id);
    }
    return TN_RT_OK;
}

static tn_rt_error grant_of(const struct tn_rt_pool *pool, const hipMemAccessDesc *desc,
                            tarn_grant *grant) {
    if (desc->location.type != hipMemLocationTypeDevice ||
        (desc->flags != hipMemAccessFlagsProtNone && desc->flags != hipMemAccessFlagsProtRead &&
         desc->flags != hipMemAccessFlagsProtReadWrite)) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "location type %d, flags %d",
                          (int)desc->location.type, (int)desc->flags);
    }
    TN_RT_TRY(tn_hip_location(desc->location, &grant->location));
    TN_RT_TRY(check_less(pool, desc));
    // Where less is accepted for the own device, it keeps all rights.
    bool own = desc->location.id == pool->device->ordinal;
    grant->access = own ? TARN_ACCESS_READ_WRITE : (tarn_access)desc->flags;
    return TN_RT_OK;
}

// Segments, which processes share, are plain memory: its device has all rights, and peers have those
// of hipDeviceEnablePeerAccess().
static tn_rt_error grant_shared(const struct tn_rt_pool *pool, const tarn_grant *grants,
                                size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (grants[i].location.id != pool->device->number) {
            return tn_rt_fail(TN_RT_NOT_SUPPORTED,
                              "a pool with handle types has no rights of its own for other "
                              "devices: see hipDeviceEnablePeerAccess()");
        }
    }
    return TN_RT_OK;
}

static tn_rt_error set_rights(struct tn_rt_pool *pool, const hipMemAccessDesc *descs,
                              size_t count) {
    tarn_grant grants[TN_RT_DEVICES];
    tn_rt_error error = TN_RT_OK;
    for (size_t i = 0; i < count && error == TN_RT_OK; i++) {
        error = grant_of(pool, &descs[i], &grants[i]);
    }
    if (error == TN_RT_OK) {
        error = pool->table != NULL ? grant_shared(pool, grants, count)
                                    : tn_rt_from(tarn_pool_set_access(pool->tarn, grants, count));
    }
    return error;
}

static tn_rt_error set_access(hipMemPool_t handle, const hipMemAccessDesc *descs, size_t count) {
    struct tn_rt_pool *pool = NULL;
    if (descs == NULL || (count == 0 && tn_rt_policy.pool_checks_count)) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%zu rights at %p", count, (const void *)descs);
    }
    if (count > (size_t)tn_rt_devices.count) {
        return tn_rt_fail(TN_RT_INVALID_DEVICE, "%zu rights for %d devices", count,
                          tn_rt_devices.count);
    }
    TN_RT_TRY(tn_rt_pool_get(handle, &pool));
    tn_rt_error error = count > 0 ? set_rights(pool, descs, count) : TN_RT_OK;
    tn_rt_pool_put(pool);
    return error;
}

hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc *desc_list,
                               size_t count) {
    return TN_HIP_CALL(set_access(mem_pool, desc_list, count));
}

static tn_rt_error read_rights(const struct tn_rt_pool *pool, tarn_location location,
                               tarn_access *access) {
    if (pool->table == NULL) {
        return tn_rt_from(tarn_pool_get_access(pool->tarn, location, access));
    }
    *access = location.id == pool->device->number ? TARN_ACCESS_READ_WRITE : TARN_ACCESS_NONE;
    return TN_RT_OK;
}

static tn_rt_error get_access(hipMemAccessFlags *flags, hipMemPool_t handle,
                              const hipMemLocation *given) {
    struct tn_rt_pool *pool = NULL;
    tarn_location location;
    tarn_access access = TARN_ACCESS_NONE;
    if (flags == NULL || given == NULL || given->type != hipMemLocationTypeDevice) {
        return tn_rt_fail(TN_RT_INVALID_VALUE,
                          "flags %p, location %p: the location must be a device", (void *)flags,
                          (const void *)given);
    }
    tn_rt_error error =
        tn_hip_location(*given, &location) == TN_RT_OK ? TN_RT_OK : TN_RT_INVALID_VALUE;
    if (error == TN_RT_OK) {
        error = tn_rt_pool_get(handle, &pool);
    }
    if (error == TN_RT_OK) {
        error = read_rights(pool, location, &access);
        tn_rt_pool_put(pool);
    }
    if (error == TN_RT_OK) {
        *flags = (hipMemAccessFlags)access;
    }
    return error;
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t mem_pool,
                               hipMemLocation *location) {
    return TN_HIP_CALL(get_access(flags, mem_pool, location));
}

// ---- devices

static tn_rt_error get_pool_of(hipMemPool_t *handle, int device,
                               tn_rt_error (*which)(struct tn_face_device *,
                                                    struct tn_rt_pool **)) {
    struct tn_rt_pool *pool = NULL;
    TN_RT_TRY(tn_rt_check_pointer(handle, "mem_pool"));
    TN_RT_TRY(which(tn_rt_device(device), &pool));
    *handle = handle_of(pool);
    tn_rt_pool_put(pool);
    return TN_RT_OK;
}

static tn_rt_error get_default_pool(hipMemPool_t *handle, int device) {
    TN_RT_TRY(tn_rt_check_pointer(handle, "mem_pool"));
    TN_RT_TRY(tn_rt_check_device(device));
    return get_pool_of(handle, device, tn_rt_pool_default);
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *mem_pool, int device) {
    return TN_HIP_CALL(get_default_pool(mem_pool, device));
}

// For a device's current pool, a bad device is a bad value.
static tn_rt_error check_pool_device(int device) {
    return tn_rt_check_device(device) == TN_RT_OK ? TN_RT_OK : TN_RT_INVALID_VALUE;
}

static tn_rt_error get_current_pool(hipMemPool_t *handle, int device) {
    TN_RT_TRY(check_pool_device(device));
    return get_pool_of(handle, device, tn_rt_pool_current);
}

hipError_t hipDeviceGetMemPool(hipMemPool_t *mem_pool, int device) {
    return TN_HIP_CALL(get_current_pool(mem_pool, device));
}

static tn_rt_error select_pool(int device, hipMemPool_t handle) {
    struct tn_rt_pool *pool = NULL;
    tn_rt_error error = check_pool_device(device);
    if (error == TN_RT_OK) {
        error = tn_rt_pool_get(handle, &pool);
    }
    if (error != TN_RT_OK) {
        return error;
    }
    if (pool->device == tn_rt_device(device)) {
        tn_rt_pool_select(pool);
    } else {
        error = tn_rt_fail(TN_RT_INVALID_DEVICE, "%p is a pool of device %d, not of %d",
                           (void *)handle, pool->device->ordinal, device);
    }
    tn_rt_pool_put(pool);
    return error;
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t mem_pool) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(select_pool(device, mem_pool));
}

// ---- blocks

hipError_t hipMallocAsync(void **dev_ptr, size_t size, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_alloc_async(dev_ptr, size, stream));
}

hipError_t hipMallocFromPoolAsync(void **dev_ptr, size_t size, hipMemPool_t mem_pool,
                                  hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_alloc_from_pool(dev_ptr, size, mem_pool, stream));
}
