// SPDX-License-Identifier: Apache-2.0
// A range is divided, used and given back.
// OPTIONS: --canary=32 --host-ranges=auto --fill --unused=0

#include "check/support/mstx.h"

int main(void) {

    mstxDomainHandle_t domain = mstxDomainCreateA("weights");
    mstxMemHeapHandle_t pool = heap(domain, range, RANGE);
    mstxMemRegionHandle_t blocks[16];
    for (unsigned i = 0; i < 16; i++) {
        blocks[i] = region(domain, pool, range + 4096 * i, 100 + i);
        memset(range + 4096 * i, 1, 100 + i);
    }
    for (unsigned i = 0; i < 16; i++) end_handle(domain, blocks[i]);
    mstxMemHeapUnregister(domain, pool);
    mstxDomainDestroy(domain);
    return 0;
}
