// SPDX-License-Identifier: Apache-2.0
// Device memory shared with other processes. A handle of HIP is a key of Tarn. A block keeps the
// key that it was given away by, or came by: so this process knows its own handles, which HIP does
// not let it open, and opens one of another process only once for each device.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <hip/detail/memory.h>

#include "compat/hip/lock.h"
#include "compat/hip/memory.h"

_Static_assert(sizeof(hipIpcMemHandle_t) == sizeof(tarn_memory_key), "a handle holds a key");

// From looking whether a handle is open to having opened or closed it. Tarn is called, and waited
// for, under it: only other opens and closes wait too.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---- giving away

static hipError_t keep_key(struct tn_hip_block *block, void *arg) {
    if (block->key == NULL) {
        block->key = (tarn_memory_key *)malloc(sizeof *block->key);
        if (block->key == NULL) {
            return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a key");
        }
        *block->key = *(const tarn_memory_key *)arg;
    }
    return hipSuccess;
}

static hipError_t get(hipIpcMemHandle_t *handle, const void *ptr) {
    struct tn_hip_block block;
    tarn_memory_key key;
    if (handle == NULL || ptr == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%s is NULL",
                           handle == NULL ? "handle" : "devPtr");
    }
    if (!tn_hip_block_look(ptr, &block) || block.kind != TN_HIP_BLOCK_DEVICE) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is in no memory of hipMalloc()", ptr);
    }
    TN_HIP_TRY(tn_hip_from(tarn_memory_export(block.start, &key)));
    TN_HIP_TRY(tn_hip_block_change(ptr, TN_HIP_BLOCK_DEVICE, keep_key, &key));
    memcpy(handle, &key, sizeof key);
    return hipSuccess;
}

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *devPtr) {
    return TN_HIP_UNCAPTURED_CALL(get(handle, devPtr));
}

// ---- opening

struct search {
    tarn_memory_key key;
    const struct tn_hip_device *device;
    uintptr_t start; // out
};

// One more opening of what is open already; hipErrorNotReady: some other block.
static hipError_t join(struct tn_hip_block *block, void *arg) {
    struct search *search = (struct search *)arg;
    if (block->key == NULL || memcmp(block->key, &search->key, sizeof search->key) != 0) {
        return hipErrorNotReady;
    }
    if (block->kind == TN_HIP_BLOCK_DEVICE) {
        return tn_hip_fail(hipErrorInvalidContext, "the handle is of this process's own 0x%llx",
                           (unsigned long long)block->start);
    }
    if (block->device != search->device) {
        return hipErrorNotReady;
    }
    block->opens++;
    search->start = block->start;
    return hipSuccess;
}

static hipError_t enlist(const struct search *search, tarn_addr addr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    (void)tarn_address_query(addr, &info);
    struct tn_hip_block *block =
        tn_hip_block_new(TN_HIP_BLOCK_OPENED, (size_t)info.bytes, hipDeviceMallocDefault);
    if (block == NULL) {
        return hipErrorOutOfMemory;
    }
    tarn_memory_key key = search->key;
    hipError_t error = keep_key(block, &key);
    if (error != hipSuccess) {
        tn_hip_block_free(block);
        return error;
    }
    block->opens = 1;
    tn_hip_block_insert(block, (uintptr_t)addr);
    return hipSuccess;
}

// Under the lock.
static hipError_t import(struct search *search) {
    tarn_addr addr = 0;
    tarn_status status = tarn_memory_import(search->device->tarn, &search->key, &addr);
    if (status != TARN_OK) {
        hipError_t error = tn_hip_from(status);
        return status == TARN_BAD_HANDLE ? hipErrorInvalidValue : error;
    }
    hipError_t error = enlist(search, addr);
    if (error != hipSuccess) {
        (void)tarn_memory_close(addr);
        return error;
    }
    search->start = (uintptr_t)addr;
    return hipSuccess;
}

static hipError_t open_handle(void **ptr, const hipIpcMemHandle_t *handle, unsigned flags) {
    struct search search = {.device = tn_hip_current()};
    if (ptr == NULL || (flags & ~(unsigned)hipIpcMemLazyEnablePeerAccess) != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "devPtr %p, flags 0x%x", (void *)ptr, flags);
    }
    memcpy(&search.key, handle, sizeof search.key);
    (void)pthread_mutex_lock(&lock);
    hipError_t error = tn_hip_block_each(join, &search);
    if (error == hipErrorNotReady) {
        error = import(&search);
    }
    (void)pthread_mutex_unlock(&lock);
    if (error == hipSuccess) {
        *ptr = (void *)search.start;
    }
    return error;
}

hipError_t hipIpcOpenMemHandle(void **devPtr, hipIpcMemHandle_t handle, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(open_handle(devPtr, &handle, flags));
}

// ---- closing

// hipErrorNotReady: it was the last one, the block is to end.
static hipError_t leave(struct tn_hip_block *block, void *arg) {
    if (block->start != *(const uintptr_t *)arg) {
        return tn_hip_fail(hipErrorInvalidValue, "0x%llx is inside what was opened at 0x%llx",
                           (unsigned long long)*(const uintptr_t *)arg,
                           (unsigned long long)block->start);
    }
    if (block->opens == 1) {
        return hipErrorNotReady;
    }
    block->opens--;
    return hipSuccess;
}

hipError_t tn_hip_ipc_end(struct tn_hip_block *block) {
    tarn_status status = tarn_memory_close(block->start);
    if (status != TARN_OK) {
        tn_hip_block_insert(block, block->start);
        return tn_hip_from(status);
    }
    tn_hip_block_free(block);
    return hipSuccess;
}

static hipError_t close_opened(const void *ptr) {
    uintptr_t start = (uintptr_t)ptr;
    (void)pthread_mutex_lock(&lock);
    hipError_t error = tn_hip_block_change(ptr, TN_HIP_BLOCK_OPENED, leave, &start);
    if (error == hipErrorNotReady) { // NULL: the device was reset meanwhile
        struct tn_hip_block *block = tn_hip_block_take(ptr, TN_HIP_BLOCK_OPENED);
        error = block != NULL ? tn_hip_ipc_end(block) : hipErrorInvalidValue;
    }
    (void)pthread_mutex_unlock(&lock);
    return error;
}

hipError_t hipIpcCloseMemHandle(void *devPtr) {
    return TN_HIP_UNCAPTURED_CALL(close_opened(devPtr));
}

TN_FACE_ON_FORK(TN_HIP_LOCK_IPC, &lock, NULL);
