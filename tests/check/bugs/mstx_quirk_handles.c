// SPDX-License-Identifier: Apache-2.0
// A client in a quirk domain, where heaps and regions have no handles, releases both by handle, twice.
// Nothing says which region it means, so neither a wrong handle nor a leak is reported.
// EXPECT: NOTE leak: unknown in domain "ptaCaching": 2 region(s) were ended by handles, which a quirk domain has none of
// EXPECT: SUMMARY: 0 error(s), 0 warning(s), 0 byte(s) leaked in 0 region(s), 0 suppressed
// EXIT: 0

#include "check/support/mstx.h"

int main(void) {
    mstxDomainHandle_t domain = mstxDomainCreateA("ptaCaching");
    mstxMemHeapHandle_t pool = heap(domain, range, RANGE);
    mstxMemRegionHandle_t block = region(domain, pool, range, 512);
    for (int i = 0; i < 2; i++) {
        end_handle(domain, block);
        mstxMemHeapUnregister(domain, pool);
    }
    return 0;
}
