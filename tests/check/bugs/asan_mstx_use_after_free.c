// SPDX-License-Identifier: Apache-2.0
// A plain store to a region that has ended.
// EXPECT: ERROR: AddressSanitizer: use-after-poison
// EXPECT: WRITE of size 1

#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range + 512, 100);
    end_handle(globalDomain, block);
    volatile unsigned at = 512 + 8; // or the compiler knows that it is in the range
    range[at] = 1;
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
