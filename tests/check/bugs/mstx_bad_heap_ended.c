// SPDX-License-Identifier: Apache-2.0
// Regions are registered in a heap that was unregistered.
// EXPECT: ERROR bad-heap: ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemHeapUnregister(globalDomain, pool);
    region(globalDomain, pool, range, 64);
    return 0;
}
