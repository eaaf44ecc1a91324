// SPDX-License-Identifier: Apache-2.0
// An arena in memory of HIAI_DMalloc(), which has no rule, places tensors back to back, at odd addresses.
#include "check/support/hiai.h"
#include "check/support/mstx.h"

int main(void) {
    begin();
    char *block = take(4096);
    char *base = block;
    mstxMemHeapHandle_t arena = heap(globalDomain, base, 4096);
    for (int round = 0; round < 2; round++) {
        mstxMemRegionHandle_t first = region(globalDomain, arena, base, 1001);
        mstxMemRegionHandle_t second = region(globalDomain, arena, base + 1001, 3095);
        end_handle(globalDomain, first);
        end_handle(globalDomain, second);
    }
    mstxMemHeapUnregister(globalDomain, arena);
    must(HIAI_DFree(block));
    return 0;
}
