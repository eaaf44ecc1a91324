/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/pool.h - stream-ordered memory, allocated from pools and freed in the order of a
 * stream.
 *
 * Work submitted to the stream before hipFreeAsync() may still use the block. Its memory is free
 * at once for allocations on the stream on which it was allocated, if it was freed on that stream
 * too. For other streams it is free when the work of its streams is complete. Each device has a
 * default pool; hipDeviceSetMemPool() selects another pool for hipMallocAsync(). In a capture
 * these functions return hipErrorStreamCaptureUnsupported.
 */
#ifndef HIP_DETAIL_POOL_H
#define HIP_DETAIL_POOL_H

#include <hip/detail/types.h>

/* The properties of a pool. Set unused members to zero. */
typedef struct hipMemPoolProps {
    hipMemAllocationType allocType;         /* hipMemAllocationTypePinned */
    hipMemAllocationHandleType handleTypes; /* hipMemHandleTypeNone */
    hipMemLocation location;                /* a device */
    void *win32SecurityAttributes;          /* not used */
    size_t maxSize; /* maximum of bytes to hold; 0: no limit except the device's memory */
    unsigned char reserved[56]; /* zeros */
} hipMemPoolProps;

/* Attributes of a pool. The value is an int for the first three, else a uint64_t. */
typedef enum hipMemPoolAttr {
    /* Permits reuse of memory that an event orders behind its free. Stored and returned: Tarn
       reuses memory whose work is complete. Default 1. */
    hipMemPoolReuseFollowEventDependencies = 0x1,
    /* Permits reuse of memory whose work is complete. Always 1. */
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
 * hipErrorInvalidValue: dev_ptr is NULL or not the start of such memory; hipErrorInvalidHandle:
 * unknown stream.
 */
HIP_API hipError_t hipFreeAsync(void *dev_ptr, hipStream_t stream);

/*
 * Makes a pool. hipErrorInvalidValue: a NULL, an allocType other than hipMemAllocationTypePinned,
 * an unknown location or device, or reserved bytes that are not 0; hipErrorNotSupported: a
 * location of the host, or handle types, because pools cannot be shared with other processes.
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
 * other than 0; hipErrorNotSupported: setting hipMemPoolReuseAllowOpportunistic to 0.
 */
HIP_API hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value);
HIP_API hipError_t hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value);

/*
 * Sets the access rights of devices to the memory of a pool, present and future, all or nothing.
 * Other devices keep their rights. The pool's device starts with all rights. hipErrorInvalidValue:
 * a NULL, count 0, an unknown pool, a location that is not a device, unknown flags, or less than
 * ReadWrite for the pool's device; hipErrorInvalidDevice; hipErrorNotSupported: the device has no
 * virtual memory management.
 */
HIP_API hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc *desc_list,
                                       size_t count);

/* The rights of a device. Errors as above. */
HIP_API hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t mem_pool,
                                       hipMemLocation *location);

/* The default pool of a device, and the pool that hipMallocAsync() uses now. hipErrorInvalidValue:
 * mem_pool NULL; hipErrorInvalidDevice. */
HIP_API hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *mem_pool, int device);
HIP_API hipError_t hipDeviceGetMemPool(hipMemPool_t *mem_pool, int device);

/* Selects the pool that hipMallocAsync() uses. hipErrorInvalidDevice; hipErrorInvalidValue: unknown
 * pool, or of another device. */
HIP_API hipError_t hipDeviceSetMemPool(int device, hipMemPool_t mem_pool);

HIP_EXTERN_C_END

#if defined(__cplusplus) && !defined(__HIP_DISABLE_CPP_FUNCTIONS__)
/* The same for a pointer to any type, and with the pool by overload. */
template <typename T>
static inline hipError_t hipMallocAsync(T **dev_ptr, size_t size, hipStream_t stream) {
    return hipMallocAsync(reinterpret_cast<void **>(dev_ptr), size, stream);
}
template <typename T>
static inline hipError_t hipMallocAsync(T **dev_ptr, size_t size, hipMemPool_t mem_pool,
                                        hipStream_t stream) {
    return hipMallocFromPoolAsync(reinterpret_cast<void **>(dev_ptr), size, mem_pool, stream);
}
template <typename T>
static inline hipError_t hipMallocFromPoolAsync(T **dev_ptr, size_t size, hipMemPool_t mem_pool,
                                                hipStream_t stream) {
    return hipMallocFromPoolAsync(reinterpret_cast<void **>(dev_ptr), size, mem_pool, stream);
}
#endif
#endif
