// SPDX-License-Identifier: Apache-2.0
// In-place operators register one tensor twice.

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t in = region(globalDomain, pool, range, 512);
    mstxMemRegionHandle_t out = region(globalDomain, pool, range, 512);
    end_handle(globalDomain, in);
    end_handle(globalDomain, out);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
