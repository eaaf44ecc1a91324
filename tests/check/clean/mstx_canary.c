// SPDX-License-Identifier: Apache-2.0
// Tensors that touch each other are written completely, in any order of their beginning and end.
// OPTIONS: --canary=16 --fill --host-ranges=auto

#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    for (int i = 0; i < 4; i++) {
        mstxMemRegionHandle_t middle = region(globalDomain, pool, range + 64, 64);
        mstxMemRegionHandle_t low = region(globalDomain, pool, range, 64);
        mstxMemRegionHandle_t high = region(globalDomain, pool, range + 128, 64);
        memset(range, i, 192);
        end_handle(globalDomain, middle);
        memset(range, i, 64);
        memset(range + 128, i, 64);
        end_handle(globalDomain, low);
        end_handle(globalDomain, high);
    }
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
