// SPDX-License-Identifier: Apache-2.0
// Permissions are assigned by an old handle whose address has a new owner.
// EXPECT: ERROR use-after-reuse: region R1 (generation 1) ... is now R2 (generation 2)

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, 4096);
    mstxMemRegionHandle_t old = region(globalDomain, pool, range, 64);
    end_handle(globalDomain, old);
    mstxMemRegionHandle_t new = region(globalDomain, pool, range, 64);
    permit(globalDomain, old, MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
    end_handle(globalDomain, new);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
