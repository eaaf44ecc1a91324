/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mstx/ms_tools_ext_mem.h - MSTX: describes the memory of a pool to tools.
 *
 * A heap is a range of memory that is divided into regions. Once a heap is registered, its bytes
 * may be accessed only inside registered regions. Descriptors are read during the call and may lie
 * on the stack. Handles are NULL without a tool, and every call accepts NULL. Any thread may call,
 * but only one at a time for one range.
 */
#ifndef MSTX_MS_TOOLS_EXT_MEM_H
#define MSTX_MS_TOOLS_EXT_MEM_H

#include <stddef.h>
#include <stdint.h>

#include <mstx/mstx_detail/mstx_types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mstxMemHeap_st mstxMemHeap_t;
typedef mstxMemHeap_t *mstxMemHeapHandle_t;
typedef struct mstxMemRegion_st mstxMemRegion_t;
typedef mstxMemRegion_t *mstxMemRegionHandle_t;

typedef enum mstxMemHeapUsageType {
    MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR = 0
} mstxMemHeapUsageType;

typedef enum mstxMemType { MSTX_MEM_TYPE_VIRTUAL_ADDRESS = 0 } mstxMemType;

/* `size` bytes at `ptr`, an address of the device. A deviceId of 0xFFFFFFFF means unknown. */
typedef struct mstxMemVirtualRangeDesc_t {
    uint32_t deviceId;
    void const *ptr;
    uint64_t size;
} mstxMemVirtualRangeDesc_t;

/* typeSpecificDesc points to a mstxMemVirtualRangeDesc_t, and must not be NULL. */
typedef struct mstxMemHeapDesc_t {
    mstxMemHeapUsageType usage;
    mstxMemType type;
    void const *typeSpecificDesc;
} mstxMemHeapDesc_t;

/* Registers a heap over existing memory. Returns NULL without a tool. */
MSTX_DECL mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t domain,
                                                  mstxMemHeapDesc_t const *desc);

/* Ends a heap and its regions. The range is ordinary memory again. */
MSTX_DECL void mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap);

/* regionDescArray has regionCount elements of mstxMemVirtualRangeDesc_t, and regionHandleArrayOut
 * as many handles. They are not written without a tool, so set them to NULL first. */
typedef struct mstxMemRegionsRegisterBatch_t {
    mstxMemHeapHandle_t heap;
    mstxMemType regionType;
    size_t regionCount;
    void const *regionDescArray;
    mstxMemRegionHandle_t *regionHandleArrayOut;
} mstxMemRegionsRegisterBatch_t;

/* Registers regions, one after another. */
MSTX_DECL void mstxMemRegionsRegister(mstxDomainHandle_t domain,
                                      mstxMemRegionsRegisterBatch_t const *desc);

typedef enum mstxMemRegionRefType {
    MSTX_MEM_REGION_REF_TYPE_POINTER = 0,
    MSTX_MEM_REGION_REF_TYPE_HANDLE
} mstxMemRegionRefType;

/* A region, identified by its first byte or by its handle. */
typedef struct mstxMemRegionRef_t {
    mstxMemRegionRefType refType;
    MSTX_EXTENSION union {
        void const *pointer;
        mstxMemRegionHandle_t handle;
    };
} mstxMemRegionRef_t;

typedef struct mstxMemRegionsUnregisterBatch_t {
    size_t refCount;
    mstxMemRegionRef_t const *refArray;
} mstxMemRegionsUnregisterBatch_t;

/* Ends regions. Their bytes may not be accessed. */
MSTX_DECL void mstxMemRegionsUnregister(mstxDomainHandle_t domain,
                                        mstxMemRegionsUnregisterBatch_t const *desc);

/* Bits of flags. SHARED means that several devices may use the region. */
#define MSTX_MEM_PERMISSIONS_REGION_FLAGS_NONE   0x00
#define MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ   0x01
#define MSTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE  0x02
#define MSTX_MEM_PERMISSIONS_REGION_FLAGS_SHARED 0x04

typedef struct mstxMemPermissionsAssignRegionsDesc_t {
    uint32_t flags;
    mstxMemRegionRef_t region;
} mstxMemPermissionsAssignRegionsDesc_t;

typedef struct mstxMemPermissionsAssignBatch_t {
    size_t regionCount;
    mstxMemPermissionsAssignRegionsDesc_t const *regionDescArray;
} mstxMemPermissionsAssignBatch_t;

/* Replaces the permissions of regions. A new region may be read and written. */
MSTX_DECL void mstxMemPermissionsAssign(mstxDomainHandle_t domain,
                                        mstxMemPermissionsAssignBatch_t const *desc);

/* The types of the functions that a tool stores. */
typedef mstxMemHeapHandle_t (*mstxMemHeapRegisterFunc)(mstxDomainHandle_t domain,
                                                       mstxMemHeapDesc_t const *desc);
typedef void (*mstxMemHeapUnregisterFunc)(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap);
typedef void (*mstxMemRegionsRegisterFunc)(mstxDomainHandle_t domain,
                                           mstxMemRegionsRegisterBatch_t const *desc);
typedef void (*mstxMemRegionsUnregisterFunc)(mstxDomainHandle_t domain,
                                             mstxMemRegionsUnregisterBatch_t const *desc);
typedef void (*mstxMemPermissionsAssignFunc)(mstxDomainHandle_t domain,
                                             mstxMemPermissionsAssignBatch_t const *desc);

#ifdef __cplusplus
}
#endif

/* A program that includes only this header gets the rest as well. */
#include <mstx/ms_tools_ext.h>

#endif
