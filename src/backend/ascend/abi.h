// SPDX-License-Identifier: Apache-2.0
// The part of AscendCL that this back-end uses, generations 1 (CANN up to 8.1) and 2 (8.5 and
// later): numbers, layouts and function types. It contains only facts about the interface.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The values of aclError that Tarn names. Two layers share one number space.
#define ACL_CODE_LIST(X)                                                                           \
    X(INVALID_PARAM, 100000)                                                                       \
    X(UNINITIALIZE, 100001)                                                                        \
    X(REPEAT_INITIALIZE, 100002)                                                                   \
    X(RT_PARAM_INVALID, 107000)                                                                    \
    X(RT_INVALID_DEVICEID, 107001)                                                                 \
    X(RT_CONTEXT_NULL, 107002)                                                                     \
    X(RT_STREAM_CONTEXT, 107003)                                                                   \
    X(RT_EVENT_TIMESTAMP_INVALID, 107006)                                                          \
    X(RT_ADDR_UNALIGNED, 107008)                                                                   \
    X(RT_INVALID_MEMORY_TYPE, 107016)                                                              \
    X(RT_INVALID_HANDLE, 107017)                                                                   \
    X(RT_INVALID_MALLOC_TYPE, 107018)                                                              \
    X(RT_WAIT_TIMEOUT, 107019)                                                                     \
    X(RT_DEVICE_TASK_ABORT, 107022)                                                                \
    X(BAD_ALLOC, 200000)                                                                           \
    X(API_NOT_SUPPORT, 200001)                                                                     \
    X(INVALID_DEVICE, 200002)                                                                      \
    X(INVALID_RESOURCE_HANDLE, 200005)                                                             \
    X(FEATURE_UNSUPPORTED, 200006)                                                                 \
    X(RT_FEATURE_NOT_SUPPORT, 207000)                                                              \
    X(RT_MEMORY_ALLOCATION, 207001)                                                                \
    X(RT_NO_DEVICE, 207004)                                                                        \
    X(RT_RESOURCE_ALLOC_FAIL, 207005)                                                              \
    X(RT_NO_PERMISSION, 207006)                                                                    \
    X(RT_NO_EVENT_RESOURCE, 207007)                                                                \
    X(RT_NO_STREAM_RESOURCE, 207008)                                                               \
    X(RT_DEVICE_OOM, 207018)                                                                       \
    X(RT_INTERNAL_ERROR, 507000)                                                                   \
    X(RT_STREAM_NOT_COMPLETE, 507004)                                                              \
    X(RT_EVENT_NOT_COMPLETE, 507006)                                                               \
    X(RT_DEV_SETUP_ERROR, 507033)                                                                  \
    X(RT_STREAM_SYNC_TIMEOUT, 507046)                                                              \
    X(RT_EVENT_SYNC_TIMEOUT, 507047)                                                               \
    X(RT_DRV_INTERNAL_ERROR, 507899)                                                               \
    X(HOST_MEMORY_ALREADY_REGISTERED, 507910)                                                      \
    X(HOST_MEMORY_NOT_REGISTERED, 507911)

enum {
#define ACL_CODE(name, value) ACL_##name = value,
    ACL_CODE_LIST(ACL_CODE)
#undef ACL_CODE
};

enum {
    ACL_SUCCESS = 0,
    ACL_MALLOC_HUGE_FIRST = 0,
    ACL_DDR_MEM = 0,
    ACL_HBM_MEM = 1,
    ACL_DDR_MEM_HUGE = 2,
    ACL_HBM_MEM_HUGE = 4,
    ACL_LOCATION_HOST = 0,
    ACL_LOCATION_DEVICE = 1,
    ACL_LOCATION_UNREGISTERED = 2,
    ACL_GRANULARITY_MINIMUM = 0,
    ACL_GRANULARITY_RECOMMENDED = 1,
    ACL_RESERVE_FLAGS = 1, // the value that all programs pass; 0 means the same where it is
                           // accepted
    ACL_ACCESS_READ_WRITE = 3,
    ACL_HOST_REGISTER_MAPPED = 0,
    ACL_HOST_REG_MAPPED_AND_PINNED = 0x10000002,
    ACL_COPY_HOST_TO_HOST = 0, // and to device 1; device to host 2, to device 3
    ACL_COPY_DEFAULT = 4,
    ACL_EVENT_SYNC_PROGRESS_TIME = 0xB,
    ACL_EVENT_COMPLETE = 1,  // of aclrtQueryEventStatus
    ACL_STREAM_COMPLETE = 0, // of aclrtStreamQuery
    ACL_ROWS_MAX = 5242880,  // of copies of boxes
    ACL_WIDTH_MAX = 5000000,
};

struct acl_location {
    uint32_t id; // first, unlike HIP's and CUDA's
    int type;
};

struct acl_prop {
    int handle_type;
    int allocation_type;
    int attribute;
    struct acl_location location;
    uint64_t reserve;
};

struct acl_access {
    int flags;
    struct acl_location location;
    uint8_t rsv[12];
};

struct acl_pointer {
    struct acl_location location;
    uint32_t page_size;
    uint32_t rsv[4];
};

_Static_assert(sizeof(struct acl_prop) == 32 && offsetof(struct acl_prop, reserve) == 24,
               "aclrtPhysicalMemProp");
_Static_assert(sizeof(struct acl_access) == 24, "aclrtMemAccessDesc");
_Static_assert(sizeof(struct acl_pointer) == 28, "aclrtPtrAttributes");

// The functions: X(name, parameters, needed).
#define ACL_FUNCTION_LIST(X)                                                                       \
    X(aclInit, (const char *path), REQUIRED)                                                       \
    X(aclrtGetVersion, (int32_t * major, int32_t * minor, int32_t * patch), OPTIONAL)              \
    X(aclrtGetDeviceCount, (uint32_t * count), REQUIRED)                                           \
    X(aclrtSetDevice, (int32_t device), REQUIRED)                                                  \
    X(aclrtGetCurrentContext, (void **context), REQUIRED)                                          \
    X(aclrtSetCurrentContext, (void *context), REQUIRED)                                           \
    X(aclrtSynchronizeDevice, (void), REQUIRED)                                                    \
    X(aclrtDeviceCanAccessPeer, (int32_t * can, int32_t device, int32_t peer), OPTIONAL)           \
    X(aclrtDeviceEnablePeerAccess, (int32_t peer, uint32_t flags), OPTIONAL)                       \
    X(aclrtGetMemInfo, (int attribute, size_t *left, size_t *total), REQUIRED)                     \
    X(aclrtMalloc, (void **ptr, size_t size, int policy), REQUIRED)                                \
    X(aclrtMallocAlign32, (void **ptr, size_t size, int policy), OPTIONAL)                         \
    X(aclrtFree, (void *ptr), REQUIRED)                                                            \
    X(aclrtMallocHost, (void **ptr, size_t size), REQUIRED)                                        \
    X(aclrtFreeHost, (void *ptr), REQUIRED)                                                        \
    X(aclrtHostRegister, (void *ptr, uint64_t size, int type, void **device), OPTIONAL)            \
    X(aclrtHostRegisterV2, (void *ptr, uint64_t size, uint32_t flags), OPTIONAL)                   \
    X(aclrtHostUnregister, (void *ptr), OPTIONAL)                                                  \
    X(aclrtPointerGetAttributes, (const void *ptr, struct acl_pointer *attributes), OPTIONAL)      \
    X(aclrtCreateStream, (void **stream), REQUIRED)                                                \
    X(aclrtDestroyStream, (void *stream), REQUIRED)                                                \
    X(aclrtSynchronizeStream, (void *stream), REQUIRED)                                            \
    X(aclrtSynchronizeStreamWithTimeout, (void *stream, int32_t ms), OPTIONAL)                     \
    X(aclrtStreamQuery, (void *stream, int *status), REQUIRED)                                     \
    X(aclrtStreamWaitEvent, (void *stream, void *event), REQUIRED)                                 \
    X(aclrtLaunchHostFunc, (void *stream, void (*fn)(void *), void *arg), OPTIONAL)                \
    X(aclrtCreateEventExWithFlag, (void **event, uint32_t flags), OPTIONAL)                        \
    X(aclrtCreateEventWithFlag, (void **event, uint32_t flags), REQUIRED)                          \
    X(aclrtDestroyEvent, (void *event), REQUIRED)                                                  \
    X(aclrtRecordEvent, (void *event, void *stream), REQUIRED)                                     \
    X(aclrtQueryEventStatus, (void *event, int *status), REQUIRED)                                 \
    X(aclrtSynchronizeEvent, (void *event), REQUIRED)                                              \
    X(aclrtSynchronizeEventWithTimeout, (void *event, int32_t ms), OPTIONAL)                       \
    X(aclrtEventElapsedTime, (float *ms, void *start, void *end), REQUIRED)                        \
    X(aclrtMemcpy, (void *dst, size_t room, const void *src, size_t size, int kind), REQUIRED)     \
    X(aclrtMemcpyAsync,                                                                            \
      (void *dst, size_t room, const void *src, size_t size, int kind, void *stream), REQUIRED)    \
    X(aclrtMemcpy2dAsync,                                                                          \
      (void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,               \
       size_t height, int kind, void *stream),                                                     \
      OPTIONAL)                                                                                    \
    X(aclrtMemset, (void *ptr, size_t room, int32_t value, size_t size), REQUIRED)                 \
    X(aclrtMemsetAsync, (void *ptr, size_t room, int32_t value, size_t size, void *stream),        \
      REQUIRED)                                                                                    \
    X(aclrtMemsetD32Async, (void *ptr, size_t room, uint32_t value, size_t count, void *stream),   \
      OPTIONAL)                                                                                    \
    X(aclrtMemGetAllocationGranularity, (struct acl_prop * prop, int option, size_t *bytes),       \
      OPTIONAL)                                                                                    \
    X(aclrtReserveMemAddress,                                                                      \
      (void **ptr, size_t size, size_t alignment, void *hint, uint64_t flags), OPTIONAL)           \
    X(aclrtReleaseMemAddress, (void *ptr), OPTIONAL)                                               \
    X(aclrtMallocPhysical,                                                                         \
      (void **handle, size_t size, const struct acl_prop *prop, uint64_t flags), OPTIONAL)         \
    X(aclrtFreePhysical, (void *handle), OPTIONAL)                                                 \
    X(aclrtMapMem, (void *ptr, size_t size, size_t offset, void *handle, uint64_t flags),          \
      OPTIONAL)                                                                                    \
    X(aclrtUnmapMem, (void *ptr), OPTIONAL)                                                        \
    X(aclrtMemSetAccess, (void *ptr, size_t size, struct acl_access *access, size_t count),        \
      OPTIONAL)                                                                                    \
    X(aclrtMemExportToShareableHandle, (void *handle, int type, uint64_t flags, uint64_t *token),  \
      OPTIONAL)                                                                                    \
    X(aclrtMemImportFromShareableHandle, (uint64_t token, int32_t device, void **handle),          \
      OPTIONAL)                                                                                    \
    X(aclrtMemSetPidToShareableHandle, (uint64_t token, int32_t * pids, size_t count), OPTIONAL)
