// SPDX-License-Identifier: Apache-2.0
// A heap ends with a live region in it, which the option --heap-exit-leaks reports.
// OPTIONS: --heap-exit-leaks
// EXPECT: NOTE leak-in-heap: heap H1 ends with 100 byte(s) in 1 region(s)

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    (void)region(globalDomain, pool, range + 512, 100);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
