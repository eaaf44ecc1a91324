// SPDX-License-Identifier: Apache-2.0
// Pools of programs: those of the runtime. The policy makes their blocks like those of
// aclrtMalloc(), and keeps a pool that has live blocks. The file has no state.
#include "compat/runtime/memory/pool.h"

#include <string.h>

#include <acl/detail/pool.h>

#include "compat/acl/order.h"
#include "compat/acl/vmm.h"
#include "compat/face/scope.h"

_Static_assert((int)ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES == TN_RT_POOL_FOLLOW_EVENTS &&
                   (int)ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH == TN_RT_POOL_USED_HIGH,
               "attributes have the runtime's numbers");

static aclError enter_pool(const void *memPool) {
    TN_ACL_POINTER(memPool);
    return tn_acl_vmm_enter(2);
}

// The acl layer checks the kinds, before the mode and the generation.
TN_ACL_FUNCTION(aclrtMemPoolCreate, aclrtMemPool *, memPool, const aclrtMemPoolProps *, poolProps) {
    static const unsigned char blank[sizeof poolProps->reserved];
    TN_ACL_POINTERS(memPool, poolProps);
    aclrtMemLocation location = poolProps->location;
    TN_ACL_ARGUMENT(poolProps->allocType != ACL_MEM_ALLOCATION_TYPE_PINNED ||
                        (location.type != ACL_MEM_LOCATION_TYPE_DEVICE &&
                         location.type != ACL_MEM_LOCATION_TYPE_HOST),
                    "poolProps->allocType %d, location.type %d", (int)poolProps->allocType,
                    (int)location.type);
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_ARGUMENT(location.type == ACL_MEM_LOCATION_TYPE_HOST,
                    "poolProps->location is the host, only devices have pools");
    TN_ACL_DEVICE(device, tn_acl_find_device(location.id, &device));
    TN_ACL_UNSUPPORTED(poolProps->handleType != ACL_MEM_HANDLE_TYPE_NONE,
                       "poolProps->handleType %d: pools are not shared",
                       (int)poolProps->handleType);
    TN_ACL_ARGUMENT(memcmp(poolProps->reserved, blank, sizeof blank) != 0,
                    "poolProps->reserved is not all 0");
    TN_ACL_GET(tn_rt_pool, pool,
               tn_acl_rt(tn_rt_pool_new(device, poolProps->maxSize, NULL, false, &pool)));
    *memPool = (aclrtMemPool)pool->object.handle;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtMemPoolDestroy, aclrtMemPool, memPool) {
    TN_ACL_TRY(enter_pool(memPool));
    return tn_acl_rt(tn_rt_pool_close(memPool));
}

TN_ACL_FUNCTION(aclrtMemPoolSetAttr, aclrtMemPool, memPool, aclrtMemPoolAttr, attr, void *, value) {
    TN_ACL_TRY(enter_pool(memPool));
    TN_ACL_INVALID(value == NULL, "value is NULL");
    return tn_acl_rt(tn_rt_pool_set_attribute(memPool, (int)attr, value));
}

TN_ACL_FUNCTION(aclrtMemPoolGetAttr, aclrtMemPool, memPool, aclrtMemPoolAttr, attr, void *, value) {
    TN_ACL_TRY(enter_pool(memPool));
    TN_ACL_INVALID(value == NULL, "value is NULL");
    return tn_acl_rt(tn_rt_pool_get_attribute(memPool, (int)attr, value));
}

TN_ACL_FUNCTION(aclrtMemPoolTrimTo, aclrtMemPool, memPool, size_t, minBytesToKeep) {
    TN_ACL_TRY(enter_pool(memPool));
    return tn_acl_rt(tn_rt_pool_trim(memPool, minBytesToKeep));
}

// ---- blocks

TN_ACL_FUNCTION(aclrtMemPoolMallocAsync, void **, devPtr, size_t, size, aclrtMemPool, memPool,
                aclrtStream, stream) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_addr addr = 0;
    TN_ACL_POINTERS(devPtr, memPool);
    TN_ACL_POINTER(stream); // the default stream has no blocks of pools
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_ORDER(order, stream);
    TN_ACL_GET(tn_rt_pool, pool, tn_acl_rt(tn_rt_pool_get(memPool, &pool)));
    TN_ACL_INVALID(pool->device != order.device,
                   "the pool is of device %d, the stream of device %d", pool->device->ordinal,
                   order.device->ordinal);
    if (size == 0) return ACL_SUCCESS; // without a block
    request.bytes = size;
    request.stream = order.stream;
    TN_ACL_TRY(tn_acl_rt(tn_rt_pool_alloc(pool, &request, &addr)));
    *devPtr = (void *)(uintptr_t)addr;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtMemPoolFreeAsync, void *, devPtr, aclrtStream, stream) {
    tarn_addr start = TARN_ADDR(devPtr);
    tarn_address_info info = TARN_INIT(tarn_address_info);
    TN_ACL_POINTER(devPtr);
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_ORDER(order, stream);
    (void)tarn_address_query(start, &info);
    TN_ACL_INVALID(info.pool == NULL || info.block != start, "no block of a pool starts at 0x%llx",
                   (unsigned long long)start);
    return tn_acl_rt(tn_rt_pool_free(info.pool_user, start, info.block_bytes, order.stream));
}
