/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/vmm.h - virtual memory management: ranges of addresses, physical memory, mappings of
 * the one at the other, who may use them, and memory shared between processes.
 *
 * Sizes, addresses and alignments are in bytes; G is the minimum granularity that
 * hipMemGetAllocationGranularity() tells. A range of addresses is reserved (nothing is mapped in
 * it); physical memory is created and named by a handle, which has no address; a mapping puts the
 * first bytes of the memory at an address inside one reservation, with rights for nobody;
 * hipMemSetAccess() gives rights. Mappings are unmapped and given rights whole, any number of
 * neighbours at once.
 *
 * A handle carries one reference from its creation or import, one more for each retain, one less
 * for each release. The memory goes when no reference, no mapping, no exported descriptor and no
 * other process holds it. Without references but still mapped, a handle stays good for everything
 * but hipMemRelease(). No handle's value is ever used again. A child of fork() has none of its
 * parent's ranges, handles and mappings: naming one is hipErrorInvalidValue.
 *
 * No call is ordered by a stream, is recorded by a capture or depends on the current device but
 * where said. All calls may run at once, from any threads. Any number may be given as an address:
 * none is dereferenced.
 */
#ifndef HIP_DETAIL_VMM_H
#define HIP_DETAIL_VMM_H

#include <hip/detail/types.h>

/* What memory to create. Fields not named here are carried and not looked at. */
typedef struct hipMemAllocationProp {
    hipMemAllocationType type;
    union { /* one field by two names */
        hipMemAllocationHandleType requestedHandleType;
        hipMemAllocationHandleType requestedHandleTypes; /* bits: how it may be exported later */
    };
    hipMemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType;
        unsigned char gpuDirectRDMACapable;
        unsigned short usage; /* hipExtMemCreateUsage bits; others are carried */
    } allocFlags;
} hipMemAllocationProp;

/* Tarn's: bits of hipMemAllocationProp.allocFlags.usage. HIP has the field but names no bits. */
#define hipExtMemCreateUsageTilePool 0x1 /* meant to back sparse arrays */

typedef enum hipMemAllocationGranularity_flags {
    hipMemAllocationGranularityMinimum = 0x0,
    hipMemAllocationGranularityRecommended = 0x1
} hipMemAllocationGranularity_flags;

/* ---- what hipMemMapArrayAsync() is given */

typedef enum hipMemHandleType { hipMemHandleTypeGeneric = 0x0 } hipMemHandleType;

typedef enum hipMemOperationType {
    hipMemOperationTypeMap = 0x1,
    hipMemOperationTypeUnmap = 0x2
} hipMemOperationType;

typedef enum hipArraySparseSubresourceType {
    hipArraySparseSubresourceTypeSparseLevel = 0x0,
    hipArraySparseSubresourceTypeMiptail = 0x1
} hipArraySparseSubresourceType;

/* One piece of a sparse array, and the memory to put under it or to take away. */
typedef struct hipArrayMapInfo {
    hipResourceType resourceType;
    union {
        hipMipmappedArray mipmap; /* a copy: its `data` says which it is */
        hipArray_t array;
    } resource;
    hipArraySparseSubresourceType subresourceType;
    union {
        struct {
            unsigned int level;   /* of a mipmapped array, else 0 */
            unsigned int layer;   /* of a layered array, else 0 */
            unsigned int offsetX; /* elements */
            unsigned int offsetY;
            unsigned int offsetZ;
            unsigned int extentWidth; /* elements */
            unsigned int extentHeight;
            unsigned int extentDepth;
        } sparseLevel;
        struct {
            unsigned int layer;        /* of a layered array, else 0 */
            unsigned long long offset; /* bytes into the mip tail */
            unsigned long long size;   /* bytes */
        } miptail;
    } subresource;
    hipMemOperationType memOperationType;
    hipMemHandleType memHandleType;
    union {
        hipMemGenericAllocationHandle_t memHandle;
    } memHandle;
    unsigned long long offset;  /* bytes into the memory */
    unsigned int deviceBitMask; /* one bit for each ordinal */
    unsigned int flags;         /* 0 */
    unsigned int reserved[2];   /* 0 */
} hipArrayMapInfo;

HIP_EXTERN_C_BEGIN

/* ---- ranges of addresses */

/*
 * Reserves `size` bytes of addresses, a multiple of G, which no other reservation has and which
 * serve every device. No memory is used up. The start is a multiple of G and of `alignment`, a
 * power of two or 0. `addr` is a wish: the range starts there if all of it is free and it suits the
 * alignment, else anywhere. `flags`: 0.
 * hipErrorInvalidValue: ptr NULL, flags not 0; size 0 or no multiple of G, alignment no power of
 * two (these three are hipErrorOutOfMemory with TARN_HIP_COMPAT=6). hipErrorOutOfMemory: no such
 * range of addresses is free; *ptr is NULL then. hipErrorNotSupported: the device has no virtual
 * memory management.
 */
HIP_API hipError_t hipMemAddressReserve(void **ptr, size_t size, size_t alignment, void *addr,
                                        unsigned long long flags);

/*
 * Gives a whole reservation back. hipErrorInvalidValue: devPtr NULL, size 0, no reservation starts
 * at devPtr, `size` is not the reserved size, or something in it is still mapped.
 */
HIP_API hipError_t hipMemAddressFree(void *devPtr, size_t size);

/* ---- physical memory */

/*
 * Creates `size` bytes of physical memory, a multiple of G, and a handle to it with one reference.
 * Capacity is taken now (hipMemGetInfo() shows it) and comes back when the memory goes. `flags`: 0.
 *
 * prop->type is pinned or uncached, which is the same where the host can be given access to the
 * devices' memory, and not provided where it cannot. prop->location is a device by its ordinal, or
 * the host where the platform creates memory there; of the host's nodes only one that the platform
 * can promise. requestedHandleType is none or PosixFileDescriptor. win32HandleMetaData and
 * allocFlags are accepted whatever they are.
 *
 * hipErrorInvalidValue: handle or prop NULL, size 0 or no multiple of G, flags not 0, a type or a
 * type of location that is none, a node that the machine does not have. hipErrorInvalidDevice: no
 * device has that ordinal (hipErrorInvalidValue with TARN_HIP_COMPAT=6). hipErrorNotSupported:
 * managed memory, a location or a type of handle that the platform does not provide.
 * hipErrorOutOfMemory: the memory is not there, or more is asked for than the device has; also with
 * a size that is no multiple of G. What lies free in the device's memory pools has been taken back
 * first; else nothing has changed, and a smaller size may succeed.
 */
HIP_API hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size,
                                const hipMemAllocationProp *prop, unsigned long long flags);

/*
 * Drops one reference; legal while mapped. hipErrorInvalidValue: handle NULL or not alive, or it
 * has no reference left.
 */
HIP_API hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle);

/*
 * The handle mapped at `addr`, any byte of a mapping, with one more reference, which the caller
 * releases. Good to ask about any number whether it is such memory. hipErrorInvalidValue: handle or
 * addr NULL, or addr is in no mapping.
 */
HIP_API hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle,
                                                void *addr);

/*
 * The properties the memory was created with, every byte of them. Of imported memory: the
 * exporter's type and allocFlags, the descriptor as type of handle, no win32HandleMetaData, and
 * the exporter's device by the ordinal it has here, or the current device if it is not visible.
 * hipErrorInvalidValue: prop or handle NULL, or the handle is not alive.
 */
HIP_API hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *prop,
                                                           hipMemGenericAllocationHandle_t handle);

/*
 * The minimum or recommended granularity, powers of two, for memory of these properties, of which
 * only type and location count. hipErrorInvalidValue: granularity or prop NULL, a type or a type of
 * location that is none, no device has that ordinal, option neither of the two.
 */
HIP_API hipError_t hipMemGetAllocationGranularity(size_t *granularity,
                                                  const hipMemAllocationProp *prop,
                                                  hipMemAllocationGranularity_flags option);

/* ---- mappings */

/*
 * Maps the first `size` bytes of the memory, of whichever device, at `ptr`: both multiples of G,
 * inside one reservation, where nothing is mapped. The same memory may be mapped at many places;
 * each mapping has rights of its own, and begins with none. `offset` and `flags`: 0.
 * hipErrorInvalidValue: ptr or handle NULL, size 0, offset or flags not 0, the handle is not alive,
 * ptr or size no multiple of G, the range is not inside one reservation, something is mapped in it,
 * size is more than the memory has. hipErrorOutOfMemory: also when the kernel's mappings are used
 * up.
 */
HIP_API hipError_t hipMemMap(void *ptr, size_t size, size_t offset,
                             hipMemGenericAllocationHandle_t handle, unsigned long long flags);

/*
 * Unmaps a gap-free run of whole mappings of one reservation: all or nothing. First waits for all
 * work of the devices that own the memory or have rights in the range. Rights are forgotten, the
 * range stays reserved, the contents stay while the memory does. hipErrorInvalidValue: ptr NULL,
 * size 0, or the range is no such run.
 */
HIP_API hipError_t hipMemUnmap(void *ptr, size_t size);

/*
 * Sets the rights of `count` locations, devices or the host, on a gap-free run of whole mappings of
 * one reservation: all or nothing, of two that name the same location the later one counts.
 * Locations not named keep what they have. The host may use what any device may, unless the device
 * is a strict one. hipErrorInvalidValue: ptr or desc NULL, size or count 0, the range is no such
 * run, a type of location that is none, no device has that ordinal, flags not one of the enum, a
 * device has no path to the memory. hipErrorNotSupported: the platform gives the host no access.
 * hipErrorOutOfMemory: also when the kernel's mappings are used up.
 */
HIP_API hipError_t hipMemSetAccess(void *ptr, size_t size, const hipMemAccessDesc *desc,
                                   size_t count);

/*
 * The rights of a location at `ptr`, any byte of a mapping, as hipMemAccessFlags; 0 when none were
 * given. All locations of the host are one. hipErrorInvalidValue: flags, location or ptr NULL, a
 * type of location that is none, the host where it can have no rights, no device has that ordinal,
 * ptr is in no mapping.
 */
HIP_API hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location,
                                   void *ptr);

/* ---- between processes */

/*
 * Makes the memory importable elsewhere. Writes an `int`, nothing more, to *shareableHandle: a new
 * descriptor, close-on-exec, never 0, 1 or 2, which the caller closes and which holds the memory
 * until then. Imported memory may be exported again. `flags`: 0. hipErrorInvalidValue:
 * shareableHandle or handle NULL, flags not 0, the handle is not alive, handleType is not the one
 * the memory was created for, the system has no descriptor left.
 */
HIP_API hipError_t hipMemExportToShareableHandle(void *shareableHandle,
                                                 hipMemGenericAllocationHandle_t handle,
                                                 hipMemAllocationHandleType handleType,
                                                 unsigned long long flags);

/*
 * A handle, with one reference, to memory exported by this or another process. `osHandle` is the
 * descriptor itself, cast, as since ROCm 7.1 and in CUDA, or a pointer to an int that holds it, as
 * before: below 0x100000 it is taken for the descriptor. The descriptor stays the caller's.
 * hipErrorInvalidValue: handle or osHandle NULL, a pointer to nothing, a descriptor that is closed
 * or was not made by hipMemExportToShareableHandle(). hipErrorNotSupported: shHandleType.
 */
HIP_API hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle,
                                                   void *osHandle,
                                                   hipMemAllocationHandleType shHandleType);

/* ---- sparse arrays */

/*
 * Puts memory under pieces of sparse arrays, or takes it away, when the stream comes to it: `count`
 * entries in their order, all checked before anything is given to the stream. The list is the
 * caller's again at return. Sparse arrays are there with TARN_HIP_SPARSE=1.
 *
 * A sparse level is cut into tiles of the extent that hipExtArrayGetSparseProperties() tells; an
 * entry names a box of whole tiles, cut only by the edge of the level. Each takes 64 KiB of the
 * memory from `offset` on: x fastest, then y, then z. The mip tail is a run of bytes, in pages of
 * 64 KiB. A deferred array is mapped whole and its entry's subresource is ignored. Memory is
 * created with hipExtMemCreateUsageTilePool on the array's device, and may be released right after
 * the call: each mapped tile keeps it. Mapping a mapped tile replaces its memory, unmapping one
 * that is not mapped does nothing; several tiles may share memory.
 *
 * hipErrorInvalidValue: mapInfoList NULL, count 0; a resource that is no array, flags or reserved
 * not 0, an operation that is none, a deviceBitMask that is not the bit of the stream's device; an
 * array that is neither sparse nor deferred, or a level of another; a subresource that is none; no
 * such level or layer, a level of the mip tail, an extent of 0, offsets and extents that are no
 * multiples of the tile but for extents that end at an edge, a box or run that leaves its level or
 * tail; to map: another type of handle, memory without the usage, of another device, or that ends
 * before the tiles do, an offset that is no multiple of 64 KiB or of the alignment that a deferred
 * array needs; to unmap: memory given. hipErrorInvalidHandle: no such array, memory or stream.
 * hipErrorStreamCaptureUnsupported: the stream is being captured. hipErrorNotSupported: without
 * sparse arrays, whatever else is given.
 */
HIP_API hipError_t hipMemMapArrayAsync(hipArrayMapInfo *mapInfoList, unsigned int count,
                                       hipStream_t stream);

HIP_EXTERN_C_END
#endif
