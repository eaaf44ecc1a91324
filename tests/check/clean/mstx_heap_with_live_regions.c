// SPDX-License-Identifier: Apache-2.0
// A heap that ends takes its regions with it, which the options state is intended.
// OPTIONS: --heap-exit-leaks=0

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    (void)region(globalDomain, pool, range, 512);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
