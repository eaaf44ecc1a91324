/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/memory.h - memory of devices, of the host and of both, and what a pointer is.
 *
 * Device memory belongs to the device that is current when it is allocated; its start is a multiple
 * of 256. On the software device all memory is the machine's: what HIP lets a device touch, the CPU
 * can touch too. Calls that allocate or free give hipErrorStreamCaptureUnsupported where a capture
 * of the calling thread forbids them.
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

/* Flags of hipHostMalloc(), and the names that hipHostAlloc() has for them. */
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

/* The one flag of hipIpcOpenMemHandle(). HIP 5 had 0 for it. */
#define hipIpcMemLazyEnablePeerAccess 0x1

#define HIP_IPC_HANDLE_SIZE 64

/* Device memory on its way to another process: plain bytes, sent by any means. */
typedef struct hipIpcMemHandle_st {
    char reserved[HIP_IPC_HANDLE_SIZE];
} hipIpcMemHandle_t;

/* What hipPointerGetAttributes() tells. */
typedef struct hipPointerAttribute_t {
    enum hipMemoryType type;
    int device; /* ordinal; hipInvalidDeviceId when nothing is known */
    void *devicePointer;
    void *hostPointer;
    int isManaged;
    unsigned int allocationFlags; /* as given when it was allocated */
} hipPointerAttribute_t;

/* What can be said about the use of managed memory. The device says for whom; hipCpuDeviceId is the
 * CPU. */
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
 * Allocates `size` bytes of the current device; 0 gives NULL and is no error. Contents are
 * undefined. hipErrorInvalidValue: ptr NULL; hipErrorOutOfMemory: exact, and recoverable.
 */
HIP_API hipError_t hipMalloc(void **ptr, size_t size);

/*
 * The same, with one of the flags that say how devices cache the memory. The software device is
 * coherent with everybody, so that the flags change nothing but what hipPointerGetAttributes()
 * reports. hipErrorInvalidValue: ptr NULL, another flag, or hipMallocSignalMemory with a size other
 * than 8.
 */
HIP_API hipError_t hipExtMallocWithFlags(void **ptr, size_t sizeBytes, unsigned int flags);

/*
 * Allocates `height` rows of `width` bytes (`depth` slices of them), each row at a multiple of 256;
 * *pitch is the distance between rows. A width, height or depth of 0 gives NULL and is no error.
 * hipErrorInvalidValue: an output NULL, or a width that cannot be rounded up; hipErrorOutOfMemory.
 */
HIP_API hipError_t hipMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height);
HIP_API hipError_t hipMalloc3D(hipPitchedPtr *pitchedDevPtr, hipExtent extent);

/* As hipMallocPitch(). hipErrorInvalidValue also: elementSizeBytes, the size of one access, is not
 * 4, 8 or 16. */
HIP_API hipError_t hipMemAllocPitch(hipDeviceptr_t *dptr, size_t *pitch, size_t widthInBytes,
                                    size_t height, unsigned int elementSizeBytes);

/*
 * Frees device or managed memory, or a block of a pool, after all work of the devices that can use
 * it. NULL is fine.
 * hipErrorInvalidValue: anything but the start of such memory - freed already, inside a block, of
 * the host, opened by hipIpcOpenMemHandle(), of virtual memory management, or not of HIP at all.
 */
HIP_API hipError_t hipFree(void *ptr);

/* Free and total bytes of the current device. Either may be NULL. hipErrorInvalidValue: both are.
 */
HIP_API hipError_t hipMemGetInfo(size_t *free, size_t *total);

/*
 * Start and size of the block that holds `dptr`, any byte of it: memory of a device or of the host,
 * managed or registered memory. In a range of hipMemAddressReserve() it is the mapping that counts.
 * Either output may be NULL. hipErrorNotFound: there is no such block.
 */
HIP_API hipError_t hipMemGetAddressRange(hipDeviceptr_t *pbase, size_t *psize, hipDeviceptr_t dptr);

/* Size of the block that holds `ptr`. hipErrorInvalidValue: a NULL, or no such block. */
HIP_API hipError_t hipMemPtrGetInfo(void *ptr, size_t *size);

/* ---- memory of the host */

/*
 * Allocates `size` bytes of pinned host memory that all devices can use, page aligned; 0 gives NULL
 * and is no error. The memory is coherent and mapped for all devices whatever the flags say; they
 * are kept for hipHostGetFlags(). hipErrorInvalidValue: ptr NULL, unknown flags, or
 * hipHostMallocCoherent together with hipHostMallocNonCoherent. hipHostAlloc() and
 * hipExtHostAlloc() are the same by other names.
 */
HIP_API hipError_t hipHostMalloc(void **ptr, size_t size, unsigned int flags);
HIP_API hipError_t hipHostAlloc(void **ptr, size_t size, unsigned int flags);
HIP_API hipError_t hipExtHostAlloc(void **ptr, size_t size, unsigned int flags);

/* The same with hipHostMallocDefault. */
HIP_API hipError_t hipMallocHost(void **ptr, size_t size);
HIP_API hipError_t hipMemAllocHost(void **ptr, size_t size);

/* Frees it, after all work of all devices. NULL is fine. hipErrorInvalidValue: not the start of
 * pinned host memory; registered and managed memory is not. */
HIP_API hipError_t hipHostFree(void *ptr);
HIP_API hipError_t hipFreeHost(void *ptr);

/* The address by which devices know pinned, registered or managed memory: the same one.
 * hipErrorInvalidValue: a NULL, flags not 0, or other memory. */
HIP_API hipError_t hipHostGetDevicePointer(void **devPtr, void *hstPtr, unsigned int flags);

/* The flags that pinned or registered memory was made with. hipErrorInvalidValue: a NULL, or other
 * memory. */
HIP_API hipError_t hipHostGetFlags(unsigned int *flagsPtr, void *hostPtr);

/*
 * Pins memory of the program, which keeps it until hipHostUnregister(). Devices could use it before
 * too; HIP knows it now. hipErrorInvalidValue: hostPtr NULL, sizeBytes 0, unknown flags, a range
 * that is not all mapped in this process, or memory of a device; hipErrorNotSupported:
 * hipHostRegisterIoMemory; hipErrorHostMemoryAlreadyRegistered: some of it is known already.
 */
HIP_API hipError_t hipHostRegister(void *hostPtr, size_t sizeBytes, unsigned int flags);

/* Undoes it, after all work of all devices. hipErrorInvalidValue: NULL;
 * hipErrorHostMemoryNotRegistered: not the start of registered memory. */
HIP_API hipError_t hipHostUnregister(void *hostPtr);

/* ---- managed memory */

/*
 * Allocates `size` bytes that the CPU and all devices can use, at the same address and without
 * moving; 0 gives NULL and is no error. It is freed by hipFree(). It is memory of the host, does
 * not count as memory of a device, and is used by everybody at once: what hipMemAdvise(),
 * hipMemPrefetchAsync() and hipStreamAttachMemAsync() say changes nothing; the first two are
 * remembered. hipErrorInvalidValue: an output NULL, or flags other than
 * hipMemAttachGlobal or hipMemAttachHost.
 */
HIP_API hipError_t hipMallocManaged(void **dev_ptr, size_t size,
                                    unsigned int flags HIP_DEFAULT(hipMemAttachGlobal));

/*
 * Says how `count` bytes, widened to pages, will be used; hipMemRangeGetAttribute() tells what was
 * said. `device` is an ordinal or hipCpuDeviceId. hipErrorInvalidValue: dev_ptr NULL, count 0, an
 * unknown advice, or a range that is not inside one block of managed memory; hipErrorInvalidDevice,
 * for every advice.
 */
HIP_API hipError_t hipMemAdvise(const void *dev_ptr, size_t count, hipMemoryAdvise advice,
                                int device);

/*
 * Remembers that `count` bytes, widened to pages, were wanted near `device` (or hipCpuDeviceId).
 * Nothing has to move, so that nothing is given to the stream. Statuses as hipMemAdvise();
 * hipErrorInvalidHandle: no such stream; hipErrorStreamCaptureUnsupported: it captures.
 */
HIP_API hipError_t hipMemPrefetchAsync(const void *dev_ptr, size_t count, int device,
                                       hipStream_t stream HIP_DEFAULT(NULL));

/*
 * What was said of all of a range of managed memory. ReadMostly: an int, 1 if it was said of every
 * page; PreferredLocation and LastPrefetchLocation: an int, the device, hipCpuDeviceId, or
 * hipInvalidDeviceId when nothing was said or not the same everywhere; AccessedBy: an array of int
 * of any length, devices named for every page, the rest hipInvalidDeviceId; CoherencyMode: a
 * hipMemRangeCoherencyMode. hipErrorInvalidValue: a NULL, count 0, an unknown attribute, data_size
 * not 4 (AccessedBy: no multiple of 4, or 0), or a range as in hipMemAdvise().
 */
HIP_API hipError_t hipMemRangeGetAttribute(void *data, size_t data_size,
                                           hipMemRangeAttribute attribute, const void *dev_ptr,
                                           size_t count);

/* Several at once, all of them or none. hipErrorInvalidValue also: num_attributes 0. */
HIP_API hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes,
                                            hipMemRangeAttribute *attributes, size_t num_attributes,
                                            const void *dev_ptr, size_t count);

/*
 * Says that managed memory belongs to a stream (hipMemAttachSingle), to all (hipMemAttachGlobal) or
 * to the CPU (hipMemAttachHost). Everybody may use it in any case. `length` is 0 or the size of the
 * whole block. hipErrorInvalidValue: dev_ptr not the start of managed memory, another length, not
 * exactly one flag, or hipMemAttachSingle for the NULL stream; hipErrorInvalidHandle: no such
 * stream.
 */
HIP_API hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *dev_ptr,
                                           size_t length HIP_DEFAULT(0),
                                           unsigned int flags HIP_DEFAULT(hipMemAttachSingle));

/* ---- pointers */

/*
 * What `ptr`, any number, is. Device memory, memory from pools or from another process, and
 * mappings of virtual memory management: type Device, the owning device, hostPointer NULL. Pinned
 * and registered memory: type Host, both pointers; managed memory: type Managed, both pointers,
 * isManaged 1; both with the device that was current when it was made. A mapping of memory of the
 * host is of type Host and of device hipCpuDeviceId. Anything else, unmapped ranges included: type
 * Unregistered, device hipInvalidDeviceId, pointers NULL; that is no error. Never touches the
 * memory. hipErrorInvalidValue: a NULL.
 */
HIP_API hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *ptr);

/*
 * One property of a pointer. `data` receives, by attribute: MEMORY_TYPE a hipMemoryType;
 * DEVICE_POINTER, HOST_POINTER, RANGE_START_ADDR a void *; RANGE_SIZE a size_t; DEVICE_ORDINAL an
 * int; BUFFER_ID an unsigned int, another one for each block, 0 for mappings; IS_MANAGED, MAPPED,
 * SYNC_MEMOPS, IS_LEGACY_HIP_IPC_CAPABLE (memory of hipMalloc()) and IS_GPU_DIRECT_RDMA_CAPABLE
 * (never) a bool; ALLOWED_HANDLE_TYPES the unsigned bits that a mapping's memory was created for;
 * ACCESS_FLAGS the unsigned hipMemAccessFlags of the current device, where memory of hipMalloc()
 * has none for devices other than its own, peers or not; MEMPOOL_HANDLE a hipMemPool_t, NULL when
 * it is from no pool. hipErrorInvalidValue: a NULL, an unknown attribute, or a pointer that HIP
 * does not know; hipErrorNotSupported: CONTEXT and P2P_TOKENS.
 */
HIP_API hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute,
                                          hipDeviceptr_t ptr);

/*
 * Several at once, all of them or none. A pointer that HIP does not know is no error here: its
 * attributes are those of type Unregistered, zeros and NULLs. hipErrorInvalidValue: a NULL, also in
 * `data`, numAttributes 0, or an unknown attribute; hipErrorNotSupported as above.
 */
HIP_API hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes,
                                              hipPointer_attribute *attributes, void **data,
                                              hipDeviceptr_t ptr);

/*
 * Sets HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS of the block that holds `ptr`; `value` is a bool or an
 * unsigned int. Copies and fills that are not Async are done when they return in any case.
 * hipErrorInvalidValue: a NULL, another attribute, or a pointer not in device or managed memory.
 */
HIP_API hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute attribute,
                                          hipDeviceptr_t ptr);

/* ---- memory of other processes of the same user */

/*
 * Writes the handle of the device memory that holds `devPtr`; any byte will do, the handle is that
 * of the whole block and the same each time. It is good until the memory is freed or this process
 * ends. The first one of a block waits for all work of all devices, and no thread may write to the
 * block meanwhile: its bytes may move, its address stays. hipErrorInvalidValue: a NULL, or anything
 * but memory that hipMalloc() and its like gave this process - not of the host, managed, from
 * pools, opened, or of virtual memory management; hipErrorOutOfMemory: descriptors;
 * hipErrorNotSupported: the device cannot.
 */
HIP_API hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *devPtr);

/*
 * Opens the memory of another process for the current device, and for its peers: *devPtr is the
 * start of the block. Nothing is copied, writes are seen on both sides, and the memory lives until
 * it is closed even if the other process frees it or ends. Opening a handle again for the same
 * device gives the same address; each opening is closed once. hipErrorInvalidValue: devPtr NULL,
 * flags neither 0 nor hipIpcMemLazyEnablePeerAccess, or a handle that is none or no longer good;
 * hipErrorInvalidContext: the memory is of this process; hipErrorOutOfMemory; hipErrorNotSupported.
 */
HIP_API hipError_t hipIpcOpenMemHandle(void **devPtr, hipIpcMemHandle_t handle, unsigned int flags);

/* Closes it; the last close waits for all work of all devices first. hipErrorInvalidValue: not what
 * hipIpcOpenMemHandle() gave, or closed as often as opened. */
HIP_API hipError_t hipIpcCloseMemHandle(void *devPtr);

HIP_EXTERN_C_END

#if defined(__cplusplus) && !defined(__HIP_DISABLE_CPP_FUNCTIONS__)
/* The same for a pointer to any type. */
template <typename T> static inline hipError_t hipMalloc(T **ptr, size_t size) {
    return hipMalloc(reinterpret_cast<void **>(ptr), size);
}
template <typename T>
static inline hipError_t hipMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height) {
    return hipMallocPitch(reinterpret_cast<void **>(ptr), pitch, width, height);
}
template <typename T>
static inline hipError_t hipHostMalloc(T **ptr, size_t size,
                                       unsigned int flags = hipHostMallocDefault) {
    return hipHostMalloc(reinterpret_cast<void **>(ptr), size, flags);
}
template <typename T>
static inline hipError_t hipHostAlloc(T **ptr, size_t size,
                                      unsigned int flags = hipHostAllocDefault) {
    return hipHostAlloc(reinterpret_cast<void **>(ptr), size, flags);
}
template <typename T>
static inline hipError_t hipMallocManaged(T **ptr, size_t size,
                                          unsigned int flags = hipMemAttachGlobal) {
    return hipMallocManaged(reinterpret_cast<void **>(ptr), size, flags);
}
#endif
#endif
