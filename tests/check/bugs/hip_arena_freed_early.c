// SPDX-License-Identifier: Apache-2.0
// An arena lies over mapped host memory, which is freed while two objects of the arena are live.
// EXPECT: ERROR heap-stale: the memory of heap H1 [0x...,0x...) is freed before the heap ends, with 2 live region(s)
// EXPECT:   called by thread
// EXPECT:     ... main .../hip_arena_freed_early.c:19
// EXPECT:   registered by thread
// EXPECT:     ... main .../hip_arena_freed_early.c:16

#include "check/support/hip.h"
#include "check/support/mstx.h"

int main(void) {
    void *memory = NULL;
    must(hipHostMalloc(&memory, 65536, hipHostMallocMapped));
    char *base = memory;
    mstxMemHeapHandle_t arena = heap(globalDomain, base, 65536);
    (void)region(globalDomain, arena, base, 100);
    (void)region(globalDomain, arena, base + 512, 100);
    must(hipHostFree(memory));
    return 0;
}
