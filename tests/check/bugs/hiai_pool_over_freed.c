// SPDX-License-Identifier: Apache-2.0
// A pool is registered in a block that was freed.
// EXPECT: ERROR heap-in-free-memory: heap H2 [0x...,0x...) lies in no live region of heap H1 [0x...,0x...)
// EXPECT:   registered by thread
// EXPECT:     ... main .../hiai_pool_over_freed.c:16
// EXPECT:   registered by thread
// EXPECT:     ... main .../hiai_pool_over_freed.c:13

#include "check/support/hiai.h"
#include "check/support/mstx.h"

int main(void) {
    begin();
    char *memory = take(65536);
    must(HIAI_DFree(memory));
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
