// SPDX-License-Identifier: Apache-2.0
// See pool.h. One lock is held while a default pool is made, and while a pool is closed.
#include "compat/runtime/memory/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include <tarn/address.h>
#include <tarn/annotate.h>

#include "compat/face/fidelity.h"
#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/memory/pool_table.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The handles of the default pools, set under the lock, and of those that programs chose. 0, or a
// handle that has ended: none.
static _Atomic(uintptr_t) defaults[TN_RT_DEVICES];
static _Atomic(uintptr_t) chosen[TN_RT_DEVICES];

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

// Defined if the process runs under ASan.
extern void __asan_poison_memory_region(const volatile void *address, size_t size)
    __attribute__((weak));

// Under ASan a block ends with bytes that no access may touch, so that no block follows another at once. A
// pool with a limit has room for what its program computed.
static tarn_rule rule_of_pool(uint64_t limit) {
    tarn_rule rule = tn_rt_memory_policy.pool_rule;
    if (__asan_poison_memory_region == NULL || limit != 0 || tn_rt_memory_policy.pool_without_gaps)
        return rule;
    if (rule.rounding == 0) (void)tarn_rule_get(TARN_RULE_GPU_256, &rule);
    if (rule.padding == 0) rule.padding = rule.rounding;
    return rule;
}

// Only blocks of segments have keys for other processes. By default a pool keeps no unused memory
// at a synchronisation.
static tn_rt_error open_pool(struct tn_rt_pool *pool, uint64_t limit) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    bool pages = (pool->device->info.features & TARN_FEATURE_VMM) != 0 && pool->table == NULL;
    uint64_t page = tn_rt_memory_policy.pool_page_bytes;
    desc.page_bytes = pages && page % pool->device->info.granularity_minimum == 0 ? page : 0;
    desc.rule = rule_of_pool(limit);
    desc.kind = pages ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.device = pool->device->tarn;
    desc.limit = limit;
    desc.flags = tn_rt_memory_policy.pool_flags;
    desc.user = pool->object.handle;
    TN_RT_TRY(tn_rt_error_of(tarn_pool_create(&desc, &pool->tarn)));
    return tn_rt_error_of(tarn_pool_set_release_threshold(pool->tarn, 0));
}

tn_rt_error tn_rt_pool_new(struct tn_face_device *device, uint64_t limit,
                           struct tn_rt_pool_table *table, bool imported,
                           struct tn_rt_pool **made) {
    struct tn_rt_pool *pool = (struct tn_rt_pool *)calloc(1, sizeof *pool);
    TN_RT_REFUSE(pool == NULL, TN_RT_OUT_OF_MEMORY, "out of host memory for a pool");
    *pool = (struct tn_rt_pool){.device = device, .table = table, .imported = imported};
    atomic_init(&pool->reuse, TARN_REUSE_PASSED | TARN_REUSE_FOLLOWED);
    atomic_init(&pool->dependencies, true);
    if (!tn_face_handle_reserve(&pool->object, TN_RT_POOL, destroy_pool)) {
        free(pool);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "out of handles for a pool");
    }
    tn_rt_error error = open_pool(pool, limit);
    if (error != TN_RT_OK) {
        tn_face_handle_abandon(&pool->object);
        (void)tarn_pool_destroy(pool->tarn);
        free(pool);
        return error;
    }
    (void)tn_face_handle_publish(&pool->object, 2);
    *made = pool;
    return TN_RT_OK;
}

static tn_rt_error no_pool(void *handle) {
    return tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not a pool", handle);
}

tn_rt_error tn_rt_pool_get(void *handle, struct tn_rt_pool **pool) {
    struct tn_face_object *object = tn_face_handle_get((uintptr_t)handle, TN_RT_POOL);
    *pool = pool_of(object);
    return object != NULL ? TN_RT_OK : no_pool(handle);
}

tn_rt_error tn_rt_pool_get_own(void *handle, struct tn_rt_pool **pool) {
    TN_RT_TRY(tn_rt_pool_get(handle, pool));
    TN_RT_REFUSE((*pool)->imported && tn_rt_memory_policy.imported_pools_are_passive,
                 TN_RT_INVALID_VALUE, "the pool was imported");
    return TN_RT_OK;
}

void tn_rt_pool_put(struct tn_rt_pool *pool) { tn_face_object_put(&pool->object); }

void tn_rt_pool_settle(struct tn_rt_pool *pool) {
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_pool_stats stats = TARN_INIT(tarn_pool_stats);
    if (atomic_exchange_explicit(&pool->freed, 0, memory_order_relaxed) != 0 &&
        tarn_pool_query_stats(pool->tarn, &stats) == TARN_OK && stats.live_blocks == 0 &&
        tarn_pool_query(pool->tarn, &info) == TARN_OK && info.release_threshold == 0)
        (void)tarn_pool_trim(pool->tarn, 0, TARN_NO_WAIT, NULL);
}

struct tn_rt_pool *tn_rt_pool_of(uint64_t pool_user) {
    return pool_of(tn_face_handle_find_kept((uintptr_t)pool_user, TN_RT_POOL));
}

// ---- the pools of devices

// Returns the pool whose handle is in `place` and adds a reference, or returns NULL.
static struct tn_rt_pool *find_pool(const _Atomic(uintptr_t) *place) {
    return pool_of(tn_face_handle_find(atomic_load(place), TN_RT_POOL));
}

tn_rt_error tn_rt_pool_default(struct tn_face_device *device, struct tn_rt_pool **pool) {
    _Atomic(uintptr_t) *place = &defaults[device->ordinal];
    *pool = find_pool(place);
    if (*pool != NULL) return TN_RT_OK;
    TN_FACE_LOCKED(&lock);
    *pool = find_pool(place);
    if (*pool != NULL) return TN_RT_OK;
    TN_RT_TRY(tn_rt_pool_new(device, 0, NULL, false, pool));
    atomic_store(place, (*pool)->object.handle);
    return TN_RT_OK;
}

tn_rt_error tn_rt_pool_current(struct tn_face_device *device, struct tn_rt_pool **pool) {
    *pool = find_pool(&chosen[device->ordinal]);
    return *pool != NULL ? TN_RT_OK : tn_rt_pool_default(device, pool);
}

void tn_rt_pool_select(const struct tn_rt_pool *pool) {
    atomic_store(&chosen[pool->device->ordinal], pool->object.handle);
}

// A reference that is neither the handle's nor the caller's is a block's, or that of a thread which
// uses the pool for a moment.
static tn_rt_error close_empty(struct tn_rt_pool *pool, uintptr_t handle) {
    tarn_pool_stats stats = TARN_INIT(tarn_pool_stats);
    while (!tn_face_handle_end_unused(handle, TN_RT_POOL)) {
        if (!tn_face_handle_live(handle, TN_RT_POOL)) return no_pool((void *)handle);
        TN_RT_TRY(tn_rt_error_of(tarn_pool_query_stats(pool->tarn, &stats)));
        TN_RT_REFUSE(stats.live_blocks != 0, TN_RT_INVALID_VALUE, "the pool has %llu live blocks",
                     (unsigned long long)stats.live_blocks);
        (void)sched_yield();
    }
    return TN_RT_OK;
}

static tn_rt_error close_pool(struct tn_rt_pool *pool, uintptr_t handle) {
    int device = pool->device->ordinal;
    TN_RT_REFUSE(handle == atomic_load(&defaults[device]), TN_RT_INVALID_VALUE,
                 "%p is the default pool of device %d", (void *)handle, device);
    TN_FACE_DIFFERS(pool_with_blocks, tn_face_object_references(&pool->object) > 2);
    if (tn_rt_memory_policy.pool_closes_empty) return close_empty(pool, handle);
    return tn_face_handle_end(handle, TN_RT_POOL) ? TN_RT_OK : no_pool((void *)handle);
}

// The lock comes before the reference, so that no other thread that closes the pool has one.
tn_rt_error tn_rt_pool_close(void *handle) {
    TN_FACE_HELD struct tn_rt_pool *pool = NULL;
    TN_FACE_LOCKED(&lock);
    pool = pool_of(tn_face_handle_find((uintptr_t)handle, TN_RT_POOL));
    if (pool != NULL) return close_pool(pool, (uintptr_t)handle);
    tn_face_handle_refuse((uintptr_t)handle);
    return no_pool(handle);
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
    // In a pool without blocks, a request of as many pages as the last block had finds the pool as
    // it would after a release: what the pool holds then serves it. A part of a larger page would
    // stay held.
    uint64_t page = tn_rt_memory_policy.pool_page_bytes; // a power of two
    uint64_t freed = atomic_load_explicit(&pool->freed, memory_order_relaxed);
    if (freed != 0 && ((request->bytes - 1) ^ (freed - 1)) >= page &&
        tn_face_object_references(&pool->object) <= 2)
        tn_rt_pool_settle(pool);
    tn_face_object_keep(&pool->object); // for the block, which a reset may free before this returns
    tarn_status status = tarn_pool_alloc_with(pool->tarn, request, addr);
    if (status == TARN_NO_DEVICE_MEMORY && tn_rt_pool_reclaim(pool->device))
        status = tarn_pool_alloc_with(pool->tarn, request, addr);
    if (status != TARN_OK) tn_rt_pool_put(pool);
    return tn_rt_error_of(status);
}

tn_rt_error tn_rt_pool_free(uint64_t pool_user, tarn_addr addr, uint64_t bytes,
                            tarn_stream stream) {
    struct tn_rt_pool *pool = tn_rt_pool_of(pool_user);
    TN_RT_REFUSE(pool == NULL, TN_RT_INVALID_VALUE, "0x%llx was freed meanwhile",
                 (unsigned long long)addr);
    tarn_check_free_on(addr, stream);
    tn_rt_error error = tn_rt_error_of(tarn_pool_free_on(pool->tarn, addr, stream));
    if (error == TN_RT_OK && tn_rt_memory_policy.pool_trims_last)
        atomic_store_explicit(&pool->freed, bytes, memory_order_relaxed);
    tn_face_object_drop(&pool->object, error == TN_RT_OK ? 2 : 1); // the block's, and this call's
    return error;
}

tarn_status tn_rt_pool_alloc_beside(const struct tn_face_device *device, size_t size,
                                    tarn_addr *addr) {
    tarn_status status = tarn_memory_alloc(device->tarn, size, addr);
    return status == TARN_NO_DEVICE_MEMORY && tn_rt_pool_reclaim(device)
               ? tarn_memory_alloc(device->tarn, size, addr)
               : status;
}

// Live blocks of a pool from an address on, as many as the list has room for.
struct block_list {
    tarn_addr from;
    uint64_t count;
    uint64_t room;
    tarn_addr *start;
};

static bool list_block(const tarn_block *block, void *arg) {
    struct block_list *list = (struct block_list *)arg;
    if (block->state != TARN_BLOCK_LIVE || block->addr < list->from) return true;
    list->start[list->count++] = block->addr;
    return list->count < list->room;
}

// Frees the blocks one by one: each of them is freed once, here or by a thread that frees it now, and
// what other threads allocate meanwhile has a reference to the pool or is freed, too.
static void free_blocks(const struct tn_rt_pool *pool) {
    tarn_addr few[64];
    tarn_pool_stats stats = TARN_INIT(tarn_pool_stats);
    (void)tarn_pool_query_stats(pool->tarn, &stats);
    struct block_list list = {0, 0, stats.live_blocks, NULL};
    if (list.room > sizeof few / sizeof few[0])
        list.start = (tarn_addr *)malloc(list.room * sizeof *list.start);
    tarn_addr *many = list.start;
    if (many == NULL) list.start = few;
    if (many == NULL) list.room = sizeof few / sizeof few[0];
    do {
        list.count = 0;
        (void)tarn_pool_walk(pool->tarn, list_block, &list);
        for (uint64_t i = 0; i < list.count; i++)
            (void)tn_rt_pool_free(pool->object.handle, list.start[i], 1, TARN_STREAM_NONE);
        if (list.count > 0) list.from = list.start[list.count - 1] + 1;
    } while (list.count == list.room);
    free(many);
}

void tn_rt_pool_empty_at(tarn_addr addr, const struct tn_face_device *device) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query(addr, &info);
    struct tn_rt_pool TN_FACE_HELD *pool = tn_rt_pool_of(info.pool_user);
    if (pool == NULL || pool->device != device) return;
    free_blocks(pool);
    tn_rt_pool_settle(pool);
}

void tn_rt_pool_reset(const struct tn_face_device *device) {
    tn_face_handle_end_all(TN_RT_POOL, is_on_device, device);
}

TN_FACE_ON_FORK(TN_RT_LOCK_POOL, &lock, NULL);
