// SPDX-License-Identifier: Apache-2.0
// The vendor's own calls, for comparison: libcuda.so.1, opened at run time, with our own
// declarations of the measured calls. One thread, one device.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Numbers of the driver's interface.
enum {
    CU_ALLOCATION_PINNED = 1,
    CU_LOCATION_DEVICE = 1,
    CU_ACCESS_READ_WRITE = 3,
    CU_POOL_RELEASE_THRESHOLD = 4
};

struct cu_location {
    int type;
    int id;
};
struct cu_allocation {
    int type;
    int handle_types;
    struct cu_location location;
    void *win32;
    struct {
        unsigned char compression, gpu_direct;
        unsigned short usage;
        unsigned char reserved[4];
    } flags;
};
struct cu_access {
    struct cu_location location;
    int flags;
};

// The calls: X(field, "symbol", (parameters)). All return 0 for success.
#define DRIVER_CALLS(X)                                                                            \
    X(init, "cuInit", (unsigned))                                                                  \
    X(device_get, "cuDeviceGet", (int *, int))                                                     \
    X(device_name, "cuDeviceGetName", (char *, int, int))                                          \
    X(version, "cuDriverGetVersion", (int *))                                                      \
    X(retain, "cuDevicePrimaryCtxRetain", (void **, int))                                          \
    X(push_context, "cuCtxPushCurrent_v2", (void *))                                               \
    X(synchronize, "cuCtxSynchronize", (void))                                                     \
    X(alloc, "cuMemAlloc_v2", (uint64_t *, size_t))                                                \
    X(release, "cuMemFree_v2", (uint64_t))                                                         \
    X(alloc_async, "cuMemAllocAsync", (uint64_t *, size_t, void *))                                \
    X(release_async, "cuMemFreeAsync", (uint64_t, void *))                                         \
    X(default_pool, "cuDeviceGetDefaultMemPool", (void **, int))                                   \
    X(pool_set, "cuMemPoolSetAttribute", (void *, int, void *))                                    \
    X(host_alloc, "cuMemHostAlloc", (void **, size_t, unsigned))                                   \
    X(host_free, "cuMemFreeHost", (void *))                                                        \
    X(to_device, "cuMemcpyHtoDAsync_v2", (uint64_t, const void *, size_t, void *))                 \
    X(to_host, "cuMemcpyDtoHAsync_v2", (void *, uint64_t, size_t, void *))                         \
    X(within, "cuMemcpyDtoDAsync_v2", (uint64_t, uint64_t, size_t, void *))                        \
    X(stream_create, "cuStreamCreate", (void **, unsigned))                                        \
    X(stream_synchronize, "cuStreamSynchronize", (void *))                                         \
    X(reserve, "cuMemAddressReserve", (uint64_t *, size_t, size_t, uint64_t, unsigned long long))  \
    X(unreserve, "cuMemAddressFree", (uint64_t, size_t))                                           \
    X(create, "cuMemCreate",                                                                       \
      (unsigned long long *, size_t, const struct cu_allocation *, unsigned long long))            \
    X(destroy, "cuMemRelease", (unsigned long long))                                               \
    X(map, "cuMemMap", (uint64_t, size_t, size_t, unsigned long long, unsigned long long))         \
    X(unmap, "cuMemUnmap", (uint64_t, size_t))                                                     \
    X(set_access, "cuMemSetAccess", (uint64_t, size_t, const struct cu_access *, size_t))

struct driver {
    bool there; // open, with all necessary calls; other calls may be NULL
    int device;
    void *stream;
#define DRIVER_FIELD(field, symbol, parameters) int(*field) parameters;
    DRIVER_CALLS(DRIVER_FIELD)
#undef DRIVER_FIELD
};

// Opens the driver on device `ordinal`. On success it sets driver->there.
void driver_open(struct driver *driver, int ordinal);
