// SPDX-License-Identifier: Apache-2.0
// A pool of tensors divides a block, and ends while a tensor is live.
// EXPECT: ERROR leak-in-heap: heap H2 ends with 1000 byte(s) in 1 region(s)
// EXPECT:   freed by thread
// EXPECT:     ... main .../hiai_pool_leak_in_heap.c:17
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_pool_leak_in_heap.c:16

#include "check/support/hiai.h"
#include "check/support/mstx.h"

int main(void) {
    begin();
    char *memory = take(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    (void)region(globalDomain, pool, memory, 1000);
    mstxMemHeapUnregister(globalDomain, pool);
    must(HIAI_DFree(memory));
    return 0;
}
