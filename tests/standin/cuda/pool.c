// SPDX-License-Identifier: Apache-2.0
// Stream-ordered memory. Each block is a small reservation, mapped for the devices with rights to
// its pool. Peer access of contexts has no effect on it, as with the driver. Freed memory is not
// kept.
#include <pthread.h>
#include <stdlib.h>

#include "standin/cuda/parts.h"

struct pool {
    struct tn_face_object object;
    struct standin_device *device;
    uint32_t readers; // devices with rights, one bit each; under the lock
};

struct block {
    struct block *next;
    struct pool *pool; // kept
    tarn_addr address;
    uint64_t bytes;
    bool leaving; // its free is in a stream
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards all below
static struct block *blocks;
static struct pool *defaults[STANDIN_DEVICES];

static tn_cu_result enter(struct standin_context **context) {
    tn_cu_result result = standin_enter_with(STANDIN_NO_POOLS);
    return result == TN_CU_SUCCESS ? standin_enter_context(context) : result;
}

// ---- pools

static void destroy(struct tn_face_object *object) { free(object); }

static tn_cu_result make(struct standin_device *device, struct pool **pool) {
    struct pool *made = calloc(1, sizeof *made);
    if (made == NULL || !tn_face_handle_new(&made->object, STANDIN_POOL, destroy)) {
        free(made);
        return TN_CU_OUT_OF_MEMORY;
    }
    made->device = device;
    made->readers = 1u << device->ordinal;
    *pool = made;
    return TN_CU_SUCCESS;
}

static struct pool *get(tn_cu_pool handle) {
    return (struct pool *)tn_face_handle_get((uintptr_t)handle, STANDIN_POOL);
}

static tn_cu_result default_of(struct standin_device *device, struct pool **pool) {
    tn_cu_result result = TN_CU_SUCCESS;
    (void)pthread_mutex_lock(&lock);
    if (defaults[device->ordinal] == NULL) result = make(device, &defaults[device->ordinal]);
    *pool = defaults[device->ordinal];
    (void)pthread_mutex_unlock(&lock);
    return result;
}

tn_cu_result cuDeviceGetDefaultMemPool(tn_cu_pool *pool, tn_cu_device ordinal) {
    struct pool *found = NULL;
    tn_cu_result result = standin_enter_with(STANDIN_NO_POOLS);
    if (result != TN_CU_SUCCESS) return result;
    struct standin_device *device = standin_device_of(ordinal);
    if (pool == NULL || device == NULL)
        return pool == NULL ? TN_CU_INVALID_VALUE : TN_CU_INVALID_DEVICE;
    result = default_of(device, &found);
    if (result == TN_CU_SUCCESS) *pool = (tn_cu_pool)found->object.handle;
    return result;
}

tn_cu_result cuMemPoolCreate(tn_cu_pool *pool, const tn_cu_pool_properties *properties) {
    struct pool *made = NULL;
    tn_cu_result result = standin_enter_with(STANDIN_NO_POOLS);
    if (result != TN_CU_SUCCESS) return result;
    if (pool == NULL || properties == NULL || properties->type != TN_CU_PINNED ||
        properties->location.type != TN_CU_LOCATION_DEVICE)
        return TN_CU_INVALID_VALUE;
    if (properties->types != 0) return TN_CU_NOT_SUPPORTED;
    struct standin_device *device = standin_device_of(properties->location.id);
    result = device == NULL ? TN_CU_INVALID_DEVICE : make(device, &made);
    if (result == TN_CU_SUCCESS) *pool = (tn_cu_pool)made->object.handle;
    return result;
}

static bool is_default(const struct pool *pool) { return pool == defaults[pool->device->ordinal]; }

// Blocks keep their pool; the handle is invalid immediately.
tn_cu_result cuMemPoolDestroy(tn_cu_pool handle) {
    tn_cu_result result = standin_enter_with(STANDIN_NO_POOLS);
    struct pool *pool = result == TN_CU_SUCCESS ? get(handle) : NULL;
    if (pool == NULL || is_default(pool)) {
        if (pool != NULL) tn_face_object_put(&pool->object);
        return result == TN_CU_SUCCESS ? TN_CU_INVALID_VALUE : result;
    }
    struct tn_face_object *named = tn_face_handle_close((uintptr_t)handle, STANDIN_POOL);
    if (named != NULL) tn_face_object_put(named);
    tn_face_object_put(&pool->object);
    return TN_CU_SUCCESS;
}

// ---- blocks

static tarn_status set_readers(tarn_addr address, uint64_t bytes, uint32_t readers) {
    tarn_grant grants[STANDIN_DEVICES];
    for (int i = 0; i < standin.count; i++) {
        grants[i].location = (tarn_location){TARN_LOCATION_DEVICE, i};
        grants[i].access = (readers >> i & 1u) != 0 ? TARN_ACCESS_READ_WRITE : TARN_ACCESS_NONE;
    }
    return tarn_map_set_access(address, bytes, grants, (size_t)standin.count);
}

static tarn_status map_new(struct pool *pool, uint64_t bytes, tarn_addr *address) {
    tarn_addr at = 0;
    tarn_phys phys = 0;
    tarn_status status = tarn_space_reserve(pool->device->tarn, bytes, 0, 0, &at);
    if (status != TARN_OK) return status;
    status = tarn_phys_create(pool->device->tarn, bytes, NULL, &phys);
    if (status != TARN_OK) goto err_release;
    status = tarn_map(at, bytes, phys);
    (void)tarn_phys_release(phys);
    if (status != TARN_OK) goto err_release;
    status = set_readers(at, bytes, pool->readers);
    if (status != TARN_OK) goto err_unmap;
    *address = at;
    return TARN_OK;

err_unmap:
    (void)tarn_unmap(at, bytes, TARN_NO_WAIT);
err_release:
    (void)tarn_space_release(at, bytes);
    return status;
}

static tn_cu_result alloc(struct pool *pool, size_t bytes, tn_cu_address *address) {
    uint64_t unit = pool->device->info.granularity_minimum;
    struct block *block = calloc(1, sizeof *block);
    if (block == NULL) return TN_CU_OUT_OF_MEMORY;
    block->pool = pool;
    block->bytes = (bytes + unit - 1) / unit * unit;
    (void)pthread_mutex_lock(&lock);
    tarn_status status = map_new(pool, block->bytes, &block->address);
    if (status == TARN_OK) {
        tn_face_object_keep(&pool->object);
        block->next = blocks;
        blocks = block;
        *address = block->address;
    } else {
        free(block);
    }
    (void)pthread_mutex_unlock(&lock);
    return standin_from(status, NULL);
}

// Marks the block so that it is freed once. Returns NULL if there is no such block.
static struct block *take(tn_cu_address address) {
    (void)pthread_mutex_lock(&lock);
    struct block *block = blocks;
    while (block != NULL && (block->address != address || block->leaving)) block = block->next;
    if (block != NULL) block->leaving = true;
    (void)pthread_mutex_unlock(&lock);
    return block;
}

static void stay(struct block *block) {
    (void)pthread_mutex_lock(&lock);
    block->leaving = false;
    (void)pthread_mutex_unlock(&lock);
}

// Also runs in the order of a stream.
static void give_back(void *arg) {
    struct block *block = arg;
    (void)pthread_mutex_lock(&lock);
    struct block **link = &blocks;
    while (*link != block) link = &(*link)->next;
    *link = block->next;
    (void)pthread_mutex_unlock(&lock);
    (void)tarn_unmap(block->address, block->bytes, TARN_NO_WAIT);
    (void)tarn_space_release(block->address, block->bytes);
    tn_face_object_put(&block->pool->object);
    free(block);
}

bool standin_pool_free(tn_cu_address address) {
    struct block *block = take(address);
    if (block == NULL) return false;
    (void)tarn_device_synchronize(block->pool->device->tarn, TARN_FOREVER);
    give_back(block);
    return true;
}

// ---- stream order

// The memory exists immediately, and therefore also in stream order.
static tn_cu_result alloc_on(tn_cu_address *address, size_t bytes, struct pool *pool,
                             struct standin_context *context, tn_cu_stream handle) {
    struct standin_stream *s = NULL;
    if (address == NULL) return TN_CU_INVALID_VALUE;
    tn_cu_result result = standin_stream_begin(context, handle, &s);
    if (result == TN_CU_SUCCESS) {
        result = bytes == 0 ? TN_CU_INVALID_VALUE : alloc(pool, bytes, address);
        standin_stream_put(s);
    }
    return result;
}

tn_cu_result cuMemAllocAsync(tn_cu_address *address, size_t bytes, tn_cu_stream stream) {
    struct standin_context *context = NULL;
    struct pool *pool = NULL;
    tn_cu_result result = enter(&context);
    if (result == TN_CU_SUCCESS) result = default_of(context->device, &pool);
    return result == TN_CU_SUCCESS ? alloc_on(address, bytes, pool, context, stream) : result;
}

tn_cu_result cuMemAllocFromPoolAsync(tn_cu_address *address, size_t bytes, tn_cu_pool handle,
                                     tn_cu_stream stream) {
    struct standin_context *context = NULL;
    tn_cu_result result = standin_take(enter(&context));
    if (result != TN_CU_SUCCESS) return result;
    struct pool *pool = get(handle);
    if (pool == NULL) return TN_CU_INVALID_VALUE;
    result = alloc_on(address, bytes, pool, context, stream);
    tn_face_object_put(&pool->object);
    return result;
}

tn_cu_result cuMemFreeAsync(tn_cu_address address, tn_cu_stream handle) {
    struct standin_context *context = NULL;
    struct standin_stream *s = NULL;
    tn_cu_result result = enter(&context);
    if (result == TN_CU_SUCCESS) result = standin_stream_begin(context, handle, &s);
    if (result != TN_CU_SUCCESS) return result;
    struct block *block = take(address);
    if (block == NULL) {
        result = TN_CU_INVALID_VALUE;
    } else {
        result = standin_stream_call(s, give_back, block, true);
        if (result != TN_CU_SUCCESS) stay(block); // else it may be gone by now
    }
    standin_stream_put(s);
    return result;
}

// ---- other functions of pools

static tn_cu_result with_pool(tn_cu_pool handle, struct pool **pool) {
    tn_cu_result result = standin_enter_with(STANDIN_NO_POOLS);
    if (result != TN_CU_SUCCESS) return result;
    *pool = get(handle);
    return *pool == NULL ? TN_CU_INVALID_VALUE : TN_CU_SUCCESS;
}

tn_cu_result cuMemPoolTrimTo(tn_cu_pool handle, size_t bytes) {
    struct pool *pool = NULL;
    tn_cu_result result = with_pool(handle, &pool);
    (void)bytes; // nothing is kept, so there is nothing over any limit
    if (result == TN_CU_SUCCESS) tn_face_object_put(&pool->object);
    return result;
}

tn_cu_result cuMemPoolSetAttribute(tn_cu_pool handle, int attribute, void *value) {
    struct pool *pool = NULL;
    tn_cu_result result = with_pool(handle, &pool);
    if (result == TN_CU_SUCCESS) {
        tn_face_object_put(&pool->object);
        result = value == NULL || attribute != TN_CU_POOL_RELEASE_THRESHOLD ? TN_CU_INVALID_VALUE
                                                                            : TN_CU_SUCCESS;
    }
    return result;
}

// Under the lock. Applies to all live blocks of the pool, and to later ones.
static tn_cu_result change_readers(struct pool *pool, uint32_t readers) {
    tarn_status status = TARN_OK;
    pool->readers = readers;
    for (struct block *b = blocks; b != NULL && status == TARN_OK; b = b->next)
        if (b->pool == pool && !b->leaving) status = set_readers(b->address, b->bytes, readers);
    return standin_from_address(status, NULL);
}

tn_cu_result cuMemPoolSetAccess(tn_cu_pool handle, const tn_cu_access *access, size_t count) {
    struct pool *pool = NULL;
    tn_cu_result result = with_pool(handle, &pool);
    if (result != TN_CU_SUCCESS) return result;
    (void)pthread_mutex_lock(&lock);
    uint32_t readers = pool->readers;
    for (size_t i = 0; i < count && result == TN_CU_SUCCESS; i++) {
        bool owner = access[i].location.id == pool->device->ordinal;
        if (access[i].location.type != TN_CU_LOCATION_DEVICE ||
            standin_device_of(access[i].location.id) == NULL) {
            result = TN_CU_INVALID_DEVICE;
        } else if (owner || access[i].flags == TN_CU_ACCESS_READ) {
            result = TN_CU_INVALID_VALUE; // the owner keeps its rights; others have all or none
        } else {
            uint32_t bit = 1u << access[i].location.id;
            readers = access[i].flags == TN_CU_ACCESS_NONE ? readers & ~bit : readers | bit;
        }
    }
    if (result == TN_CU_SUCCESS) result = change_readers(pool, readers);
    (void)pthread_mutex_unlock(&lock);
    tn_face_object_put(&pool->object);
    return result;
}

TN_FACE_ON_FORK(STANDIN_FORK_POOL, &lock, NULL);
