/* SPDX-License-Identifier: Apache-2.0 */
/* What programs that annotate by MSTX alone have in common: the calls with their descriptors filled
 * in, and a range to divide. */
#ifndef CHECK_SUPPORT_MSTX_H
#define CHECK_SUPPORT_MSTX_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mstx/ms_tools_ext.h>

#ifndef UNUSED
#define UNUSED __attribute__((unused))
#endif

enum { RANGE = 65536, DEVICE = 0 };
static UNUSED _Alignas(4096) char range[RANGE];

UNUSED static mstxMemHeapHandle_t heap_on(uint32_t device, mstxDomainHandle_t domain,
                                          const void *ptr, uint64_t size) {
    mstxMemVirtualRangeDesc_t all = {device, ptr, size};
    mstxMemHeapDesc_t desc = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR, MSTX_MEM_TYPE_VIRTUAL_ADDRESS,
                              &all};
    return mstxMemHeapRegister(domain, &desc);
}

UNUSED static mstxMemHeapHandle_t heap(mstxDomainHandle_t domain, const void *ptr, uint64_t size) {
    return heap_on(DEVICE, domain, ptr, size);
}

UNUSED static mstxMemRegionHandle_t region_on(uint32_t device, mstxDomainHandle_t domain,
                                              mstxMemHeapHandle_t in, const void *ptr,
                                              uint64_t size) {
    mstxMemVirtualRangeDesc_t part = {device, ptr, size};
    mstxMemRegionHandle_t handle = NULL;
    mstxMemRegionsRegisterBatch_t batch = {in, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 1, &part, &handle};
    mstxMemRegionsRegister(domain, &batch);
    return handle;
}

UNUSED static mstxMemRegionHandle_t region(mstxDomainHandle_t domain, mstxMemHeapHandle_t in,
                                           const void *ptr, uint64_t size) {
    return region_on(DEVICE, domain, in, ptr, size);
}

UNUSED static void end_handle(mstxDomainHandle_t domain, mstxMemRegionHandle_t handle) {
    mstxMemRegionRef_t ref;
    mstxMemRegionsUnregisterBatch_t batch = {1, &ref};
    ref.refType = MSTX_MEM_REGION_REF_TYPE_HANDLE;
    ref.handle = handle;
    mstxMemRegionsUnregister(domain, &batch);
}

UNUSED static void end_pointer(mstxDomainHandle_t domain, const void *ptr) {
    mstxMemRegionRef_t ref;
    mstxMemRegionsUnregisterBatch_t batch = {1, &ref};
    ref.refType = MSTX_MEM_REGION_REF_TYPE_POINTER;
    ref.pointer = ptr;
    mstxMemRegionsUnregister(domain, &batch);
}

UNUSED static void permit(mstxDomainHandle_t domain, mstxMemRegionHandle_t handle, uint32_t flags) {
    mstxMemPermissionsAssignRegionsDesc_t one;
    mstxMemPermissionsAssignBatch_t batch = {1, &one};
    one.flags = flags;
    one.region.refType = MSTX_MEM_REGION_REF_TYPE_HANDLE;
    one.region.handle = handle;
    mstxMemPermissionsAssign(domain, &batch);
}

#endif
