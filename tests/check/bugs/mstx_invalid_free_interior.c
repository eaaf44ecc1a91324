// SPDX-License-Identifier: Apache-2.0
// An address inside a region is unregistered, not its start.
// EXPECT: ERROR invalid-free: ... 16 byte(s) inside region R1; not a region start
// EXPECT:   is 16 byte(s) inside region R1 ... size 100

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range + 256, 100);
    end_pointer(globalDomain, range + 256 + 16);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
