// SPDX-License-Identifier: Apache-2.0
// A heap is unregistered by a handle that names no heap.
// EXPECT: ERROR bad-handle: ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemHeapUnregister(globalDomain, (mstxMemHeapHandle_t)(void *)range);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
