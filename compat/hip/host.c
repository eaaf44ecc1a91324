// SPDX-License-Identifier: Apache-2.0
// Memory of the host that devices can use: pinned by allocation, or registered where it is.
#include "compat/hip/memory.h"

#include <hip/detail/device.h>
#include <hip/detail/memory.h>

#define ALLOC_FLAGS                                                                                \
    (hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |                    \
     hipHostMallocUncached | hipHostMallocNumaUser | hipHostMallocCoherent |                       \
     hipHostMallocNonCoherent)
#define REGISTER_FLAGS                                                                             \
    (hipHostRegisterPortable | hipHostRegisterMapped | hipHostRegisterIoMemory |                   \
     hipHostRegisterReadOnly | hipExtHostRegisterUncached)
#define BOTH_COHERENCIES (hipHostMallocCoherent | hipHostMallocNonCoherent)

hipError_t tn_hip_host_take(enum tn_hip_block_kind kind, void **ptr, size_t size, unsigned flags) {
    if (size == 0) {
        *ptr = NULL;
        return hipSuccess;
    }
    struct tn_hip_block *block = tn_hip_block_new(kind, size, flags);
    if (block == NULL) {
        return hipErrorOutOfMemory;
    }
    void *got = NULL;
    tarn_status status = tarn_host_alloc(block->device->tarn, size, 0, &got);
    if (status != TARN_OK) {
        tn_hip_block_free(block);
        return tn_hip_from(status);
    }
    tn_hip_block_insert(block, (uintptr_t)got);
    *ptr = got;
    return hipSuccess;
}

static hipError_t alloc_host(void **ptr, size_t size, unsigned flags) {
    if (ptr == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "ptr is NULL");
    }
    if ((flags & ~ALLOC_FLAGS) != 0 || (flags & BOTH_COHERENCIES) == BOTH_COHERENCIES) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x are unknown or contradict each other",
                           flags);
    }
    return tn_hip_host_take(TN_HIP_BLOCK_HOST, ptr, size, flags);
}

hipError_t hipHostMalloc(void **ptr, size_t size, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(alloc_host(ptr, size, flags));
}

hipError_t hipHostAlloc(void **ptr, size_t size, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(alloc_host(ptr, size, flags));
}

hipError_t hipExtHostAlloc(void **ptr, size_t size, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(alloc_host(ptr, size, flags));
}

hipError_t hipMallocHost(void **ptr, size_t size) {
    return TN_HIP_UNCAPTURED_CALL(alloc_host(ptr, size, hipHostMallocDefault));
}

hipError_t hipMemAllocHost(void **ptr, size_t size) {
    return TN_HIP_UNCAPTURED_CALL(alloc_host(ptr, size, hipHostMallocDefault));
}

// Ends a block that is out of the table; it goes back if Tarn refuses.
static hipError_t end_block(struct tn_hip_block *block, tarn_status (*end)(void *ptr)) {
    tarn_status status = end((void *)block->start);
    if (status != TARN_OK) {
        tn_hip_block_insert(block, block->start);
        return tn_hip_from(status);
    }
    tn_hip_block_free(block);
    return hipSuccess;
}

static hipError_t free_host(void *ptr) {
    if (ptr == NULL) {
        return hipSuccess;
    }
    struct tn_hip_block *block = tn_hip_block_take(ptr, TN_HIP_BLOCK_HOST);
    return block != NULL ? end_block(block, tarn_host_free) : hipErrorInvalidValue;
}

hipError_t hipHostFree(void *ptr) {
    return TN_HIP_UNCAPTURED_CALL(free_host(ptr));
}

hipError_t hipFreeHost(void *ptr) {
    return TN_HIP_UNCAPTURED_CALL(free_host(ptr));
}

// ---- questions

static hipError_t tell_device_pointer(void **device, void *host, unsigned flags) {
    struct tn_hip_block block;
    const unsigned kinds = TN_HIP_BLOCK_HOST | TN_HIP_BLOCK_REGISTERED | TN_HIP_BLOCK_MANAGED;
    if (device == NULL || flags != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "devPtr %p, flags 0x%x", (void *)device, flags);
    }
    if (!tn_hip_block_look(host, &block) || (block.kind & kinds) == 0) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is no host memory that HIP knows", host);
    }
    *device = host;
    return hipSuccess;
}

hipError_t hipHostGetDevicePointer(void **devPtr, void *hstPtr, unsigned int flags) {
    return TN_HIP_CALL(tell_device_pointer(devPtr, hstPtr, flags));
}

static hipError_t tell_flags(unsigned *flags, const void *host) {
    struct tn_hip_block block;
    if (flags == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "flagsPtr is NULL");
    }
    if (!tn_hip_block_look(host, &block) ||
        (block.kind & (TN_HIP_BLOCK_HOST | TN_HIP_BLOCK_REGISTERED)) == 0) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is no pinned memory", host);
    }
    *flags = block.flags;
    return hipSuccess;
}

hipError_t hipHostGetFlags(unsigned int *flagsPtr, void *hostPtr) {
    return TN_HIP_CALL(tell_flags(flagsPtr, hostPtr));
}

// ---- registration

static hipError_t check_registration(const void *ptr, size_t size, unsigned flags) {
    struct tn_hip_block block;
    if (ptr == NULL || size == 0 || (flags & ~REGISTER_FLAGS) != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "hostPtr %p, %zu bytes, flags 0x%x", ptr, size,
                           flags);
    }
    if ((flags & hipHostRegisterIoMemory) != 0) {
        return tn_hip_fail(hipErrorNotSupported, "flags 0x%x: there is no I/O memory", flags);
    }
    if (tn_hip_block_look(ptr, &block) &&
        (block.kind & (TN_HIP_BLOCK_HOST | TN_HIP_BLOCK_REGISTERED)) == 0) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is no memory of the host alone", ptr);
    }
    return hipSuccess;
}

static hipError_t register_host(void *ptr, size_t size, unsigned flags) {
    hipError_t error = check_registration(ptr, size, flags);
    if (error != hipSuccess) {
        return error;
    }
    struct tn_hip_block *block = tn_hip_block_new(TN_HIP_BLOCK_REGISTERED, size, flags);
    if (block == NULL) {
        return hipErrorOutOfMemory;
    }
    tarn_status status = tarn_host_register(block->device->tarn, ptr, size, 0);
    if (status != TARN_OK) {
        tn_hip_block_free(block);
        error = tn_hip_from(status);
        return status == TARN_BUSY ? hipErrorHostMemoryAlreadyRegistered : error;
    }
    tn_hip_block_insert(block, (uintptr_t)ptr);
    return hipSuccess;
}

hipError_t hipHostRegister(void *hostPtr, size_t sizeBytes, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(register_host(hostPtr, sizeBytes, flags));
}

static hipError_t unregister_host(void *ptr) {
    if (ptr == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "hostPtr is NULL");
    }
    struct tn_hip_block *block = tn_hip_block_take(ptr, TN_HIP_BLOCK_REGISTERED);
    return block != NULL ? end_block(block, tarn_host_unregister) : hipErrorHostMemoryNotRegistered;
}

hipError_t hipHostUnregister(void *hostPtr) {
    return TN_HIP_UNCAPTURED_CALL(unregister_host(hostPtr));
}
