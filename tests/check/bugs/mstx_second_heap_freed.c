// SPDX-License-Identifier: Apache-2.0
// A pool is registered twice at the same range and ended three times.
// EXPECT: NOTE heap-duplicate: range of H1 registered again (count 2)
// EXPECT:   registered by thread
// EXPECT:     ... main .../mstx_second_heap_freed.c:20
// EXPECT:   registered by thread
// EXPECT:     ... main .../mstx_second_heap_freed.c:19
// EXPECT: ERROR double-heap-unregister: heap H1 [0x...,0x...) unregistered again; it ended by thread ...
// EXPECT:   freed by thread
// EXPECT:     ... main .../mstx_second_heap_freed.c:23
// EXPECT:   first freed by thread
// EXPECT:     ... main .../mstx_second_heap_freed.c:22
// EXPECT:   registered by thread
// EXPECT:     ... main .../mstx_second_heap_freed.c:19

#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemHeapHandle_t again = heap(globalDomain, range, RANGE);
    mstxMemHeapUnregister(globalDomain, again);
    mstxMemHeapUnregister(globalDomain, pool);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
