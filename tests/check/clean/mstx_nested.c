// SPDX-License-Identifier: Apache-2.0
// A pool in a block of another pool, ended inside out.

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t outer = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, outer, range + 4096, 4096);
    mstxMemHeapHandle_t inner = heap(globalDomain, range + 4096, 4096);
    mstxMemRegionHandle_t part = region(globalDomain, inner, range + 4096 + 64, 64);
    end_handle(globalDomain, part);
    mstxMemHeapUnregister(globalDomain, inner);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, outer);
    return 0;
}
