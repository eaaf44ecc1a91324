/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/pool.h - stream-ordered memory: allocated and freed in the order of a stream, out of
 * pools that keep what was freed.
 *
 * A block is freed in stream order: work given to the stream before hipFreeAsync() may still use
 * it. Its memory is free at once for allocations on the stream it was allocated on, when it was
 * freed there too; for everybody else when the work that its streams had been given has passed.
 * Each device has a pool of its own; hipDeviceSetMemPool() names another one for hipMallocAsync().
 * In a capture these calls give hipErrorStreamCaptureUnsupported.
 */
#ifndef HIP_DETAIL_POOL_H
#define HIP_DETAIL_POOL_H

#include <hip/detail/types.h>

/* What a pool is made of. Zero what is not used. */
typedef struct hipMemPoolProps {
    hipMemAllocationType allocType;         /* hipMemAllocationTypePinned */
    hipMemAllocationHandleType handleTypes; /* hipMemHandleTypeNone */
    hipMemLocation location;                /* a device */
    void *win32SecurityAttributes;          /* not used */
    size_t maxSize;                         /* most bytes to hold; 0: as many as the device has */
    unsigned char reserved[56];             /* zeros */
} hipMemPoolProps;

/* Settings and marks of a pool. The value is an int for the first three, else a uint64_t. */
typedef enum hipMemPoolAttr {
    /* May a stream reuse what another freed, if an event orders it behind that? Tarn does not look
       at events and reuses what has passed. Default 1. */
    hipMemPoolReuseFollowEventDependencies = 0x1,
    /* May it reuse what has passed, with no order between the two? Always: it cannot be set to 0.
     */
    hipMemPoolReuseAllowOpportunistic = 0x2,
    /* May the pool make a stream wait for another? Tarn never does. Default 1. */
    hipMemPoolReuseAllowInternalDependencies = 0x3,
    /* Bytes to keep when a stream, event or device has been waited for; what is free beyond is
       given back then. Default 0. */
    hipMemPoolAttrReleaseThreshold = 0x4,
    /* Bytes the pool holds from the device, and the most since the last reset. The latter can be
       set to 0: it begins anew at what is held. */
    hipMemPoolAttrReservedMemCurrent = 0x5,
    hipMemPoolAttrReservedMemHigh = 0x6,
    /* Bytes of live blocks, rounded up to what they occupy, and the most since the last reset. */
    hipMemPoolAttrUsedMemCurrent = 0x7,
    hipMemPoolAttrUsedMemHigh = 0x8
} hipMemPoolAttr;

HIP_EXTERN_C_BEGIN

/*
 * Allocates `size` bytes in the order of a stream, from the current pool of its device; 0 gives
 * NULL and is no error. The start is a multiple of 256. hipErrorInvalidValue: dev_ptr NULL;
 * hipErrorInvalidHandle: no such stream; hipErrorOutOfMemory: exact, and recoverable.
 */
HIP_API hipError_t hipMallocAsync(void **dev_ptr, size_t size, hipStream_t stream);

/* The same from a pool, which may be of another device than the stream. hipErrorInvalidValue also:
 * no such pool. */
HIP_API hipError_t hipMallocFromPoolAsync(void **dev_ptr, size_t size, hipMemPool_t mem_pool,
                                          hipStream_t stream);

/*
 * Frees a block of a pool in the order of a stream, any one: the program has ordered it behind all
 * use of the block. Memory of hipMalloc() and hipMallocManaged() is freed too, as by hipFree().
 * hipErrorInvalidValue: anything but the start of such memory, NULL included;
 * hipErrorInvalidHandle: no such stream.
 */
HIP_API hipError_t hipFreeAsync(void *dev_ptr, hipStream_t stream);

/*
 * Makes a pool. hipErrorInvalidValue: a NULL, an allocType other than hipMemAllocationTypePinned, a
 * location that is none or no device, or reserved bytes set; hipErrorNotSupported: a location of
 * the host, or handle types: pools do not travel between processes.
 */
HIP_API hipError_t hipMemPoolCreate(hipMemPool_t *mem_pool, const hipMemPoolProps *pool_props);

/*
 * Ends a pool. No new block can be had from it; it goes when its last block has been freed, which
 * waits for work in flight. A device whose current pool it was uses its own again.
 * hipErrorInvalidValue: no such pool, or a device's own.
 */
HIP_API hipError_t hipMemPoolDestroy(hipMemPool_t mem_pool);

/* Gives memory that is free back to the device until at most min_bytes_to_hold are held. Does not
 * wait: what work may still use stays. hipErrorInvalidValue: no such pool. */
HIP_API hipError_t hipMemPoolTrimTo(hipMemPool_t mem_pool, size_t min_bytes_to_hold);

/*
 * Sets and tells an attribute; which, and of which type the value is, see above.
 * hipErrorInvalidValue: a NULL, no such pool, an unknown attribute; to set one of those that are
 * only told, or a high mark to something else than 0; hipErrorNotSupported: to set
 * hipMemPoolReuseAllowOpportunistic to 0.
 */
HIP_API hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value);
HIP_API hipError_t hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value);

/*
 * Says which devices may use the memory of a pool, now and later, all or nothing; others keep what
 * they have. The pool's own device begins with everything. hipErrorInvalidValue: a NULL, count 0,
 * no such pool, a location that is no device, unknown flags, or less than ReadWrite for the pool's
 * own device; hipErrorInvalidDevice; hipErrorNotSupported: the device has no virtual memory
 * management.
 */
HIP_API hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc *desc_list,
                                       size_t count);

/* What a device may do. Errors as above. */
HIP_API hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t mem_pool,
                                       hipMemLocation *location);

/* The pool of the device's own, and the one that hipMallocAsync() uses now. hipErrorInvalidValue:
 * mem_pool NULL; hipErrorInvalidDevice. */
HIP_API hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *mem_pool, int device);
HIP_API hipError_t hipDeviceGetMemPool(hipMemPool_t *mem_pool, int device);

/* Names the pool that hipMallocAsync() uses. hipErrorInvalidDevice; hipErrorInvalidValue: no such
 * pool, or one of another device. */
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
