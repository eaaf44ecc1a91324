// SPDX-License-Identifier: Apache-2.0
// A pool is registered with twice the size of its block.
// EXPECT: ERROR heap-in-free-memory: heap H2 [0x...,0x...) lies in no live region of heap H1 [0x...,0x...)
// EXPECT:   registered by thread
// EXPECT:     ... main .../hiai_pool_too_large.c:15
// EXPECT:   registered by thread
// EXPECT:     ... main .../hiai_pool_too_large.c:13

#include "check/support/hiai.h"
#include "check/support/mstx.h"

int main(void) {
    begin();
    char *memory = take(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 131072);
    mstxMemHeapUnregister(globalDomain, pool);
    must(HIAI_DFree(memory));
    return 0;
}
