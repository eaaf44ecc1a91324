// SPDX-License-Identifier: Apache-2.0
// What the tests of virtual memory management share: the steps that succeed, in one line each. The
// devices are those of hip_group_setup(): two of CAPACITY bytes, granularity G.
#pragma once

#include "support/hip.h"

#define G        ((size_t)4096)
#define CAPACITY ((size_t)1 << 30)

typedef hipMemGenericAllocationHandle_t handle_t;

static const unsigned long long NONE = hipMemAccessFlagsProtNone;
static const unsigned long long READ = hipMemAccessFlagsProtRead;
static const unsigned long long READ_WRITE = hipMemAccessFlagsProtReadWrite;

// No handle and no address of this process.
static inline handle_t no_handle(void) { return (handle_t)(uintptr_t)0xdeadbeef; }

static inline hipMemAllocationProp prop_on(int device) {
    hipMemAllocationProp prop;
    memset(&prop, 0, sizeof prop);
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    prop.location.id = device;
    return prop;
}

static inline handle_t create_on(int device, size_t size) {
    hipMemAllocationProp prop = prop_on(device);
    handle_t handle = NULL;
    assert_hip_ok(hipMemCreate(&handle, size, &prop, 0));
    assert_non_null(handle);
    return handle;
}

static inline handle_t create(size_t size) { return create_on(0, size); }

static inline handle_t create_shared(size_t size) {
    hipMemAllocationProp prop = prop_on(0);
    handle_t handle = NULL;
    prop.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
    assert_hip_ok(hipMemCreate(&handle, size, &prop, 0));
    return handle;
}

static inline char *reserve(size_t size) {
    void *ptr = NULL;
    assert_hip_ok(hipMemAddressReserve(&ptr, size, 0, NULL, 0));
    assert_non_null(ptr);
    return (char *)ptr;
}

static inline hipMemAccessDesc desc_of(int device, unsigned long long flags) {
    hipMemAccessDesc desc;
    desc.location.type = hipMemLocationTypeDevice;
    desc.location.id = device;
    desc.flags = (hipMemAccessFlags)flags;
    return desc;
}

static inline void grant(void *at, size_t size, int device, unsigned long long flags) {
    hipMemAccessDesc desc = desc_of(device, flags);
    assert_hip_ok(hipMemSetAccess(at, size, &desc, 1));
}

static inline hipError_t get_rights(void *at, int device, unsigned long long *flags) {
    hipMemLocation location = {hipMemLocationTypeDevice, device};
    return hipMemGetAccess(flags, &location, at);
}

static inline unsigned long long rights(void *at, int device) {
    unsigned long long flags = 99;
    assert_hip_ok(get_rights(at, device, &flags));
    return flags;
}

// Maps fresh memory that goes when it is unmapped, readable and writable for device 0 and the CPU.
static inline void map_fresh(void *at, size_t size) {
    handle_t handle = create(size);
    assert_hip_ok(hipMemMap(at, size, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    grant(at, size, 0, READ_WRITE);
}

static inline void unmap_and_free(void *at, size_t size) {
    assert_hip_ok(hipMemUnmap(at, size));
    assert_hip_ok(hipMemAddressFree(at, size));
}

// A device has exactly so much left: so much can be created, and no granule more.
static inline void assert_free_bytes(int device, size_t bytes) {
    hipMemAllocationProp prop = prop_on(device);
    handle_t handle = NULL;
    assert_hip(hipMemCreate(&handle, bytes + G, &prop, 0), hipErrorOutOfMemory);
    assert_hip_ok(hipMemCreate(&handle, bytes, &prop, 0));
    assert_hip_ok(hipMemRelease(handle));
}

static inline int export_fd(handle_t handle) {
    int fd = -1;
    assert_hip_ok(
        hipMemExportToShareableHandle(&fd, handle, hipMemHandleTypePosixFileDescriptor, 0));
    assert_true(fd > 2);
    return fd;
}

static inline handle_t import_fd(int fd) {
    handle_t handle = NULL;
    assert_hip_ok(hipMemImportFromShareableHandle(&handle, (void *)(uintptr_t)fd,
                                                  hipMemHandleTypePosixFileDescriptor));
    assert_non_null(handle);
    return handle;
}

// The text of the last failure names this.
static inline void assert_text_names(const char *what) {
    if (strstr(hipExtGetLastErrorText(), what) == NULL)
        fail_msg("\"%s\" is not in: %s", what, hipExtGetLastErrorText());
}
