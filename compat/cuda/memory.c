// SPDX-License-Identifier: Apache-2.0
// Device memory: allocated, freed, measured. See compat/runtime/memory.h.
#include "compat/runtime/memory.h"

#include "compat/cuda/face.h"

// The driver refuses a size of 0, for which the runtime API returns NULL. It writes 0, too.
static tn_rt_error alloc_device(CUdeviceptr *ptr, size_t size) {
    TN_RT_TRY(tn_rt_memory_alloc(ptr, size, 0));
    return size != 0 ? TN_RT_OK : tn_rt_fail(TN_RT_INVALID_VALUE, "the size is 0");
}

// A failure writes NULL.
static tn_rt_error alloc_or_null(void **ptr, size_t size) {
    if (ptr != NULL) *ptr = NULL;
    return tn_rt_memory_alloc(ptr, size, 0);
}

// Memory of the host is freed by functions of its own: Tarn refuses it, and the checker reports that.
static tn_rt_error free_memory(void *ptr) {
    struct tn_rt_block block;
    if (tn_rt_block_query(ptr, &block) && block.kind == TN_RT_BLOCK_HOST)
        return tn_rt_translate(tarn_memory_free(TARN_ADDR(ptr), 0), TN_RT_INVALID_VALUE);
    return tn_rt_free(ptr);
}

TN_CU_UNCAPTURED(cuMemAlloc, alloc_device, CUdeviceptr *, size_t)
TN_CUDART_UNCAPTURED(cudaMalloc, alloc_or_null, void **, size_t)
TN_CU_FREE(cuMemFree, free_memory, CUdeviceptr)
TN_CUDART_UNCAPTURED(cudaFree, free_memory, void *)

// The runtime API takes NULL for both.
static tn_rt_error measure_any(size_t *left, size_t *all) {
    size_t unused = 0;
    return tn_rt_memory_measure(left != NULL ? left : &unused, all);
}

TN_CU(cuMemGetInfo, tn_rt_memory_measure, size_t *, size_t *)
TN_CUDART(cudaMemGetInfo, measure_any, size_t *, size_t *)

// A query for nothing succeeds for any address.
static tn_rt_error get_range(CUdeviceptr *base, size_t *size, CUdeviceptr ptr) {
    return base != NULL || size != NULL ? tn_rt_memory_range(base, size, ptr) : TN_RT_OK;
}

TN_CU(cuMemGetAddressRange, get_range, CUdeviceptr *, size_t *, CUdeviceptr)
