// SPDX-License-Identifier: Apache-2.0
// A region is unregistered twice by its handle.
// EXPECT: ERROR double-free: region R1 ... ended first by thread ...
// EXPECT:   is 0 byte(s) inside freed region R1 ... size 100
// EXPECT:   freed by thread ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, pool, range + 256, 100);
    end_handle(globalDomain, block);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
