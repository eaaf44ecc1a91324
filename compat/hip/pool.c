// SPDX-License-Identifier: Apache-2.0
// HIP's functions about pools: creation, attributes, rights, blocks, and the pool that a device
// uses. See compat/runtime/pool.h.
#include <string.h>

#include <hip/detail/pool.h>

#include "compat/hip/face.h"
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
    TN_RT_REFUSE(props->allocType != hipMemAllocationTypePinned ||
                     memcmp(props->reserved, zeros, sizeof zeros) != 0,
                 TN_RT_INVALID_VALUE, "allocType %d, or reserved bytes are set",
                 (int)props->allocType);
    TN_RT_REFUSE(is_host_type(props->location.type), TN_RT_NOT_SUPPORTED,
                 "location type %d: pools of host memory are not supported",
                 (int)props->location.type);
    TN_RT_REFUSE(props->location.type != hipMemLocationTypeDevice ||
                     tn_rt_device(props->location.id) == NULL,
                 TN_RT_INVALID_VALUE, "location type %d, id %d", (int)props->location.type,
                 props->location.id);
    TN_RT_REFUSE(props->handleTypes != hipMemHandleTypeNone &&
                     props->handleTypes != hipMemHandleTypePosixFileDescriptor,
                 TN_RT_NOT_SUPPORTED, "handle types 0x%x: pools are shared by 0x1 only",
                 (unsigned)props->handleTypes);
    return TN_RT_OK;
}

static tn_rt_error open_with_props(const hipMemPoolProps *props, struct tn_rt_pool **pool) {
    struct tn_rt_pool_table *table = NULL;
    if (props->handleTypes != hipMemHandleTypeNone) TN_RT_TRY(tn_rt_pool_table_new(&table));
    tn_rt_error error =
        tn_rt_pool_new(tn_rt_device(props->location.id), props->maxSize, table, false, pool);
    if (error != TN_RT_OK) tn_rt_pool_table_end(table);
    return error;
}

static tn_rt_error create_pool(hipMemPool_t *handle, const hipMemPoolProps *props) {
    struct tn_rt_pool *pool = NULL;
    TN_RT_REFUSE(handle == NULL || props == NULL, TN_RT_INVALID_VALUE, "%s is NULL",
                 handle == NULL ? "mem_pool" : "pool_props");
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

_Static_assert(sizeof(hipMemAccessDesc) == sizeof(struct tn_rt_access) &&
                   (int)hipMemAccessFlagsProtReadWrite == (int)TARN_ACCESS_READ_WRITE,
               "rights have the same layout and numbers");

hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc *desc_list,
                               size_t count) {
    return TN_HIP_CALL(tn_rt_pool_set_access(mem_pool, desc_list, count));
}

static tn_rt_error get_access(hipMemAccessFlags *flags, hipMemPool_t pool,
                              const hipMemLocation *location) {
    tarn_access access = TARN_ACCESS_NONE;
    TN_RT_REFUSE(flags == NULL || location == NULL || location->type != hipMemLocationTypeDevice,
                 TN_RT_INVALID_VALUE, "flags %p, location %p: the location must be a device",
                 (void *)flags, (const void *)location);
    TN_RT_TRY(tn_rt_pool_get_access(pool, location->id, &access));
    *flags = (hipMemAccessFlags)access;
    return TN_RT_OK;
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
    if (error == TN_RT_OK) error = tn_rt_pool_get(handle, &pool);
    if (error != TN_RT_OK) return error;
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
