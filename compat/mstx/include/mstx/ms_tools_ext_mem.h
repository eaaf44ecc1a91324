/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mstx/ms_tools_ext_mem.h - MSTX: what a pool tells tools about its memory.
 *
 * A heap is a range of memory that is handed out in pieces; a region is such a piece. Once a heap
 * is registered, its bytes may be touched only inside of registered regions. Descriptions are read
 * during the call and may lie on the stack. Handles are NULL when there is no tool, and every call
 * takes NULL for one. Any thread; a range is registered by one at a time.
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

/* `size` bytes from `ptr`, an address of that device; deviceId 0xFFFFFFFF: not known. */
typedef struct mstxMemVirtualRangeDesc_t {
    uint32_t deviceId;
    void const *ptr;
    uint64_t size;
} mstxMemVirtualRangeDesc_t;

/* typeSpecificDesc: a mstxMemVirtualRangeDesc_t, not NULL. */
typedef struct mstxMemHeapDesc_t {
    mstxMemHeapUsageType usage;
    mstxMemType type;
    void const *typeSpecificDesc;
} mstxMemHeapDesc_t;

/* Declares a heap over memory that exists. NULL: there is no tool. */
MSTX_DECL mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t domain,
                                                  mstxMemHeapDesc_t const *desc);

/* Ends it, and its regions with it: the range is ordinary memory again. */
MSTX_DECL void mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap);

/* regionDescArray: regionCount of mstxMemVirtualRangeDesc_t. regionHandleArrayOut: as many handles;
 * left alone when there is no tool, so zero them first. */
typedef struct mstxMemRegionsRegisterBatch_t {
    mstxMemHeapHandle_t heap;
    mstxMemType regionType;
    size_t regionCount;
    void const *regionDescArray;
    mstxMemRegionHandle_t *regionHandleArrayOut;
} mstxMemRegionsRegisterBatch_t;

/* Declares regions, one after the other. */
MSTX_DECL void mstxMemRegionsRegister(mstxDomainHandle_t domain,
                                      mstxMemRegionsRegisterBatch_t const *desc);

typedef enum mstxMemRegionRefType {
    MSTX_MEM_REGION_REF_TYPE_POINTER = 0,
    MSTX_MEM_REGION_REF_TYPE_HANDLE
} mstxMemRegionRefType;

/* A region, by its first byte or by its handle. */
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

/* Ends regions: their bytes may not be touched. */
MSTX_DECL void mstxMemRegionsUnregister(mstxDomainHandle_t domain,
                                        mstxMemRegionsUnregisterBatch_t const *desc);

/* Bits of flags. SHARED: by several devices. */
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

/* Says what may be done with regions, in the place of what was said before. A new region may be
 * read and written. */
MSTX_DECL void mstxMemPermissionsAssign(mstxDomainHandle_t domain,
                                        mstxMemPermissionsAssignBatch_t const *desc);

/* What a tool stores for them. */
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

/* Included by itself, this header brings the rest. */
#include <mstx/ms_tools_ext.h>

#endif
