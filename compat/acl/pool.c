// SPDX-License-Identifier: Apache-2.0
// See pool.h. The lock `ending` makes the end of a pool atomic. Threads that allocate hold it to
// read. The thread that destroys a pool holds it to write while it counts the blocks and closes the
// handle.
#include "compat/acl/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <acl/detail/pool.h>

#include "compat/acl/fork.h"
#include "compat/acl/order.h"
#include "compat/acl/vmm.h"
#include "compat/face/scope.h"

#define OURS UINT64_C(0x61636c6d) // the user word of this face's pools: "aclm"

// The attributes below the threshold are flags of reuse.
#define REUSES ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD

struct pool {
    struct tn_face_object object; // first
    struct tn_face_device *device;
    tarn_pool *tarn;
    _Atomic(bool) reuse[REUSES]; // by attribute; programs set them and read them back
};

static pthread_rwlock_t ending = PTHREAD_RWLOCK_INITIALIZER;

// A thread that the child does not have may hold the lock.
static void forget_lock(void) { ending = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER; }
TN_FACE_ON_FORK(TN_ACL_LOCK_POOL, NULL, forget_lock);

static aclError get_pool(aclrtMemPool handle, struct pool **pool) {
    *pool = (struct pool *)tn_face_handle_get((uintptr_t)handle, TN_ACL_POOL);
    return *pool != NULL ? ACL_SUCCESS
                         : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is not a pool", handle);
}

static aclError enter_pool(aclrtMemPool handle, struct pool **pool) {
    TN_ACL_TRY(tn_acl_check_pointer(handle, "memPool"));
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    return get_pool(handle, pool);
}

// ---- aclrtMemPoolCreate and aclrtMemPoolDestroy

static void pool_destroy(struct tn_face_object *object) {
    struct pool *pool = (struct pool *)object;
    (void)tarn_pool_destroy(pool->tarn);
    free(pool);
}

// The rule makes blocks like those of aclrtMalloc(). A new pool keeps nothing at a synchronisation.
static aclError create_pool(struct tn_face_device *device, uint64_t limit, aclrtMemPool *handle) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    bool pages = (device->info.features & TARN_FEATURE_VMM) != 0;
    desc.kind = pages ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.rule = (tarn_rule){512, 32, tn_acl_face.padding};
    desc.device = device->tarn;
    desc.limit = limit;
    desc.user = OURS;
    struct pool *pool = (struct pool *)calloc(1, sizeof *pool);
    TN_ACL_REFUSE(pool == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for a pool");
    pool->device = device;
    for (int i = 0; i < REUSES; i++)
        atomic_init(&pool->reuse[i], true);
    aclError error = tn_acl_status(tarn_pool_create(&desc, &pool->tarn));
    if (error != ACL_SUCCESS) goto err_free;
    (void)tarn_pool_set_release_threshold(pool->tarn, 0);
    if (!tn_face_handle_new(&pool->object, TN_ACL_POOL, pool_destroy)) {
        error = tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of handles for a pool");
        goto err_close;
    }
    *handle = (aclrtMemPool)pool->object.handle;
    return ACL_SUCCESS;

err_close:
    (void)tarn_pool_destroy(pool->tarn);
err_free:
    free(pool);
    return error;
}

// The acl layer checks the kinds, before the mode and the generation.
TN_ACL_FUNCTION(aclrtMemPoolCreate, aclrtMemPool *, memPool, const aclrtMemPoolProps *, poolProps) {
    static const unsigned char blank[sizeof poolProps->reserved];
    struct tn_face_device *device = NULL;
    TN_ACL_POINTER(memPool);
    TN_ACL_POINTER(poolProps);
    aclrtMemLocation location = poolProps->location;
    TN_ACL_REFUSE(poolProps->allocType != ACL_MEM_ALLOCATION_TYPE_PINNED ||
                      (location.type != ACL_MEM_LOCATION_TYPE_DEVICE &&
                       location.type != ACL_MEM_LOCATION_TYPE_HOST),
                  ACL_ERROR_INVALID_PARAM, "poolProps->allocType %d, location.type %d",
                  (int)poolProps->allocType, (int)location.type);
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_REFUSE(location.type == ACL_MEM_LOCATION_TYPE_HOST, ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "poolProps->location is the host, only devices have pools");
    TN_ACL_TRY(tn_acl_find_device(location.id, &device));
    TN_ACL_REFUSE(poolProps->handleType != ACL_MEM_HANDLE_TYPE_NONE,
                  ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "poolProps->handleType %d: pools are not shared", (int)poolProps->handleType);
    TN_ACL_REFUSE(memcmp(poolProps->reserved, blank, sizeof blank) != 0, ACL_ERROR_RT_PARAM_INVALID,
                  "poolProps->reserved is not all 0");
    return create_pool(device, poolProps->maxSize, memPool);
}

static aclError query_stats(struct pool *pool, tarn_pool_stats *stats) {
    *stats = (tarn_pool_stats){.struct_size = sizeof *stats};
    return tn_acl_status(tarn_pool_query_stats(pool->tarn, stats));
}

// Called under the lock. Without the handle no thread can allocate from the pool.
static aclError close_if_empty(struct pool *pool) {
    tarn_pool_stats stats;
    TN_ACL_TRY(query_stats(pool, &stats));
    TN_ACL_REFUSE(stats.live_blocks != 0, ACL_ERROR_RT_PARAM_INVALID,
                  "the pool has %llu live blocks", (unsigned long long)stats.live_blocks);
    struct tn_face_object *named = tn_face_handle_close(pool->object.handle, TN_ACL_POOL);
    TN_ACL_REFUSE(named == NULL, ACL_ERROR_RT_PARAM_INVALID, "the pool is destroyed already");
    tn_face_object_put(named); // the caller has another reference
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtMemPoolDestroy, aclrtMemPool, memPool) {
    TN_FACE_HELD struct pool *pool = NULL;
    TN_ACL_TRY(enter_pool(memPool, &pool));
    (void)pthread_rwlock_wrlock(&ending);
    aclError error = close_if_empty(pool);
    (void)pthread_rwlock_unlock(&ending);
    return error;
}

// ---- attributes

// An attribute is a statistic of Tarn's pool, whose peak can be reset, or a setting.
static const struct {
    size_t bytes;     // of a value; 0 if there is no such attribute
    size_t statistic; // offset in tarn_pool_stats; 0 for a setting
    uint32_t peak;    // TARN_PEAK_ bit that the value 0 resets; 0 if it is no peak
} attributes[] = {
    [ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES] = {sizeof(int), 0, 0},
    [ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC] = {sizeof(int), 0, 0},
    [ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES] = {sizeof(int), 0, 0},
    [ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD] = {sizeof(uint64_t), 0, 0},
    [ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT] = {sizeof(uint64_t),
                                                   offsetof(tarn_pool_stats, held_bytes), 0},
    [ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH] = {sizeof(uint64_t),
                                                offsetof(tarn_pool_stats, peak_held_bytes),
                                                TARN_PEAK_HELD},
    [ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT] = {sizeof(uint64_t),
                                               offsetof(tarn_pool_stats, used_bytes), 0},
    [ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH] = {sizeof(uint64_t),
                                            offsetof(tarn_pool_stats, peak_used_bytes),
                                            TARN_PEAK_USED},
};

static aclError check_attribute(aclrtMemPoolAttr attribute) {
    return (size_t)attribute < sizeof attributes / sizeof attributes[0] &&
                   attributes[attribute].bytes != 0
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "attr %d is unknown", (int)attribute);
}

TN_ACL_FUNCTION(aclrtMemPoolSetAttr, aclrtMemPool, memPool, aclrtMemPoolAttr, attr, void *, value) {
    TN_FACE_HELD struct pool *pool = NULL;
    uint64_t wide = 0; // an int fills its low half
    TN_ACL_POINTER(value);
    TN_ACL_TRY(enter_pool(memPool, &pool));
    TN_ACL_TRY(check_attribute(attr));
    memcpy(&wide, value, attributes[attr].bytes);
    if (attr < REUSES) {
        TN_ACL_REFUSE(attr == ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC && wide == 0,
                      ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      "memory whose work has passed is always reused");
        atomic_store_explicit(&pool->reuse[attr], wide != 0, memory_order_relaxed);
        return ACL_SUCCESS;
    }
    if (attr == ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD)
        return tn_acl_status(tarn_pool_set_release_threshold(pool->tarn, wide));
    TN_ACL_REFUSE(attributes[attr].peak == 0, ACL_ERROR_RT_PARAM_INVALID, "attr %d cannot be set",
                  (int)attr);
    TN_ACL_REFUSE(wide != 0, ACL_ERROR_RT_PARAM_INVALID,
                  "a high mark can be set to 0 only, not to %llu", (unsigned long long)wide);
    return tn_acl_status(tarn_pool_reset_peaks(pool->tarn, attributes[attr].peak));
}

TN_ACL_FUNCTION(aclrtMemPoolGetAttr, aclrtMemPool, memPool, aclrtMemPoolAttr, attr, void *, value) {
    TN_FACE_HELD struct pool *pool = NULL;
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_pool_stats stats;
    uint64_t wide = 0;
    TN_ACL_POINTER(value);
    TN_ACL_TRY(enter_pool(memPool, &pool));
    TN_ACL_TRY(check_attribute(attr));
    if (attr < REUSES) {
        wide = atomic_load_explicit(&pool->reuse[attr], memory_order_relaxed);
    } else if (attr == ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD) {
        TN_ACL_TRY(tn_acl_status(tarn_pool_query(pool->tarn, &info)));
        wide = info.release_threshold;
    } else {
        TN_ACL_TRY(query_stats(pool, &stats));
        memcpy(&wide, (const char *)&stats + attributes[attr].statistic, sizeof wide);
    }
    memcpy(value, &wide, attributes[attr].bytes);
    return ACL_SUCCESS;
}

// ---- releasing memory to the device

TN_ACL_FUNCTION(aclrtMemPoolTrimTo, aclrtMemPool, memPool, size_t, minBytesToKeep) {
    TN_FACE_HELD struct pool *pool = NULL;
    TN_ACL_TRY(enter_pool(memPool, &pool));
    return tn_acl_status(tarn_pool_trim(pool->tarn, minBytesToKeep, TARN_NO_WAIT, NULL));
}

static bool is_on_device(const struct tn_face_object *object, const void *device) {
    return ((const struct pool *)object)->device == device;
}

bool tn_acl_pool_reclaim(const struct tn_face_device *device) {
    uint32_t cursor = 0;
    uint64_t all = 0;
    struct pool *pool = NULL;
    while ((pool = (struct pool *)tn_face_handle_next(TN_ACL_POOL, is_on_device, device,
                                                      &cursor)) != NULL) {
        uint64_t released = 0;
        (void)tarn_pool_trim(pool->tarn, 0, TARN_NO_WAIT, &released);
        all += released;
        tn_face_object_put(&pool->object);
    }
    return all != 0;
}

// ---- blocks

static aclError alloc_block(struct pool *pool, size_t size, const struct tn_acl_order *order,
                            void **devPtr) {
    tarn_addr addr = 0;
    TN_ACL_REFUSE(pool->device != order->device, ACL_ERROR_RT_PARAM_INVALID,
                  "the pool is of device %d, the stream of device %d", pool->device->ordinal,
                  order->device->ordinal);
    tarn_status status = tarn_pool_alloc(pool->tarn, size, order->stream, &addr);
    if (status == TARN_NO_DEVICE_MEMORY && tn_acl_pool_reclaim(pool->device))
        status = tarn_pool_alloc(pool->tarn, size, order->stream, &addr);
    TN_ACL_TRY(tn_acl_status(status));
    *devPtr = (void *)(uintptr_t)addr;
    return ACL_SUCCESS;
}

// The pool is found under the lock, so that its handle stays open until the block exists.
TN_ACL_FUNCTION(aclrtMemPoolMallocAsync, void **, devPtr, size_t, size, aclrtMemPool, memPool,
                aclrtStream, stream) {
    TN_FACE_HELD struct pool *pool = NULL;
    TN_ACL_POINTER(devPtr);
    TN_ACL_POINTER(memPool);
    TN_ACL_REFUSE(size == 0, ACL_ERROR_INVALID_PARAM, "size is 0");
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_ORDER(order, stream);
    (void)pthread_rwlock_rdlock(&ending);
    aclError error = get_pool(memPool, &pool);
    if (error == ACL_SUCCESS) error = alloc_block(pool, size, &order, devPtr);
    (void)pthread_rwlock_unlock(&ending);
    return error;
}

// A pool with a live block exists, so no reference to it is needed.
TN_ACL_FUNCTION(aclrtMemPoolFreeAsync, void *, devPtr, aclrtStream, stream) {
    tarn_addr start = TARN_ADDR(devPtr);
    tarn_address_info info = TARN_INIT(tarn_address_info);
    TN_ACL_POINTER(devPtr);
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_ORDER(order, stream);
    (void)tarn_address_query(start, &info);
    TN_ACL_REFUSE(info.pool == NULL || info.pool_user != OURS || info.block != start,
                  ACL_ERROR_RT_PARAM_INVALID, "no block of a pool starts at 0x%llx",
                  (unsigned long long)start);
    return tn_acl_status(tarn_pool_free_on(info.pool, start, order.stream));
}
