// SPDX-License-Identifier: Apache-2.0
// A region ends beyond the last address.
// EXPECT: ERROR bad-argument: ...

#include "check/support/mstx.h"

int main(void) {

    mstxMemHeapHandle_t pool = heap(globalDomain, range, 4096);
    (void)region(globalDomain, pool, range, UINT64_MAX - 16);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
