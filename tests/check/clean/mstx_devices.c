// SPDX-License-Identifier: Apache-2.0
// Heaps of two devices have the same addresses.

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t one = heap_on(0, globalDomain, range, RANGE);
    mstxMemHeapHandle_t two = heap_on(1, globalDomain, range, RANGE);
    mstxMemRegionHandle_t a = region_on(0, globalDomain, one, range, 64);
    mstxMemRegionHandle_t b = region_on(1, globalDomain, two, range, 64);
    end_handle(globalDomain, b);
    end_handle(globalDomain, a);
    mstxMemHeapUnregister(globalDomain, two);
    mstxMemHeapUnregister(globalDomain, one);
    return 0;
}
