// SPDX-License-Identifier: Apache-2.0
// See pool.h.
#include "compat/acl/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <acl/detail/pool.h>

#include "compat/acl/fork.h"
#include "compat/acl/order.h"
#include "compat/acl/vmm.h"
#include "compat/face/handle.h"

// Highest marks: of used bytes, of held bytes.
enum { USED, HELD, MARKS };

struct pool {
    struct tn_face_object object; // first
    struct tn_acl_device *device;
    tarn_pool *tarn;
    _Atomic(uint64_t) threshold;
    _Atomic(bool) follow_events; // what programs set and read back
    _Atomic(bool) internal_dependencies;
    _Atomic(uint64_t) high[MARKS]; // before Tarn's peaks were last reset
};

// Held to read while blocks are made, to write from seeing that a pool has none to taking its name.
static pthread_rwlock_t ending = PTHREAD_RWLOCK_INITIALIZER;

static _Atomic(uint32_t) pool_count; // so that who has no pools pays nothing

void tn_acl_pool_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_rwlock_wrlock(&ending);
        return;
    }
    if (step == TN_FACE_FORK_CHILD) {
        atomic_store_explicit(&pool_count, 0, memory_order_relaxed);
    }
    (void)pthread_rwlock_unlock(&ending);
}

// ---- the object

static aclError get(aclrtMemPool handle, struct pool **pool) {
    *pool = (struct pool *)tn_face_handle_get((uintptr_t)handle, TN_ACL_POOL);
    return *pool != NULL ? ACL_SUCCESS
                         : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is no pool", handle);
}

static void put(struct pool *pool) {
    tn_face_object_put(&pool->object);
}

// The next one of a device, or of any.
static struct pool *next(const struct tn_acl_device *device, uint32_t *cursor) {
    struct pool *pool = (struct pool *)tn_face_handle_next(TN_ACL_POOL, cursor);
    while (pool != NULL && device != NULL && pool->device != device) {
        put(pool);
        pool = (struct pool *)tn_face_handle_next(TN_ACL_POOL, cursor);
    }
    return pool;
}

static void destroy(struct tn_face_object *object) {
    struct pool *pool = (struct pool *)object;
    (void)atomic_fetch_sub_explicit(&pool_count, 1, memory_order_relaxed);
    (void)tarn_pool_destroy(pool->tarn);
    free(pool);
}

// Blocks are as those of aclrtMalloc().
static aclError open_pool(struct pool *pool, uint64_t limit) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    bool pages = (pool->device->info.features & TARN_FEATURE_VMM) != 0;
    desc.kind = pages ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.rule = (tarn_rule){512, 32, tn_acl_face.padding};
    desc.device = pool->device->tarn;
    desc.limit = limit;
    return tn_acl_from(tarn_pool_create(&desc, &pool->tarn), ACL_ERROR_RT_PARAM_INVALID);
}

static aclError make(struct tn_acl_device *device, uint64_t limit, aclrtMemPool *handle) {
    struct pool *pool = (struct pool *)calloc(1, sizeof *pool);
    if (pool == NULL) {
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory for a pool");
    }
    pool->device = device;
    atomic_init(&pool->follow_events, true);
    atomic_init(&pool->internal_dependencies, true);
    aclError error = open_pool(pool, limit);
    if (error != ACL_SUCCESS) {
        goto err_free;
    }
    if (!tn_face_handle_new(&pool->object, TN_ACL_POOL, destroy)) {
        error = tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory for another pool");
        goto err_close;
    }
    (void)atomic_fetch_add_explicit(&pool_count, 1, memory_order_relaxed);
    *handle = (aclrtMemPool)pool->object.handle;
    return ACL_SUCCESS;

err_close:
    (void)tarn_pool_destroy(pool->tarn);
err_free:
    free(pool);
    return error;
}

// ---- aclrtMemPoolCreate and aclrtMemPoolDestroy

static aclError check_create(const aclrtMemPool *handle, const aclrtMemPoolProps *props) {
    if (handle == NULL || props == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL",
                           handle == NULL ? "memPool" : "poolProps");
    }
    if (props->allocType != ACL_MEM_ALLOCATION_TYPE_PINNED ||
        (props->location.type != ACL_MEM_LOCATION_TYPE_DEVICE &&
         props->location.type != ACL_MEM_LOCATION_TYPE_HOST)) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "poolProps->allocType %d, location.type %d",
                           (int)props->allocType, (int)props->location.type);
    }
    return ACL_SUCCESS;
}

static aclError check_props(const aclrtMemPoolProps *props) {
    static const unsigned char blank[sizeof props->reserved];
    if (props->location.type == ACL_MEM_LOCATION_TYPE_HOST) {
        return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "pools are of devices, not the host");
    }
    TN_ACL_TRY(tn_acl_find_device(props->location.id, NULL));
    if (props->handleType != ACL_MEM_HANDLE_TYPE_NONE) {
        return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                           "poolProps->handleType %d: pools are not shared",
                           (int)props->handleType);
    }
    return memcmp(props->reserved, blank, sizeof blank) == 0
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "poolProps->reserved is not all 0");
}

aclError aclrtMemPoolCreate(aclrtMemPool *memPool, const aclrtMemPoolProps *poolProps) {
    aclError error = check_create(memPool, poolProps);
    if (error == ACL_SUCCESS) {
        error = tn_acl_vmm_enter(2);
    }
    if (error == ACL_SUCCESS) {
        error = check_props(poolProps);
    }
    if (error == ACL_SUCCESS) {
        error = make(tn_acl_device((int32_t)poolProps->location.id), poolProps->maxSize, memPool);
    }
    return tn_acl_leave(error, __func__);
}

static aclError ask(struct pool *pool, tarn_pool_stats *stats) {
    *stats = (tarn_pool_stats){.struct_size = sizeof *stats};
    return tn_acl_from(tarn_pool_query_stats(pool->tarn, stats), ACL_ERROR_RT_PARAM_INVALID);
}

// Without the name nobody makes a block any more.
static aclError close_empty(struct pool *pool) {
    tarn_pool_stats stats;
    (void)pthread_rwlock_wrlock(&ending);
    aclError error = ask(pool, &stats);
    if (error == ACL_SUCCESS && stats.live_blocks != 0) {
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "the pool has %llu blocks",
                            (unsigned long long)stats.live_blocks);
    }
    struct tn_face_object *named =
        error == ACL_SUCCESS ? tn_face_handle_close(pool->object.handle, TN_ACL_POOL) : NULL;
    (void)pthread_rwlock_unlock(&ending);
    if (error == ACL_SUCCESS && named == NULL) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "the pool is destroyed already");
    }
    if (named != NULL) {
        tn_face_object_put(named);
    }
    return error;
}

static aclError enter(aclrtMemPool handle, struct pool **pool) {
    aclError error = handle == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "memPool is NULL")
                                    : tn_acl_vmm_enter(2);
    return error == ACL_SUCCESS ? get(handle, pool) : error;
}

aclError aclrtMemPoolDestroy(aclrtMemPool memPool) {
    struct pool *pool = NULL;
    aclError error = enter(memPool, &pool);
    if (error == ACL_SUCCESS) {
        error = close_empty(pool);
        put(pool);
    }
    return tn_acl_leave(error, __func__);
}

// ---- attributes

// Bytes that a value of the attribute has. 0: there is no such attribute.
static size_t size_of(aclrtMemPoolAttr attribute) {
    if (attribute >= ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD) {
        return attribute <= ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH ? sizeof(uint64_t) : 0;
    }
    return attribute >= ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES ? sizeof(int) : 0;
}

static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

// Tarn resets both peaks at once.
static aclError reset_high(struct pool *pool, int mark, uint64_t value) {
    tarn_pool_stats stats;
    if (value != 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "a high mark is set to 0, not to %llu",
                           (unsigned long long)value);
    }
    aclError error = ask(pool, &stats);
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_pool_reset_peaks(pool->tarn, 0), ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS) {
        const uint64_t peaks[MARKS] = {stats.peak_used_bytes, stats.peak_held_bytes};
        int other = mark == USED ? HELD : USED;
        atomic_store_explicit(
            &pool->high[other],
            most(peaks[other], atomic_load_explicit(&pool->high[other], memory_order_relaxed)),
            memory_order_relaxed);
        atomic_store_explicit(&pool->high[mark], 0, memory_order_relaxed);
    }
    return error;
}

static aclError set(struct pool *pool, aclrtMemPoolAttr attribute, uint64_t value) {
    switch (attribute) {
    case ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
        atomic_store_explicit(&pool->follow_events, value != 0, memory_order_relaxed);
        return ACL_SUCCESS;
    case ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        atomic_store_explicit(&pool->internal_dependencies, value != 0, memory_order_relaxed);
        return ACL_SUCCESS;
    case ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC:
        return value != 0 ? ACL_SUCCESS
                          : tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                                        "memory whose work has passed is always reused");
    case ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
        atomic_store_explicit(&pool->threshold, value, memory_order_relaxed);
        return ACL_SUCCESS;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
        return reset_high(pool, HELD, value);
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH:
        return reset_high(pool, USED, value);
    default:
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "attr %d cannot be set", (int)attribute);
    }
}

static uint64_t tell(struct pool *pool, aclrtMemPoolAttr attribute, const tarn_pool_stats *stats) {
    switch (attribute) {
    case ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
        return atomic_load_explicit(&pool->follow_events, memory_order_relaxed);
    case ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        return atomic_load_explicit(&pool->internal_dependencies, memory_order_relaxed);
    case ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC:
        return 1;
    case ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
        return atomic_load_explicit(&pool->threshold, memory_order_relaxed);
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT:
        return stats->held_bytes;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
        return most(stats->peak_held_bytes,
                    atomic_load_explicit(&pool->high[HELD], memory_order_relaxed));
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT:
        return stats->used_bytes;
    default:
        return most(stats->peak_used_bytes,
                    atomic_load_explicit(&pool->high[USED], memory_order_relaxed));
    }
}

static aclError enter_attribute(aclrtMemPool handle, aclrtMemPoolAttr attribute, const void *value,
                                struct pool **pool) {
    if (value == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "value is NULL");
    }
    aclError error = enter(handle, pool);
    if (error == ACL_SUCCESS && size_of(attribute) == 0) {
        put(*pool);
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "attr %d is none", (int)attribute);
    }
    return error;
}

aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value) {
    struct pool *pool = NULL;
    uint64_t wide = 0; // an int fills its low half
    aclError error = enter_attribute(memPool, attr, value, &pool);
    if (error == ACL_SUCCESS) {
        memcpy(&wide, value, size_of(attr));
        error = set(pool, attr, wide);
        put(pool);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value) {
    struct pool *pool = NULL;
    tarn_pool_stats stats;
    aclError error = enter_attribute(memPool, attr, value, &pool);
    if (error == ACL_SUCCESS) {
        error = ask(pool, &stats);
        if (error == ACL_SUCCESS) {
            uint64_t wide = tell(pool, attr, &stats);
            memcpy(value, &wide, size_of(attr));
        }
        put(pool);
    }
    return tn_acl_leave(error, __func__);
}

// ---- giving back

aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep) {
    struct pool *pool = NULL;
    aclError error = enter(memPool, &pool);
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_pool_trim(pool->tarn, minBytesToKeep, TARN_NO_WAIT, NULL),
                            ACL_ERROR_RT_PARAM_INVALID);
        put(pool);
    }
    return tn_acl_leave(error, __func__);
}

void tn_acl_pool_synchronized(const struct tn_acl_device *device) {
    uint32_t cursor = 0;
    struct pool *pool = NULL;
    if (atomic_load_explicit(&pool_count, memory_order_relaxed) == 0) {
        return;
    }
    while ((pool = next(device, &cursor)) != NULL) {
        uint64_t keep = atomic_load_explicit(&pool->threshold, memory_order_relaxed);
        (void)tarn_pool_trim(pool->tarn, keep, TARN_NO_WAIT, NULL);
        put(pool);
    }
}

bool tn_acl_pool_reclaim(const struct tn_acl_device *device) {
    uint32_t cursor = 0;
    uint64_t all = 0;
    struct pool *pool = NULL;
    if (atomic_load_explicit(&pool_count, memory_order_relaxed) == 0) {
        return false;
    }
    while ((pool = next(device, &cursor)) != NULL) {
        uint64_t released = 0;
        (void)tarn_pool_trim(pool->tarn, 0, TARN_NO_WAIT, &released);
        all += released;
        put(pool);
    }
    return all != 0;
}

// ---- aclrtMemPoolMallocAsync

static aclError take(struct pool *pool, size_t size, const struct tn_acl_order *order,
                     void **devPtr) {
    tarn_addr addr = 0;
    if (pool->device != order->device) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "a pool of device %d, a stream of device %d",
                           pool->device->ordinal, order->device->ordinal);
    }
    tarn_status status = tarn_pool_alloc(pool->tarn, size, order->stream, &addr);
    if (status == TARN_NO_DEVICE_MEMORY && tn_acl_pool_reclaim(pool->device)) {
        status = tarn_pool_alloc(pool->tarn, size, order->stream, &addr);
    }
    if (status == TARN_OK) {
        *devPtr = (void *)(uintptr_t)addr;
    }
    return tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
}

// The pool is looked up under the lock, so that it has its name until the block is made.
static aclError take_ordered(void **devPtr, size_t size, aclrtMemPool handle, aclrtStream stream) {
    struct tn_acl_order order;
    struct pool *pool = NULL;
    aclError error = tn_acl_order_get(stream, &order);
    if (error != ACL_SUCCESS) {
        return error;
    }
    (void)pthread_rwlock_rdlock(&ending);
    error = get(handle, &pool);
    if (error == ACL_SUCCESS) {
        error = take(pool, size, &order, devPtr);
    }
    (void)pthread_rwlock_unlock(&ending);
    if (pool != NULL) {
        put(pool);
    }
    tn_acl_order_put(&order);
    return error;
}

aclError aclrtMemPoolMallocAsync(void **devPtr, size_t size, aclrtMemPool memPool,
                                 aclrtStream stream) {
    aclError error = ACL_SUCCESS;
    if (devPtr == NULL || size == 0 || memPool == NULL) {
        error = tn_acl_fail(ACL_ERROR_INVALID_PARAM, "devPtr %p, size %zu, memPool %p",
                            (void *)devPtr, size, memPool);
    } else {
        error = tn_acl_vmm_enter(2);
    }
    if (error == ACL_SUCCESS) {
        error = take_ordered(devPtr, size, memPool, stream);
    }
    return tn_acl_leave(error, __func__);
}

// ---- aclrtMemPoolFreeAsync

// The pool whose block holds an address, with one more reference; NULL: none.
static struct pool *find(tarn_addr addr, tarn_block *block) {
    uint32_t cursor = 0;
    struct pool *pool = NULL;
    if (atomic_load_explicit(&pool_count, memory_order_relaxed) == 0) {
        return NULL;
    }
    while ((pool = next(NULL, &cursor)) != NULL) {
        if (tarn_pool_query_block(pool->tarn, addr, block) == TARN_OK) {
            break;
        }
        put(pool);
    }
    return pool;
}

void tn_acl_pool_describe(tarn_addr addr, tarn_address_info *info) {
    tarn_block block;
    struct pool *pool = find(addr, &block);
    if (pool != NULL) {
        info->block = block.addr;
        info->block_bytes = block.bytes;
        put(pool);
    }
}

static aclError free_ordered(tarn_addr start, aclrtStream stream) {
    struct tn_acl_order order;
    tarn_block block;
    tarn_status status = TARN_OK;
    aclError error = tn_acl_order_get(stream, &order);
    if (error != ACL_SUCCESS) {
        return error;
    }
    struct pool *pool = find(start, &block);
    if (pool == NULL || block.addr != start) {
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "no block of a pool starts at 0x%llx",
                            (unsigned long long)start);
    } else {
        if (block.stream != order.stream) {
            status = tarn_pool_used_on(pool->tarn, start, order.stream);
        }
        if (status == TARN_OK) {
            status = tarn_pool_free(pool->tarn, start);
        }
        error = tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    }
    if (pool != NULL) {
        put(pool);
    }
    tn_acl_order_put(&order);
    return error;
}

aclError aclrtMemPoolFreeAsync(void *devPtr, aclrtStream stream) {
    aclError error = devPtr == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "devPtr is NULL")
                                    : tn_acl_vmm_enter(2);
    if (error == ACL_SUCCESS) {
        error = free_ordered(TARN_ADDR(devPtr), stream);
    }
    return tn_acl_leave(error, __func__);
}
