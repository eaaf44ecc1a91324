// SPDX-License-Identifier: Apache-2.0
// A tensor of a caching allocator is cleared with the rounded size of its block.
// EXPECT: ERROR heap-overflow: write of 1024 byte(s) at 0x..., wrong from 0x... on by aclrtMemset
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_pool_overflow.c:15
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pool_overflow.c:14

#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    mstxMemRegionHandle_t tensor = region(globalDomain, pool, memory + 512, 1000);
    must(aclrtMemset(memory + 512, 1024, 0, 1024));
    end_handle(globalDomain, tensor);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
