// SPDX-License-Identifier: Apache-2.0
// An allocator gives the same block to two requests of different sizes.
// EXPECT: ERROR region-overlap: R2 [0x...,+300) overlaps live R1 by 256 byte(s); both begin at the same address
#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t small = region(globalDomain, pool, range, 256);
    mstxMemRegionHandle_t large = region(globalDomain, pool, range, 300);
    end_handle(globalDomain, large);
    end_handle(globalDomain, small);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
