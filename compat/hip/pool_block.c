// SPDX-License-Identifier: Apache-2.0
// Blocks of pools: allocated and freed in the order of streams. Tarn's pool knows the streams by
// their own numbers.
#include <hip/detail/pool.h>

#include "compat/hip/block.h"
#include "compat/hip/memory.h"
#include "compat/hip/pool.h"

static tarn_status take(struct tn_hip_pool *pool, size_t size, tarn_stream stream,
                        tarn_addr *addr) {
    tarn_status status = tarn_pool_alloc(pool->tarn, size, stream, addr);
    if (status == TARN_NO_DEVICE_MEMORY && tn_hip_pool_relieve(pool->device)) {
        status = tarn_pool_alloc(pool->tarn, size, stream, addr);
    }
    return status;
}

static hipError_t alloc(void **ptr, size_t size, struct tn_hip_pool *pool, tarn_stream stream) {
    struct tn_hip_block *block = tn_hip_block_new(TN_HIP_BLOCK_POOLED, size, 0);
    if (block == NULL) {
        return hipErrorOutOfMemory;
    }
    tarn_addr addr = 0;
    tarn_status status = take(pool, size, stream, &addr);
    if (status != TARN_OK) {
        tn_hip_block_free(block);
        return tn_hip_from(status);
    }
    tn_hip_pool_learn(pool, addr);
    tn_face_object_keep(&pool->object);
    block->pool = pool;
    block->pool_name = pool->object.handle;
    block->device = pool->device;
    block->stream = stream;
    tn_hip_block_insert(block, (uintptr_t)addr);
    *ptr = (void *)(uintptr_t)addr;
    return hipSuccess;
}

// ---- freeing

static hipError_t end(struct tn_hip_block *block, tarn_stream stream) {
    struct tn_hip_pool *pool = block->pool;
    tarn_status status = TARN_OK;
    if (stream != block->stream) {
        status = tarn_pool_used_on(pool->tarn, block->start, stream);
    }
    if (status == TARN_OK) {
        status = tarn_pool_free(pool->tarn, block->start);
    }
    if (status != TARN_OK) {
        tn_hip_block_insert(block, block->start);
        return tn_hip_from(status);
    }
    tn_hip_block_free(block);
    tn_hip_pool_put(pool);
    return hipSuccess;
}

// A stream that has failed runs nothing further: that it says so does not matter here.
hipError_t tn_hip_pool_end_block(struct tn_hip_block *block) {
    tarn_status status = TARN_OK;
    for (int i = 0; i < tn_hip_face.count && status != TARN_BUSY; i++) {
        status = tarn_device_synchronize(tn_hip_face.devices[i].tarn);
    }
    if (status == TARN_BUSY) {
        tn_hip_block_insert(block, block->start);
        return tn_hip_from(status);
    }
    struct tn_hip_device *device = block->device;
    hipError_t error = end(block, block->stream);
    tn_hip_pool_synchronized(device);
    return error;
}

static hipError_t free_ordered(const void *ptr, hipStream_t stream) {
    struct tn_hip_where where;
    hipError_t error = tn_hip_stream_begin(stream, &where);
    if (error != hipSuccess) {
        return error;
    }
    struct tn_hip_block *block =
        tn_hip_block_take(ptr, TN_HIP_BLOCK_POOLED | TN_HIP_BLOCK_DEVICE | TN_HIP_BLOCK_MANAGED);
    if (block == NULL) {
        error = hipErrorInvalidValue;
    } else if (block->kind == TN_HIP_BLOCK_POOLED) {
        error = end(block, where.stream);
    } else {
        error = tn_hip_memory_end(block);
    }
    tn_hip_stream_end(&where);
    return error;
}

hipError_t hipFreeAsync(void *dev_ptr, hipStream_t stream) {
    return TN_HIP_CALL(free_ordered(dev_ptr, stream));
}

// ---- allocating

// From `pool`, or from the current one of the stream's device.
static hipError_t alloc_ordered(void **ptr, size_t size, struct tn_hip_pool *pool,
                                hipStream_t stream) {
    struct tn_hip_where where;
    if (ptr == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "dev_ptr is NULL");
    }
    hipError_t error = tn_hip_stream_begin(stream, &where);
    if (error != hipSuccess) {
        return error;
    }
    if (size == 0) {
        *ptr = NULL;
    } else if (pool != NULL) {
        error = alloc(ptr, size, pool, where.stream);
    } else {
        error = tn_hip_pool_current(where.device, &pool);
        if (error == hipSuccess) {
            error = alloc(ptr, size, pool, where.stream);
            tn_hip_pool_put(pool);
        }
    }
    tn_hip_stream_end(&where);
    return error;
}

hipError_t hipMallocAsync(void **dev_ptr, size_t size, hipStream_t stream) {
    return TN_HIP_CALL(alloc_ordered(dev_ptr, size, NULL, stream));
}

static hipError_t alloc_from(void **ptr, size_t size, hipMemPool_t handle, hipStream_t stream) {
    struct tn_hip_pool *pool = NULL;
    TN_HIP_TRY(tn_hip_pool_get(handle, &pool));
    hipError_t error = alloc_ordered(ptr, size, pool, stream);
    tn_hip_pool_put(pool);
    return error;
}

hipError_t hipMallocFromPoolAsync(void **dev_ptr, size_t size, hipMemPool_t mem_pool,
                                  hipStream_t stream) {
    return TN_HIP_CALL(alloc_from(dev_ptr, size, mem_pool, stream));
}
