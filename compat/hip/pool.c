// SPDX-License-Identifier: Apache-2.0
// See pool.h.
#include "compat/hip/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/hip/block.h"
#include "compat/hip/lock.h"

// Guards what pool.h says, and the below. Comes before the lock of the handles; Tarn is called
// under it only to make a device's own pool.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tn_hip_pool *first_pool;
static struct tn_hip_pool *own[TN_HIP_DEVICES];     // each with its name's reference
static struct tn_hip_pool *current[TN_HIP_DEVICES]; // with one more reference; NULL: the own one

static _Atomic(uint32_t) pool_count; // so that who has no pools pays nothing

// ---- the object

static struct tn_hip_pool *pool_of(struct tn_face_object *object) {
    return (struct tn_hip_pool *)object;
}

// No name, no block, no device has it. Waits for work that may still use what was freed.
static void destroy(struct tn_face_object *object) {
    struct tn_hip_pool *pool = pool_of(object);
    (void)pthread_mutex_lock(&lock);
    struct tn_hip_pool **at = &first_pool;
    while (*at != pool) {
        at = &(*at)->next;
    }
    *at = pool->next;
    (void)pthread_mutex_unlock(&lock);
    (void)atomic_fetch_sub_explicit(&pool_count, 1, memory_order_relaxed);
    (void)tarn_pool_destroy(pool->tarn);
    free(pool);
}

static hipError_t open_pool(struct tn_hip_pool *pool, uint64_t limit) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    bool pages = (pool->device->info.features & TARN_FEATURE_VMM) != 0;
    desc.kind = pages ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.device = pool->device->tarn;
    desc.limit = limit;
    return tn_hip_from(tarn_pool_create(&desc, &pool->tarn));
}

// Under the lock.
static hipError_t make(struct tn_hip_device *device, uint64_t limit, struct tn_hip_pool **made) {
    struct tn_hip_pool *pool = (struct tn_hip_pool *)calloc(1, sizeof *pool);
    if (pool == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a pool");
    }
    pool->device = device;
    atomic_init(&pool->follow_events, true);
    atomic_init(&pool->internal_dependencies, true);
    hipError_t error = open_pool(pool, limit);
    if (error != hipSuccess) {
        goto err_free;
    }
    if (!tn_face_handle_new(&pool->object, TN_HIP_POOL, destroy)) {
        error = tn_hip_fail(hipErrorOutOfMemory, "no host memory for another handle");
        goto err_close;
    }
    pool->next = first_pool;
    first_pool = pool;
    (void)atomic_fetch_add_explicit(&pool_count, 1, memory_order_relaxed);
    *made = pool;
    return hipSuccess;

err_close:
    (void)tarn_pool_destroy(pool->tarn);
err_free:
    free(pool);
    return error;
}

hipError_t tn_hip_pool_new(struct tn_hip_device *device, uint64_t limit,
                           struct tn_hip_pool **pool) {
    (void)pthread_mutex_lock(&lock);
    hipError_t error = make(device, limit, pool);
    (void)pthread_mutex_unlock(&lock);
    return error;
}

hipError_t tn_hip_pool_get(hipMemPool_t handle, struct tn_hip_pool **pool) {
    struct tn_face_object *object = tn_face_handle_get((uintptr_t)handle, TN_HIP_POOL);
    if (object == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is no memory pool", (void *)handle);
    }
    *pool = pool_of(object);
    return hipSuccess;
}

void tn_hip_pool_put(struct tn_hip_pool *pool) {
    tn_face_object_put(&pool->object);
}

// ---- those of devices

// Under the lock.
static hipError_t keep_own(struct tn_hip_device *device, struct tn_hip_pool **pool) {
    hipError_t error = hipSuccess;
    if (own[device->hip] == NULL) {
        error = make(device, 0, &own[device->hip]);
    }
    if (error == hipSuccess) {
        *pool = own[device->hip];
        tn_face_object_keep(&(*pool)->object);
    }
    return error;
}

hipError_t tn_hip_pool_own(struct tn_hip_device *device, struct tn_hip_pool **pool) {
    (void)pthread_mutex_lock(&lock);
    hipError_t error = keep_own(device, pool);
    (void)pthread_mutex_unlock(&lock);
    return error;
}

hipError_t tn_hip_pool_current(struct tn_hip_device *device, struct tn_hip_pool **pool) {
    hipError_t error = hipSuccess;
    (void)pthread_mutex_lock(&lock);
    if (current[device->hip] != NULL) {
        *pool = current[device->hip];
        tn_face_object_keep(&(*pool)->object);
    } else {
        error = keep_own(device, pool);
    }
    (void)pthread_mutex_unlock(&lock);
    return error;
}

// Puts another one, with its reference, in the place of what a device had.
static void put_in_place(const struct tn_hip_device *device, struct tn_hip_pool *pool) {
    (void)pthread_mutex_lock(&lock);
    struct tn_hip_pool *before = current[device->hip];
    current[device->hip] = pool;
    (void)pthread_mutex_unlock(&lock);
    if (before != NULL) {
        tn_hip_pool_put(before);
    }
}

// Its device uses its own pool again, if it used this one.
static void stop_using(struct tn_hip_pool *pool) {
    (void)pthread_mutex_lock(&lock);
    bool used = current[pool->device->hip] == pool;
    if (used) {
        current[pool->device->hip] = NULL;
    }
    (void)pthread_mutex_unlock(&lock);
    if (used) {
        tn_hip_pool_put(pool);
    }
}

void tn_hip_pool_select(struct tn_hip_pool *pool) {
    tn_face_object_keep(&pool->object);
    put_in_place(pool->device, pool);
}

static bool is_own(const struct tn_hip_pool *pool) {
    (void)pthread_mutex_lock(&lock);
    bool is = own[pool->device->hip] == pool;
    (void)pthread_mutex_unlock(&lock);
    return is;
}

// The name goes first: whoever selects the pool meanwhile has got it by its name before.
static hipError_t close_pool(struct tn_hip_pool *pool, hipMemPool_t handle) {
    if (is_own(pool)) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is the own pool of device %d", (void *)handle,
                           pool->device->hip);
    }
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)handle, TN_HIP_POOL);
    if (object == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is no memory pool", (void *)handle);
    }
    stop_using(pool);
    tn_face_object_put(object);
    return hipSuccess;
}

hipError_t tn_hip_pool_close(hipMemPool_t handle) {
    struct tn_hip_pool *pool = NULL;
    TN_HIP_TRY(tn_hip_pool_get(handle, &pool));
    hipError_t error = close_pool(pool, handle);
    tn_hip_pool_put(pool);
    return error;
}

// ---- where it is

void tn_hip_pool_learn(struct tn_hip_pool *pool, tarn_addr block) {
    tarn_addr base = 0;
    uint64_t bytes = 0;
    if (atomic_load_explicit(&pool->placed, memory_order_relaxed)) {
        return;
    }
    (void)tarn_space_query(block, &base, &bytes); // of segments there is none
    (void)pthread_mutex_lock(&lock);
    pool->first = (uintptr_t)base;
    pool->end = (uintptr_t)(base + bytes);
    (void)pthread_mutex_unlock(&lock);
    atomic_store_explicit(&pool->placed, true, memory_order_relaxed);
}

bool tn_hip_pool_holds(uintptr_t address) {
    bool holds = false;
    if (atomic_load_explicit(&pool_count, memory_order_relaxed) == 0) {
        return false;
    }
    (void)pthread_mutex_lock(&lock);
    for (const struct tn_hip_pool *pool = first_pool; pool != NULL && !holds; pool = pool->next) {
        holds = address >= pool->first && address < pool->end;
    }
    (void)pthread_mutex_unlock(&lock);
    return holds;
}

// ---- giving back

static struct tn_hip_pool *next_of(const struct tn_hip_device *device, uint32_t *cursor) {
    struct tn_face_object *object = tn_face_handle_next(TN_HIP_POOL, cursor);
    while (object != NULL && pool_of(object)->device != device) {
        tn_face_object_put(object);
        object = tn_face_handle_next(TN_HIP_POOL, cursor);
    }
    return object != NULL ? pool_of(object) : NULL;
}

// What a pool holds beyond `keep` and beyond its blocks. 0: there is nothing to give back.
static uint64_t surplus(struct tn_hip_pool *pool, uint64_t keep) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    if (tarn_pool_query_stats(pool->tarn, &stats) != TARN_OK) {
        return 0;
    }
    uint64_t least = stats.used_bytes > keep ? stats.used_bytes : keep;
    return stats.held_bytes > least ? stats.held_bytes - least : 0;
}

void tn_hip_pool_synchronized(struct tn_hip_device *device) {
    uint32_t cursor = 0;
    struct tn_hip_pool *pool;
    if (atomic_load_explicit(&pool_count, memory_order_relaxed) == 0) {
        return;
    }
    while ((pool = next_of(device, &cursor)) != NULL) {
        uint64_t keep = atomic_load_explicit(&pool->threshold, memory_order_relaxed);
        if (surplus(pool, keep) != 0) {
            (void)tarn_pool_trim(pool->tarn, keep, TARN_NO_WAIT, NULL);
        }
        tn_hip_pool_put(pool);
    }
}

bool tn_hip_pool_relieve(const struct tn_hip_device *device) {
    uint32_t cursor = 0;
    uint64_t all = 0;
    struct tn_hip_pool *pool;
    while ((pool = next_of(device, &cursor)) != NULL) {
        uint64_t released = 0;
        (void)tarn_pool_trim(pool->tarn, 0, TARN_NO_WAIT, &released);
        all += released;
        tn_hip_pool_put(pool);
    }
    return all != 0;
}

// ---- marks. Tarn resets all peaks of a pool at once, HIP one by one.

static hipError_t peaks(struct tn_hip_pool *pool, uint64_t peak[2]) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    tarn_status status = tarn_pool_query_stats(pool->tarn, &stats);
    if (status == TARN_OK) {
        peak[0] = stats.peak_used_bytes;
        peak[1] = stats.peak_held_bytes;
    }
    return tn_hip_from(status);
}

static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

hipError_t tn_hip_pool_high(struct tn_hip_pool *pool, int which, uint64_t *bytes) {
    uint64_t peak[2];
    TN_HIP_TRY(peaks(pool, peak));
    (void)pthread_mutex_lock(&lock);
    *bytes = most(pool->high[which], peak[which]);
    (void)pthread_mutex_unlock(&lock);
    return hipSuccess;
}

hipError_t tn_hip_pool_reset_high(struct tn_hip_pool *pool, int which) {
    uint64_t peak[2];
    TN_HIP_TRY(peaks(pool, peak));
    TN_HIP_TRY(tn_hip_from(tarn_pool_reset_peaks(pool->tarn, 0)));
    (void)pthread_mutex_lock(&lock);
    pool->high[which] = 0;
    pool->high[!which] = most(pool->high[!which], peak[!which]);
    (void)pthread_mutex_unlock(&lock);
    return hipSuccess;
}

// ---- the end

void tn_hip_pool_reset(const struct tn_hip_device *device) {
    uint32_t cursor = 0;
    struct tn_hip_pool *pool;
    put_in_place(device, NULL);
    (void)pthread_mutex_lock(&lock);
    own[device->hip] = NULL;
    (void)pthread_mutex_unlock(&lock);
    while ((pool = next_of(device, &cursor)) != NULL) {
        struct tn_face_object *named = tn_face_handle_close(pool->object.handle, TN_HIP_POOL);
        if (named != NULL) {
            tn_face_object_put(named);
        }
        tn_hip_pool_put(pool);
    }
}

// The pools belong to the parent.
static void forget_pools(void) {
    first_pool = NULL;
    memset(own, 0, sizeof own);
    memset(current, 0, sizeof current);
    atomic_store_explicit(&pool_count, 0, memory_order_relaxed);
}

TN_FACE_ON_FORK(TN_HIP_LOCK_POOL, &lock, forget_pools);
