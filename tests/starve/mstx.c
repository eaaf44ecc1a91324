// SPDX-License-Identifier: Apache-2.0
// The annotations of MSTX, delivered to the tool of tests/compat/mstx. A tool that cannot be loaded
// is as good as none, so every call succeeds or returns NULL.
#include <stdio.h>
#include <stdlib.h>

#include <mstx/ms_tools_ext.h>

#include "starve/support/round.h"

enum { POOL = 4096, PART = 256 };

static char memory[POOL];

void starve_provoke(void) {
}

enum starve_kind starve_round(void) {
    const mstxMemVirtualRangeDesc_t range = {0, memory, POOL};
    const mstxMemVirtualRangeDesc_t part = {0, memory, PART};
    const mstxMemHeapDesc_t heap = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR,
                                    MSTX_MEM_TYPE_VIRTUAL_ADDRESS, &range};
    mstxMemRegionHandle_t handle = NULL;
    mstxDomainHandle_t domain = mstxDomainCreateA("starve");
    mstxMemHeapHandle_t pool = mstxMemHeapRegister(domain, &heap);
    const mstxMemRegionsRegisterBatch_t taken = {pool, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 1, &part,
                                                 &handle};
    mstxMemRegionsRegister(domain, &taken);
    mstxMemRegionRef_t ref = {.refType = MSTX_MEM_REGION_REF_TYPE_HANDLE, .handle = handle};
    const mstxMemRegionsUnregisterBatch_t ended = {1, &ref};
    mstxMemRegionsUnregister(domain, &ended);
    mstxMemHeapUnregister(domain, pool);
    mstxDomainDestroy(domain);
    return STARVE_DONE;
}
