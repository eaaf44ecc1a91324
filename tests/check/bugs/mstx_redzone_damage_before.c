// SPDX-License-Identifier: Apache-2.0
// A plain store begins one byte before a region.
// OPTIONS: --canary=16 --host-ranges=auto
// EXPECT: ERROR redzone-damage: 1 byte(s) before region R1 ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range + 512, 100);
    memset(range + 511, 0, 10);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
