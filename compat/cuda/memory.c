// SPDX-License-Identifier: Apache-2.0
// Device memory: allocated, freed, measured. See compat/runtime/memory/memory.h.
#include "compat/runtime/memory/memory.h"

#include <tarn/address.h>

#include "compat/cuda/face.h"

// The driver refuses a size of 0, for which the runtime API returns NULL.
static tn_rt_error alloc_device(CUdeviceptr *ptr, size_t size) {
    TN_RT_TRY(tn_rt_memory_alloc(ptr, size, 0));
    return size != 0 ? TN_RT_OK : tn_rt_fail(TN_RT_INVALID_VALUE, "the size is 0");
}

// Memory of the host is freed by functions of its own: Tarn refuses it, and the checker reports that.
static tn_rt_error free_memory(void *ptr) {
    struct tn_rt_block block;
    if (tn_rt_block_query(ptr, &block) && block.kind == TN_RT_BLOCK_HOST)
        return tn_rt_error_or(tarn_memory_free(TARN_ADDR(ptr), 0), TN_RT_INVALID_VALUE);
    return tn_rt_free(ptr);
}

TN_CU_UNCAPTURED(cuMemAlloc_v2, alloc_device, CUdeviceptr *, address, size_t, size)
TN_CUDART_UNCAPTURED(cudaMalloc, TN_FACE_EXPRESSION(tn_rt_memory_alloc(address, size, 0)), void **,
                     address, size_t, size)
TN_CU_FREE(cuMemFree_v2, free_memory, CUdeviceptr, address)
TN_CUDART_UNCAPTURED(cudaFree, free_memory, void *, address)

// Both outputs may be NULL.
static tn_rt_error measure_any(size_t *left, size_t *all) {
    size_t unused = 0;
    return tn_rt_memory_measure(left != NULL ? left : &unused, all);
}

TN_CU(cuMemGetInfo_v2, measure_any, size_t *, free, size_t *, total)
TN_CUDART(cudaMemGetInfo, measure_any, size_t *, free, size_t *, total)

// A query for nothing succeeds for any address. A mapping without rights has no range. A failure
// writes zeros.
static tn_rt_error get_range(CUdeviceptr *base, size_t *size, CUdeviceptr ptr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    struct tn_rt_block block;
    if (base != NULL) *base = NULL;
    if (size != NULL) *size = 0;
    if (base == NULL && size == NULL) return TN_RT_OK;
    bool mapped = tn_rt_block_query(ptr, &block) && block.kind == TN_RT_BLOCK_MAPPED;
    TN_RT_REFUSE(mapped && tarn_address_query(TARN_ADDR(ptr), &info) == TARN_OK &&
                     info.readable == 0,
                 TN_RT_NOT_FOUND, "no device may use the mapping at %p", ptr);
    return tn_rt_memory_range(base, size, ptr);
}

TN_CU(cuMemGetAddressRange_v2, get_range, CUdeviceptr *, base, size_t *, size, CUdeviceptr, address)
