// SPDX-License-Identifier: Apache-2.0
// A free-list pool puts a block into a gap that has room for its bytes, but not for its padding.
// EXPECT: ERROR placement-padding: the 120 byte(s) of R... [0x...,+120) need 160 (rounded up to 32, and 32 more), but the next live region begins at +128
// EXPECT:     ... main .../acl_placement_gap_too_small.c:14
// EXPECT:     ... main .../acl_placement_gap_too_small.c:12
#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(4096);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 4096);
    mstxMemRegionHandle_t gap = region(globalDomain, pool, memory + 128, 64);
    mstxMemRegionHandle_t last = region(globalDomain, pool, memory + 256, 64);
    end_handle(globalDomain, gap);
    mstxMemRegionHandle_t tight = region(globalDomain, pool, memory + 128, 120);
    end_handle(globalDomain, tight);
    end_handle(globalDomain, last);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
