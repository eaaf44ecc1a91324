// SPDX-License-Identifier: Apache-2.0
// Memory, streams, gates and mappings for the questions about CUDA and HIP. The begin.h of each of
// them includes this file. The questions are written in the names of CUDA; hip/names.h maps them.
#pragma once

#include <stdint.h>
#include <string.h>

#include "tools/conform/question.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)
// An address that no call has written.
#define UNSET ((CUdeviceptr)7)
// The granularity of virtual memory.
#define G ((size_t)2 << 20)

static inline size_t free_bytes(void) {
    size_t left = 0, all = 0;
    MUST(cuMemGetInfo, &left, &all);
    return left;
}

static inline CUdeviceptr number(const void *ptr) { return (CUdeviceptr)(uintptr_t)ptr; }
static inline void *pointer(CUdeviceptr ptr) { return (void *)(uintptr_t)ptr; }

static inline CUdeviceptr make_memory(size_t bytes) {
    CUdeviceptr ptr = 0;
    MUST(cuMemAlloc, &ptr, bytes);
    return ptr;
}

static inline void *make_pinned(size_t bytes) {
    void *ptr = NULL;
    MUST(cuMemHostAlloc, &ptr, bytes, 0);
    return ptr;
}

static inline CUdeviceptr make_managed(size_t bytes) {
    CUdeviceptr ptr = 0;
    MUST(cuMemAllocManaged, &ptr, bytes, CU_MEM_ATTACH_GLOBAL);
    return ptr;
}

static inline CUstream make_stream(void) {
    CUstream stream = NULL;
    MUST(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
    return stream;
}

static inline CUstream make_blocking_stream(void) {
    CUstream stream = NULL;
    MUST(cuStreamCreate, &stream, CU_STREAM_DEFAULT);
    return stream;
}

static inline CUevent make_event(unsigned flags) {
    CUevent event = NULL;
    MUST(cuEventCreate, &event, flags);
    return event;
}

static inline void wait_for_gate(void *gate) {
    while (!__atomic_load_n((int *)gate, __ATOMIC_ACQUIRE)) continue;
}

// The work of the stream waits from here until the gate opens.
static inline void close_gate(CUstream stream, int *gate) {
    *gate = 0;
    MUST(cuLaunchHostFunc, stream, wait_for_gate, gate);
}

static inline void open_gate(int *gate) { __atomic_store_n(gate, 1, __ATOMIC_RELEASE); }

// ---- virtual memory

static inline CUmemAllocationProp props_of(unsigned handle_types) {
    CUmemAllocationProp prop;
    memset(&prop, 0, sizeof prop);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.requestedHandleTypes = (CUmemAllocationHandleType)handle_types;
    return prop;
}

static inline CUmemGenericAllocationHandle make_handle(size_t bytes, unsigned handle_types) {
    CUmemAllocationProp prop = props_of(handle_types);
    CUmemGenericAllocationHandle handle = 0;
    MUST(cuMemCreate, &handle, bytes, &prop, 0);
    return handle;
}

static inline CUdeviceptr make_range(size_t bytes) {
    CUdeviceptr at = 0;
    MUST(cuMemAddressReserve, &at, bytes, 0, 0, 0);
    return at;
}

static inline void map_memory(CUdeviceptr at, size_t bytes) {
    CUmemGenericAllocationHandle handle = make_handle(bytes, 0);
    MUST(cuMemMap, at, bytes, 0, handle, 0);
    MUST(cuMemRelease, handle);
}

static inline CUmemAccessDesc rights_of(CUmemAccess_flags flags) {
    CUmemAccessDesc desc;
    memset(&desc, 0, sizeof desc);
    desc.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    desc.flags = flags;
    return desc;
}

static inline void grant_rights(CUdeviceptr at, size_t bytes, CUmemAccess_flags flags) {
    CUmemAccessDesc desc = rights_of(flags);
    MUST(cuMemSetAccess, at, bytes, &desc, 1);
}

static inline void end_range(CUdeviceptr at, size_t mapped, size_t reserved) {
    MUST(cuMemUnmap, at, mapped);
    MUST(cuMemAddressFree, at, reserved);
}
