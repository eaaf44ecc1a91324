// SPDX-License-Identifier: Apache-2.0
// Permissions are assigned as they are meant.

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range, 64);
    permit(globalDomain, block, MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
    permit(globalDomain, block,
           MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ | MSTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE |
               MSTX_MEM_PERMISSIONS_REGION_FLAGS_SHARED);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
