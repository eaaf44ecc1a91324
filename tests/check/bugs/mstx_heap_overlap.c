// SPDX-License-Identifier: Apache-2.0
// Two heaps overlap in part.
// EXPECT: ERROR heap-overlap: heap H2 ... heap H1 ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t one = heap(globalDomain, range, 4096);
    mstxMemHeapHandle_t two = heap(globalDomain, range + 2048, 4096);
    mstxMemHeapUnregister(globalDomain, two);
    mstxMemHeapUnregister(globalDomain, one);
    return 0;
}
