// SPDX-License-Identifier: Apache-2.0
// Memory, events, pools and descriptors between two processes. The second process states its values
// with the word "peer" before them.
#include <unistd.h>

#include "begin.h"

#define TN_GROUP "ipc"

static void open_memory(const void *data, int file) {
    hipIpcMemHandle_t handle;
    uintptr_t ptr = 0, base = 0;
    unsigned char byte = 0;
    size_t bytes = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    if (ASK(hipIpcOpenMemHandle, (void **)&ptr, handle, hipIpcMemLazyEnablePeerAccess) != 0) return;
    ASK(hipMemcpyDtoH, &byte, pointer(ptr), 1);
    SAY("byte", byte);
    ASK(hipMemGetAddressRange, (void **)&base, &bytes, pointer(ptr + 7));
    SAY("base", base == ptr);
    SAY("bytes", bytes);
    ASK(hipMemsetD8, pointer(ptr + 1), 42, 1);
    MUST0(hipDeviceSynchronize);
    ASK(hipIpcCloseMemHandle, pointer(ptr));
}

static hipIpcMemHandle_t handle_of(uintptr_t ptr) {
    hipIpcMemHandle_t handle;
    memset(&handle, 0, sizeof handle);
    ASK(hipIpcGetMemHandle, &handle, pointer(ptr));
    return handle;
}

QUESTION(memory_is_opened, "hipIpcOpenMemHandle") {
    uintptr_t ptr = make_memory(4 * MIB);
    unsigned char byte = 0;
    MUST(hipMemsetD8, pointer(ptr), 5, 64);
    hipIpcMemHandle_t handle = handle_of(ptr);
    MUST0(hipDeviceSynchronize);
    tn_in_peer(open_memory, &handle, sizeof handle, -1);
    MUST(hipMemcpyDtoH, &byte, pointer(ptr + 1), 1);
    SAY("byte", byte);
    MUST(hipFree, pointer(ptr));
}

QUESTION(small_memory_is_opened, "hipIpcOpenMemHandle") {
    uintptr_t first = make_memory(1000), ptr = make_memory(1000);
    MUST(hipMemsetD8, pointer(ptr), 6, 64);
    hipIpcMemHandle_t handle = handle_of(ptr);
    MUST0(hipDeviceSynchronize);
    tn_in_peer(open_memory, &handle, sizeof handle, -1);
    MUST(hipFree, pointer(ptr));
    MUST(hipFree, pointer(first));
}

static void open_twice(const void *data, int file) {
    hipIpcMemHandle_t handle;
    uintptr_t one = 0, other = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    ASK(hipIpcOpenMemHandle, (void **)&one, handle, 1);
    ASK(hipIpcOpenMemHandle, (void **)&other, handle, 1);
    SAY("same", one == other);
    ASK(hipIpcCloseMemHandle, pointer(one));
    ASK(hipIpcCloseMemHandle, pointer(one));
    ASK(hipIpcCloseMemHandle, pointer(one));
}

QUESTION(memory_is_opened_twice, "hipIpcOpenMemHandle") {
    uintptr_t ptr = make_memory(4 * MIB);
    hipIpcMemHandle_t handle = handle_of(ptr);
    tn_in_peer(open_twice, &handle, sizeof handle, -1);
    MUST(hipFree, pointer(ptr));
}

static void open_badly(const void *data, int file) {
    hipIpcMemHandle_t handle;
    uintptr_t ptr = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    ASK(hipIpcOpenMemHandle, (void **)&ptr, handle, 0);
    if (ptr != 0) ASK(hipIpcCloseMemHandle, pointer(ptr));
    ASK(hipIpcOpenMemHandle, (void **)&ptr, handle, 2);
    ASK(hipIpcOpenMemHandle, NULL, handle, 1);
    memset(&handle, 0x5a, sizeof handle);
    ASK(hipIpcOpenMemHandle, (void **)&ptr, handle, 1);
    memset(&handle, 0, sizeof handle);
    ASK(hipIpcOpenMemHandle, (void **)&ptr, handle, 1);
}

QUESTION(memory_is_opened_badly, "hipIpcOpenMemHandle") {
    uintptr_t ptr = make_memory(4 * MIB);
    hipIpcMemHandle_t handle = handle_of(ptr);
    tn_in_peer(open_badly, &handle, sizeof handle, -1);
    MUST(hipFree, pointer(ptr));
}

static void misuse_opened(const void *data, int file) {
    hipIpcMemHandle_t handle, other;
    uintptr_t ptr = 0;
    unsigned value = 77;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    if (ASK(hipIpcOpenMemHandle, (void **)&ptr, handle, 1) != 0) return;
    ASK(hipFree, pointer(ptr));
    ASK(hipFree, pointer(ptr));
    ASK(hipIpcCloseMemHandle, pointer(ptr + 1));
    ASK(hipIpcGetMemHandle, &other, pointer(ptr));
    ASK(hipPointerGetAttribute, &value, HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE,
        pointer(ptr));
    SAY("legacy", value);
    ASK(hipPointerGetAttribute, &value, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer(ptr));
    SAY("type", value);
    ASK(hipIpcCloseMemHandle, pointer(ptr));
    ASK(hipIpcCloseMemHandle, pointer(ptr));
    ASK(hipIpcCloseMemHandle, NULL);
}

QUESTION(opened_memory_is_misused, "hipIpcCloseMemHandle") {
    uintptr_t ptr = make_memory(4 * MIB);
    hipIpcMemHandle_t handle = handle_of(ptr);
    tn_in_peer(misuse_opened, &handle, sizeof handle, -1);
    MUST(hipFree, pointer(ptr));
}

static void open_freed(const void *data, int file) {
    hipIpcMemHandle_t handle;
    uintptr_t ptr = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    ASK(hipIpcOpenMemHandle, (void **)&ptr, handle, 1);
}

QUESTION(freed_memory_is_opened, "hipIpcOpenMemHandle") {
    uintptr_t ptr = make_memory(64 * MIB);
    hipIpcMemHandle_t handle = handle_of(ptr);
    MUST(hipFree, pointer(ptr));
    tn_in_peer(open_freed, &handle, sizeof handle, -1);
}

QUESTION(memory_of_the_same_process, "hipIpcOpenMemHandle") {
    uintptr_t ptr = make_memory(4 * MIB), got = 0;
    hipIpcMemHandle_t handle = handle_of(ptr);
    ASK(hipIpcOpenMemHandle, (void **)&got, handle, 1);
    ASK(hipIpcCloseMemHandle, pointer(ptr));
    ASK(hipIpcCloseMemHandle, pointer(ptr));
    MUST(hipFree, pointer(ptr));
}

QUESTION(handles_of_bad_addresses, "hipIpcGetMemHandle") {
    hipIpcMemHandle_t handle;
    uintptr_t ptr = make_memory(4 * MIB);
    ASK(hipIpcGetMemHandle, &handle, pointer(ptr + 1));
    ASK(hipIpcGetMemHandle, &handle, pointer(ptr + MIB));
    ASK(hipIpcGetMemHandle, &handle, NULL);
    ASK(hipIpcGetMemHandle, &handle, &handle);
    ASK(hipIpcGetMemHandle, NULL, pointer(ptr));
    MUST(hipFree, pointer(ptr));
    ASK(hipIpcGetMemHandle, &handle, pointer(ptr));
}

QUESTION(handles_of_other_memory, "hipIpcGetMemHandle") {
    hipIpcMemHandle_t handle;
    uintptr_t pooled = 0, managed = make_managed(MIB), at = make_range(G);
    void *pinned = make_pinned(MIB);
    MUST(hipMallocAsync, (void **)&pooled, MIB, NULL);
    map_memory(at, G);
    ASK(hipIpcGetMemHandle, &handle, pointer(pooled));
    ASK(hipIpcGetMemHandle, &handle, pointer(managed));
    ASK(hipIpcGetMemHandle, &handle, pinned);
    ASK(hipIpcGetMemHandle, &handle, pointer(at));
    end_range(at, G, G);
    MUST(hipHostFree, pinned);
    MUST(hipFree, pointer(managed));
    MUST(hipFree, pointer(pooled));
}

QUESTION(handles_are_stable, "hipIpcGetMemHandle") {
    uintptr_t ptr = make_memory(64 * MIB);
    hipIpcMemHandle_t one = handle_of(ptr), other = handle_of(ptr);
    SAY("same", memcmp(&one, &other, sizeof one) == 0);
    MUST(hipFree, pointer(ptr));
    ptr = make_memory(64 * MIB);
    other = handle_of(ptr);
    SAY("same_after_free", memcmp(&one, &other, sizeof one) == 0);
    MUST(hipFree, pointer(ptr));
}

// ---- events

static void open_event(const void *data, int file) {
    hipIpcEventHandle_t handle;
    hipEvent_t event = NULL;
    float ms = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    if (ASK(hipIpcOpenEventHandle, &event, handle) != 0) return;
    ASK(hipEventQuery, event);
    ASK(hipEventSynchronize, event);
    ASK(hipStreamWaitEvent, NULL, event, 0);
    ASK(hipEventRecord, event, NULL);
    MUST0(hipDeviceSynchronize); // the work of a process may end with it
    ASK(hipEventElapsedTime, &ms, event, event);
    ASK(hipEventDestroy, event);
    memset(&handle, 0x5a, sizeof handle);
    ASK(hipIpcOpenEventHandle, &event, handle);
    ASK(hipIpcOpenEventHandle, NULL, handle);
}

QUESTION(events_are_opened, "hipIpcOpenEventHandle") {
    hipEvent_t event = make_event(hipEventInterprocess | hipEventDisableTiming);
    hipIpcEventHandle_t handle;
    MUST(hipEventRecord, event, NULL);
    MUST0(hipDeviceSynchronize);
    ASK(hipIpcGetEventHandle, &handle, event);
    tn_in_peer(open_event, &handle, sizeof handle, -1);
    ASK(hipEventSynchronize, event);
    MUST(hipEventDestroy, event);
}

QUESTION(handles_of_events, "hipIpcGetEventHandle") {
    hipEvent_t plain = make_event(hipEventDisableTiming);
    hipEvent_t event = make_event(hipEventInterprocess | hipEventDisableTiming), got = NULL;
    hipIpcEventHandle_t handle;
    ASK(hipIpcGetEventHandle, &handle, plain);
    ASK(hipIpcGetEventHandle, NULL, event);
    ASK(hipIpcGetEventHandle, &handle, NULL);
    ASK(hipIpcGetEventHandle, &handle, event);
    ASK(hipIpcOpenEventHandle, &got, handle);
    if (got != NULL) MUST(hipEventDestroy, got);
    MUST(hipEventDestroy, event);
    MUST(hipEventDestroy, plain);
}

// ---- descriptors

static void import_memory(const void *data, int file) {
    hipMemGenericAllocationHandle_t handle = 0;
    hipMemAllocationProp prop;
    unsigned char byte = 0;
    (void)data;
    if (ASK(hipMemImportFromShareableHandle, &handle, (void *)(intptr_t)file,
            hipMemHandleTypePosixFileDescriptor) != 0)
        return;
    ASK(hipMemGetAllocationPropertiesFromHandle, &prop, handle);
    SAY("handles", prop.requestedHandleTypes);
    uintptr_t at = make_range(G);
    ASK(hipMemMap, pointer(at), G, 0, handle, 0);
    grant_rights(at, G, hipMemAccessFlagsProtReadWrite);
    ASK(hipMemcpyDtoH, &byte, pointer(at), 1);
    SAY("byte", byte);
    ASK(hipMemRelease, handle);
    end_range(at, G, G);
}

QUESTION(physical_memory_is_imported, "hipMemImportFromShareableHandle") {
    hipMemGenericAllocationHandle_t handle = make_handle(G, hipMemHandleTypePosixFileDescriptor);
    uintptr_t at = make_range(G);
    int fd = -1;
    MUST(hipMemMap, pointer(at), G, 0, handle, 0);
    grant_rights(at, G, hipMemAccessFlagsProtReadWrite);
    MUST(hipMemsetD8, pointer(at), 9, G);
    MUST0(hipDeviceSynchronize);
    ASK(hipMemExportToShareableHandle, &fd, handle, hipMemHandleTypePosixFileDescriptor, 0);
    tn_in_peer(import_memory, NULL, 0, fd);
    (void)close(fd);
    MUST(hipMemRelease, handle);
    end_range(at, G, G);
}

static void import_pool(const void *data, int file) {
    hipMemPoolPtrExportData exported;
    hipMemPool_t pool = NULL;
    uintptr_t ptr = 0, more = 0;
    unsigned char byte = 0;
    unsigned long long value = 77;
    memcpy(&exported, data, sizeof exported);
    if (ASK(hipMemPoolImportFromShareableHandle, &pool, (void *)(intptr_t)file,
            hipMemHandleTypePosixFileDescriptor, 0) != 0)
        return;
    ASK(hipMemPoolImportPointer, (void **)&ptr, pool, &exported);
    ASK(hipMemcpyDtoH, &byte, pointer(ptr), 1);
    SAY("byte", byte);
    ASK(hipMallocFromPoolAsync, (void **)&more, MIB, pool, NULL);
    ASK(hipMemPoolGetAttribute, pool, hipMemPoolAttrUsedMemCurrent, &value);
    ASK(hipMemPoolTrimTo, pool, 0);
    ASK(hipDeviceSetMemPool, 0, pool);
    ASK(hipFreeAsync, pointer(ptr), NULL);
    ASK(hipFreeAsync, pointer(ptr), NULL);
    ASK(hipStreamSynchronize, NULL);
    ASK(hipMemPoolDestroy, pool);
}

QUESTION(pools_are_imported, "hipMemPoolImportFromShareableHandle") {
    hipMemPoolProps props;
    hipMemPoolPtrExportData data;
    hipMemPool_t pool = NULL;
    uintptr_t ptr = 0;
    int fd = -1;
    memset(&props, 0, sizeof props);
    props.allocType = hipMemAllocationTypePinned;
    props.location.type = hipMemLocationTypeDevice;
    props.handleTypes = hipMemHandleTypePosixFileDescriptor;
    MUST(hipMemPoolCreate, &pool, &props);
    MUST(hipMallocFromPoolAsync, (void **)&ptr, MIB, pool, NULL);
    MUST(hipMemsetD8Async, pointer(ptr), 8, MIB, NULL);
    MUST(hipStreamSynchronize, NULL);
    ASK(hipMemPoolExportToShareableHandle, &fd, pool, hipMemHandleTypePosixFileDescriptor, 0);
    ASK(hipMemPoolExportPointer, &data, pointer(ptr));
    tn_in_peer(import_pool, &data, sizeof data, fd);
    (void)close(fd);
    ASK(hipFreeAsync, pointer(ptr), NULL);
    MUST(hipStreamSynchronize, NULL);
    ASK(hipMemPoolDestroy, pool);
}

static void use_after_fork(const void *data, int file) {
    (void)data, (void)file;
    SAY("free_of_the_device", free_bytes() > 0);
}

QUESTION(free_memory_is_of_the_device, "hipMemGetInfo") {
    uintptr_t ptr = make_memory(64 * MIB);
    tn_in_peer(use_after_fork, NULL, 0, -1);
    MUST(hipFree, pointer(ptr));
}

static void exit_at_once(const void *data, int file) {
    hipIpcMemHandle_t handle;
    uintptr_t ptr = 0;
    (void)file;
    memcpy(&handle, data, sizeof handle);
    ASK(hipIpcOpenMemHandle, (void **)&ptr, handle, 1);
}

QUESTION(a_process_ends_with_opened_memory, "hipIpcOpenMemHandle") {
    uintptr_t ptr = make_memory(4 * MIB);
    hipIpcMemHandle_t handle = handle_of(ptr);
    tn_in_peer(exit_at_once, &handle, sizeof handle, -1);
    ASK(hipMemsetD8, pointer(ptr), 1, 16);
    ASK(hipFree, pointer(ptr));
}
