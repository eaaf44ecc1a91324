// SPDX-License-Identifier: Apache-2.0
// A region sticks out of its heap by 256 bytes.
// EXPECT: ERROR region-out-of-heap: R1 ... exceeds heap H1 end 0x... by 256 byte(s)

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, 4096);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range + 4096 - 256, 512);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
