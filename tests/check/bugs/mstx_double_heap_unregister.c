// SPDX-License-Identifier: Apache-2.0
// A heap is unregistered twice.
// EXPECT: ERROR double-heap-unregister: ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemHeapUnregister(globalDomain, pool);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
