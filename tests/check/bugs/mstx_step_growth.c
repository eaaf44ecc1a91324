// SPDX-License-Identifier: Apache-2.0
// Every step keeps one region more.
// OPTIONS: --leaks=step
// EXPECT: WARN step-growth: ... allocated in step ... still live after step ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t kept[4];
    for (unsigned i = 0; i < 4; i++) {
        mstxRangeId step = mstxRangeStartA("step start", NULL);
        kept[i] = region(globalDomain, pool, range + 512 * i, 100);
        mstxRangeEnd(step);
    }
    for (unsigned i = 0; i < 4; i++) end_handle(globalDomain, kept[i]);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
