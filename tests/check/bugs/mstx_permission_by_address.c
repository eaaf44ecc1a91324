// SPDX-License-Identifier: Apache-2.0
// A right is assigned to a tensor that was ended by its address.
// EXPECT: ERROR bad-handle: region R1 [0x...,+100) given permissions after its end
// EXPECT:   called by thread
// EXPECT:     ... main .../mstx_permission_by_address.c:17
// EXPECT:   allocated by thread
// EXPECT:     ... main .../mstx_permission_by_address.c:15
// EXPECT:   freed by thread
// EXPECT:     ... main .../mstx_permission_by_address.c:16

#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t tensor = region(globalDomain, pool, range, 100);
    end_pointer(globalDomain, range);
    permit(globalDomain, tensor, MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
