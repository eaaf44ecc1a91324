// SPDX-License-Identifier: Apache-2.0
// HIP's functions about memory of the host that devices can use. See compat/runtime/memory/memory.h.
#include "compat/hip/face.h"
#include "compat/runtime/memory/memory.h"
#include "compat/runtime/memory/policy.h"

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

static tn_rt_error alloc_host(void **ptr, size_t size, unsigned flags) {
    bool unknown = (flags & ~ALLOC_FLAGS) != 0 && !tn_rt_memory_policy.host_flags_ignored;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    TN_RT_REFUSE(unknown || (flags & BOTH_COHERENCIES) == BOTH_COHERENCIES, TN_RT_INVALID_VALUE,
                 "flags 0x%x are unknown or contradict each other", flags);
    return tn_rt_host_alloc(TN_RT_BLOCK_HOST, ptr, size, flags & ALLOC_FLAGS);
}

// Release 6 does not check the flags of this one, and release 7 knows fewer.
static tn_rt_error alloc_host_strictly(void **ptr, size_t size, unsigned flags) {
    const unsigned known = hipHostAllocPortable | hipHostAllocMapped | hipHostAllocWriteCombined |
                           hipHostMallocUncached;
    TN_RT_REFUSE((flags & ~known) != 0 && !tn_rt_memory_policy.host_flags_ignored,
                 TN_RT_INVALID_VALUE, "flags 0x%x, 0x%x are known", flags, known);
    return alloc_host(ptr, size, flags);
}

TN_HIP_UNCAPTURED_ROW(hipHostMalloc, alloc_host, void **, ptr, size_t, size, unsigned int, flags)
TN_HIP_UNCAPTURED_ROW(hipHostAlloc, alloc_host_strictly, void **, ptr, size_t, size, unsigned int,
                      flags)
TN_HIP_UNCAPTURED_ROW(hipExtHostAlloc, alloc_host, void **, ptr, size_t, size, unsigned int, flags)

TN_HIP_UNCAPTURED_ROW(hipMallocHost,
                      TN_FACE_EXPRESSION(alloc_host(ptr, size, hipHostMallocDefault)), void **, ptr,
                      size_t, size)
TN_HIP_UNCAPTURED_ROW(hipMemAllocHost,
                      TN_FACE_EXPRESSION(alloc_host(ptr, size, hipHostMallocDefault)), void **, ptr,
                      size_t, size)

// ---- queries

TN_HIP_ROW(hipHostGetFlags, tn_rt_host_flags, unsigned int *, flagsPtr, void *, hostPtr)

// ---- registration

TN_HIP_UNCAPTURED_FUNCTION(hipHostRegister, void *, hostPtr, size_t, sizeBytes, unsigned int,
                           flags) {
    TN_RT_REFUSE(hostPtr == NULL || sizeBytes == 0 || (flags & ~REGISTER_FLAGS) != 0,
                 TN_RT_INVALID_VALUE, "hostPtr %p, %zu bytes, flags 0x%x", hostPtr, sizeBytes,
                 flags);
    TN_RT_REFUSE((flags & hipHostRegisterIoMemory) != 0, TN_RT_NOT_SUPPORTED,
                 "flags 0x%x: I/O memory is not supported", flags);
    return tn_rt_host_register(hostPtr, sizeBytes, flags);
}

TN_HIP_UNCAPTURED_ROW(hipHostUnregister, tn_rt_host_unregister, void *, hostPtr)
