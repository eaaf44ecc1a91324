// SPDX-License-Identifier: Apache-2.0
// A plain store changes bytes of a region that has ended.
// OPTIONS: --fill --host-ranges=auto
// EXPECT: ERROR write-after-free: ... changed while free ... region R1 ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range + 512, 100);
    end_handle(globalDomain, block);
    range[512 + 16] = 1;
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
