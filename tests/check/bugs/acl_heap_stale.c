// SPDX-License-Identifier: Apache-2.0
// The memory of a pool is freed before the pool is unregistered.
// EXPECT: WARN heap-stale: the memory of heap H1 [0x...,0x...) is freed before the heap ends
// EXPECT:   called by thread
// EXPECT:     ... main .../acl_heap_stale.c:19
// EXPECT:   registered by thread
// EXPECT:     ... main .../acl_heap_stale.c:18
// EXPECT: ERROR double-heap-unregister: heap H1 [0x...,0x...) unregistered again; it ended by thread ..., with the memory beneath it
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_heap_stale.c:20
// EXPECT:   registered by thread
// EXPECT:     ... main .../acl_heap_stale.c:18

#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    end_acl(memory);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
