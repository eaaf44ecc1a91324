// SPDX-License-Identifier: Apache-2.0
// Two regions overlap in part.
// EXPECT: ERROR region-overlap: R2 ... overlaps live R1

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, 4096);
    mstxMemRegionHandle_t one = region(globalDomain, pool, range, 512);
    mstxMemRegionHandle_t two = region(globalDomain, pool, range + 256, 512);
    end_handle(globalDomain, two);
    end_handle(globalDomain, one);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
