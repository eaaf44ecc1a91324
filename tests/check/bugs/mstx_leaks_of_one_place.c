// SPDX-License-Identifier: Apache-2.0
// Three regions of one place are live at the end: one report.
// EXPECT: ERROR leak: 300 byte(s) in 3 region(s)
// EXPECT: SUMMARY: 1 error(s), 0 warning(s), 300 byte(s) leaked in 3 region(s), 0 suppressed

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    for (unsigned i = 0; i < 3; i++) (void)region(globalDomain, pool, range + 512 * i, 100);
    return 0;
}
