// SPDX-License-Identifier: Apache-2.0
// Permissions are assigned to a region that has ended.
// EXPECT: ERROR bad-handle: region R1 ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, 4096);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range, 64);
    end_handle(globalDomain, block);
    permit(globalDomain, block, MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
