/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/memory.h - device memory, host memory, managed memory, and queries about pointers.
 *
 * Device memory belongs to the device that is current when it is allocated; its start is a multiple
 * of 256. The memory of the software device is memory of the machine: the CPU can access all memory
 * that HIP lets a device access. Functions that allocate or free return
 * hipErrorStreamCaptureUnsupported if a capture forbids them to the calling thread.
 */
#ifndef HIP_DETAIL_MEMORY_H
#define HIP_DETAIL_MEMORY_H

#include <hip/detail/types.h>

/* Flags of hipExtMallocWithFlags(): exactly one. */
#define hipDeviceMallocDefault     0x0
#define hipDeviceMallocFinegrained 0x1
#define hipMallocSignalMemory      0x2
#define hipDeviceMallocUncached    0x3
#define hipDeviceMallocContiguous  0x4

/* Flags of hipHostMalloc(), and their names for hipHostAlloc(). */
#define hipHostMallocDefault       0x0
#define hipHostMallocPortable      0x1
#define hipHostMallocMapped        0x2
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocUncached      0x10000000
#define hipHostMallocNumaUser      0x20000000
#define hipHostMallocCoherent      0x40000000
#define hipHostMallocNonCoherent   0x80000000
#define hipHostAllocDefault        0x0
#define hipHostAllocPortable       0x1
#define hipHostAllocMapped         0x2
#define hipHostAllocWriteCombined  0x4
#define hipHostAllocUncached       0x10000000

/* Flags of hipHostRegister(). */
#define hipHostRegisterDefault          0x0
#define hipHostRegisterPortable         0x1
#define hipHostRegisterMapped           0x2
#define hipHostRegisterIoMemory         0x4
#define hipHostRegisterReadOnly         0x8
#define hipExtHostRegisterCoarseGrained 0x8
#define hipExtHostRegisterUncached      0x80000000

/* Flags of managed memory. */
#define hipMemAttachGlobal 0x1
#define hipMemAttachHost   0x2
#define hipMemAttachSingle 0x4

/* The only flag of hipIpcOpenMemHandle(). In HIP 5 it was 0. */
#define hipIpcMemLazyEnablePeerAccess 0x1

#define HIP_IPC_HANDLE_SIZE 64

/* Names device memory in another process: plain bytes, which may be sent by any means. */
typedef struct hipIpcMemHandle_st {
    char reserved[HIP_IPC_HANDLE_SIZE];
} hipIpcMemHandle_t;

/* The result of hipPointerGetAttributes(). */
typedef struct hipPointerAttribute_t {
    enum hipMemoryType type;
    int device; /* ordinal; hipInvalidDeviceId for unknown memory */
    void *devicePointer;
    void *hostPointer;
    int isManaged;
    unsigned int allocationFlags; /* the flags of the allocation */
} hipPointerAttribute_t;

/* Advice about the use of managed memory by a device, or by the CPU if the device is
 * hipCpuDeviceId. */
typedef enum hipMemoryAdvise {
    hipMemAdviseSetReadMostly = 1,
    hipMemAdviseUnsetReadMostly = 2,
    hipMemAdviseSetPreferredLocation = 3,
    hipMemAdviseUnsetPreferredLocation = 4,
    hipMemAdviseSetAccessedBy = 5,
    hipMemAdviseUnsetAccessedBy = 6,
    hipMemAdviseSetCoarseGrain = 100,
    hipMemAdviseUnsetCoarseGrain = 101
} hipMemoryAdvise;

typedef enum hipMemRangeCoherencyMode {
    hipMemRangeCoherencyModeFineGrain = 0,
    hipMemRangeCoherencyModeCoarseGrain = 1,
    hipMemRangeCoherencyModeIndeterminate = 2 /* differs within the range */
} hipMemRangeCoherencyMode;

typedef enum hipMemRangeAttribute {
    hipMemRangeAttributeReadMostly = 1,
    hipMemRangeAttributePreferredLocation = 2,
    hipMemRangeAttributeAccessedBy = 3,
    hipMemRangeAttributeLastPrefetchLocation = 4,
    hipMemRangeAttributeCoherencyMode = 100
} hipMemRangeAttribute;

HIP_EXTERN_C_BEGIN

/* ---- device memory */

/*
 * Allocates `size` bytes of the current device. A size of 0 succeeds and gives NULL. The contents
 * are undefined. hipErrorInvalidValue: ptr NULL; hipErrorOutOfMemory: the device has less memory; a
 * smaller size may succeed.
 */
HIP_API hipError_t hipMalloc(void **ptr, size_t size);

/*
 * The same, with one of the flags for the caching of the memory by devices. The software device is
 * always coherent, so hipPointerGetAttributes() reports the flags and they have no other effect.
 * hipErrorInvalidValue: ptr NULL, another flag, or hipMallocSignalMemory with a size other than 8.
 */
HIP_API hipError_t hipExtMallocWithFlags(void **ptr, size_t sizeBytes, unsigned int flags);

/*
 * Allocates `height` rows of `width` bytes (`depth` slices of them). Each row starts at a multiple
 * of 256; *pitch is the distance between rows. A width, height or depth of 0 succeeds and gives
 * NULL. hipErrorInvalidValue: an output NULL, or a width that cannot be rounded up;
 * hipErrorOutOfMemory.
 */
HIP_API hipError_t hipMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height);
HIP_API hipError_t hipMalloc3D(hipPitchedPtr *pitchedDevPtr, hipExtent extent);

/* As hipMallocPitch(). elementSizeBytes is the size of one access. hipErrorInvalidValue also:
 * elementSizeBytes is not 4, 8 or 16, or no bytes. */
HIP_API hipError_t hipMemAllocPitch(hipDeviceptr_t *dptr, size_t *pitch, size_t widthInBytes,
                                    size_t height, unsigned int elementSizeBytes);

/*
 * Frees device, managed or pinned host memory, or a block of a pool, after all work of the devices
 * that can use it. NULL is allowed. hipErrorInvalidValue: ptr is not the start of such memory. It
 * may be freed already, inside a block, registered, opened by hipIpcOpenMemHandle(), a mapping, or
 * unknown.
 */
HIP_API hipError_t hipFree(void *ptr);

/* Free and total bytes of the current device. One of them may be NULL. hipErrorInvalidValue: both
 * are NULL. */
HIP_API hipError_t hipMemGetInfo(size_t *free, size_t *total);

/*
 * Start and size of the block that holds the byte `dptr`: memory of a device or of the host,
 * managed or registered memory. In a range of hipMemAddressReserve() the block is the mapping.
 * Either output may be NULL. hipErrorNotFound: no block holds dptr.
 */
HIP_API hipError_t hipMemGetAddressRange(hipDeviceptr_t *pbase, size_t *psize, hipDeviceptr_t dptr);

/* Size of the block that holds `ptr`. Release 7: 0 for NULL. hipErrorInvalidValue: size NULL, or no
 * block holds ptr. */
HIP_API hipError_t hipMemPtrGetInfo(void *ptr, size_t *size);

/* Kinds of handles of a range of addresses. */
typedef enum hipMemRangeHandleType {
    hipMemRangeHandleTypeDmaBufFd = 0x1, /* a file descriptor */
    hipMemRangeHandleTypeMax = 0x7fffffff
} hipMemRangeHandleType;

/*
 * Writes an int: a new descriptor of the memory in a range, for the caller. Release 7. The software
 * device's descriptors are memory files, not DMA buffers: they can be read and mapped, and no other
 * driver takes them. hipErrorInvalidValue: a NULL, size 0, another type, flags not 0, or a range that
 * is not in one block or mapping; hipErrorNotSupported: any range but from the start of a mapping
 * whose memory was created with hipMemHandleTypePosixFileDescriptor.
 */
HIP_API hipError_t hipMemGetHandleForAddressRange(void *handle, hipDeviceptr_t dptr, size_t size,
                                                  hipMemRangeHandleType handleType,
                                                  unsigned long long flags);

/* ---- host memory */

/*
 * Allocates `size` bytes of pinned host memory that all devices can use, page aligned. A size of 0
 * succeeds and gives NULL. The memory is always coherent and mapped for all devices; the flags are
 * stored for hipHostGetFlags(). hipErrorInvalidValue: ptr NULL, unknown flags, or
 * hipHostMallocCoherent together with hipHostMallocNonCoherent. hipHostAlloc() and
 * hipExtHostAlloc() are other names of the same function.
 */
HIP_API hipError_t hipHostMalloc(void **ptr, size_t size, unsigned int flags);
HIP_API hipError_t hipHostAlloc(void **ptr, size_t size, unsigned int flags);
HIP_API hipError_t hipExtHostAlloc(void **ptr, size_t size, unsigned int flags);

/* The same with hipHostMallocDefault. */
HIP_API hipError_t hipMallocHost(void **ptr, size_t size);
HIP_API hipError_t hipMemAllocHost(void **ptr, size_t size);

/* The same as hipFree(). */
HIP_API hipError_t hipHostFree(void *ptr);
HIP_API hipError_t hipFreeHost(void *ptr);

/* Returns the address that devices use for pinned, registered or managed memory, which is the same
 * address. hipErrorInvalidValue: a NULL, flags not 0, or other memory. */
HIP_API hipError_t hipHostGetDevicePointer(void **devPtr, void *hstPtr, unsigned int flags);

/* The flags of pinned or registered memory. hipErrorInvalidValue: a NULL, or other memory. */
HIP_API hipError_t hipHostGetFlags(unsigned int *flagsPtr, void *hostPtr);

/*
 * Pins memory of the program, which owns it until hipHostUnregister(). Registration makes it known
 * to HIP, so that devices can use it. hipErrorInvalidValue: hostPtr NULL, sizeBytes 0,
 * unknown flags, a range that is not completely mapped in this process, or memory of a device;
 * hipErrorNotSupported: hipHostRegisterIoMemory; hipErrorHostMemoryAlreadyRegistered: a part of the
 * range is pinned or registered already.
 */
HIP_API hipError_t hipHostRegister(void *hostPtr, size_t sizeBytes, unsigned int flags);

/* Ends a registration after all work of all devices. hipErrorInvalidValue: NULL;
 * hipErrorHostMemoryNotRegistered: hostPtr is not the start of registered memory. */
HIP_API hipError_t hipHostUnregister(void *hostPtr);

/* ---- managed memory */

/*
 * Allocates `size` bytes that the CPU and all devices can use at the same address and at the same
 * time. The memory is host memory: it does not migrate and takes no memory of a device. hipFree()
 * frees it. hipMemAdvise() and hipMemPrefetchAsync() are stored for queries; they and
 * hipStreamAttachMemAsync() have no other effect. hipErrorInvalidValue: an output NULL, a size of
 * 0, or flags other than hipMemAttachGlobal or hipMemAttachHost.
 */
HIP_API hipError_t hipMallocManaged(void **dev_ptr, size_t size,
                                    unsigned int flags HIP_DEFAULT(hipMemAttachGlobal));

/*
 * Stores advice for `count` bytes, widened to pages; hipMemRangeGetAttribute() returns it. `device`
 * is an ordinal or hipCpuDeviceId; the advices ReadMostly ignore it. hipErrorInvalidDevice, checked
 * first at level 6; hipErrorInvalidValue: dev_ptr NULL, count 0, an unknown advice, or a range that
 * is not inside one block of managed memory.
 */
HIP_API hipError_t hipMemAdvise(const void *dev_ptr, size_t count, hipMemoryAdvise advice,
                                int device);

/*
 * Stores `device` (or hipCpuDeviceId) as the last prefetch location of `count` bytes, widened to
 * pages. No work is submitted to the stream, because the memory does not migrate. A prefetch of
 * memory that is not HIP's, such as that of malloc(), succeeds for the CPU and is
 * hipErrorNotSupported for a device (hipDeviceAttributePageableMemoryAccess is 0). Errors of
 * hipMemAdvise(); hipErrorInvalidHandle: unknown stream; hipErrorStreamCaptureUnsupported: the
 * stream captures.
 */
HIP_API hipError_t hipMemPrefetchAsync(const void *dev_ptr, size_t count, int device,
                                       hipStream_t stream HIP_DEFAULT(NULL));

/*
 * The same for a location; every location of the host means the CPU. Release 7. The range is
 * checked before the device. A prefetch takes every other location type for a device.
 * hipErrorInvalidValue also: flags not 0, or advice for a type that is not 1 to 4;
 * hipErrorStreamCaptureUnsupported: a capture forbids allocations.
 */
HIP_API hipError_t hipMemAdvise_v2(const void *dev_ptr, size_t count, hipMemoryAdvise advice,
                                   hipMemLocation location);
HIP_API hipError_t hipMemPrefetchAsync_v2(const void *dev_ptr, size_t count,
                                          hipMemLocation location, unsigned int flags,
                                          hipStream_t stream HIP_DEFAULT(NULL));

/*
 * Prefetch or discard `count` ranges of managed memory, as hipMemPrefetchAsync_v2() does with one.
 * Location n is that of the ranges from location_indices[n] on. Discarded ranges keep their bytes,
 * which a program must not rely on. The whole list is checked before the first range is used.
 * hipErrorInvalidValue: a NULL, count or location_count 0, flags not 0, a range as in
 * hipMemAdvise(), more locations than ranges, or indices that do not begin at 0 and grow.
 */
HIP_API hipError_t hipMemPrefetchBatchAsync(void **dev_ptrs, size_t *sizes, size_t count,
                                            hipMemLocation *locations, size_t *location_indices,
                                            size_t location_count, unsigned long long flags,
                                            hipStream_t stream);
HIP_API hipError_t hipMemDiscardBatchAsync(void **dev_ptrs, size_t *sizes, size_t count,
                                           unsigned long long flags, hipStream_t stream);
HIP_API hipError_t hipMemDiscardAndPrefetchBatchAsync(void **dev_ptrs, size_t *sizes, size_t count,
                                                      hipMemLocation *locations,
                                                      size_t *location_indices,
                                                      size_t location_count,
                                                      unsigned long long flags, hipStream_t stream);
HIP_API hipError_t hipDrvMemDiscardBatchAsync(hipDeviceptr_t *dev_ptrs, size_t *sizes, size_t count,
                                              unsigned long long flags, hipStream_t stream);
HIP_API hipError_t hipDrvMemDiscardAndPrefetchBatchAsync(
    hipDeviceptr_t *dev_ptrs, size_t *sizes, size_t count, hipMemLocation *locations,
    size_t *location_indices, size_t location_count, unsigned long long flags, hipStream_t stream);

/*
 * Returns the advice that holds for all of a range of managed memory. ReadMostly: an int, 1 if it
 * is set for every page; PreferredLocation and LastPrefetchLocation: an int, the device,
 * hipCpuDeviceId, or hipInvalidDeviceId if it is not set or differs; AccessedBy: an array of int of
 * any length, the devices set for every page, then hipInvalidDeviceId; CoherencyMode: a
 * hipMemRangeCoherencyMode, which for memory of hipMalloc() is hipMemRangeCoherencyModeFineGrain.
 * hipErrorInvalidValue: a NULL, count 0, an unknown attribute, data_size not 4 (AccessedBy: 0 or
 * not a multiple of 4), or a range as in hipMemAdvise().
 */
HIP_API hipError_t hipMemRangeGetAttribute(void *data, size_t data_size,
                                           hipMemRangeAttribute attribute, const void *dev_ptr,
                                           size_t count);

/* Returns several attributes, all or none. hipErrorInvalidValue also: num_attributes 0. */
HIP_API hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes,
                                            hipMemRangeAttribute *attributes, size_t num_attributes,
                                            const void *dev_ptr, size_t count);

/*
 * Attaches managed memory to a stream (hipMemAttachSingle), to all devices (hipMemAttachGlobal) or
 * to the CPU (hipMemAttachHost). The call checks its arguments and has no other effect. `length`
 * is 0 or the size of the block; for memory of HIP that is not managed it is ignored.
 * hipErrorInvalidValue: dev_ptr is NULL or not memory of HIP, another length, not exactly one flag,
 * or hipMemAttachSingle for the NULL stream; hipErrorInvalidHandle: unknown stream.
 */
HIP_API hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *dev_ptr,
                                           size_t length HIP_DEFAULT(0),
                                           unsigned int flags HIP_DEFAULT(hipMemAttachSingle));

/* ---- pointers */

/*
 * Describes a pointer, which may be any number; the memory is not accessed. Device memory, memory
 * of pools or of another process, and mappings: type Device, the owning device, hostPointer NULL.
 * Pinned and registered memory: type Host, both pointers. Managed memory: type Managed, both
 * pointers, isManaged 1. The device of these is the one that was current at the allocation. A
 * mapping of host memory: type Host, device hipCpuDeviceId. Anything else, unmapped ranges
 * included: type Unregistered, device hipInvalidDeviceId, pointers NULL; the call succeeds. Level 7
 * describes a NULL `ptr` in the same way. hipErrorInvalidValue: `attributes` NULL; at level 6 also
 * `ptr` NULL.
 */
HIP_API hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *ptr);

/*
 * Returns one property of a pointer. The type of `data`, and so the number of bytes that are
 * written, depends on the attribute, as in AMD's library. MEMORY_TYPE: a hipMemoryType; type Array
 * for the handle of an array. DEVICE_POINTER, HOST_POINTER, RANGE_START_ADDR: a void *. RANGE_SIZE:
 * an unsigned int, the bytes of the block modulo 2^32. DEVICE_ORDINAL: an int. BUFFER_ID: an
 * unsigned int, different for each block, 0 for mappings. IS_MANAGED, MAPPED, SYNC_MEMOPS: a bool.
 * ACCESS_FLAGS: an unsigned int, the flags of the allocation; 0 for a pointer unknown to HIP.
 * hipErrorInvalidValue: a NULL, an unknown attribute; after a write of 0 (device -2): a pointer
 * unknown to HIP, or HOST_POINTER of memory that is only a device's. hipErrorNotSupported: CONTEXT,
 * P2P_TOKENS, IS_LEGACY_HIP_IPC_CAPABLE, ALLOWED_HANDLE_TYPES, IS_GPU_DIRECT_RDMA_CAPABLE,
 * MEMPOOL_HANDLE.
 */
HIP_API hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute,
                                          hipDeviceptr_t ptr);

/*
 * Returns several attributes. Nothing is written for those that are unknown or not supported. For a
 * pointer unknown to HIP the attributes are those of type Unregistered, zeros and NULLs.
 * hipErrorInvalidValue: a NULL, also in `data`, or numAttributes 0.
 */
HIP_API hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes,
                                              hipPointer_attribute *attributes, void **data,
                                              hipDeviceptr_t ptr);

/*
 * Sets HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS of the block that holds `ptr`; `value` is a bool or an
 * unsigned int. hipMemset() of such a block, and hipMemcpy() between two of them, are complete at
 * return. hipErrorInvalidValue: a NULL, another attribute, a value that is not 0 or 1, or a mapping;
 * hipErrorInvalidDevicePointer: a pointer unknown to HIP.
 */
HIP_API hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute attribute,
                                          hipDeviceptr_t ptr);

/* ---- memory of other processes of the same user */

/*
 * Writes the handle of the device memory that holds the byte `devPtr`. The handle names the whole
 * block and is the same each time. It is valid until the memory is freed or this process ends. The
 * first export of a block waits for all work of all devices, and no thread may write to the block
 * meanwhile: its bytes may move, its address does not change. hipErrorInvalidValue: a NULL, or
 * memory that this process did not get from hipMalloc() or a similar function (host memory, managed
 * memory, memory of pools, opened memory, mappings); hipErrorOutOfMemory: descriptors;
 * hipErrorNotSupported: the device does not support it.
 */
HIP_API hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *devPtr);

/*
 * Opens memory of another process for the current device and its peers: *devPtr is the start of
 * the block. Both processes use the same bytes. The memory exists until it is closed, even if the
 * other process frees it or ends. Opening a handle again for the same device returns the same
 * address; each opening must be closed once. hipErrorInvalidValue: devPtr NULL, flags other than 0
 * and hipIpcMemLazyEnablePeerAccess, or an invalid or expired handle; hipErrorInvalidContext: the
 * memory is of this process; hipErrorOutOfMemory; hipErrorNotSupported.
 */
HIP_API hipError_t hipIpcOpenMemHandle(void **devPtr, hipIpcMemHandle_t handle, unsigned int flags);

/* Closes one opening; the last one waits for all work of all devices. hipErrorInvalidValue: devPtr
 * did not come from hipIpcOpenMemHandle(), or was closed as often as opened. */
HIP_API hipError_t hipIpcCloseMemHandle(void *devPtr);

HIP_EXTERN_C_END

#if defined(__cplusplus) && !defined(__HIP_DISABLE_CPP_FUNCTIONS__)
/* The same for a pointer to any type. */
template <typename T> HIP_WRAPPER_ hipError_t hipMalloc(T **ptr, size_t size) {
    return hipMalloc(reinterpret_cast<void **>(ptr), size);
}
template <typename T>
HIP_WRAPPER_ hipError_t hipMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height) {
    return hipMallocPitch(reinterpret_cast<void **>(ptr), pitch, width, height);
}
template <typename T>
HIP_WRAPPER_ hipError_t hipHostMalloc(T **ptr, size_t size,
                                      unsigned int flags = hipHostMallocDefault) {
    return hipHostMalloc(reinterpret_cast<void **>(ptr), size, flags);
}
template <typename T>
HIP_WRAPPER_ hipError_t hipHostAlloc(T **ptr, size_t size,
                                     unsigned int flags = hipHostAllocDefault) {
    return hipHostAlloc(reinterpret_cast<void **>(ptr), size, flags);
}
template <typename T>
HIP_WRAPPER_ hipError_t hipMallocManaged(T **ptr, size_t size,
                                         unsigned int flags = hipMemAttachGlobal) {
    return hipMallocManaged(reinterpret_cast<void **>(ptr), size, flags);
}
#endif
#endif
