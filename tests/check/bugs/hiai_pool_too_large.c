// SPDX-License-Identifier: Apache-2.0
// A pool is registered with twice the size of its block.
// EXPECT: ERROR heap-exceeds-memory: heap H2 [0x...,0x...) exceeds region R1 [0x...,0x...) by 65536 byte(s)
// EXPECT:   registered by thread
// EXPECT:     ... main .../hiai_pool_too_large.c:15
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_pool_too_large.c:14

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
