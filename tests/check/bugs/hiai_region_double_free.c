// SPDX-License-Identifier: Apache-2.0
// A tensor of a pool in a block is ended twice.
// EXPECT: ERROR double-free: region R2 [0x...,+1000) unregistered again; ended first by thread ...
// EXPECT:   freed by thread
// EXPECT:     ... main .../hiai_region_double_free.c:20
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_region_double_free.c:18
// EXPECT:   first freed by thread
// EXPECT:     ... main .../hiai_region_double_free.c:19

#include "check/support/hiai.h"
#include "check/support/mstx.h"

int main(void) {
    begin();
    char *memory = take(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    (void)region(globalDomain, pool, memory, 1000);
    end_pointer(globalDomain, memory);
    end_pointer(globalDomain, memory);
    mstxMemHeapUnregister(globalDomain, pool);
    must(HIAI_DFree(memory));
    return 0;
}
