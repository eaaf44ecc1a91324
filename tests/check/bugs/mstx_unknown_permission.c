// SPDX-License-Identifier: Apache-2.0
// Permissions with a bit that means nothing are assigned.
// EXPECT: WARN unknown-permission: ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, 4096);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range, 64);
    permit(globalDomain, block, 0x10 | MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
