// SPDX-License-Identifier: Apache-2.0
// A pool in memory of aclrtMalloc() places a block at a multiple of 32 only.
// EXPECT: ERROR placement-start: R... [0x...,+100) begins 32 byte(s) behind a multiple of 64, which its heap requires
// EXPECT:     ... main .../acl_placement_start.c:12
#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(4096);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 4096);
    mstxMemRegionHandle_t first = region(globalDomain, pool, memory, 33); /* needs 96 bytes */
    mstxMemRegionHandle_t second = region(globalDomain, pool, memory + 128, 1);
    mstxMemRegionHandle_t third = region(globalDomain, pool, memory + 224, 100);
    end_handle(globalDomain, first);
    end_handle(globalDomain, second);
    end_handle(globalDomain, third);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
