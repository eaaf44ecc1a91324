// SPDX-License-Identifier: Apache-2.0
// A pool is registered with twice the size of its memory. The block behind it is innocent.
// EXPECT: ERROR heap-exceeds-memory: heap H1 [0x...) exceeds the block of device memory [0x...)
// EXPECT:   registered by thread ...
// EXPECT:   allocated by thread ...
// EXPECT:     ... aclrtMalloc ...
// EXPECT: SUMMARY: 1 error(s), 0 warning(s)...

#include "check/support/acl_mstx.h"

enum { BYTES = 2 << 20, NEIGHBOURS = 8 };

int main(void) {
    char *memory = begin_acl(BYTES);
    void *neighbours[NEIGHBOURS];
    for (int i = 0; i < NEIGHBOURS; i++)
        must(aclrtMalloc(&neighbours[i], BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 2 * BYTES);
    mstxMemRegionHandle_t block = region(globalDomain, pool, memory, 4096);
    for (int i = 0; i < NEIGHBOURS; i++) must(aclrtMemset(neighbours[i], BYTES, 1, BYTES));
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    for (int i = 0; i < NEIGHBOURS; i++) must(aclrtFree(neighbours[i]));
    end_acl(memory);
    return 0;
}
