// SPDX-License-Identifier: Apache-2.0
// The same range is registered as a heap twice.
// EXPECT: NOTE heap-duplicate: range of H1 registered again (count 2)

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t one = heap(globalDomain, range, 4096);
    mstxMemHeapHandle_t two = heap(globalDomain, range, 4096);
    mstxMemHeapUnregister(globalDomain, two);
    mstxMemHeapUnregister(globalDomain, one);
    return 0;
}
