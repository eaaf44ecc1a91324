/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/vmm.h - virtual memory management: ranges of addresses, physical memory, mappings,
 * access rights, and memory shared between processes.
 *
 * Sizes, addresses and alignments are in bytes; G is the minimum granularity of
 * hipMemGetAllocationGranularity(). A reserved range of addresses has no memory. Physical memory
 * has a handle and no address. A mapping connects the first bytes of the memory with an address
 * inside one reservation; no device has rights to it until hipMemSetAccess() grants them. Mappings
 * are unmapped and get rights as a whole, any number of adjacent ones in one call.
 *
 * Creation or import gives a handle one reference, each retain adds one, and each release drops
 * one. The memory is freed when no reference, mapping, exported descriptor or other process holds
 * it. A handle without references whose memory is still mapped is valid for everything except
 * hipMemRelease(). The value of a handle is never reused. Ranges, handles and mappings of the
 * parent are hipErrorInvalidValue in a child of fork().
 *
 * On a device without virtual memory management every function returns hipErrorNotSupported
 * (hipDeviceAttributeVirtualMemoryManagementSupported is 0).
 *
 * Unless stated otherwise, calls are not ordered by streams, are not captured and do not depend on
 * the current device. They may run concurrently on any threads. Addresses may be any number: none
 * is dereferenced.
 */
#ifndef HIP_DETAIL_VMM_H
#define HIP_DETAIL_VMM_H

#include <hip/detail/types.h>

/* Properties of memory to create. Members without a comment are stored and not used. */
typedef struct hipMemAllocationProp {
    hipMemAllocationType type;
    union { /* one member with two names */
        hipMemAllocationHandleType requestedHandleType;
        hipMemAllocationHandleType requestedHandleTypes; /* bits: the ways to export it later */
    };
    hipMemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType;
        unsigned char gpuDirectRDMACapable;
        unsigned short usage; /* hipExtMemCreateUsage bits; other bits are stored */
    } allocFlags;
} hipMemAllocationProp;

/* Extensions of Tarn: bits of hipMemAllocationProp.allocFlags.usage, for which HIP has no names. */
#define hipExtMemCreateUsageTilePool 0x1 /* for sparse arrays */

typedef enum hipMemAllocationGranularity_flags {
    hipMemAllocationGranularityMinimum = 0x0,
    hipMemAllocationGranularityRecommended = 0x1
} hipMemAllocationGranularity_flags;

/* ---- arguments of hipMemMapArrayAsync() */

typedef enum hipMemHandleType { hipMemHandleTypeGeneric = 0x0 } hipMemHandleType;

typedef enum hipMemOperationType {
    hipMemOperationTypeMap = 0x1,
    hipMemOperationTypeUnmap = 0x2
} hipMemOperationType;

typedef enum hipArraySparseSubresourceType {
    hipArraySparseSubresourceTypeSparseLevel = 0x0,
    hipArraySparseSubresourceTypeMiptail = 0x1
} hipArraySparseSubresourceType;

/* A piece of a sparse array, and the memory to map under it or to unmap. */
typedef struct hipArrayMapInfo {
    hipResourceType resourceType;
    union {
        hipMipmappedArray mipmap; /* a copy, identified by its `data` */
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
 * Reserves `size` bytes of addresses, a multiple of G, for all devices. No memory is used. The
 * start is a multiple of G and of `alignment`, a power of two or 0. `addr` is a hint: the range
 * starts there if it is completely free and fits the alignment, else elsewhere. `flags` is 0.
 * hipErrorInvalidValue: ptr NULL, flags not 0; size 0 or not a multiple of G, alignment not a
 * power of two (these three are hipErrorOutOfMemory at level 6). hipErrorOutOfMemory: no such
 * range is free; *ptr is NULL then. hipErrorNotSupported: the device has no virtual memory
 * management.
 */
HIP_API hipError_t hipMemAddressReserve(void **ptr, size_t size, size_t alignment, void *addr,
                                        unsigned long long flags);

/*
 * Frees a complete reservation. hipErrorInvalidValue: devPtr NULL, size 0, no reservation starts at
 * devPtr, `size` is not the reserved size, or a part of it is still mapped.
 */
HIP_API hipError_t hipMemAddressFree(void *devPtr, size_t size);

/* ---- physical memory */

/*
 * Creates `size` bytes of physical memory, a multiple of G, and a handle with one reference. The
 * memory takes capacity until it is freed (see hipMemGetInfo()). `flags` is 0.
 *
 * prop->type is pinned or uncached. Both are the same where the host can have access to device
 * memory; elsewhere uncached is not supported. prop->location is a device, or the host where the
 * platform creates memory there; a NUMA node only if the platform guarantees it.
 * requestedHandleType is none or PosixFileDescriptor. win32HandleMetaData and allocFlags may have
 * any value.
 *
 * hipErrorInvalidValue: handle or prop NULL, size 0 or not a multiple of G, flags not 0, an unknown
 * type or type of location, an unknown node. hipErrorInvalidDevice: unknown device
 * (hipErrorInvalidValue at level 6). hipErrorNotSupported: managed memory, or an unsupported
 * location or type of handle. hipErrorOutOfMemory: the device has less memory, also if
 * `size` is not a multiple of G. Unused memory of the device's pools is reclaimed first; otherwise
 * nothing has changed, and a smaller size may succeed.
 */
HIP_API hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size,
                                const hipMemAllocationProp *prop, unsigned long long flags);

/*
 * Drops one reference; the memory may be mapped. hipErrorInvalidValue: handle is NULL or invalid,
 * or has no reference left.
 */
HIP_API hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle);

/*
 * Returns the handle mapped at the byte `addr`, and adds a reference, which the caller releases.
 * Any number may be queried. hipErrorInvalidValue: handle or addr NULL, or addr is in no mapping.
 */
HIP_API hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle,
                                                void *addr);

/*
 * Returns all bytes of the properties with which the memory was created. Imported memory has the
 * exporter's type and allocFlags, the descriptor as type of handle, no win32HandleMetaData, and the
 * ordinal of the exporter's device, or of the current device if that is not visible.
 * hipErrorInvalidValue: prop is NULL, or handle is NULL or invalid.
 */
HIP_API hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *prop,
                                                           hipMemGenericAllocationHandle_t handle);

/*
 * Returns the minimum or recommended granularity, powers of two, for memory with the type and
 * location of `prop`. hipErrorInvalidValue: granularity or prop NULL, an unknown type, type of
 * location or device, or another option.
 */
HIP_API hipError_t hipMemGetAllocationGranularity(size_t *granularity,
                                                  const hipMemAllocationProp *prop,
                                                  hipMemAllocationGranularity_flags option);

/* ---- mappings */

/*
 * Maps the first `size` bytes of the memory, of any device, at `ptr`: both multiples of G, inside
 * one reservation, where nothing is mapped. The same memory may be mapped at many addresses. Each
 * mapping has its own rights and starts without any. `offset` and `flags` are 0.
 * hipErrorInvalidValue: ptr or handle NULL, size 0, offset or flags not 0, an invalid handle, ptr
 * or size not a multiple of G, a range that is not inside one reservation or is partly mapped,
 * size above that of the memory. hipErrorOutOfMemory: also when the kernel's mappings are used up.
 */
HIP_API hipError_t hipMemMap(void *ptr, size_t size, size_t offset,
                             hipMemGenericAllocationHandle_t handle, unsigned long long flags);

/*
 * Unmaps adjacent complete mappings of one reservation, all or nothing. First waits for all work of
 * the devices that own the memory or have rights to it. The rights are lost, the range stays
 * reserved, and the contents stay as long as the memory. hipErrorInvalidValue: ptr NULL, size 0, or
 * a range that is not made of complete mappings.
 */
HIP_API hipError_t hipMemUnmap(void *ptr, size_t size);

/*
 * Sets the rights of `count` locations, devices or the host, to adjacent complete mappings of one
 * reservation, all or nothing. If a location is named twice, the last entry counts. Other
 * locations keep their rights. The host has the rights of all devices together, except with strict
 * devices. hipErrorInvalidValue: ptr or desc NULL, size or count 0, a range that is not made of
 * complete mappings, an unknown type of location or device, flags not of the enum, a device that
 * cannot reach the memory. hipErrorNotSupported: the platform gives the host no access.
 * hipErrorOutOfMemory: also when the kernel's mappings are used up.
 */
HIP_API hipError_t hipMemSetAccess(void *ptr, size_t size, const hipMemAccessDesc *desc,
                                   size_t count);

/*
 * Returns the rights of a location to the mapping that holds the byte `ptr`, as hipMemAccessFlags;
 * 0 if none were granted. All locations of the host are one. hipErrorInvalidValue: flags, location
 * or ptr NULL, an unknown type of location or device, the host where it cannot have rights, ptr in
 * no mapping.
 */
HIP_API hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location,
                                   void *ptr);

/* ---- between processes */

/*
 * Makes the memory importable. Writes exactly an `int` to *shareableHandle: a new descriptor,
 * close-on-exec, never 0, 1 or 2, which the caller closes and which holds the memory until then.
 * Imported memory may be exported again. `flags` is 0. hipErrorInvalidValue: shareableHandle or
 * handle NULL, flags not 0, an invalid handle, a handleType for which the memory was not created,
 * no free descriptor.
 */
HIP_API hipError_t hipMemExportToShareableHandle(void *shareableHandle,
                                                 hipMemGenericAllocationHandle_t handle,
                                                 hipMemAllocationHandleType handleType,
                                                 unsigned long long flags);

/*
 * Returns a handle, with one reference, to memory that this or another process exported.
 * `osHandle` is the descriptor itself, cast, as in CUDA and since ROCm 7.1, or a pointer to an int
 * that contains it, as before: values below 0x100000 are descriptors. The caller still owns the
 * descriptor. hipErrorInvalidValue: handle or osHandle NULL, an invalid pointer, a descriptor that
 * is closed or was not made by hipMemExportToShareableHandle(). hipErrorNotSupported:
 * shHandleType.
 */
HIP_API hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle,
                                                   void *osHandle,
                                                   hipMemAllocationHandleType shHandleType);

/* ---- sparse arrays */

/*
 * Maps memory under pieces of sparse arrays, or unmaps it, in stream order. The `count` entries
 * take effect in their order, after all of them have been checked. The caller may reuse the list
 * at return. Sparse arrays need TARN_HIP_SPARSE=1.
 *
 * A sparse level consists of tiles of the extent from hipExtArrayGetSparseProperties(). An entry
 * names a box of complete tiles, which only the edge of the level may cut. Each tile takes 64 KiB
 * of the memory from `offset` on, in the order x, y, z. The mip tail is a range of bytes in pages
 * of 64 KiB. A deferred array is mapped as a whole, and its entry's subresource is ignored. Memory
 * must be created with hipExtMemCreateUsageTilePool on the array's device. It may be released
 * right after the call, because each mapped tile holds it. Mapping a mapped tile replaces its
 * memory; unmapping a tile without memory does nothing; tiles may share memory.
 *
 * hipErrorInvalidValue: mapInfoList NULL, count 0; a resource that is not an array, flags or
 * reserved not 0, an unknown operation, a deviceBitMask that is not the bit of the stream's
 * device; an array that is neither sparse nor deferred, or a level of another; an unknown
 * subresource, level or layer, a level of the mip tail, an extent of 0, offsets and extents that
 * are not multiples of the tile except at an edge, a box or range that leaves its level or tail.
 * To map: another type of handle, memory without the usage, of another device, or too short, an
 * offset that is not a multiple of 64 KiB or of the alignment of a deferred array. To unmap: a
 * memory handle. hipErrorInvalidHandle: unknown array, memory or stream.
 * hipErrorStreamCaptureUnsupported: the stream captures. hipErrorNotSupported: sparse arrays are
 * off; checked first.
 */
HIP_API hipError_t hipMemMapArrayAsync(hipArrayMapInfo *mapInfoList, unsigned int count,
                                       hipStream_t stream);

HIP_EXTERN_C_END
#endif
