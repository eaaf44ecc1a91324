// SPDX-License-Identifier: Apache-2.0
// A plain store behind a region: the checker is told not to notify ASan, and cannot see it itself.
// OPTIONS: --asan=0

#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range + 512, 100);
    volatile unsigned at = 512 + 104; // or the compiler knows that it is in the range
    range[at] = 1;
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
