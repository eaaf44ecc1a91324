// SPDX-License-Identifier: Apache-2.0
// The adapter for NVIDIA GPUs: CUDA's driver API as a table for backend/vendor. Each call pushes
// the device's primary context and pops it again, so the caller's context stays current. Streams do
// not wait for the default stream. Any thread may call these functions. load.c finds the driver's
// functions, error.c explains its results.
#include "backend/cuda/cuda.h"

#include "backend/cuda/api.h"
#include "backend/vendor/vendor.h"

// Defines a function of the table that is one native call: FORWARD(name, native, parameters,
// arguments...).
#define FORWARD(name, native, parameters, ...)                                                     \
    static struct tn_native name parameters { return TN_CUDA_CALL(d, native, __VA_ARGS__); }

// ---- contexts

static struct tn_native retain_context(struct tn_cuda *cuda, int device, CUcontext *context) {
    CUcontext found = tn_load_acquire(&cuda->contexts[device]);
    struct tn_native answer = TN_NATIVE_OK;
    if (found == NULL) {
        answer = TN_CUDA_CALL(cuda, cuDevicePrimaryCtxRetain, &found, device);
        CUcontext none = NULL;
        if (tn_native_ok(answer) &&
            !atomic_compare_exchange_strong(&cuda->contexts[device], &none, found))
            (void)cuda->cuDevicePrimaryCtxRelease(device); // another thread was first
    }
    *context = found;
    return answer;
}

static struct tn_native cuda_enter(void *d, int device, struct tn_vendor_saved *saved) {
    struct tn_cuda *cuda = d;
    CUcontext context = NULL;
    struct tn_native answer = retain_context(cuda, device, &context);
    if (tn_native_ok(answer)) answer = TN_CUDA_CALL(cuda, cuCtxPushCurrent, context);
    saved->changed = tn_native_ok(answer);
    return answer;
}

static void cuda_leave(void *d, const struct tn_vendor_saved *saved) {
    const struct tn_cuda *cuda = d;
    CUcontext popped = NULL;
    if (saved->changed) (void)cuda->cuCtxPopCurrent(&popped);
}

// Frameworks in this process retain the contexts that they use themselves.
static void release_contexts(void *d) {
    struct tn_cuda *cuda = d;
    for (int i = 0; i < TN_CUDA_DEVICES_MAX; i++)
        if (atomic_exchange(&cuda->contexts[i], NULL) != NULL)
            (void)cuda->cuDevicePrimaryCtxRelease(i);
}

// ---- devices, which have the driver's numbers

FORWARD(cuda_device_count, cuDeviceGetCount, (void *d, int *count), count)

// A granularity of 0 means no virtual memory. Otherwise it is tried later.
static struct tn_native cuda_device_info(void *d, int device, struct tn_vendor_device_info *info) {
    const struct tn_cuda *cuda = d;
    const CUmemAllocationProp own = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                     .location = {CU_MEM_LOCATION_TYPE_DEVICE, device}};
    struct tn_vendor_device_info found = {.granularity_minimum = 0};
    size_t minimum = 0;
    size_t recommended = 0;
    struct tn_native answer =
        TN_CUDA_CALL(cuda, cuDeviceGetName, found.name, (int)sizeof found.name, device);
    if (!tn_native_ok(answer)) return answer;
    found.name[sizeof found.name - 1] = '\0';
    if (cuda->cuMemGetAllocationGranularity != NULL &&
        cuda->cuMemGetAllocationGranularity(&minimum, &own, CU_MEM_ALLOC_GRANULARITY_MINIMUM) ==
            0 &&
        cuda->cuMemGetAllocationGranularity(&recommended, &own,
                                            CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) == 0) {
        found.granularity_minimum = minimum;
        found.granularity_recommended = recommended;
    }
    *info = found;
    return answer;
}

FORWARD(cuda_memory_info, cuMemGetInfo, (void *d, uint64_t *free_bytes, uint64_t *total_bytes),
        free_bytes, total_bytes)

FORWARD(cuda_peer_can, cuDeviceCanAccessPeer, (void *d, int device, int peer, int *can), can,
        device, peer)

static struct tn_native cuda_peer_set(void *d, int peer, bool enabled) {
    struct tn_cuda *cuda = d;
    CUcontext context = NULL;
    struct tn_native answer = retain_context(cuda, peer, &context);
    if (tn_native_ok(answer))
        answer = enabled ? TN_CUDA_CALL(cuda, cuCtxEnablePeerAccess, context, 0)
                         : TN_CUDA_CALL(cuda, cuCtxDisablePeerAccess, context);
    // A framework in this process may have done it before us.
    bool is_set = answer.code == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED ||
                  answer.code == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    return is_set ? TN_NATIVE_OK : answer;
}

// ---- virtual memory

FORWARD(cuda_reserve, cuMemAddressReserve,
        (void *d, uint64_t size, uint64_t alignment, tarn_addr hint, tarn_addr *addr),
        (CUdeviceptr *)addr, size, alignment, hint, 0)
FORWARD(cuda_unreserve, cuMemAddressFree, (void *d, tarn_addr addr, uint64_t size), addr, size)
FORWARD(cuda_destroy, cuMemRelease, (void *d, uint64_t handle), handle)
FORWARD(cuda_map, cuMemMap, (void *d, tarn_addr addr, uint64_t size, uint64_t handle), addr, size,
        0, handle, 0)
FORWARD(cuda_unmap, cuMemUnmap, (void *d, tarn_addr addr, uint64_t size), addr, size)

static struct tn_native cuda_create(void *d, const struct tn_vendor_phys_desc *desc,
                                    uint64_t *handle) {
    CUmemAllocationProp properties = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .requestedHandleTypes =
            desc->shareable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE,
        .location = {CU_MEM_LOCATION_TYPE_DEVICE, desc->device},
    };
    if (desc->host) {
        properties.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
        properties.location.id = desc->device >= 0 ? desc->device : 0;
    }
    return TN_CUDA_CALL(d, cuMemCreate, (CUmemGenericAllocationHandle *)handle, desc->bytes,
                        &properties, 0);
}

_Static_assert((int)CU_MEM_ACCESS_FLAGS_PROT_NONE == (int)TARN_ACCESS_NONE &&
                   (int)CU_MEM_ACCESS_FLAGS_PROT_READ == (int)TARN_ACCESS_READ &&
                   (int)CU_MEM_ACCESS_FLAGS_PROT_READWRITE == (int)TARN_ACCESS_READ_WRITE,
               "rights have the same numbers");

static struct tn_native set_rights(const struct tn_cuda *cuda, tarn_addr addr, uint64_t size,
                                   const struct tn_vendor_right *rights, size_t count,
                                   CUmemLocation host) {
    CUmemAccessDesc access[TN_CUDA_DEVICES_MAX + 1];
    for (size_t i = 0; i < count; i++) {
        access[i].location =
            rights[i].host ? host : (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, rights[i].device};
        access[i].flags = (CUmemAccess_flags)rights[i].access;
    }
    return TN_CUDA_CALL(cuda, cuMemSetAccess, addr, size, access, count);
}

// The host has one location in rights to device memory, and another in rights to host memory. The
// driver refuses the wrong one.
static struct tn_native cuda_set_access(void *d, tarn_addr addr, uint64_t size,
                                        const struct tn_vendor_right *rights, size_t count) {
    bool has_host = false;
    for (size_t i = 0; i < count; i++) has_host = has_host || rights[i].host;
    struct tn_native answer =
        set_rights(d, addr, size, rights, count, (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0});
    bool wrong_location = answer.code == CUDA_ERROR_INVALID_VALUE ||
                          answer.code == CUDA_ERROR_NOT_SUPPORTED ||
                          answer.code == CUDA_ERROR_INVALID_DEVICE;
    return has_host && wrong_location
               ? set_rights(d, addr, size, rights, count,
                            (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST_NUMA, 0})
               : answer;
}

FORWARD(cuda_export, cuMemExportToShareableHandle, (void *d, uint64_t handle, tarn_shareable *out),
        &out->fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)

// The driver takes the descriptor's value as a pointer. It has no name for the failure if the
// descriptor is of something else.
static struct tn_native cuda_import(void *d, int device, const tarn_shareable *in,
                                    uint64_t *handle) {
    (void)device;
    struct tn_native answer =
        TN_CUDA_CALL(d, cuMemImportFromShareableHandle, (CUmemGenericAllocationHandle *)handle,
                     (void *)(intptr_t)in->fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    if (answer.code == CUDA_ERROR_UNKNOWN) answer.code = CUDA_ERROR_INVALID_VALUE;
    return answer;
}

static struct tn_native cuda_owner(void *d, uint64_t handle, int *device) {
    CUmemAllocationProp properties = {.type = 0};
    struct tn_native answer =
        TN_CUDA_CALL(d, cuMemGetAllocationPropertiesFromHandle, &properties, handle);
    if (tn_native_ok(answer) && properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE)
        *device = properties.location.id;
    return answer;
}

// ---- plain memory, and the driver's pools

FORWARD(cuda_alloc, cuMemAlloc, (void *d, uint64_t size, tarn_addr *addr), (CUdeviceptr *)addr,
        size)
FORWARD(cuda_free, cuMemFree, (void *d, tarn_addr addr), addr)
FORWARD(cuda_pool_close, cuMemPoolDestroy, (void *d, void *pool), pool)
FORWARD(cuda_pool_alloc, cuMemAllocFromPoolAsync,
        (void *d, void *pool, void *stream, uint64_t size, tarn_addr *addr), (CUdeviceptr *)addr,
        size, pool, stream)
FORWARD(cuda_pool_free, cuMemFreeAsync, (void *d, void *stream, tarn_addr addr), addr, stream)
FORWARD(cuda_pool_trim, cuMemPoolTrimTo, (void *d, void *pool), pool, 0)

// Creates a pool for Tarn alone: the default one belongs to the frameworks.
static struct tn_native cuda_pool_open(void *d, int device, void **pool) {
    const CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                       .location = {CU_MEM_LOCATION_TYPE_DEVICE, device}};
    uint64_t keep = UINT64_MAX;
    CUmemoryPool made = NULL;
    struct tn_native answer = TN_CUDA_CALL(d, cuMemPoolCreate, &made, &properties);
    if (!tn_native_ok(answer)) return answer;
    answer = TN_CUDA_CALL(d, cuMemPoolSetAttribute, made, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep);
    if (!tn_native_ok(answer)) {
        (void)cuda_pool_close(d, made);
        return answer;
    }
    *pool = made;
    return answer;
}

static struct tn_native cuda_pool_peer(void *d, void *pool, int peer) {
    const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, peer},
                                    CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    return TN_CUDA_CALL(d, cuMemPoolSetAccess, pool, &access, 1);
}

// ---- pinned host memory, which every device reaches at the same address

FORWARD(cuda_host_alloc, cuMemHostAlloc, (void *d, uint64_t size, void **ptr), ptr, size,
        CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP)
FORWARD(cuda_host_free, cuMemFreeHost, (void *d, void *ptr), ptr)
FORWARD(cuda_host_register, cuMemHostRegister, (void *d, void *ptr, uint64_t size), ptr, size,
        CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP)
FORWARD(cuda_host_unregister, cuMemHostUnregister, (void *d, void *ptr), ptr)

// ---- streams and events

FORWARD(cuda_stream_destroy, cuStreamDestroy, (void *d, void *stream), stream)
FORWARD(cuda_stream_synchronize, cuStreamSynchronize, (void *d, void *stream), stream)
FORWARD(cuda_stream_wait, cuStreamWaitEvent, (void *d, void *stream, void *event), stream, event, 0)
FORWARD(cuda_stream_call, cuLaunchHostFunc, (void *d, void *stream, void (*fn)(void *), void *arg),
        stream, fn, arg)
FORWARD(cuda_event_destroy, cuEventDestroy, (void *d, void *event), event)
FORWARD(cuda_event_record, cuEventRecord, (void *d, void *event, void *stream), event, stream)
FORWARD(cuda_event_query, cuEventQuery, (void *d, void *event), event)
FORWARD(cuda_event_synchronize, cuEventSynchronize, (void *d, void *event), event)

// A query would end the capture of a stream whose work runs later anyway.
static struct tn_native cuda_stream_query(void *d, void *stream) {
    CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_NONE;
    struct tn_native answer = TN_CUDA_CALL(d, cuStreamIsCapturing, stream, &capturing);
    if (capturing != CU_STREAM_CAPTURE_STATUS_NONE) answer.code = CUDA_ERROR_NOT_READY;
    return tn_native_ok(answer) ? TN_CUDA_CALL(d, cuStreamQuery, stream) : answer;
}

FORWARD(cuda_stream_create, cuStreamCreate, (void *d, void **stream), (CUstream *)stream,
        CU_STREAM_NON_BLOCKING)
FORWARD(cuda_event_create, cuEventCreate, (void *d, void **event), (CUevent *)event, 0)
FORWARD(cuda_event_elapsed, cuEventElapsedTime, (void *d, void *start, void *end, float *ms), ms,
        start, end)

FORWARD(cuda_device_synchronize, cuCtxSynchronize, (void *d), )

// ---- copies

static const uint64_t PITCH_MAX = 0x7fffffff; // of copies and fills of rows, for every device

FORWARD(cuda_copy, cuMemcpyAsync,
        (void *d, void *stream, tarn_addr dst, tarn_addr src, uint64_t bytes), dst, src, bytes,
        stream)

static bool cuda_is_pageable(void *d, tarn_addr addr) {
    const struct tn_cuda *cuda = d;
    unsigned type = 0;
    return cuda->cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, addr) !=
               CUDA_SUCCESS ||
           (type != CU_MEMORYTYPE_HOST && type != CU_MEMORYTYPE_DEVICE);
}

static struct tn_native cuda_copy_box(void *d, void *stream, const struct tn_vendor_box *box) {
    if (box->dst_pitch > PITCH_MAX || box->src_pitch > PITCH_MAX)
        return (struct tn_native){TN_NATIVE_ROWS, "cuMemcpy2DAsync"};
    CUDA_MEMCPY2D rows = {
        .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
        .srcDevice = box->src,
        .srcPitch = box->src_pitch,
        .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
        .dstDevice = box->dst,
        .dstPitch = box->dst_pitch,
        .WidthInBytes = box->width,
        .Height = box->height,
    };
    // Unified memory covers only addresses that the driver knows.
    if (cuda_is_pageable(d, box->src)) {
        rows.srcMemoryType = CU_MEMORYTYPE_HOST;
        rows.srcHost = (const void *)(uintptr_t)box->src;
    }
    if (cuda_is_pageable(d, box->dst)) {
        rows.dstMemoryType = CU_MEMORYTYPE_HOST;
        rows.dstHost = (void *)(uintptr_t)box->dst;
    }
    return TN_CUDA_CALL(d, cuMemcpy2DAsync, &rows, stream);
}

// ---- fills

static struct tn_native cuda_fill(void *d, void *stream, tarn_addr dst, uint32_t value,
                                  unsigned element, uint64_t bytes) {
    switch (element) {
    case 1: return TN_CUDA_CALL(d, cuMemsetD8Async, dst, (unsigned char)value, bytes, stream);
    case 2: return TN_CUDA_CALL(d, cuMemsetD16Async, dst, (unsigned short)value, bytes / 2, stream);
    default: return TN_CUDA_CALL(d, cuMemsetD32Async, dst, value, bytes / 4, stream);
    }
}

static struct tn_native cuda_fill_box(void *d, void *stream, const struct tn_vendor_box *box,
                                      uint32_t value, unsigned element) {
    if (box->dst_pitch > PITCH_MAX) return (struct tn_native){TN_NATIVE_ROWS, "cuMemsetD2D8Async"};
    switch (element) {
    case 1:
        return TN_CUDA_CALL(d, cuMemsetD2D8Async, box->dst, box->dst_pitch, (unsigned char)value,
                            box->width, box->height, stream);
    case 2:
        return TN_CUDA_CALL(d, cuMemsetD2D16Async, box->dst, box->dst_pitch, (unsigned short)value,
                            box->width / 2, box->height, stream);
    default:
        return TN_CUDA_CALL(d, cuMemsetD2D32Async, box->dst, box->dst_pitch, value, box->width / 4,
                            box->height, stream);
    }
}

// ---- the table

static const char *const sonames[] = {"libcuda.so.1", NULL};

static const struct tn_vendor_driver driver = {
    .name = "cuda",
    .options_variable = "TARN_CUDA",
    .library_variable = "TARN_CUDA_LIBRARY",
    .sonames = sonames,
    .symbol = "cuInit",
    .load = tn_cuda_load,
    .idle = release_contexts,
    .spans = true,
    .whole_maps = true,
    .imports_stay = true,
    .shareable = TARN_SHAREABLE_FD,
    .features_possible = TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_HOST_PHYS,
    .status_of = tn_cuda_status,
    .error_name = tn_cuda_error_name,
    TN_VENDOR_COMMON_FUNCTIONS(cuda),
    .owner = cuda_owner,
    .pool_open = cuda_pool_open,
    .pool_close = cuda_pool_close,
    .pool_peer = cuda_pool_peer,
    .pool_alloc = cuda_pool_alloc,
    .pool_free = cuda_pool_free,
    .pool_trim = cuda_pool_trim,
    .is_pageable = cuda_is_pageable,
    .fill_box = cuda_fill_box,
};

TN_VENDOR_BACKEND(cuda, "NVIDIA GPUs, through CUDA's driver API")
