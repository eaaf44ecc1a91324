// SPDX-License-Identifier: Apache-2.0
// A plain store runs two bytes over the end of a region.
// OPTIONS: --canary=16 --host-ranges=auto
// EXPECT: ERROR redzone-damage: 2 byte(s) after region R1 ...
// EXPECT:   allocated by thread ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range + 512, 100);
    memset(range + 512, 0, 102);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
