// SPDX-License-Identifier: Apache-2.0
// A range is divided, used, given back and used again.

#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range + 512, 100);
    memset(range + 512, 1, 100);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    memset(range, 1, RANGE);
    return 0;
}
