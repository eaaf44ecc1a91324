// SPDX-License-Identifier: Apache-2.0
// A pool of tensors divides a block. Its first tensor begins where the block begins.

#include "check/support/hiai.h"
#include "check/support/mstx.h"

int main(void) {
    begin();
    for (int round = 0; round < 3; round++) {
        char *memory = take(65536);
        mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
        (void)region(globalDomain, pool, memory, 1000);
        mstxMemRegionHandle_t second = region(globalDomain, pool, memory + 1024, 1000);
        memset(memory, 1, 2024);
        end_pointer(globalDomain, memory);
        end_handle(globalDomain, second);
        mstxMemHeapUnregister(globalDomain, pool);
        must(HIAI_DFree(memory));
    }
    return 0;
}
