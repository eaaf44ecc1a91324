// SPDX-License-Identifier: Apache-2.0
// A region is live when the program ends.
// EXPECT: ERROR leak: 100 byte(s) in 1 region(s)
// EXPECT:   allocated by thread ...
// EXPECT: SUMMARY: 1 error(s), 0 warning(s), 100 byte(s) leaked in 1 region(s), 0 suppressed

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    (void)region(globalDomain, pool, range + 512, 100);
    (void)pool;
    return 0;
}
