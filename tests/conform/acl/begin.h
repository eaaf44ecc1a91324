// SPDX-License-Identifier: Apache-2.0
// Memory, streams, gates and mappings for the questions about AscendCL.
#pragma once

#include <stdint.h>
#include <string.h>

#include <acl/acl.h>

#include "tools/conform/question.h"

#define TN_API "acl"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)
// The granularity of virtual memory.
#define G ((size_t)2 << 20)

static inline size_t free_bytes(void) {
    size_t left = 0, all = 0;
    MUST(aclrtGetMemInfo, ACL_HBM_MEM, &left, &all);
    return left;
}

static inline char *make_memory(size_t bytes) {
    void *ptr = NULL;
    MUST(aclrtMalloc, &ptr, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    return (char *)ptr;
}

static inline char *make_pinned(size_t bytes) {
    void *ptr = NULL;
    MUST(aclrtMallocHost, &ptr, bytes);
    return (char *)ptr;
}

static inline aclrtStream make_stream(void) {
    aclrtStream stream = NULL;
    MUST(aclrtCreateStream, &stream);
    return stream;
}

static inline void wait_for_gate(void *gate) {
    while (!__atomic_load_n((int *)gate, __ATOMIC_ACQUIRE)) continue;
}

// The work of the stream waits from here until the gate opens.
static inline void close_gate(aclrtStream stream, int *gate) {
    *gate = 0;
    MUST(aclrtLaunchHostFunc, stream, wait_for_gate, gate);
}

static inline void open_gate(int *gate) { __atomic_store_n(gate, 1, __ATOMIC_RELEASE); }

// ---- virtual memory

static inline aclrtPhysicalMemProp props_of(aclrtMemAttr attr) {
    aclrtPhysicalMemProp prop;
    memset(&prop, 0, sizeof prop);
    prop.memAttr = attr;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    return prop;
}

static inline aclrtDrvMemHandle make_handle(size_t bytes) {
    aclrtPhysicalMemProp prop = props_of(ACL_HBM_MEM_HUGE);
    aclrtDrvMemHandle handle = NULL;
    MUST(aclrtMallocPhysical, &handle, bytes, &prop, 0);
    return handle;
}

static inline char *make_range(size_t bytes) {
    void *at = NULL;
    MUST(aclrtReserveMemAddress, &at, bytes, 0, NULL, 0);
    return (char *)at;
}

static inline void map_memory(char *at, size_t bytes) {
    aclrtDrvMemHandle handle = make_handle(bytes);
    MUST(aclrtMapMem, at, bytes, 0, handle, 0);
    MUST(aclrtFreePhysical, handle);
}

static inline void end_range(char *at) {
    MUST(aclrtUnmapMem, at);
    MUST(aclrtReleaseMemAddress, at);
}
