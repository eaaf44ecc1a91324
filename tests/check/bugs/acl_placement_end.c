// SPDX-License-Identifier: Apache-2.0
// The last block of a pool fills memory of aclrtMallocAlign32(), which has no padding of its own.
// EXPECT: ERROR placement-padding: the 2048 byte(s) of R... [0x...,+2048) need 2080 (rounded up to 32, and 32 more), but the memory ends at +2048
// EXPECT:     ... main .../acl_placement_end.c:12
#include "check/support/acl_mstx.h"

int main(void) {
    void *memory = NULL;
    open_device();
    must(aclrtMallocAlign32(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 4096);
    mstxMemRegionHandle_t last = region(globalDomain, pool, (char *)memory + 2048, 2048);
    end_handle(globalDomain, last);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
