// SPDX-License-Identifier: Apache-2.0
// Virtual memory, plain device memory, and pinned memory of the CPU.
#include "backend/cuda/parts.h"

struct tn_native tn_cuda_memory_info(void *d, uint64_t *free_bytes, uint64_t *total_bytes) {
    const struct tn_cuda *cuda = d;
    size_t left = 0;
    size_t total = 0;
    struct tn_native answer = TN_CUDA_CALL(cuda, cuMemGetInfo, &left, &total);
    if (answer.code == 0) {
        *free_bytes = left;
        *total_bytes = total;
    }
    return answer;
}

// ---- virtual memory

struct tn_native tn_cuda_reserve(void *d, uint64_t size, uint64_t alignment, tarn_addr hint,
                                 tarn_addr *addr) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemAddressReserve, addr, size, alignment, hint, 0);
}

struct tn_native tn_cuda_unreserve(void *d, tarn_addr addr, uint64_t size) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemAddressFree, addr, size);
}

struct tn_native tn_cuda_create(void *d, const struct tn_vendor_phys_desc *wish, uint64_t *handle) {
    const struct tn_cuda *cuda = d;
    tn_cu_properties properties = {
        .type = TN_CU_PINNED,
        .types = wish->shareable ? TN_CU_HANDLE_FD : TN_CU_HANDLE_NONE,
        .location = {TN_CU_LOCATION_DEVICE, wish->device},
    };
    if (wish->host) {
        properties.location.type = TN_CU_LOCATION_HOST_NUMA;
        properties.location.id = wish->device >= 0 ? wish->device : 0;
    }
    return TN_CUDA_CALL(cuda, cuMemCreate, handle, wish->bytes, &properties, 0);
}

struct tn_native tn_cuda_destroy(void *d, uint64_t handle) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemRelease, handle);
}

struct tn_native tn_cuda_map(void *d, tarn_addr addr, uint64_t size, uint64_t handle) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemMap, addr, size, 0, handle, 0);
}

struct tn_native tn_cuda_unmap(void *d, tarn_addr addr, uint64_t size) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemUnmap, addr, size);
}

// ---- rights

_Static_assert((int)TN_CU_ACCESS_NONE == (int)TARN_ACCESS_NONE &&
                   (int)TN_CU_ACCESS_READ == (int)TARN_ACCESS_READ &&
                   (int)TN_CU_ACCESS_READ_WRITE == (int)TARN_ACCESS_READ_WRITE,
               "rights have the same numbers");

static struct tn_native set_rights(const struct tn_cuda *cuda, tarn_addr addr, uint64_t size,
                                   const struct tn_vendor_right *rights, size_t count,
                                   tn_cu_location host) {
    tn_cu_access access[TN_CUDA_DEVICES_MAX + 1];
    for (size_t i = 0; i < count; i++) {
        access[i].location =
            rights[i].host ? host : (tn_cu_location){TN_CU_LOCATION_DEVICE, rights[i].device};
        access[i].flags = (int)rights[i].access;
    }
    return TN_CUDA_CALL(cuda, cuMemSetAccess, addr, size, access, count);
}

static bool names_host(const struct tn_vendor_right *rights, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (rights[i].host) {
            return true;
        }
    }
    return false;
}

// The host has one name in rights to memory of devices, and another in those to memory of its own;
// the driver refuses the wrong one.
struct tn_native tn_cuda_set_access(void *d, tarn_addr addr, uint64_t size,
                                    const struct tn_vendor_right *rights, size_t count) {
    const struct tn_cuda *cuda = d;
    struct tn_native answer =
        set_rights(cuda, addr, size, rights, count, (tn_cu_location){TN_CU_LOCATION_HOST, 0});
    bool wrong_name = answer.code == TN_CU_INVALID_VALUE || answer.code == TN_CU_NOT_SUPPORTED ||
                      answer.code == TN_CU_INVALID_DEVICE;
    if (wrong_name && names_host(rights, count)) {
        answer = set_rights(cuda, addr, size, rights, count,
                            (tn_cu_location){TN_CU_LOCATION_HOST_NUMA, 0});
    }
    return answer;
}

// ---- sharing

struct tn_native tn_cuda_export(void *d, uint64_t handle, tarn_shareable *out) {
    const struct tn_cuda *cuda = d;
    int fd = -1;
    struct tn_native answer =
        TN_CUDA_CALL(cuda, cuMemExportToShareableHandle, &fd, handle, TN_CU_HANDLE_FD, 0);
    if (answer.code == 0) {
        out->fd = fd;
    }
    return answer;
}

// The descriptor goes in by value, as a pointer.
struct tn_native tn_cuda_import(void *d, int device, const tarn_shareable *in, uint64_t *handle) {
    const struct tn_cuda *cuda = d;
    (void)device;
    return TN_CUDA_CALL(cuda, cuMemImportFromShareableHandle, handle, (void *)(intptr_t)in->fd,
                        TN_CU_HANDLE_FD);
}

struct tn_native tn_cuda_owner(void *d, uint64_t handle, int *device) {
    const struct tn_cuda *cuda = d;
    tn_cu_properties properties = {.type = 0};
    struct tn_native answer =
        TN_CUDA_CALL(cuda, cuMemGetAllocationPropertiesFromHandle, &properties, handle);
    if (answer.code == 0 && properties.location.type == TN_CU_LOCATION_DEVICE) {
        *device = properties.location.id;
    }
    return answer;
}

// ---- plain memory

struct tn_native tn_cuda_alloc(void *d, uint64_t size, tarn_addr *addr) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemAlloc, addr, size);
}

struct tn_native tn_cuda_free(void *d, tarn_addr addr) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemFree, addr);
}

// ---- memory in the order of streams

struct tn_native tn_cuda_pool_close(void *d, void *pool) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemPoolDestroy, pool);
}

// A pool of our own, so that the default one, which is the frameworks', stays as it is.
struct tn_native tn_cuda_pool_open(void *d, int device, void **pool) {
    const struct tn_cuda *cuda = d;
    const tn_cu_pool_properties properties = {.type = TN_CU_PINNED,
                                              .location = {TN_CU_LOCATION_DEVICE, device}};
    uint64_t keep = UINT64_MAX;
    tn_cu_pool made = NULL;
    struct tn_native answer = TN_CUDA_CALL(cuda, cuMemPoolCreate, &made, &properties);
    if (answer.code != 0) {
        return answer;
    }
    answer = TN_CUDA_CALL(cuda, cuMemPoolSetAttribute, made, TN_CU_POOL_RELEASE_THRESHOLD, &keep);
    if (answer.code != 0) {
        (void)tn_cuda_pool_close(d, made);
        return answer;
    }
    *pool = made;
    return answer;
}

struct tn_native tn_cuda_pool_peer(void *d, void *pool, int peer) {
    const struct tn_cuda *cuda = d;
    const tn_cu_access access = {{TN_CU_LOCATION_DEVICE, peer}, TN_CU_ACCESS_READ_WRITE};
    return TN_CUDA_CALL(cuda, cuMemPoolSetAccess, pool, &access, 1);
}

struct tn_native tn_cuda_pool_alloc(void *d, void *pool, void *stream, uint64_t size,
                                    tarn_addr *addr) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemAllocFromPoolAsync, addr, size, pool, stream);
}

struct tn_native tn_cuda_pool_free(void *d, void *stream, tarn_addr addr) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemFreeAsync, addr, stream);
}

struct tn_native tn_cuda_pool_trim(void *d, void *pool) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemPoolTrimTo, pool, 0);
}

// ---- memory of the CPU: for every device, and at its own address there

struct tn_native tn_cuda_host_alloc(void *d, uint64_t size, void **ptr) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemHostAlloc, ptr, size,
                        TN_CU_HOST_ALLOC_PORTABLE | TN_CU_HOST_ALLOC_MAPPED);
}

struct tn_native tn_cuda_host_free(void *d, void *ptr) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemFreeHost, ptr);
}

struct tn_native tn_cuda_host_register(void *d, void *ptr, uint64_t size) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemHostRegister, ptr, size,
                        TN_CU_HOST_REGISTER_PORTABLE | TN_CU_HOST_REGISTER_MAPPED);
}

struct tn_native tn_cuda_host_unregister(void *d, void *ptr) {
    const struct tn_cuda *cuda = d;
    return TN_CUDA_CALL(cuda, cuMemHostUnregister, ptr);
}
