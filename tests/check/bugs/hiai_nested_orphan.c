// SPDX-License-Identifier: Apache-2.0
// A block is freed while a pool that divides it is registered.
// EXPECT: ERROR nested-heap-orphaned: region R1 ends with live heap H2 [0x...,0x...) in it
// EXPECT:   freed by thread
// EXPECT:     ... main .../hiai_nested_orphan.c:25
// EXPECT:   registered by thread
// EXPECT:     ... main .../hiai_nested_orphan.c:24
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_nested_orphan.c:23
// EXPECT: ERROR double-heap-unregister: heap H2 [0x...,0x...) unregistered again; it ended by thread ..., with the region around it
// EXPECT:   freed by thread
// EXPECT:     ... main .../hiai_nested_orphan.c:26
// EXPECT:   first freed by thread
// EXPECT:     ... main .../hiai_nested_orphan.c:25
// EXPECT:   registered by thread
// EXPECT:     ... main .../hiai_nested_orphan.c:24

#include "check/support/hiai.h"
#include "check/support/mstx.h"

int main(void) {
    begin();
    char *memory = take(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    must(HIAI_DFree(memory));
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
