// SPDX-License-Identifier: Apache-2.0
// A region is unregistered by a handle that names no region.
// EXPECT: ERROR bad-handle: handle 0x... unregistered, but it names no region

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    end_handle(globalDomain, (mstxMemRegionHandle_t)(void *)range);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
