// SPDX-License-Identifier: Apache-2.0
// The example that MSTX's users start from, in what C11 and C++17 have in common: a pool, a part of
// it in use, and the end of both. Returns whether the tool, if any, gave handles for all of them.
#pragma once

#include <mstx/ms_tools_ext.h>

static inline int run_example(void *gm, uint32_t device) {
    mstxMemVirtualRangeDesc_t range = {device, gm, 1024};
    mstxMemHeapDesc_t heap_desc = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR,
                                   MSTX_MEM_TYPE_VIRTUAL_ADDRESS, &range};
    mstxMemHeapHandle_t pool = mstxMemHeapRegister(globalDomain, &heap_desc);

    mstxMemVirtualRangeDesc_t part[1] = {{device, gm, 256}};
    mstxMemRegionHandle_t handles[1] = {NULL};
    mstxMemRegionsRegisterBatch_t batch = {pool, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 1, part, handles};
    mstxMemRegionsRegister(globalDomain, &batch);
    int given = pool != NULL && handles[0] != NULL;

    mstxMemRegionRef_t ref[1];
    ref[0].refType = MSTX_MEM_REGION_REF_TYPE_HANDLE;
    ref[0].handle = handles[0];
    mstxMemPermissionsAssignRegionsDesc_t rights[1];
    rights[0].flags = MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ;
    rights[0].region = ref[0];
    mstxMemPermissionsAssignBatch_t assign = {1, rights};
    mstxMemPermissionsAssign(globalDomain, &assign);

    mstxMemRegionsUnregisterBatch_t end = {1, ref};
    mstxMemRegionsUnregister(globalDomain, &end);
    mstxMemHeapUnregister(globalDomain, pool);
    return given;
}
