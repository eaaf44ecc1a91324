// SPDX-License-Identifier: Apache-2.0
// Memory, events, pools and descriptors between two processes. The second process states its values
// with the word "peer" before them.
#include <unistd.h>

#include "begin.h"

#define TN_GROUP "ipc"

static void open_memory(const void *data, int file) {
    CUipcMemHandle handle;
    CUdeviceptr ptr = 0, base = 0;
    unsigned char byte = 0;
    size_t bytes = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    if (ASK(cuIpcOpenMemHandle, &ptr, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) != 0) return;
    ASK(cuMemcpyDtoH, &byte, ptr, 1);
    SAY("byte", byte);
    ASK(cuMemGetAddressRange, &base, &bytes, ptr + 7);
    SAY("base", base == ptr);
    SAY("bytes", bytes);
    ASK(cuMemsetD8, ptr + 1, 42, 1);
    MUST0(cuCtxSynchronize);
    ASK(cuIpcCloseMemHandle, ptr);
}

static CUipcMemHandle handle_of(CUdeviceptr ptr) {
    CUipcMemHandle handle;
    memset(&handle, 0, sizeof handle);
    ASK(cuIpcGetMemHandle, &handle, ptr);
    return handle;
}

QUESTION(memory_is_opened, EITHER("cuIpcOpenMemHandle", "hipIpcOpenMemHandle")) {
    CUdeviceptr ptr = make_memory(4 * MIB);
    unsigned char byte = 0;
    MUST(cuMemsetD8, ptr, 5, 64);
    CUipcMemHandle handle = handle_of(ptr);
    MUST0(cuCtxSynchronize);
    tn_in_peer(open_memory, &handle, sizeof handle, -1);
    MUST(cuMemcpyDtoH, &byte, ptr + 1, 1);
    SAY("byte", byte);
    MUST(cuMemFree, ptr);
}

QUESTION(small_memory_is_opened,
         EITHER("cuIpcOpenMemHandle: a block of a larger allocation", "hipIpcOpenMemHandle")) {
    CUdeviceptr first = make_memory(1000), ptr = make_memory(1000);
    MUST(cuMemsetD8, ptr, 6, 64);
    CUipcMemHandle handle = handle_of(ptr);
    MUST0(cuCtxSynchronize);
    tn_in_peer(open_memory, &handle, sizeof handle, -1);
    MUST(cuMemFree, ptr);
    MUST(cuMemFree, first);
}

static void open_twice(const void *data, int file) {
    CUipcMemHandle handle;
    CUdeviceptr one = 0, other = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    ASK(cuIpcOpenMemHandle, &one, handle, 1);
    ASK(cuIpcOpenMemHandle, &other, handle, 1);
    SAY("same", one == other);
    ASK(cuIpcCloseMemHandle, one);
    ASK(cuIpcCloseMemHandle, one);
    ASK(cuIpcCloseMemHandle, one);
}

QUESTION(memory_is_opened_twice, EITHER("cuIpcOpenMemHandle: counted", "hipIpcOpenMemHandle")) {
    CUdeviceptr ptr = make_memory(4 * MIB);
    CUipcMemHandle handle = handle_of(ptr);
    tn_in_peer(open_twice, &handle, sizeof handle, -1);
    MUST(cuMemFree, ptr);
}

static void open_badly(const void *data, int file) {
    CUipcMemHandle handle;
    CUdeviceptr ptr = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    ASK(cuIpcOpenMemHandle, &ptr, handle, 0);
    if (ptr != 0) ASK(cuIpcCloseMemHandle, ptr);
    ASK(cuIpcOpenMemHandle, &ptr, handle, 2);
    ASK(cuIpcOpenMemHandle, NULL, handle, 1);
    memset(&handle, 0x5a, sizeof handle);
    ASK(cuIpcOpenMemHandle, &ptr, handle, 1);
    memset(&handle, 0, sizeof handle);
    ASK(cuIpcOpenMemHandle, &ptr, handle, 1);
}

QUESTION(memory_is_opened_badly, EITHER("cuIpcOpenMemHandle: flags", "hipIpcOpenMemHandle")) {
    CUdeviceptr ptr = make_memory(4 * MIB);
    CUipcMemHandle handle = handle_of(ptr);
    tn_in_peer(open_badly, &handle, sizeof handle, -1);
    MUST(cuMemFree, ptr);
}

static void misuse_opened(const void *data, int file) {
    CUipcMemHandle handle, other;
    CUdeviceptr ptr = 0;
    unsigned value = 77;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    if (ASK(cuIpcOpenMemHandle, &ptr, handle, 1) != 0) return;
    ASK(cuMemFree, ptr);
    ASK(cudaFree, pointer(ptr));
    ASK(cuIpcCloseMemHandle, ptr + 1);
    ASK(cuIpcGetMemHandle, &other, ptr);
    ASK(cuPointerGetAttribute, &value, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, ptr);
    SAY("legacy", value);
    ASK(cuPointerGetAttribute, &value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr);
    SAY("type", value);
    ASK(cuIpcCloseMemHandle, ptr);
    ASK(cuIpcCloseMemHandle, ptr);
    ASK(cuIpcCloseMemHandle, 0);
}

QUESTION(opened_memory_is_misused, EITHER("cuIpcCloseMemHandle", "hipIpcCloseMemHandle")) {
    CUdeviceptr ptr = make_memory(4 * MIB);
    CUipcMemHandle handle = handle_of(ptr);
    tn_in_peer(misuse_opened, &handle, sizeof handle, -1);
    MUST(cuMemFree, ptr);
}

static void open_freed(const void *data, int file) {
    CUipcMemHandle handle;
    CUdeviceptr ptr = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    ASK(cuIpcOpenMemHandle, &ptr, handle, 1);
}

QUESTION(freed_memory_is_opened, EITHER("cuIpcOpenMemHandle", "hipIpcOpenMemHandle")) {
    CUdeviceptr ptr = make_memory(64 * MIB);
    CUipcMemHandle handle = handle_of(ptr);
    MUST(cuMemFree, ptr);
    tn_in_peer(open_freed, &handle, sizeof handle, -1);
}

QUESTION(memory_of_the_same_process, EITHER("cuIpcOpenMemHandle: 201", "hipIpcOpenMemHandle")) {
    CUdeviceptr ptr = make_memory(4 * MIB), got = 0;
    CUipcMemHandle handle = handle_of(ptr);
    ASK(cuIpcOpenMemHandle, &got, handle, 1);
    ASK(cuIpcCloseMemHandle, ptr);
    ASK(cudaIpcCloseMemHandle, pointer(ptr));
    MUST(cuMemFree, ptr);
}

QUESTION(handles_of_bad_addresses, EITHER("cuIpcGetMemHandle", "hipIpcGetMemHandle")) {
    CUipcMemHandle handle;
    CUdeviceptr ptr = make_memory(4 * MIB);
    ASK(cuIpcGetMemHandle, &handle, ptr + 1);
    ASK(cuIpcGetMemHandle, &handle, ptr + MIB);
    ASK(cuIpcGetMemHandle, &handle, 0);
    ASK(cuIpcGetMemHandle, &handle, number(&handle));
    ASK(cuIpcGetMemHandle, NULL, ptr);
    MUST(cuMemFree, ptr);
    ASK(cuIpcGetMemHandle, &handle, ptr);
}

QUESTION(handles_of_other_memory,
         EITHER("cuIpcGetMemHandle: memory of cuMemAlloc", "hipIpcGetMemHandle")) {
    CUipcMemHandle handle;
    CUdeviceptr pooled = 0, managed = make_managed(MIB), at = make_range(G);
    void *pinned = make_pinned(MIB);
    MUST(cuMemAllocAsync, &pooled, MIB, NULL);
    map_memory(at, G);
    ASK(cuIpcGetMemHandle, &handle, pooled);
    ASK(cuIpcGetMemHandle, &handle, managed);
    ASK(cuIpcGetMemHandle, &handle, number(pinned));
    ASK(cuIpcGetMemHandle, &handle, at);
    end_range(at, G, G);
    MUST(cuMemFreeHost, pinned);
    MUST(cuMemFree, managed);
    MUST(cuMemFree, pooled);
}

QUESTION(handles_are_stable, EITHER("cuIpcGetMemHandle", "hipIpcGetMemHandle")) {
    CUdeviceptr ptr = make_memory(64 * MIB);
    CUipcMemHandle one = handle_of(ptr), other = handle_of(ptr);
    SAY("same", memcmp(&one, &other, sizeof one) == 0);
    MUST(cuMemFree, ptr);
    ptr = make_memory(64 * MIB);
    other = handle_of(ptr);
    SAY("same_after_free", memcmp(&one, &other, sizeof one) == 0);
    MUST(cuMemFree, ptr);
}

// ---- events

static void open_event(const void *data, int file) {
    CUipcEventHandle handle;
    CUevent event = NULL;
    float ms = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    if (ASK(cuIpcOpenEventHandle, &event, handle) != 0) return;
    ASK(cuEventQuery, event);
    ASK(cuEventSynchronize, event);
    ASK(cuStreamWaitEvent, NULL, event, 0);
    ASK(cuEventRecord, event, NULL);
    MUST0(cuCtxSynchronize); // the work of a process may end with it
    ASK(cuEventElapsedTime, &ms, event, event);
    ASK(cuEventDestroy, event);
    memset(&handle, 0x5a, sizeof handle);
    ASK(cuIpcOpenEventHandle, &event, handle);
    ASK(cuIpcOpenEventHandle, NULL, handle);
}

QUESTION(events_are_opened, EITHER("cuIpcOpenEventHandle", "hipIpcOpenEventHandle")) {
    CUevent event = make_event(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
    CUipcEventHandle handle;
    MUST(cuEventRecord, event, NULL);
    MUST0(cuCtxSynchronize);
    ASK(cuIpcGetEventHandle, &handle, event);
    tn_in_peer(open_event, &handle, sizeof handle, -1);
    ASK(cuEventSynchronize, event);
    MUST(cuEventDestroy, event);
}

QUESTION(handles_of_events, EITHER("cuIpcGetEventHandle", "hipIpcGetEventHandle")) {
    CUevent plain = make_event(CU_EVENT_DISABLE_TIMING);
    CUevent event = make_event(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING), got = NULL;
    CUipcEventHandle handle;
    ASK(cuIpcGetEventHandle, &handle, plain);
    ASK(cuIpcGetEventHandle, NULL, event);
    ASK(cuIpcGetEventHandle, &handle, NULL);
    ASK(cuIpcGetEventHandle, &handle, event);
    ASK(cuIpcOpenEventHandle, &got, handle);
    if (got != NULL) MUST(cuEventDestroy, got);
    MUST(cuEventDestroy, event);
    MUST(cuEventDestroy, plain);
}

// ---- descriptors

static void import_memory(const void *data, int file) {
    CUmemGenericAllocationHandle handle = 0;
    CUmemAllocationProp prop;
    unsigned char byte = 0;
    (void)data;
    if (ASK(cuMemImportFromShareableHandle, &handle, (void *)(intptr_t)file,
            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0)
        return;
    ASK(cuMemGetAllocationPropertiesFromHandle, &prop, handle);
    SAY("handles", prop.requestedHandleTypes);
    CUdeviceptr at = make_range(G);
    ASK(cuMemMap, at, G, 0, handle, 0);
    grant_rights(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    ASK(cuMemcpyDtoH, &byte, at, 1);
    SAY("byte", byte);
    ASK(cuMemRelease, handle);
    end_range(at, G, G);
}

QUESTION(physical_memory_is_imported,
         EITHER("cuMemImportFromShareableHandle", "hipMemImportFromShareableHandle")) {
    CUmemGenericAllocationHandle handle = make_handle(G, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    CUdeviceptr at = make_range(G);
    int fd = -1;
    MUST(cuMemMap, at, G, 0, handle, 0);
    grant_rights(at, G, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    MUST(cuMemsetD8, at, 9, G);
    MUST0(cuCtxSynchronize);
    ASK(cuMemExportToShareableHandle, &fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    tn_in_peer(import_memory, NULL, 0, fd);
    (void)close(fd);
    MUST(cuMemRelease, handle);
    end_range(at, G, G);
}

static void import_pool(const void *data, int file) {
    CUmemPoolPtrExportData exported;
    CUmemoryPool pool = NULL;
    CUdeviceptr ptr = 0, more = 0;
    unsigned char byte = 0;
    unsigned long long value = 77;
    memcpy(&exported, data, sizeof exported);
    if (ASK(cuMemPoolImportFromShareableHandle, &pool, (void *)(intptr_t)file,
            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) != 0)
        return;
    ASK(cuMemPoolImportPointer, &ptr, pool, &exported);
    ASK(cuMemcpyDtoH, &byte, ptr, 1);
    SAY("byte", byte);
    ASK(cuMemAllocFromPoolAsync, &more, MIB, pool, NULL);
    ASK(cuMemPoolGetAttribute, pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value);
    ASK(cuMemPoolTrimTo, pool, 0);
    ASK(cuDeviceSetMemPool, 0, pool);
    ASK(cuMemFreeAsync, ptr, NULL);
    ASK(cuMemFreeAsync, ptr, NULL);
    ASK(cuStreamSynchronize, NULL);
    ASK(cuMemPoolDestroy, pool);
}

QUESTION(pools_are_imported,
         EITHER("cuMemPoolImportFromShareableHandle", "hipMemPoolImportFromShareableHandle")) {
    CUmemPoolProps props;
    CUmemPoolPtrExportData data;
    CUmemoryPool pool = NULL;
    CUdeviceptr ptr = 0;
    int fd = -1;
    memset(&props, 0, sizeof props);
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    props.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    MUST(cuMemPoolCreate, &pool, &props);
    MUST(cuMemAllocFromPoolAsync, &ptr, MIB, pool, NULL);
    MUST(cuMemsetD8Async, ptr, 8, MIB, NULL);
    MUST(cuStreamSynchronize, NULL);
    ASK(cuMemPoolExportToShareableHandle, &fd, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    ASK(cuMemPoolExportPointer, &data, ptr);
    tn_in_peer(import_pool, &data, sizeof data, fd);
    (void)close(fd);
    ASK(cuMemFreeAsync, ptr, NULL);
    MUST(cuStreamSynchronize, NULL);
    ASK(cuMemPoolDestroy, pool);
}

static void use_after_fork(const void *data, int file) {
    (void)data, (void)file;
    SAY("free_of_the_device", free_bytes() > 0);
}

QUESTION(free_memory_is_of_the_device, EITHER("cuMemGetInfo: of all processes", "hipMemGetInfo")) {
    CUdeviceptr ptr = make_memory(64 * MIB);
    tn_in_peer(use_after_fork, NULL, 0, -1);
    MUST(cuMemFree, ptr);
}

static void exit_at_once(const void *data, int file) {
    CUipcMemHandle handle;
    CUdeviceptr ptr = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    ASK(cuIpcOpenMemHandle, &ptr, handle, 1);
}

QUESTION(a_process_ends_with_opened_memory, EITHER("cuIpcOpenMemHandle", "hipIpcOpenMemHandle")) {
    CUdeviceptr ptr = make_memory(4 * MIB);
    CUipcMemHandle handle = handle_of(ptr);
    tn_in_peer(exit_at_once, &handle, sizeof handle, -1);
    ASK(cuMemsetD8, ptr, 1, 16);
    ASK(cuMemFree, ptr);
}
