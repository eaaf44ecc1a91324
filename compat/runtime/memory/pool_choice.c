// SPDX-License-Identifier: Apache-2.0
// See pool.h: pools that a program describes, and the pool that it chooses for a device. The file
// has no state.
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/memory/pool_table.h"
#include "compat/runtime/memory/vmm.h"

static tn_rt_error check_props(const struct tn_rt_pool_props *props) {
    static const unsigned char zeros[sizeof props->reserved] = {0};
    const struct tn_rt_location *location = &props->location;
    TN_RT_REFUSE(props->type != TN_RT_PHYS_PINNED ||
                     memcmp(props->reserved, zeros, sizeof zeros) != 0,
                 TN_RT_INVALID_VALUE, "allocType %d, or reserved bytes are set", props->type);
    TN_RT_REFUSE(location->type > (int)TARN_LOCATION_DEVICE &&
                     location->type <= (int)TARN_LOCATION_HOST_NUMA_CURRENT,
                 TN_RT_NOT_SUPPORTED, "location type %d: pools of host memory are not supported",
                 location->type);
    TN_RT_REFUSE(location->type != (int)TARN_LOCATION_DEVICE || tn_rt_device(location->id) == NULL,
                 TN_RT_INVALID_VALUE, "location type %d, id %d", location->type, location->id);
    return (props->handle_types & ~(unsigned)TN_RT_PHYS_FD) == 0
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_NOT_SUPPORTED, "handle types 0x%x: pools are shared by 0x1 only",
                            props->handle_types);
}

tn_rt_error tn_rt_pool_make(void *handle, const void *props) {
    struct tn_rt_pool_props own;
    struct tn_rt_pool_table *table = NULL;
    struct tn_rt_pool TN_FACE_HELD *pool = NULL;
    TN_RT_TRY(tn_rt_check_pointer(handle, "mem_pool"));
    TN_RT_TRY(tn_rt_check_pointer(props, "pool_props"));
    memcpy(&own, props, sizeof own);
    TN_RT_TRY(check_props(&own));
    if (own.handle_types != TN_RT_PHYS_NO_HANDLE) TN_RT_TRY(tn_rt_pool_table_new(&table));
    tn_rt_error error =
        tn_rt_pool_new(tn_rt_device(own.location.id), own.limit, table, false, &pool);
    if (error == TN_RT_OK)
        tn_rt_give(handle, pool->object.handle);
    else
        tn_rt_pool_table_end(table);
    return error;
}

// ---- the pools of a device

tn_rt_error tn_rt_pool_default_of(void *handle, int ordinal) {
    TN_RT_TRY(tn_rt_check_pointer(handle, "mem_pool"));
    TN_RT_TRY(tn_rt_check_device(ordinal));
    TN_RT_GET(tn_rt_pool, pool, tn_rt_pool_default(tn_rt_device(ordinal), &pool));
    tn_rt_give(handle, pool->object.handle);
    return TN_RT_OK;
}

// For a device's current pool, a bad device is a bad value.
tn_rt_error tn_rt_pool_current_of(void *handle, int ordinal) {
    if (tn_rt_check_device(ordinal) != TN_RT_OK) return TN_RT_INVALID_VALUE;
    TN_RT_TRY(tn_rt_check_pointer(handle, "mem_pool"));
    TN_RT_GET(tn_rt_pool, pool, tn_rt_pool_current(tn_rt_device(ordinal), &pool));
    tn_rt_give(handle, pool->object.handle);
    return TN_RT_OK;
}

tn_rt_error tn_rt_pool_choose(int ordinal, void *handle) {
    if (tn_rt_check_device(ordinal) != TN_RT_OK) return TN_RT_INVALID_VALUE;
    TN_RT_GET(tn_rt_pool, pool, tn_rt_pool_get_own(handle, &pool));
    TN_RT_REFUSE(pool->device != tn_rt_device(ordinal), tn_rt_memory_policy.pool_device_error,
                 "%p is a pool of device %d, not of %d", handle, pool->device->ordinal, ordinal);
    tn_rt_pool_select(pool);
    return TN_RT_OK;
}

// ---- the pools of a location, which is a device: the host has no pools here

static tn_rt_error check_place(const void *location, int type, int *device) {
    struct tn_rt_location own;
    TN_RT_TRY(tn_rt_check_pointer(location, "location"));
    memcpy(&own, location, sizeof own);
    TN_RT_REFUSE(type != TN_RT_PHYS_PINNED && type != TN_RT_PHYS_MANAGED, TN_RT_INVALID_VALUE,
                 "%d is not a type of memory", type);
    TN_RT_REFUSE(type == TN_RT_PHYS_MANAGED, TN_RT_NOT_SUPPORTED, "managed memory has no pool");
    TN_RT_REFUSE(own.type != (int)TARN_LOCATION_DEVICE,
                 tn_rt_memory_policy.pool_knows_host ? TN_RT_NOT_SUPPORTED : TN_RT_INVALID_VALUE,
                 "memory at a location of type %d has no pool", own.type);
    *device = own.id;
    return TN_RT_OK;
}

tn_rt_error tn_rt_pool_default_at(void *handle, const void *location, int type) {
    int device = -1;
    TN_RT_TRY(check_place(location, type, &device));
    return tn_rt_pool_default_of(handle, device);
}

tn_rt_error tn_rt_pool_current_at(void *handle, const void *location, int type) {
    int device = -1;
    TN_RT_TRY(check_place(location, type, &device));
    return tn_rt_pool_current_of(handle, device);
}

tn_rt_error tn_rt_pool_choose_at(const void *location, int type, void *handle) {
    int device = -1;
    TN_RT_TRY(check_place(location, type, &device));
    return tn_rt_pool_choose(device, handle);
}
