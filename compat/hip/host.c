// SPDX-License-Identifier: Apache-2.0
// Memory of the host that devices can use: allocated as pinned memory, or registered. free.c frees
// pinned memory.
#include "compat/hip/face.h"
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

tn_rt_error tn_hip_host_alloc(enum tn_rt_block_kind kind, void **ptr, size_t size, unsigned flags) {
    void *memory = NULL;
    if (size != 0) {
        TN_RT_TRY(tn_rt_from(tarn_host_alloc(tn_rt_current()->tarn, size, 0, &memory)));
        tn_rt_block_mark(TARN_ADDR(memory), kind, flags);
    }
    *ptr = memory;
    return TN_RT_OK;
}

static tn_rt_error alloc_host(void **ptr, size_t size, unsigned flags) {
    bool unknown = (flags & ~ALLOC_FLAGS) != 0 && !tn_rt_policy.host_flags_ignored;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    if (unknown || (flags & BOTH_COHERENCIES) == BOTH_COHERENCIES) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x are unknown or contradict each other",
                          flags);
    }
    return tn_hip_host_alloc(TN_RT_BLOCK_HOST, ptr, size, flags & ALLOC_FLAGS);
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

// ---- queries

static tn_rt_error get_device_pointer(void **device, void *host, unsigned flags) {
    struct tn_rt_block block;
    if (device == NULL || flags != 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "devPtr %p, flags 0x%x", (void *)device, flags);
    }
    TN_RT_TRY(tn_rt_block_find(host, tn_rt_policy.host_pointer_kinds, &block));
    *device = host;
    return TN_RT_OK;
}

hipError_t hipHostGetDevicePointer(void **devPtr, void *hstPtr, unsigned int flags) {
    return TN_HIP_CALL(get_device_pointer(devPtr, hstPtr, flags));
}

static tn_rt_error get_host_flags(unsigned *flags, const void *host) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_check_pointer(flags, "flagsPtr"));
    TN_RT_TRY(tn_rt_block_find(host, tn_rt_policy.host_flags_kinds, &block));
    *flags = block.flags;
    return TN_RT_OK;
}

hipError_t hipHostGetFlags(unsigned int *flagsPtr, void *hostPtr) {
    return TN_HIP_CALL(get_host_flags(flagsPtr, hostPtr));
}

// ---- registration

static tn_rt_error check_registration(const void *ptr, size_t size, unsigned flags) {
    struct tn_rt_block block;
    if (ptr == NULL || size == 0 || (flags & ~REGISTER_FLAGS) != 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "hostPtr %p, %zu bytes, flags 0x%x", ptr, size,
                          flags);
    }
    if ((flags & hipHostRegisterIoMemory) != 0) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED, "flags 0x%x: I/O memory is not supported", flags);
    }
    if (tn_rt_block_query(ptr, &block) &&
        (block.kind & (TN_RT_BLOCK_HOST | TN_RT_BLOCK_REGISTERED)) == 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not memory of the host alone", ptr);
    }
    return TN_RT_OK;
}

static tn_rt_error register_host(void *ptr, size_t size, unsigned flags) {
    TN_RT_TRY(check_registration(ptr, size, flags));
    tarn_status status = tarn_host_register(tn_rt_current()->tarn, ptr, size, 0);
    tn_rt_error error = tn_rt_from(status);
    if (status == TARN_OK) {
        tn_rt_block_mark(TARN_ADDR(ptr), TN_RT_BLOCK_REGISTERED, flags);
    }
    return status == TARN_BUSY ? TN_RT_ALREADY_REGISTERED : error;
}

hipError_t hipHostRegister(void *hostPtr, size_t sizeBytes, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(register_host(hostPtr, sizeBytes, flags));
}

static tn_rt_error unregister_host(void *ptr) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "hostPtr"));
    if (tn_rt_block_find_start(ptr, TN_RT_BLOCK_REGISTERED, &block) != TN_RT_OK) {
        return TN_RT_NOT_REGISTERED;
    }
    return tn_rt_from(tarn_host_unregister(ptr));
}

hipError_t hipHostUnregister(void *hostPtr) {
    return TN_HIP_UNCAPTURED_CALL(unregister_host(hostPtr));
}
