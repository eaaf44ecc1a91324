// SPDX-License-Identifier: Apache-2.0
// Memory of the host that devices can use. See compat/runtime/memory/memory.h.
#include "compat/cuda/face.h"
#include "compat/runtime/memory/memory.h"

#define ALLOC_FLAGS (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)
#define REGISTER_FLAGS                                                                             \
    (cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly)

static tn_rt_error alloc_host(void **ptr, size_t size, unsigned flags) {
    TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    TN_RT_REFUSE((flags & ~(unsigned)ALLOC_FLAGS) != 0, TN_RT_INVALID_VALUE,
                 "flags 0x%x are unknown", flags);
    return tn_rt_host_alloc(TN_RT_BLOCK_HOST, ptr, size, flags);
}

static tn_rt_error alloc_plain(void **ptr, size_t size) {
    return alloc_host(ptr, size, cudaHostAllocDefault);
}

static tn_rt_error free_host(void *ptr) {
    struct tn_rt_block block;
    if (ptr != NULL) TN_RT_TRY(tn_rt_block_find_start(ptr, TN_RT_BLOCK_HOST, &block));
    return tn_rt_free(ptr);
}

TN_CU_UNCAPTURED(cuMemHostAlloc, alloc_host, void **, pointer, size_t, size, unsigned int, flags)
TN_CUDART_UNCAPTURED(cudaHostAlloc, alloc_host, void **, pointer, size_t, size, unsigned int, flags)
TN_CU_UNCAPTURED(cuMemAllocHost_v2, alloc_plain, void **, pointer, size_t, size)
TN_CUDART_UNCAPTURED(cudaMallocHost, alloc_plain, void **, pointer, size_t, size)
TN_CU_FREE(cuMemFreeHost, free_host, void *, pointer)
TN_CUDART_UNCAPTURED(cudaFreeHost, free_host, void *, pointer)

TN_CU(cuMemHostGetDevicePointer_v2, tn_rt_host_pointer, CUdeviceptr *, address, void *, pointer,
      unsigned int, flags)

// All memory is mapped, because devices and the host share their addresses. That memory was
// registered for reading is not shown.
static tn_rt_error get_flags(unsigned *flags, void *ptr) {
    TN_RT_TRY(tn_rt_host_flags(flags, ptr));
    *flags = (*flags & ~(unsigned)cudaHostRegisterReadOnly) | cudaHostAllocMapped;
    return TN_RT_OK;
}

TN_CU(cuMemHostGetFlags, get_flags, unsigned int *, flags, void *, pointer)
TN_CUDART(cudaHostGetFlags, get_flags, unsigned int *, flags, void *, pointer)

// ---- registration

static tn_rt_error add(void *ptr, size_t size, unsigned flags) {
    struct tn_rt_block block;
    TN_RT_REFUSE(ptr == NULL || size == 0, TN_RT_INVALID_VALUE, "%zu bytes at %p", size, ptr);
    TN_RT_REFUSE((flags & ~(unsigned)(REGISTER_FLAGS | cudaHostRegisterIoMemory)) != 0,
                 TN_RT_INVALID_VALUE, "flags 0x%x are unknown", flags);
    TN_RT_REFUSE(tn_rt_block_query(ptr, &block) && block.kind == TN_RT_BLOCK_HOST,
                 TN_RT_INVALID_VALUE, "%p was allocated as pinned memory", ptr);
    tn_rt_error error = tn_rt_host_register(ptr, size, flags & ~(unsigned)cudaHostRegisterIoMemory);
    if (error != TN_RT_OK || (flags & cudaHostRegisterIoMemory) == 0) return error;
    (void)tn_rt_host_unregister(ptr);
    return tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not I/O memory", ptr);
}

static tn_rt_error end(void *ptr) {
    struct tn_rt_block block;
    tn_rt_error error = tn_rt_host_unregister(ptr);
    bool inside =
        error == TN_RT_NOT_REGISTERED &&
        tn_rt_block_find(ptr, TN_RT_BLOCK_REGISTERED | TN_RT_BLOCK_HOST, &block) == TN_RT_OK;
    return inside ? tn_rt_fail(TN_RT_INVALID_VALUE, "%p is inside registered or pinned memory", ptr)
                  : error;
}

TN_CU_UNCAPTURED(cuMemHostRegister_v2, add, void *, pointer, size_t, size, unsigned int, flags)
TN_CUDART_UNCAPTURED(cudaHostRegister, add, void *, pointer, size_t, size, unsigned int, flags)
TN_CU_FREE(cuMemHostUnregister, end, void *, pointer)
TN_CUDART_UNCAPTURED(cudaHostUnregister, end, void *, pointer)
