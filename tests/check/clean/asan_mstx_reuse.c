// SPDX-License-Identifier: Apache-2.0
// Regions that overlap, come and go, and a range that is ordinary memory again: ASan, which the
// checker tells, has nothing to say.
// OPTIONS: --overlap=off

#include "check/support/mstx.h"

int main(void) {
    for (int round = 0; round < 3; round++) {
        mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
        mstxMemRegionHandle_t whole = region(globalDomain, pool, range, 1024);
        mstxMemRegionHandle_t part = region(globalDomain, pool, range + 512, 1024);
        memset(range, round, 1536);
        end_handle(globalDomain, whole);
        memset(range + 512, round, 1024);
        end_handle(globalDomain, part);
        mstxMemHeapUnregister(globalDomain, pool);
        memset(range, 0, RANGE);
    }
    return 0;
}
