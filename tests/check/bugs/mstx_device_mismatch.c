// SPDX-License-Identifier: Apache-2.0
// A region names another device than its heap.
// EXPECT: WARN device-mismatch: ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap_on(0, globalDomain, range, 4096);
    mstxMemRegionHandle_t block = region_on(1, globalDomain, pool, range, 64);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
