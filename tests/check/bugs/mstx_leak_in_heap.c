// SPDX-License-Identifier: Apache-2.0
// A heap ends with live regions in it.
// EXPECT: ERROR leak-in-heap: heap H1 ends with 300 byte(s) in 2 region(s)
// EXPECT:   allocated by thread ...
// EXPECT: SUMMARY: 1 error(s), 0 warning(s), 300 byte(s) leaked in 2 region(s)

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    for (int i = 1; i <= 2; i++) (void)region(globalDomain, pool, range + 512 * i, 100 * (size_t)i);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
