// SPDX-License-Identifier: Apache-2.0
// A block is freed while an inner pool that divides it is registered.
// EXPECT: ERROR nested-heap-orphaned: region R2 ends with live heap H2 [0x...,0x...) in it
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_nested_orphan.c:25
// EXPECT:   registered by thread
// EXPECT:     ... main .../acl_nested_orphan.c:24
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_nested_orphan.c:23
// EXPECT: ERROR double-heap-unregister: heap H2 [0x...,0x...) unregistered again; it ended by thread ..., with the region around it
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_nested_orphan.c:26
// EXPECT:   first freed by thread
// EXPECT:     ... main .../acl_nested_orphan.c:25
// EXPECT:   registered by thread
// EXPECT:     ... main .../acl_nested_orphan.c:24

#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    mstxMemRegionHandle_t block = region(globalDomain, pool, memory, 8192);
    mstxMemHeapHandle_t inner = heap(globalDomain, memory, 8192);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, inner);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
