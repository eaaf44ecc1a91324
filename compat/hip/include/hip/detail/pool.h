/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/pool.h - stream-ordered memory, allocated from pools and freed in the order of a
 * stream.
 *
 * Work submitted to the stream before hipFreeAsync() may still use the block. Its memory is free
 * at once for allocations on the stream on which it was allocated, if it was freed on that stream
 * too. Another stream may have it once it waits for an event that was recorded after the free, or
 * once the work is complete; see hipMemPoolAttr. Each device has a default pool;
 * hipDeviceSetMemPool() selects another pool for hipMallocAsync().
 *
 * In a stream that captures, allocations and frees become nodes of the graph. The address is the
 * same at each launch. A launch allocates the memory, from the device and not from a pool; it is
 * freed by a node, or after the launch by hipFree() or hipFreeAsync() outside of captures. Memory of
 * pools cannot be freed in a capture: hipErrorStreamCaptureUnsupported, which ends the capture. At
 * level 7 the same error, without further effect, refuses both functions on other streams while a
 * blocking stream captures.
 */
#ifndef HIP_DETAIL_POOL_H
#define HIP_DETAIL_POOL_H

#include <hip/detail/types.h>

/* The properties of a pool. Set unused members to zero. */
typedef struct hipMemPoolProps {
    hipMemAllocationType allocType; /* hipMemAllocationTypePinned */
    hipMemAllocationHandleType
        handleTypes;               /* ...None, or ...PosixFileDescriptor: processes share it */
    hipMemLocation location;       /* a device */
    void *win32SecurityAttributes; /* not used */
    size_t maxSize; /* maximum of bytes to hold; 0: no limit except the device's memory */
    unsigned char reserved[56]; /* zeros */
} hipMemPoolProps;

/* Attributes of a pool. The value is an int for the first three, else a uint64_t. */
typedef enum hipMemPoolAttr {
    /* Permits a stream to reuse memory that was freed on a stream whose later event it waits for
       (hipStreamWaitEvent()), before the work is complete. Default 1. */
    hipMemPoolReuseFollowEventDependencies = 0x1,
    /* Permits every stream to reuse memory whose work is complete. Default 1. With 0 the memory stays
       with its stream until the pool releases memory or would refuse an allocation. */
    hipMemPoolReuseAllowOpportunistic = 0x2,
    /* Permits the pool to make a stream wait for another. Stored and returned: Tarn never does.
       Default 1. */
    hipMemPoolReuseAllowInternalDependencies = 0x3,
    /* Bytes that the pool keeps at a synchronisation of a stream, event or device. Unused memory
       above that is released then. Default 0. */
    hipMemPoolAttrReleaseThreshold = 0x4,
    /* Bytes that the pool holds of the device, and their peak. Setting the peak to 0 resets it
       to the present value. */
    hipMemPoolAttrReservedMemCurrent = 0x5,
    hipMemPoolAttrReservedMemHigh = 0x6,
    /* Bytes that live blocks occupy, with rounding, and their peak. */
    hipMemPoolAttrUsedMemCurrent = 0x7,
    hipMemPoolAttrUsedMemHigh = 0x8
} hipMemPoolAttr;

/* Names a block of a pool in another process: plain bytes, which may be sent by any means. */
typedef struct hipMemPoolPtrExportData {
    unsigned char reserved[64];
} hipMemPoolPtrExportData;

HIP_EXTERN_C_BEGIN

/*
 * Allocates `size` bytes in the order of a stream, from the current pool of its device. A size of 0
 * succeeds and gives NULL. The start is a multiple of 256. hipErrorInvalidValue: dev_ptr NULL;
 * hipErrorInvalidHandle: unknown stream; hipErrorOutOfMemory: the device has less memory; a smaller
 * size may succeed.
 */
HIP_API hipError_t hipMallocAsync(void **dev_ptr, size_t size, hipStream_t stream);

/* The same from a pool, which may be of another device than the stream. hipErrorInvalidValue also:
 * unknown pool. */
HIP_API hipError_t hipMallocFromPoolAsync(void **dev_ptr, size_t size, hipMemPool_t mem_pool,
                                          hipStream_t stream);

/*
 * Frees a block of a pool in the order of any stream; the program has ordered that stream behind
 * all uses of the block. Memory of hipMalloc() and hipMallocManaged() is freed as by hipFree().
 * Level 7 frees NULL, which has no effect. hipErrorInvalidValue: dev_ptr is not the start of such
 * memory; at level 6 also NULL; memory of a graph that is not allocated by a launch, or for which
 * a graph has a free node already. hipErrorInvalidHandle: unknown stream.
 */
HIP_API hipError_t hipFreeAsync(void *dev_ptr, hipStream_t stream);

/*
 * Makes a pool. hipErrorInvalidValue: a NULL, an allocType other than hipMemAllocationTypePinned,
 * an unknown location or device, or reserved bytes that are not 0; hipErrorNotSupported: a
 * location of the host, or another handle type.
 */
HIP_API hipError_t hipMemPoolCreate(hipMemPool_t *mem_pool, const hipMemPoolProps *pool_props);

/*
 * Destroys a pool. It allocates no new blocks, and ends when its last block has been freed, which
 * waits for work in flight. A device whose current pool it was uses its default pool again.
 * hipErrorInvalidValue: unknown pool, or a device's default pool.
 */
HIP_API hipError_t hipMemPoolDestroy(hipMemPool_t mem_pool);

/* Releases unused memory until the pool holds at most min_bytes_to_hold. Does not wait: memory that
 * work may still use stays. hipErrorInvalidValue: unknown pool. */
HIP_API hipError_t hipMemPoolTrimTo(hipMemPool_t mem_pool, size_t min_bytes_to_hold);

/*
 * Sets or returns an attribute; see above for the type of its value. hipErrorInvalidValue: a NULL,
 * an unknown pool or attribute; an attribute that cannot be set, or a peak that is set to a value
 * other than 0.
 */
HIP_API hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value);
HIP_API hipError_t hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value);

/*
 * Sets the access rights of devices to the memory of a pool, present and future, all or nothing.
 * Other devices keep their rights. The pool's device starts with all rights. hipErrorInvalidValue:
 * a NULL, count 0, an unknown pool, a location that is not a device, unknown flags;
 * hipErrorInvalidDevice: no such device, more rights than devices, or None: for the pool's device,
 * in release 6 for any; Read for the pool's device is hipErrorInvalidValue, in release 7
 * hipErrorNotSupported, as are rights of other devices to a pool that processes share, and devices
 * without virtual memory management.
 */
HIP_API hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc *desc_list,
                                       size_t count);

/* The rights of a device. hipErrorInvalidValue: also an unknown device. */
HIP_API hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t mem_pool,
                                       hipMemLocation *location);

/* The default pool of a device, and the pool that hipMallocAsync() uses now. hipErrorInvalidValue:
 * mem_pool NULL; a bad device is hipErrorInvalidDevice for the first, hipErrorInvalidValue for the
 * second. */
HIP_API hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *mem_pool, int device);
HIP_API hipError_t hipDeviceGetMemPool(hipMemPool_t *mem_pool, int device);

/* Selects the pool that hipMallocAsync() uses. hipErrorInvalidValue: unknown device or pool;
 * hipErrorInvalidDevice: a pool of another device. */
HIP_API hipError_t hipDeviceSetMemPool(int device, hipMemPool_t mem_pool);

/*
 * The same for a location and a type of memory. hipErrorInvalidValue: location NULL or not a device,
 * or an unknown type; hipErrorNotSupported: managed memory.
 */
HIP_API hipError_t hipMemGetDefaultMemPool(hipMemPool_t *mem_pool, hipMemLocation *location,
                                           hipMemAllocationType type);
HIP_API hipError_t hipMemGetMemPool(hipMemPool_t *mem_pool, hipMemLocation *location,
                                    hipMemAllocationType type);
HIP_API hipError_t hipMemSetMemPool(hipMemLocation *location, hipMemAllocationType type,
                                    hipMemPool_t mem_pool);

/*
 * Writes an int: a new descriptor of the pool, which the caller sends to other processes and closes.
 * hipErrorInvalidValue: a NULL, flags other than 0, a handle type other than
 * hipMemHandleTypePosixFileDescriptor, a pool that was imported or has no handle types;
 * hipErrorOutOfMemory: descriptors.
 */
HIP_API hipError_t hipMemPoolExportToShareableHandle(void *shared_handle, hipMemPool_t mem_pool,
                                                     hipMemAllocationHandleType handle_type,
                                                     unsigned int flags);

/*
 * Makes a pool of a descriptor, which is passed as the value of `shared_handle` and stays the
 * caller's. Pointers of the pool can be imported; allocations from it are hipErrorInvalidValue. It
 * belongs to device 0, in release 7 to the current one. hipErrorInvalidValue: as above;
 * hipErrorOutOfMemory: the descriptor is not that of a pool, or memory.
 */
HIP_API hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *mem_pool, void *shared_handle,
                                                       hipMemAllocationHandleType handle_type,
                                                       unsigned int flags);

/*
 * Describes a block of a pool that processes share; `dev_ptr` is its start. The first block of each
 * segment of the pool waits for all work of the devices. hipErrorInvalidValue: a NULL, or a pool
 * without handle types; hipErrorOutOfMemory: not a block, or no descriptors.
 */
HIP_API hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *export_data, void *dev_ptr);

/*
 * Gives access to a block of another process at an address of this one; the bytes are the same. Each
 * import is a mapping of its own, ended by hipFree() or hipFreeAsync(), which wait for all work. The
 * owner orders its own free behind the uses here, and may end: the mapping stays.
 * hipErrorInvalidValue: a NULL, or an unknown pool; hipErrorOutOfMemory: the data is not of this
 * pool, the block's memory is gone, or no descriptors or memory are left.
 */
HIP_API hipError_t hipMemPoolImportPointer(void **dev_ptr, hipMemPool_t mem_pool,
                                           hipMemPoolPtrExportData *export_data);

HIP_EXTERN_C_END

#if defined(__cplusplus) && !defined(__HIP_DISABLE_CPP_FUNCTIONS__)
/* The same for a pointer to any type, and with the pool by overload. */
template <typename T>
HIP_WRAPPER_ hipError_t hipMallocAsync(T **dev_ptr, size_t size, hipStream_t stream) {
    return hipMallocAsync(reinterpret_cast<void **>(dev_ptr), size, stream);
}
template <typename T>
HIP_WRAPPER_ hipError_t hipMallocAsync(T **dev_ptr, size_t size, hipMemPool_t mem_pool,
                                       hipStream_t stream) {
    return hipMallocFromPoolAsync(reinterpret_cast<void **>(dev_ptr), size, mem_pool, stream);
}
template <typename T>
HIP_WRAPPER_ hipError_t hipMallocFromPoolAsync(T **dev_ptr, size_t size, hipMemPool_t mem_pool,
                                               hipStream_t stream) {
    return hipMallocFromPoolAsync(reinterpret_cast<void **>(dev_ptr), size, mem_pool, stream);
}
#endif
#endif
