// SPDX-License-Identifier: Apache-2.0
// The part of HIP, versions 5 to 7, that this back-end uses: numbers, layouts and function types.
// It contains only facts about the interface; no AMD header is needed or included.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The values of hipError_t that have a status of their own.
enum {
    HIP_SUCCESS = 0,
    HIP_INVALID_VALUE = 1,
    HIP_OUT_OF_MEMORY = 2,
    HIP_NO_DEVICE = 100,
    HIP_INVALID_DEVICE = 101,
    HIP_ECC_NOT_CORRECTABLE = 214,
    HIP_INVALID_HANDLE = 400,
    HIP_NOT_READY = 600,
    HIP_ILLEGAL_ADDRESS = 700,
    HIP_LAUNCH_TIMED_OUT = 702,
    HIP_PEER_ALREADY_ENABLED = 704,
    HIP_PEER_NOT_ENABLED = 705,
    HIP_CONTEXT_IS_DESTROYED = 709,
    HIP_ASSERT = 710,
    HIP_ALREADY_REGISTERED = 712,
    HIP_NOT_REGISTERED = 713,
    HIP_LAUNCH_FAILURE = 719,
    HIP_NOT_SUPPORTED = 801,
};

enum {
    HIP_LOCATION_DEVICE = 1,
    HIP_LOCATION_HOST = 2,      // since 7
    HIP_LOCATION_HOST_NUMA = 3, // since 7
    HIP_ALLOCATION_PINNED = 1,
    HIP_HANDLE_NONE = 0,
    HIP_HANDLE_FD = 1,
    HIP_GRANULARITY_MINIMUM = 0,
    HIP_GRANULARITY_RECOMMENDED = 1,
    HIP_ATTRIBUTE_VMM = 89,
    HIP_STREAM_NON_BLOCKING = 1,
    HIP_EVENT_DEFAULT = 0,
    HIP_HOST_PORTABLE_AND_MAPPED = 3, // of hipHostMalloc and hipHostRegister
    HIP_MEMCPY_DEFAULT = 4,
    HIP_MEMORY_UNREGISTERED = 0, // since 6; before, such memory is an error
};

// hipPointerAttribute_t, with room for members of later versions.
struct hip_pointer {
    int type;
    int device;
    void *device_pointer;
    void *host_pointer;
    int managed;
    unsigned flags;
    uint64_t room[8];
};

struct hip_location {
    int type;
    int id;
};

struct hip_access {
    struct hip_location location;
    int flags; // 0 none, 1 read, 3 both: as tarn_access
};

struct hip_prop {
    int type;
    int handle_type;
    struct hip_location location;
    void *win32;
    uint8_t compression;
    uint8_t rdma;
    uint16_t usage;
};

_Static_assert(sizeof(struct hip_access) == 12, "hipMemAccessDesc");
_Static_assert(sizeof(struct hip_prop) == 32 && offsetof(struct hip_prop, usage) == 26,
               "hipMemAllocationProp");

// The functions: X(name, parameters, needed). Those of virtual memory are used if all of them
// exist.
#define HIP_FUNCTION_LIST(X)                                                                       \
    X(hipInit, (unsigned flags), REQUIRED)                                                         \
    X(hipRuntimeGetVersion, (int *version), REQUIRED)                                              \
    X(hipGetLastError, (void), REQUIRED)                                                           \
    X(hipGetDeviceCount, (int *count), REQUIRED)                                                   \
    X(hipGetDevice, (int *device), REQUIRED)                                                       \
    X(hipSetDevice, (int device), REQUIRED)                                                        \
    X(hipDeviceGetName, (char *name, int length, int device), REQUIRED)                            \
    X(hipDeviceGetAttribute, (int *value, int attribute, int device), REQUIRED)                    \
    X(hipDeviceSynchronize, (void), REQUIRED)                                                      \
    X(hipDeviceCanAccessPeer, (int *can, int device, int peer), REQUIRED)                          \
    X(hipDeviceEnablePeerAccess, (int peer, unsigned flags), REQUIRED)                             \
    X(hipDeviceDisablePeerAccess, (int peer), REQUIRED)                                            \
    X(hipMemGetInfo, (size_t * left, size_t * total), REQUIRED)                                    \
    X(hipMalloc, (void **ptr, size_t size), REQUIRED)                                              \
    X(hipFree, (void *ptr), REQUIRED)                                                              \
    X(hipHostMalloc, (void **ptr, size_t size, unsigned flags), REQUIRED)                          \
    X(hipHostFree, (void *ptr), REQUIRED)                                                          \
    X(hipHostRegister, (void *ptr, size_t size, unsigned flags), REQUIRED)                         \
    X(hipHostUnregister, (void *ptr), REQUIRED)                                                    \
    X(hipStreamCreateWithFlags, (void **stream, unsigned flags), REQUIRED)                         \
    X(hipStreamDestroy, (void *stream), REQUIRED)                                                  \
    X(hipStreamSynchronize, (void *stream), REQUIRED)                                              \
    X(hipStreamQuery, (void *stream), REQUIRED)                                                    \
    X(hipStreamIsCapturing, (void *stream, int *capturing), OPTIONAL)                              \
    X(hipStreamWaitEvent, (void *stream, void *event, unsigned flags), REQUIRED)                   \
    X(hipLaunchHostFunc, (void *stream, void (*fn)(void *), void *arg), OPTIONAL)                  \
    X(hipStreamAddCallback,                                                                        \
      (void *stream, void (*fn)(void *stream, int status, void *arg), void *arg, unsigned flags),  \
      REQUIRED)                                                                                    \
    X(hipEventCreateWithFlags, (void **event, unsigned flags), REQUIRED)                           \
    X(hipEventDestroy, (void *event), REQUIRED)                                                    \
    X(hipEventRecord, (void *event, void *stream), REQUIRED)                                       \
    X(hipEventQuery, (void *event), REQUIRED)                                                      \
    X(hipEventSynchronize, (void *event), REQUIRED)                                                \
    X(hipEventElapsedTime, (float *ms, void *start, void *end), REQUIRED)                          \
    X(hipPointerGetAttributes, (struct hip_pointer * attributes, const void *ptr), OPTIONAL)       \
    X(hipMemcpyAsync, (void *dst, const void *src, size_t size, int kind, void *stream), REQUIRED) \
    X(hipMemcpy2DAsync,                                                                            \
      (void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,               \
       size_t height, int kind, void *stream),                                                     \
      REQUIRED)                                                                                    \
    X(hipMemsetAsync, (void *dst, int value, size_t bytes, void *stream), REQUIRED)                \
    X(hipMemsetD16Async, (void *dst, unsigned short value, size_t count, void *stream), REQUIRED)  \
    X(hipMemsetD32Async, (void *dst, int value, size_t count, void *stream), REQUIRED)             \
    X(hipMemset2DAsync,                                                                            \
      (void *dst, size_t pitch, int value, size_t width, size_t height, void *stream), REQUIRED)   \
    X(hipMemGetAllocationGranularity, (size_t * bytes, const struct hip_prop *prop, int option),   \
      OPTIONAL)                                                                                    \
    X(hipMemAddressReserve,                                                                        \
      (void **ptr, size_t size, size_t alignment, void *hint, unsigned long long flags), OPTIONAL) \
    X(hipMemAddressFree, (void *ptr, size_t size), OPTIONAL)                                       \
    X(hipMemCreate,                                                                                \
      (void **handle, size_t size, const struct hip_prop *prop, unsigned long long flags),         \
      OPTIONAL)                                                                                    \
    X(hipMemRelease, (void *handle), OPTIONAL)                                                     \
    X(hipMemMap, (void *ptr, size_t size, size_t offset, void *handle, unsigned long long flags),  \
      OPTIONAL)                                                                                    \
    X(hipMemUnmap, (void *ptr, size_t size), OPTIONAL)                                             \
    X(hipMemSetAccess, (void *ptr, size_t size, const struct hip_access *access, size_t count),    \
      OPTIONAL)                                                                                    \
    X(hipMemGetAccess,                                                                             \
      (unsigned long long *flags, const struct hip_location *location, void *ptr), OPTIONAL)       \
    X(hipMemExportToShareableHandle,                                                               \
      (void *out, void *handle, int type, unsigned long long flags), OPTIONAL)                     \
    X(hipMemImportFromShareableHandle, (void **handle, void *in, int type), OPTIONAL)
