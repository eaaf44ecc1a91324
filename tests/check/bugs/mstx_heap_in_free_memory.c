// SPDX-License-Identifier: Apache-2.0
// A pool is made in memory of another pool that was never handed out.
// EXPECT: ERROR heap-in-free-memory: heap H2 ... heap H1 ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t outer = heap(globalDomain, range, RANGE);
    mstxMemHeapHandle_t inner = heap(globalDomain, range + 4096, 4096);
    mstxMemHeapUnregister(globalDomain, inner);
    mstxMemHeapUnregister(globalDomain, outer);
    return 0;
}
