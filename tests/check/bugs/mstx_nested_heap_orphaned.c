// SPDX-License-Identifier: Apache-2.0
// A block is freed while a pool inside it is alive.
// EXPECT: ERROR nested-heap-orphaned: region R1 ends with live heap H2 ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t outer = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, outer, range + 4096, 4096);
    (void)heap(globalDomain, range + 4096, 4096);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, outer);
    return 0;
}
