// SPDX-License-Identifier: Apache-2.0
// A region is unregistered twice by its address.
// EXPECT: ERROR double-free: region R1 ...
// EXPECT:   is 0 byte(s) inside freed region R1 ... size 100

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    region(globalDomain, pool, range + 256, 100);
    end_pointer(globalDomain, range + 256);
    end_pointer(globalDomain, range + 256);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
