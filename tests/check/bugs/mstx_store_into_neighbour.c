// SPDX-License-Identifier: Apache-2.0
// A string is stored with its terminator into a block without room for it.
// OPTIONS: --canary=8 --host-ranges=auto
// EXPECT: ERROR redzone-damage: 1 byte(s) after region R1 changed before unregister: +0: 00 (expected fb)
// EXPECT:   freed by thread
// EXPECT:     ... main .../mstx_store_into_neighbour.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../mstx_store_into_neighbour.c:16
// EXPECT:   first freed by thread
// EXPECT:     ... main .../mstx_store_into_neighbour.c:19

#include "check/support/mstx.h"

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t name = region(globalDomain, pool, range, 8);
    mstxMemRegionHandle_t next = region(globalDomain, pool, range + 64, 8);
    memcpy(range, "layer_01", 9);
    end_handle(globalDomain, name);
    end_handle(globalDomain, next);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
