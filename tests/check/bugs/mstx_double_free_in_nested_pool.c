// SPDX-License-Identifier: Apache-2.0
// The first tensor of an inner pool begins where the block of the inner pool begins. It is ended twice
// by its address: the second end is not one of the block.
// EXPECT: ERROR double-free: region R2 [0x...,+100) unregistered again; ended first by thread ...
// EXPECT:   freed by thread
// EXPECT:     ... main .../mstx_double_free_in_nested_pool.c:21
// EXPECT:   allocated by thread
// EXPECT:     ... main .../mstx_double_free_in_nested_pool.c:19
// EXPECT:   first freed by thread
// EXPECT:     ... main .../mstx_double_free_in_nested_pool.c:20

#include "check/support/mstx.h"

int main(void) {
    mstxDomainHandle_t inside = mstxDomainCreateA("inside");
    mstxMemHeapHandle_t outer = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t block = region(globalDomain, outer, range, 8192);
    mstxMemHeapHandle_t inner = heap(inside, range, 8192);
    (void)region(inside, inner, range, 100);
    end_pointer(inside, range);
    end_pointer(inside, range);
    mstxMemHeapUnregister(inside, inner);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, outer);
    return 0;
}
