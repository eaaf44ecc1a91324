// SPDX-License-Identifier: Apache-2.0
// Overlapping regions are warnings on request.
// OPTIONS: --overlap=warn
// EXPECT: WARN region-overlap: R2 [0x...,+512) overlaps live R1 by 256 byte(s)
#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t one = region(globalDomain, pool, range, 512);
    mstxMemRegionHandle_t two = region(globalDomain, pool, range + 256, 512);
    end_handle(globalDomain, two);
    end_handle(globalDomain, one);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
