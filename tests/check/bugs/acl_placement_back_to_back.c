// SPDX-License-Identifier: Apache-2.0
// Blocks lie back to back in memory of aclrtMalloc(): the first one has no padding behind it.
// EXPECT: ERROR placement-padding: the 1024 byte(s) of R... [0x...,+1024) need 1056 (rounded up to 32, and 32 more), but the next live region begins at +1024
// EXPECT: is 0 byte(s) inside region
// EXPECT: and 0 byte(s) after region
// EXPECT:     ... main .../acl_placement_back_to_back.c:14
// EXPECT:     ... main .../acl_placement_back_to_back.c:13
#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(4096);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 4096);
    mstxMemRegionHandle_t first = region(globalDomain, pool, memory, 1024);
    mstxMemRegionHandle_t second = region(globalDomain, pool, memory + 1024, 1024);
    end_handle(globalDomain, first);
    end_handle(globalDomain, second);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
