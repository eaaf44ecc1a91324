// SPDX-License-Identifier: Apache-2.0
// A pool is registered for a device that does not exist. Its blocks may be used all the same.
// EXPECT: ERROR device-mismatch: heap H1 [0x...) is of device 7, which does not exist; there are 1
// EXPECT: SUMMARY: 1 error(s), 0 warning(s)...

#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(65536);
    mstxMemHeapHandle_t pool = heap_on(7, globalDomain, memory, 65536);
    mstxMemRegionHandle_t block = region_on(0, globalDomain, pool, memory, 4096);
    must(aclrtMemset(memory, 4096, 1, 4096));
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
