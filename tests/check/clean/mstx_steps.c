// SPDX-License-Identifier: Apache-2.0
// Each step gives back what it took.
// OPTIONS: --leaks=step

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    for (unsigned i = 0; i < 4; i++) {
        mstxRangeId step = mstxRangeStartA("step start", NULL);
        end_handle(globalDomain, region(globalDomain, pool, range + 512 * i, 100));
        mstxRangeEnd(step);
    }
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
