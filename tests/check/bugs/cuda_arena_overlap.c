// SPDX-License-Identifier: Apache-2.0
// An arena in memory of cudaMalloc() rounds the size of a tensor down before it places the next one.
// EXPECT: ERROR region-overlap: R... [0x...,+256) overlaps live R... by 232 byte(s)
// EXPECT:     ... main .../cuda_arena_overlap.c:
#include "check/support/cuda.h"
#include "check/support/mstx.h"

int main(void) {
    void *block = NULL;
    must(cudaMalloc(&block, 65536));
    char *base = block;
    mstxMemHeapHandle_t arena = heap(globalDomain, base, 65536);
    mstxMemRegionHandle_t first = region(globalDomain, arena, base, 1000);
    mstxMemRegionHandle_t second = region(globalDomain, arena, base + 1000 / 256 * 256, 256);
    end_handle(globalDomain, first);
    end_handle(globalDomain, second);
    mstxMemHeapUnregister(globalDomain, arena);
    must(cudaFree(block));
    return 0;
}
