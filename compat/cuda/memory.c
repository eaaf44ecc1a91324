// SPDX-License-Identifier: Apache-2.0
// Device memory: allocated, freed, measured. See compat/runtime/memory.h.
#include "compat/runtime/memory.h"

#include "compat/cuda/face.h"

// The driver refuses a size of 0, for which the runtime API returns NULL.
static tn_rt_error alloc_device(CUdeviceptr *ptr, size_t size) {
    TN_RT_REFUSE(size == 0, TN_RT_INVALID_VALUE, "the size is 0");
    return tn_rt_memory_alloc(ptr, size, 0);
}

static tn_rt_error alloc_or_null(void **ptr, size_t size) {
    return tn_rt_memory_alloc(ptr, size, 0);
}

// Memory of the host is freed by functions of its own.
static tn_rt_error free_memory(void *ptr) {
    struct tn_rt_block block;
    TN_RT_REFUSE(tn_rt_block_query(ptr, &block) && block.kind == TN_RT_BLOCK_HOST,
                 TN_RT_INVALID_VALUE, "%p is pinned host memory", ptr);
    return tn_rt_free(ptr);
}

TN_CU_UNCAPTURED(cuMemAlloc, alloc_device, CUdeviceptr *, size_t)
TN_CUDART_UNCAPTURED(cudaMalloc, alloc_or_null, void **, size_t)
TN_CU_FREE(cuMemFree, free_memory, CUdeviceptr)
TN_CUDART_UNCAPTURED(cudaFree, free_memory, void *)

TN_CU_BOTH(MemGetInfo, tn_rt_memory_measure, size_t *, size_t *)
TN_CU(cuMemGetAddressRange, tn_rt_memory_range, CUdeviceptr *, size_t *, CUdeviceptr)
