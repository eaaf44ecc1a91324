// SPDX-License-Identifier: Apache-2.0
// The last tensor of a pool exceeds it.
// EXPECT: ERROR region-out-of-heap: R2 [0x...,+1024) exceeds heap H2 end 0x... by 512 byte(s)
// EXPECT:   registered by thread
// EXPECT:     ... main .../hiai_region_out_of_pool.c:18
// EXPECT:   registered by thread
// EXPECT:     ... main .../hiai_region_out_of_pool.c:17
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_region_out_of_pool.c:18

#include "check/support/hiai.h"
#include "check/support/mstx.h"

int main(void) {
    begin();
    char *memory = take(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    mstxMemRegionHandle_t tensor = region(globalDomain, pool, memory + 65024, 1024);
    end_handle(globalDomain, tensor);
    mstxMemHeapUnregister(globalDomain, pool);
    must(HIAI_DFree(memory));
    return 0;
}
