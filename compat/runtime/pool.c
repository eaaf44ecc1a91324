// SPDX-License-Identifier: Apache-2.0
// See pool.h. One lock guards which pools are the default and the current ones. Tarn is called
// under it to make a default pool.
#include "compat/runtime/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/address.h>

#include "compat/runtime/lock.h"
#include "compat/runtime/pool_table.h"

#define CLOSED (UINT64_C(1) << 63) // in the number of live blocks: no block can be allocated

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tn_rt_pool *defaults[TN_RT_DEVICES]; // each with the reference of its handle
static struct tn_rt_pool *current[TN_RT_DEVICES];  // with a reference; NULL: the default pool

// The handles of the pools that allocations use, found without the lock; 0: not looked up yet.
// Changed under the lock.
static _Atomic(uintptr_t) in_use[TN_RT_DEVICES];

// ---- the object

static struct tn_rt_pool *pool_of(struct tn_face_object *object) {
    return (struct tn_rt_pool *)object;
}

// Called with no reference left. Waits for work that may still use freed blocks.
static void destroy_pool(struct tn_face_object *object) {
    struct tn_rt_pool *pool = pool_of(object);
    (void)tarn_pool_destroy(pool->tarn);
    tn_rt_pool_table_end(pool->table);
    free(pool);
}

// Only blocks of segments have keys for other processes. By default a pool keeps no unused memory
// at a synchronisation.
static tn_rt_error open_pool(struct tn_rt_pool *pool, uint64_t limit) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    bool pages = (pool->device->info.features & TARN_FEATURE_VMM) != 0 && pool->table == NULL;
    uint64_t page = tn_rt_policy.pool_page_bytes;
    desc.page_bytes = pages && page % pool->device->info.granularity_minimum == 0 ? page : 0;
    desc.rule = tn_rt_policy.pool_rule;
    desc.kind = pages ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.device = pool->device->tarn;
    desc.limit = limit;
    desc.flags = tn_rt_policy.pool_flags;
    desc.user = (uint64_t)(uintptr_t)pool;
    TN_RT_TRY(tn_rt_from(tarn_pool_create(&desc, &pool->tarn)));
    return tn_rt_from(tarn_pool_set_release_threshold(pool->tarn, 0));
}

tn_rt_error tn_rt_pool_new(struct tn_face_device *device, uint64_t limit,
                           struct tn_rt_pool_table *table, bool imported,
                           struct tn_rt_pool **made) {
    struct tn_rt_pool *pool = (struct tn_rt_pool *)calloc(1, sizeof *pool);
    TN_RT_REFUSE(pool == NULL, TN_RT_OUT_OF_MEMORY, "out of host memory for a pool");
    pool->device = device;
    pool->table = table;
    pool->imported = imported;
    atomic_init(&pool->reuse, TARN_REUSE_PASSED | TARN_REUSE_FOLLOWED);
    atomic_init(&pool->dependencies, true);
    tn_rt_error error = open_pool(pool, limit);
    if (error != TN_RT_OK) goto err_free;
    if (!tn_face_handle_new(&pool->object, TN_RT_POOL, destroy_pool)) {
        error = tn_rt_fail(TN_RT_OUT_OF_MEMORY, "out of handles for a pool");
        goto err_close;
    }
    *made = pool;
    return TN_RT_OK;

err_close:
    (void)tarn_pool_destroy(pool->tarn);
err_free:
    free(pool);
    return error;
}

static tn_rt_error no_pool(void *handle) {
    return tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not a pool", handle);
}

tn_rt_error tn_rt_pool_get(void *handle, struct tn_rt_pool **pool) {
    struct tn_face_object *object = tn_face_handle_get((uintptr_t)handle, TN_RT_POOL);
    *pool = pool_of(object);
    return object != NULL ? TN_RT_OK : no_pool(handle);
}

void tn_rt_pool_put(struct tn_rt_pool *pool) { tn_face_object_put(&pool->object); }

// Counts a block of that many bytes that does not live any more.
static void end_block(struct tn_rt_pool *pool, uint64_t bytes) {
    if (atomic_fetch_sub(&pool->blocks, 1) == 1 && tn_rt_policy.pool_trims_last)
        atomic_store_explicit(&pool->emptied, bytes, memory_order_relaxed);
}

void tn_rt_pool_settle(struct tn_rt_pool *pool) {
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    if (atomic_exchange_explicit(&pool->emptied, 0, memory_order_relaxed) != 0 &&
        tarn_pool_query(pool->tarn, &info) == TARN_OK && info.release_threshold == 0)
        (void)tarn_pool_trim(pool->tarn, 0, TARN_NO_WAIT, NULL);
}

struct tn_rt_pool *tn_rt_pool_of(const struct tn_rt_block *block) {
    return (struct tn_rt_pool *)(uintptr_t)block->pool_user;
}

// ---- the pools of devices

// Called under the lock.
static tn_rt_error get_default(struct tn_face_device *device, struct tn_rt_pool **pool) {
    if (defaults[device->ordinal] == NULL)
        TN_RT_TRY(tn_rt_pool_new(device, 0, NULL, false, &defaults[device->ordinal]));
    *pool = defaults[device->ordinal];
    tn_face_object_keep(&(*pool)->object);
    return TN_RT_OK;
}

tn_rt_error tn_rt_pool_default(struct tn_face_device *device, struct tn_rt_pool **pool) {
    (void)pthread_mutex_lock(&lock);
    tn_rt_error error = get_default(device, pool);
    (void)pthread_mutex_unlock(&lock);
    return error;
}

tn_rt_error tn_rt_pool_current(struct tn_face_device *device, struct tn_rt_pool **pool) {
    tn_rt_error error = TN_RT_OK;
    _Atomic(uintptr_t) *handle = &in_use[device->ordinal];
    uintptr_t known = atomic_load_explicit(handle, memory_order_relaxed);
    *pool = known != 0 ? pool_of(tn_face_handle_find(known, TN_RT_POOL)) : NULL;
    if (*pool != NULL) return TN_RT_OK;
    (void)pthread_mutex_lock(&lock);
    if (current[device->ordinal] != NULL) {
        *pool = current[device->ordinal];
        tn_face_object_keep(&(*pool)->object);
    } else {
        error = get_default(device, pool);
    }
    if (error == TN_RT_OK)
        atomic_store_explicit(handle, (*pool)->object.handle, memory_order_relaxed);
    (void)pthread_mutex_unlock(&lock);
    return error;
}

// Replaces the current pool of a device. Takes over the reference to `pool`.
static void set_current(const struct tn_face_device *device, struct tn_rt_pool *pool) {
    (void)pthread_mutex_lock(&lock);
    struct tn_rt_pool *before = current[device->ordinal];
    current[device->ordinal] = pool;
    atomic_store_explicit(&in_use[device->ordinal], 0, memory_order_relaxed);
    (void)pthread_mutex_unlock(&lock);
    if (before != NULL) tn_rt_pool_put(before);
}

void tn_rt_pool_select(struct tn_rt_pool *pool) {
    tn_face_object_keep(&pool->object);
    set_current(pool->device, pool);
}

// Prevents further blocks. Fails if some live.
static tn_rt_error close_empty(struct tn_rt_pool *pool) {
    uint64_t blocks = 0;
    if (atomic_compare_exchange_strong(&pool->blocks, &blocks, CLOSED)) return TN_RT_OK;
    return (blocks & CLOSED) != 0 ? tn_rt_fail(TN_RT_INVALID_VALUE, "the pool is destroyed already")
                                  : tn_rt_fail(TN_RT_INVALID_VALUE, "the pool has %llu live blocks",
                                               (unsigned long long)blocks);
}

// The handle is closed first, so that no other thread selects the pool by it afterwards.
static tn_rt_error close_pool(struct tn_rt_pool *pool, void *handle) {
    int device = pool->device->ordinal;
    (void)pthread_mutex_lock(&lock);
    bool is_default = defaults[device] == pool;
    (void)pthread_mutex_unlock(&lock);
    TN_RT_REFUSE(is_default, TN_RT_INVALID_VALUE, "%p is the default pool of device %d", handle,
                 device);
    if (tn_rt_policy.pool_closes_empty) TN_RT_TRY(close_empty(pool));
    if (!tn_face_handle_end((uintptr_t)handle, TN_RT_POOL)) return no_pool(handle);
    (void)pthread_mutex_lock(&lock);
    bool is_current = current[device] == pool;
    current[device] = is_current ? NULL : current[device];
    if (is_current) atomic_store_explicit(&in_use[device], 0, memory_order_relaxed);
    (void)pthread_mutex_unlock(&lock);
    if (is_current) tn_rt_pool_put(pool);
    return TN_RT_OK;
}

tn_rt_error tn_rt_pool_close(void *handle) {
    struct tn_rt_pool *pool = pool_of(tn_face_handle_find((uintptr_t)handle, TN_RT_POOL));
    if (pool == NULL) {
        tn_face_handle_refuse((uintptr_t)handle);
        return no_pool(handle);
    }
    tn_rt_error error = close_pool(pool, handle);
    tn_rt_pool_put(pool);
    return error;
}

// ---- all pools of a device

static bool is_on_device(const struct tn_face_object *object, const void *device) {
    return ((const struct tn_rt_pool *)object)->device == device;
}

static struct tn_rt_pool *next_of(const struct tn_face_device *device, uint32_t *cursor) {
    return (struct tn_rt_pool *)tn_face_handle_next(TN_RT_POOL, is_on_device, device, cursor);
}

void tn_rt_pool_settle_all(const struct tn_face_device *device) {
    uint32_t cursor = 0;
    struct tn_rt_pool *pool;
    while ((pool = next_of(device, &cursor)) != NULL) {
        tn_rt_pool_settle(pool);
        tn_rt_pool_put(pool);
    }
}

bool tn_rt_pool_reclaim(const struct tn_face_device *device) {
    uint32_t cursor = 0;
    uint64_t total = 0;
    struct tn_rt_pool *pool;
    while ((pool = next_of(device, &cursor)) != NULL) {
        uint64_t released = 0;
        (void)tarn_pool_trim(pool->tarn, 0, TARN_NO_WAIT, &released);
        total += released;
        tn_rt_pool_put(pool);
    }
    return total != 0;
}

tn_rt_error tn_rt_pool_alloc(struct tn_rt_pool *pool, const tarn_pool_request *request,
                             tarn_addr *addr) {
    // A request of as many pages as the last block had finds the pool as it would after a release:
    // what the pool holds then serves it. A part of a larger page would stay held.
    uint64_t page = tn_rt_policy.pool_page_bytes; // a power of two
    uint64_t emptied = atomic_load_explicit(&pool->emptied, memory_order_relaxed);
    if (emptied != 0 && ((request->bytes - 1) ^ (emptied - 1)) >= page) tn_rt_pool_settle(pool);
    bool closed = (atomic_fetch_add(&pool->blocks, 1) & CLOSED) != 0;
    tarn_status status = closed ? TARN_BAD_HANDLE : tarn_pool_alloc_with(pool->tarn, request, addr);
    if (status == TARN_NO_DEVICE_MEMORY && tn_rt_pool_reclaim(pool->device))
        status = tarn_pool_alloc_with(pool->tarn, request, addr);
    if (status == TARN_OK) return TN_RT_OK;
    end_block(pool, request->bytes);
    return closed ? no_pool((void *)pool->object.handle) : tn_rt_from(status);
}

tn_rt_error tn_rt_pool_free(struct tn_rt_pool *pool, tarn_addr addr, uint64_t bytes,
                            tarn_stream stream) {
    TN_RT_TRY(tn_rt_from(tarn_pool_free_on(pool->tarn, addr, stream)));
    end_block(pool, bytes);
    tn_rt_pool_put(pool);
    return TN_RT_OK;
}

tarn_status tn_rt_pool_alloc_beside(const struct tn_face_device *device, size_t size,
                                    tarn_addr *addr) {
    tarn_status status = tarn_memory_alloc(device->tarn, size, addr);
    return status == TARN_NO_DEVICE_MEMORY && tn_rt_pool_reclaim(device)
               ? tarn_memory_alloc(device->tarn, size, addr)
               : status;
}

void tn_rt_pool_empty_at(tarn_addr addr, const struct tn_face_device *device) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    tarn_pool_stats stats = TARN_INIT(tarn_pool_stats);
    (void)tarn_address_query(addr, &info);
    struct tn_rt_pool *pool = (struct tn_rt_pool *)(uintptr_t)info.pool_user;
    if (pool == NULL || pool->device != device) return;
    tn_face_object_keep(&pool->object);
    if (tarn_pool_query_stats(pool->tarn, &stats) == TARN_OK &&
        tarn_pool_reset(pool->tarn) == TARN_OK)
        for (uint64_t i = 0; i < stats.live_blocks; i++) {
            end_block(pool, 1);
            tn_rt_pool_put(pool);
        }
    tn_rt_pool_settle(pool);
    tn_rt_pool_put(pool);
}

void tn_rt_pool_reset(const struct tn_face_device *device) {
    uint32_t cursor = 0;
    struct tn_rt_pool *pool;
    set_current(device, NULL);
    (void)pthread_mutex_lock(&lock);
    defaults[device->ordinal] = NULL;
    (void)pthread_mutex_unlock(&lock);
    while ((pool = next_of(device, &cursor)) != NULL) {
        (void)tn_face_handle_end(pool->object.handle, TN_RT_POOL);
        tn_rt_pool_put(pool);
    }
}

// The pools belong to the parent, and have no handles in the child any more.
static void forget_pools(void) {
    memset(defaults, 0, sizeof defaults);
    memset(current, 0, sizeof current);
    for (int i = 0; i < TN_RT_DEVICES; i++)
        atomic_store_explicit(&in_use[i], 0, memory_order_relaxed);
}

TN_FACE_ON_FORK(TN_RT_LOCK_POOL, &lock, forget_pools);
