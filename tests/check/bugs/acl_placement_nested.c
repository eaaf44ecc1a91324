// SPDX-License-Identifier: Apache-2.0
// A pool in a block of another pool divides it without padding.
// EXPECT: ERROR placement-padding: the 64 byte(s) of R... [0x...,+64) need 96 (rounded up to 32, and 32 more), but the next live region begins at +64
// EXPECT:     ... main .../acl_placement_nested.c:13
#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(65536);
    mstxMemHeapHandle_t outer = heap(globalDomain, memory, 65536);
    mstxMemRegionHandle_t block = region(globalDomain, outer, memory + 4096, 4096);
    mstxMemHeapHandle_t inner = heap(globalDomain, memory + 4096, 4096);
    mstxMemRegionHandle_t parts[2];
    for (int i = 0; i < 2; i++) parts[i] = region(globalDomain, inner, memory + 4096 + 64 * i, 64);
    for (int i = 0; i < 2; i++) end_handle(globalDomain, parts[i]);
    mstxMemHeapUnregister(globalDomain, inner);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, outer);
    end_acl(memory);
    return 0;
}
