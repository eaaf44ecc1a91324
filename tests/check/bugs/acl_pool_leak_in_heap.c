// SPDX-License-Identifier: Apache-2.0
// A pool is torn down while an activation is still live.
// EXPECT: ERROR leak-in-heap: heap H1 ends with 3000 byte(s) in 1 region(s)
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_pool_leak_in_heap.c:17
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pool_leak_in_heap.c:15

#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    mstxMemRegionHandle_t freed = region(globalDomain, pool, memory, 1000);
    (void)region(globalDomain, pool, memory + 4096, 3000);
    end_handle(globalDomain, freed);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
