// SPDX-License-Identifier: Apache-2.0
// A fill lands in a part of a pool that was never handed out.
// EXPECT: ERROR unallocated-access: write of 1024 byte(s) at 0x... by aclrtMemset
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_pool_far.c:17
// EXPECT:   registered by thread
// EXPECT:     ... main .../acl_pool_far.c:15
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pool_far.c:16

#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(1 << 20);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 1 << 20);
    mstxMemRegionHandle_t block = region(globalDomain, pool, memory, 1024);
    must(aclrtMemset(memory + (512 << 10), 1024, 0, 1024));
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
