// SPDX-License-Identifier: Apache-2.0
// The part of CUDA's driver API that Tarn uses: types, numbers and functions, written from the
// public documentation, so that the build needs nothing from NVIDIA. The loader and the tests'
// stand-in library use the same lists of functions. tests/lint/cuda_header.sh compares this file
// with the toolkit's cuda.h where that is installed. Symbols end with `_v2` where the driver has
// one: the plain names are of CUDA 1 to 3, with 32-bit addresses.
#pragma once

#include <stddef.h>
#include <stdint.h>

// ---- results

// The results that Tarn or the stand-in uses: X(NAME, number) is CUDA_ERROR_NAME.
#define TN_CU_ERROR_LIST(X)                                                                        \
    X(INVALID_VALUE, 1)                                                                            \
    X(OUT_OF_MEMORY, 2)                                                                            \
    X(NOT_INITIALIZED, 3)                                                                          \
    X(DEINITIALIZED, 4)                                                                            \
    X(STUB_LIBRARY, 34)                                                                            \
    X(DEVICE_UNAVAILABLE, 46)                                                                      \
    X(NO_DEVICE, 100)                                                                              \
    X(INVALID_DEVICE, 101)                                                                         \
    X(INVALID_CONTEXT, 201)                                                                        \
    X(MAP_FAILED, 205)                                                                             \
    X(UNMAP_FAILED, 206)                                                                           \
    X(ALREADY_MAPPED, 208)                                                                         \
    X(NOT_MAPPED, 211)                                                                             \
    X(ECC_UNCORRECTABLE, 214)                                                                      \
    X(PEER_ACCESS_UNSUPPORTED, 217)                                                                \
    X(NVLINK_UNCORRECTABLE, 220)                                                                   \
    X(CONTAINED, 226)                                                                              \
    X(OPERATING_SYSTEM, 304)                                                                       \
    X(INVALID_HANDLE, 400)                                                                         \
    X(ILLEGAL_STATE, 401)                                                                          \
    X(NOT_FOUND, 500)                                                                              \
    X(NOT_READY, 600)                                                                              \
    X(ILLEGAL_ADDRESS, 700)                                                                        \
    X(LAUNCH_OUT_OF_RESOURCES, 701)                                                                \
    X(LAUNCH_TIMEOUT, 702)                                                                         \
    X(PEER_ACCESS_ALREADY_ENABLED, 704)                                                            \
    X(PEER_ACCESS_NOT_ENABLED, 705)                                                                \
    X(CONTEXT_IS_DESTROYED, 709)                                                                   \
    X(ASSERT, 710)                                                                                 \
    X(TOO_MANY_PEERS, 711)                                                                         \
    X(HOST_MEMORY_ALREADY_REGISTERED, 712)                                                         \
    X(HOST_MEMORY_NOT_REGISTERED, 713)                                                             \
    X(HARDWARE_STACK_ERROR, 714)                                                                   \
    X(ILLEGAL_INSTRUCTION, 715)                                                                    \
    X(MISALIGNED_ADDRESS, 716)                                                                     \
    X(INVALID_ADDRESS_SPACE, 717)                                                                  \
    X(INVALID_PC, 718)                                                                             \
    X(LAUNCH_FAILED, 719)                                                                          \
    X(NOT_PERMITTED, 800)                                                                          \
    X(NOT_SUPPORTED, 801)                                                                          \
    X(SYSTEM_NOT_READY, 802)                                                                       \
    X(SYSTEM_DRIVER_MISMATCH, 803)                                                                 \
    X(COMPAT_NOT_SUPPORTED_ON_DEVICE, 804)                                                         \
    X(STREAM_CAPTURE_UNSUPPORTED, 900)                                                             \
    X(CAPTURED_EVENT, 907)                                                                         \
    X(TIMEOUT, 909)                                                                                \
    X(EXTERNAL_DEVICE, 911)                                                                        \
    X(UNKNOWN, 999)

typedef int tn_cu_result;
enum {
    TN_CU_SUCCESS = 0,
#define TN_CU_ERROR_ENUM(name, number) TN_CU_##name = number,
    TN_CU_ERROR_LIST(TN_CU_ERROR_ENUM)
#undef TN_CU_ERROR_ENUM
};

// ---- types

typedef int tn_cu_device;
typedef uint64_t tn_cu_address;
typedef uint64_t tn_cu_phys; // a handle to physical memory
typedef struct tn_cu_context_object *tn_cu_context;
typedef struct tn_cu_stream_object *tn_cu_stream;
typedef struct tn_cu_event_object *tn_cu_event;
typedef struct tn_cu_pool_object *tn_cu_pool;

typedef struct tn_cu_location {
    int type; // TN_CU_LOCATION_
    int id;
} tn_cu_location;

// Properties of physical memory.
typedef struct tn_cu_properties {
    int type;  // TN_CU_PINNED
    int types; // of handles for export
    tn_cu_location location;
    void *win32;
    unsigned char compression;
    unsigned char rdma;
    unsigned short usage;
    unsigned char reserved[4];
} tn_cu_properties;

typedef struct tn_cu_access {
    tn_cu_location location;
    int flags; // TN_CU_ACCESS_
} tn_cu_access;

// Properties of a pool for stream-ordered memory.
typedef struct tn_cu_pool_properties {
    int type;
    int types;
    tn_cu_location location;
    void *win32;
    size_t maximum;
    unsigned short usage;
    unsigned char reserved[54];
} tn_cu_pool_properties;

// A copy of rows.
typedef struct tn_cu_rows {
    size_t src_x;
    size_t src_y;
    int src_type;
    const void *src_host;
    tn_cu_address src_device;
    void *src_array;
    size_t src_pitch;
    size_t dst_x;
    size_t dst_y;
    int dst_type;
    void *dst_host;
    tn_cu_address dst_device;
    void *dst_array;
    size_t dst_pitch;
    size_t width; // bytes
    size_t height;
} tn_cu_rows;

// ---- numbers: X(NAME, CUDA's name, number)

#define TN_CU_NUMBER_LIST(X)                                                                       \
    X(LOCATION_DEVICE, CU_MEM_LOCATION_TYPE_DEVICE, 1)                                             \
    X(LOCATION_HOST, CU_MEM_LOCATION_TYPE_HOST, 2)                                                 \
    X(LOCATION_HOST_NUMA, CU_MEM_LOCATION_TYPE_HOST_NUMA, 3)                                       \
    X(LOCATION_HOST_NUMA_CURRENT, CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 4)                       \
    X(PINNED, CU_MEM_ALLOCATION_TYPE_PINNED, 1)                                                    \
    X(HANDLE_NONE, CU_MEM_HANDLE_TYPE_NONE, 0)                                                     \
    X(HANDLE_FD, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1)                                      \
    X(GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_MINIMUM, 0)                                    \
    X(GRANULARITY_RECOMMENDED, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED, 1)                            \
    X(ACCESS_NONE, CU_MEM_ACCESS_FLAGS_PROT_NONE, 0)                                               \
    X(ACCESS_READ, CU_MEM_ACCESS_FLAGS_PROT_READ, 1)                                               \
    X(ACCESS_READ_WRITE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 3)                                    \
    X(STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING, 1)                                              \
    X(EVENT_BLOCKING_SYNC, CU_EVENT_BLOCKING_SYNC, 1)                                              \
    X(EVENT_DISABLE_TIMING, CU_EVENT_DISABLE_TIMING, 2)                                            \
    X(HOST_ALLOC_PORTABLE, CU_MEMHOSTALLOC_PORTABLE, 1)                                            \
    X(HOST_ALLOC_MAPPED, CU_MEMHOSTALLOC_DEVICEMAP, 2)                                             \
    X(HOST_REGISTER_PORTABLE, CU_MEMHOSTREGISTER_PORTABLE, 1)                                      \
    X(HOST_REGISTER_MAPPED, CU_MEMHOSTREGISTER_DEVICEMAP, 2)                                       \
    X(POINTER_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 2)                                    \
    X(POINTER_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 9)                              \
    X(POINTER_RANGE_START, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, 11)                              \
    X(POINTER_RANGE_SIZE, CU_POINTER_ATTRIBUTE_RANGE_SIZE, 12)                                     \
    X(MEMORY_HOST, CU_MEMORYTYPE_HOST, 1)                                                          \
    X(MEMORY_DEVICE, CU_MEMORYTYPE_DEVICE, 2)                                                      \
    X(MEMORY_UNIFIED, CU_MEMORYTYPE_UNIFIED, 4)                                                    \
    X(POOL_RELEASE_THRESHOLD, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 4)                                \
    X(ATTRIBUTE_UNIFIED_ADDRESSING, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41)                    \
    X(ATTRIBUTE_VMM, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 102)                 \
    X(ATTRIBUTE_FD, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 103)          \
    X(ATTRIBUTE_POOLS, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 115)

enum {
#define TN_CU_NUMBER_ENUM(name, theirs, number) TN_CU_##name = number,
    TN_CU_NUMBER_LIST(TN_CU_NUMBER_ENUM)
#undef TN_CU_NUMBER_ENUM
};

// ---- functions

typedef void (*tn_cu_host_fn)(void *arg);

// X(name, symbol, version, parameters): cuGetProcAddress(name, version) returns the function that
// has this symbol, in that version of CUDA or later.
#define TN_CU_BASE_LIST(X)                                                                         \
    X(cuInit, cuInit, 2000, (unsigned flags))                                                      \
    X(cuDriverGetVersion, cuDriverGetVersion, 2020, (int *version))                                \
    X(cuGetErrorName, cuGetErrorName, 6000, (tn_cu_result error, const char **name))               \
    X(cuDeviceGetCount, cuDeviceGetCount, 2000, (int *count))                                      \
    X(cuDeviceGet, cuDeviceGet, 2000, (tn_cu_device * device, int ordinal))                        \
    X(cuDeviceGetName, cuDeviceGetName, 2000, (char *name, int size, tn_cu_device device))         \
    X(cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, 4000,                                          \
      (int *can, tn_cu_device device, tn_cu_device peer))                                          \
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000,                                    \
      (tn_cu_context * context, tn_cu_device device))                                              \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, 11000, (tn_cu_device device))       \
    X(cuCtxPushCurrent, cuCtxPushCurrent_v2, 4000, (tn_cu_context context))                        \
    X(cuCtxPopCurrent, cuCtxPopCurrent_v2, 4000, (tn_cu_context * context))                        \
    X(cuCtxSynchronize, cuCtxSynchronize, 2000, (void))                                            \
    X(cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, 4000, (tn_cu_context peer, unsigned flags))    \
    X(cuCtxDisablePeerAccess, cuCtxDisablePeerAccess, 4000, (tn_cu_context peer))                  \
    X(cuStreamCreate, cuStreamCreate, 2000, (tn_cu_stream * stream, unsigned flags))               \
    X(cuStreamDestroy, cuStreamDestroy_v2, 4000, (tn_cu_stream stream))                            \
    X(cuStreamSynchronize, cuStreamSynchronize, 2000, (tn_cu_stream stream))                       \
    X(cuStreamQuery, cuStreamQuery, 2000, (tn_cu_stream stream))                                   \
    X(cuStreamIsCapturing, cuStreamIsCapturing, 10000, (tn_cu_stream stream, int *capturing))      \
    X(cuStreamWaitEvent, cuStreamWaitEvent, 3020,                                                  \
      (tn_cu_stream stream, tn_cu_event event, unsigned flags))                                    \
    X(cuLaunchHostFunc, cuLaunchHostFunc, 10000,                                                   \
      (tn_cu_stream stream, tn_cu_host_fn fn, void *arg))                                          \
    X(cuEventCreate, cuEventCreate, 2000, (tn_cu_event * event, unsigned flags))                   \
    X(cuEventDestroy, cuEventDestroy_v2, 4000, (tn_cu_event event))                                \
    X(cuEventRecord, cuEventRecord, 2000, (tn_cu_event event, tn_cu_stream stream))                \
    X(cuEventQuery, cuEventQuery, 2000, (tn_cu_event event))                                       \
    X(cuEventSynchronize, cuEventSynchronize, 2000, (tn_cu_event event))                           \
    X(cuEventElapsedTime, cuEventElapsedTime, 2000,                                                \
      (float *ms, tn_cu_event start, tn_cu_event end))                                             \
    X(cuMemcpyAsync, cuMemcpyAsync, 4000,                                                          \
      (tn_cu_address dst, tn_cu_address src, size_t bytes, tn_cu_stream stream))                   \
    X(cuMemcpy2DAsync, cuMemcpy2DAsync_v2, 3020, (const tn_cu_rows *rows, tn_cu_stream stream))    \
    X(cuMemsetD8Async, cuMemsetD8Async, 3020,                                                      \
      (tn_cu_address dst, unsigned char value, size_t count, tn_cu_stream stream))                 \
    X(cuMemsetD16Async, cuMemsetD16Async, 3020,                                                    \
      (tn_cu_address dst, unsigned short value, size_t count, tn_cu_stream stream))                \
    X(cuMemsetD32Async, cuMemsetD32Async, 3020,                                                    \
      (tn_cu_address dst, unsigned value, size_t count, tn_cu_stream stream))                      \
    X(cuMemsetD2D8Async, cuMemsetD2D8Async, 3020,                                                  \
      (tn_cu_address dst, size_t pitch, unsigned char value, size_t width, size_t height,          \
       tn_cu_stream stream))                                                                       \
    X(cuMemsetD2D16Async, cuMemsetD2D16Async, 3020,                                                \
      (tn_cu_address dst, size_t pitch, unsigned short value, size_t width, size_t height,         \
       tn_cu_stream stream))                                                                       \
    X(cuMemsetD2D32Async, cuMemsetD2D32Async, 3020,                                                \
      (tn_cu_address dst, size_t pitch, unsigned value, size_t width, size_t height,               \
       tn_cu_stream stream))                                                                       \
    X(cuMemGetInfo, cuMemGetInfo_v2, 3020, (size_t * free, size_t * total))                        \
    X(cuMemAlloc, cuMemAlloc_v2, 3020, (tn_cu_address * address, size_t bytes))                    \
    X(cuMemFree, cuMemFree_v2, 3020, (tn_cu_address address))                                      \
    X(cuPointerGetAttribute, cuPointerGetAttribute, 4000,                                          \
      (void *value, int attribute, tn_cu_address address))                                         \
    X(cuMemHostAlloc, cuMemHostAlloc, 2020, (void **ptr, size_t bytes, unsigned flags))            \
    X(cuMemFreeHost, cuMemFreeHost, 2000, (void *ptr))                                             \
    X(cuMemHostRegister, cuMemHostRegister_v2, 6050, (void *ptr, size_t bytes, unsigned flags))    \
    X(cuMemHostUnregister, cuMemHostUnregister, 4000, (void *ptr))

// Virtual memory: used if all of them exist.
#define TN_CU_VMM_LIST(X)                                                                          \
    X(cuMemAddressReserve, cuMemAddressReserve, 10020,                                             \
      (tn_cu_address * address, size_t bytes, size_t alignment, tn_cu_address hint,                \
       unsigned long long flags))                                                                  \
    X(cuMemAddressFree, cuMemAddressFree, 10020, (tn_cu_address address, size_t bytes))            \
    X(cuMemCreate, cuMemCreate, 10020,                                                             \
      (tn_cu_phys * phys, size_t bytes, const tn_cu_properties *properties,                        \
       unsigned long long flags))                                                                  \
    X(cuMemRelease, cuMemRelease, 10020, (tn_cu_phys phys))                                        \
    X(cuMemMap, cuMemMap, 10020,                                                                   \
      (tn_cu_address address, size_t bytes, size_t offset, tn_cu_phys phys,                        \
       unsigned long long flags))                                                                  \
    X(cuMemUnmap, cuMemUnmap, 10020, (tn_cu_address address, size_t bytes))                        \
    X(cuMemSetAccess, cuMemSetAccess, 10020,                                                       \
      (tn_cu_address address, size_t bytes, const tn_cu_access *access, size_t count))             \
    X(cuMemExportToShareableHandle, cuMemExportToShareableHandle, 10020,                           \
      (void *handle, tn_cu_phys phys, int type, unsigned long long flags))                         \
    X(cuMemImportFromShareableHandle, cuMemImportFromShareableHandle, 10020,                       \
      (tn_cu_phys * phys, void *handle, int type))                                                 \
    X(cuMemGetAllocationGranularity, cuMemGetAllocationGranularity, 10020,                         \
      (size_t * bytes, const tn_cu_properties *properties, int which))                             \
    X(cuMemGetAllocationPropertiesFromHandle, cuMemGetAllocationPropertiesFromHandle, 10020,       \
      (tn_cu_properties * properties, tn_cu_phys phys))

// Stream-ordered memory: used if all of them exist.
#define TN_CU_POOL_LIST(X)                                                                         \
    X(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync, 11020,                                     \
      (tn_cu_address * address, size_t bytes, tn_cu_pool pool, tn_cu_stream stream))               \
    X(cuMemFreeAsync, cuMemFreeAsync, 11020, (tn_cu_address address, tn_cu_stream stream))         \
    X(cuMemPoolCreate, cuMemPoolCreate, 11020,                                                     \
      (tn_cu_pool * pool, const tn_cu_pool_properties *properties))                                \
    X(cuMemPoolDestroy, cuMemPoolDestroy, 11020, (tn_cu_pool pool))                                \
    X(cuMemPoolTrimTo, cuMemPoolTrimTo, 11020, (tn_cu_pool pool, size_t bytes))                    \
    X(cuMemPoolSetAttribute, cuMemPoolSetAttribute, 11020,                                         \
      (tn_cu_pool pool, int attribute, void *value))                                               \
    X(cuMemPoolSetAccess, cuMemPoolSetAccess, 11020,                                               \
      (tn_cu_pool pool, const tn_cu_access *access, size_t count))

// Functions that only the tests use.
#define TN_CU_MORE_LIST(X)                                                                         \
    X(cuGetErrorString, cuGetErrorString, 6000, (tn_cu_result error, const char **text))           \
    X(cuDeviceGetAttribute, cuDeviceGetAttribute, 2000,                                            \
      (int *value, int attribute, tn_cu_device device))                                            \
    X(cuDeviceTotalMem, cuDeviceTotalMem_v2, 3020, (size_t * bytes, tn_cu_device device))          \
    X(cuCtxGetCurrent, cuCtxGetCurrent, 4000, (tn_cu_context * context))                           \
    X(cuCtxGetDevice, cuCtxGetDevice, 2000, (tn_cu_device * device))                               \
    X(cuMemAllocPitch, cuMemAllocPitch_v2, 3020,                                                   \
      (tn_cu_address * address, size_t * pitch, size_t width, size_t height, unsigned element))    \
    X(cuMemAllocHost, cuMemAllocHost_v2, 3020, (void **ptr, size_t bytes))                         \
    X(cuMemGetAddressRange, cuMemGetAddressRange_v2, 3020,                                         \
      (tn_cu_address * base, size_t * bytes, tn_cu_address address))                               \
    X(cuPointerGetAttributes, cuPointerGetAttributes, 7000,                                        \
      (unsigned count, int *attributes, void **values, tn_cu_address address))                     \
    X(cuMemGetAccess, cuMemGetAccess, 10020,                                                       \
      (unsigned long long *flags, const tn_cu_location *location, tn_cu_address address))          \
    X(cuMemRetainAllocationHandle, cuMemRetainAllocationHandle, 11000,                             \
      (tn_cu_phys * phys, void *address))                                                          \
    X(cuMemAllocAsync, cuMemAllocAsync, 11020,                                                     \
      (tn_cu_address * address, size_t bytes, tn_cu_stream stream))                                \
    X(cuDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, 11020,                                 \
      (tn_cu_pool * pool, tn_cu_device device))

// The functions that find the others: the old one and the new one.
#define TN_CU_LOADER_LIST(X)                                                                       \
    X(cuGetProcAddress, cuGetProcAddress, 11030,                                                   \
      (const char *name, void **function, int version, uint64_t flags))                            \
    X(cuGetProcAddress_v2, cuGetProcAddress_v2, 12000,                                             \
      (const char *name, void **function, int version, uint64_t flags, int *found))
