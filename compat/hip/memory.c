// SPDX-License-Identifier: Apache-2.0
// HIP's functions that allocate and free device memory, share it with other processes, and measure it.
// See compat/runtime/memory/memory.h.
#include <hip/detail/memory.h>
#include <hip/detail/pool.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory/memory.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/memory/pool.h"

TN_HIP_UNCAPTURED_ROW(hipMalloc,
                      TN_FACE_EXPRESSION(tn_rt_memory_alloc(ptr, size, hipDeviceMallocDefault)),
                      void **, ptr, size_t, size)

TN_HIP_UNCAPTURED_FUNCTION(hipExtMallocWithFlags, void **, ptr, size_t, sizeBytes, unsigned int,
                           flags) {
    TN_RT_REFUSE(flags > hipDeviceMallocContiguous, TN_RT_INVALID_VALUE, "flags 0x%x are unknown",
                 flags);
    TN_RT_REFUSE(flags == hipMallocSignalMemory && sizeBytes != 8, TN_RT_INVALID_VALUE,
                 "a signal of %zu bytes must have 8", sizeBytes);
    return tn_rt_memory_alloc(ptr, sizeBytes, flags);
}

// ---- rows and slices

TN_HIP_UNCAPTURED_ROW(hipMemAllocPitch, tn_rt_memory_alloc_elements, hipDeviceptr_t *, dptr,
                      size_t *, pitch, size_t, widthInBytes, size_t, height, unsigned int,
                      elementSizeBytes)

// ---- queries

TN_HIP_ROW(hipMemGetInfo, tn_rt_memory_measure, size_t *, free, size_t *, total)
TN_HIP_ROW(hipMemGetAddressRange, tn_rt_memory_range, hipDeviceptr_t *, pbase, size_t *, psize,
           hipDeviceptr_t, dptr)

TN_HIP_FUNCTION(hipMemPtrGetInfo, void *, ptr, size_t *, size) {
    TN_RT_TRY(tn_rt_check_pointer(size, "size"));
    bool none = ptr == NULL && !tn_rt_memory_policy.pointer_query_checks_null;
    if (none) *size = 0;
    return none || tn_rt_memory_range(NULL, size, ptr) == TN_RT_OK ? TN_RT_OK : TN_RT_INVALID_VALUE;
}

// ---- frees

// Each function frees memory of every kind, as AMD's runtime does. AMD's documentation allows some
// kinds only, so memory of the `others` is reported to memory tools.
static tn_rt_error free_beside(void *ptr, unsigned others) {
    struct tn_rt_block block;
    if (tarn_annotate_subscribed() && tn_rt_block_query(ptr, &block) &&
        block.start == TARN_ADDR(ptr) && (block.kind & others) != 0)
        tarn_annotate_refused(tn_rt_memory_policy.free_name, TARN_ADDR(ptr));
    return tn_rt_free(ptr);
}

#define NOT_OF_HOST (TN_RT_BLOCK_DEVICE | TN_RT_BLOCK_MANAGED | TN_RT_BLOCK_POOLED)

TN_HIP_UNCAPTURED_ROW(hipFree, TN_FACE_EXPRESSION(free_beside(ptr, TN_RT_BLOCK_HOST)), void *, ptr)
TN_HIP_UNCAPTURED_ROW(hipHostFree, TN_FACE_EXPRESSION(free_beside(ptr, NOT_OF_HOST)), void *, ptr)
TN_HIP_UNCAPTURED_ROW(hipFreeHost, TN_FACE_EXPRESSION(free_beside(ptr, NOT_OF_HOST)), void *, ptr)

TN_HIP_UNCAPTURED_SETTING_ROW(hipMemPoolCreate, tn_rt_pool_make, hipMemPool_t *, mem_pool,
                              const hipMemPoolProps *, pool_props)

// ---- memory of other processes, whose handles are keys of Tarn

_Static_assert(sizeof(hipIpcMemHandle_t) == sizeof(tarn_key) &&
                   hipIpcMemLazyEnablePeerAccess == TN_RT_IPC_LAZY,
               "a handle holds a key");

TN_HIP_UNCAPTURED_ROW(hipIpcOpenMemHandle,
                      TN_FACE_EXPRESSION(tn_rt_ipc_open(devPtr, &handle, flags)), void **, devPtr,
                      hipIpcMemHandle_t, handle, unsigned int, flags)
