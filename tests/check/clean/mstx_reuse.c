// SPDX-License-Identifier: Apache-2.0
// An address is handed out again and again.
// OPTIONS: --canary=16 --fill --host-ranges=auto

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    for (unsigned i = 0; i < 100; i++) {
        mstxMemRegionHandle_t block = region(globalDomain, pool, range + 256, 100 + i);
        memset(range + 256, 1, 100 + i);
        end_handle(globalDomain, block);
    }
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
