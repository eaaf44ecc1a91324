// SPDX-License-Identifier: Apache-2.0
// Memory, streams, gates and mappings for the questions about HIP. Addresses of devices are
// numbers, because questions compute with them.
#pragma once

#include <stdint.h>
#include <string.h>

#include <hip/hip_runtime_api.h>

#include "tools/conform/question.h"

#define TN_API "hip"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)
// The granularity of virtual memory.
#define G ((size_t)2 << 20)

static inline size_t free_bytes(void) {
    size_t left = 0, all = 0;
    MUST(hipMemGetInfo, &left, &all);
    return left;
}

static inline uintptr_t number(const void *ptr) { return (uintptr_t)ptr; }
static inline void *pointer(uintptr_t ptr) { return (void *)(uintptr_t)ptr; }

static inline uintptr_t make_memory(size_t bytes) {
    uintptr_t ptr = 0;
    MUST(hipMalloc, (void **)&ptr, bytes);
    return ptr;
}

static inline void *make_pinned(size_t bytes) {
    void *ptr = NULL;
    MUST(hipHostMalloc, (void **)&ptr, bytes, 0);
    return ptr;
}

static inline uintptr_t make_managed(size_t bytes) {
    uintptr_t ptr = 0;
    MUST(hipMallocManaged, (void **)&ptr, bytes, hipMemAttachGlobal);
    return ptr;
}

static inline hipStream_t make_stream(void) {
    hipStream_t stream = NULL;
    MUST(hipStreamCreateWithFlags, &stream, hipStreamNonBlocking);
    return stream;
}

static inline hipStream_t make_blocking_stream(void) {
    hipStream_t stream = NULL;
    MUST(hipStreamCreateWithFlags, &stream, hipStreamDefault);
    return stream;
}

static inline hipEvent_t make_event(unsigned flags) {
    hipEvent_t event = NULL;
    MUST(hipEventCreateWithFlags, &event, flags);
    return event;
}

static inline void wait_for_gate(void *gate) {
    while (!__atomic_load_n((int *)gate, __ATOMIC_ACQUIRE)) continue;
}

// The work of the stream waits from here until the gate opens.
static inline void close_gate(hipStream_t stream, int *gate) {
    *gate = 0;
    MUST(hipLaunchHostFunc, stream, wait_for_gate, gate);
}

static inline void open_gate(int *gate) { __atomic_store_n(gate, 1, __ATOMIC_RELEASE); }

// ---- virtual memory

static inline hipMemAllocationProp props_of(unsigned handle_types) {
    hipMemAllocationProp prop;
    memset(&prop, 0, sizeof prop);
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    prop.requestedHandleTypes = (hipMemAllocationHandleType)handle_types;
    return prop;
}

static inline hipMemGenericAllocationHandle_t make_handle(size_t bytes, unsigned handle_types) {
    hipMemAllocationProp prop = props_of(handle_types);
    hipMemGenericAllocationHandle_t handle = 0;
    MUST(hipMemCreate, &handle, bytes, &prop, 0);
    return handle;
}

static inline uintptr_t make_range(size_t bytes) {
    uintptr_t at = 0;
    MUST(hipMemAddressReserve, (void **)&at, bytes, 0, NULL, 0);
    return at;
}

static inline void map_memory(uintptr_t at, size_t bytes) {
    hipMemGenericAllocationHandle_t handle = make_handle(bytes, 0);
    MUST(hipMemMap, pointer(at), bytes, 0, handle, 0);
    MUST(hipMemRelease, handle);
}

static inline hipMemAccessDesc rights_of(hipMemAccessFlags flags) {
    hipMemAccessDesc desc;
    memset(&desc, 0, sizeof desc);
    desc.location.type = hipMemLocationTypeDevice;
    desc.flags = flags;
    return desc;
}

static inline void grant_rights(uintptr_t at, size_t bytes, hipMemAccessFlags flags) {
    hipMemAccessDesc desc = rights_of(flags);
    MUST(hipMemSetAccess, pointer(at), bytes, &desc, 1);
}

static inline void end_range(uintptr_t at, size_t mapped, size_t reserved) {
    MUST(hipMemUnmap, pointer(at), mapped);
    MUST(hipMemAddressFree, pointer(at), reserved);
}
