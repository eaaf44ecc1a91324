// SPDX-License-Identifier: Apache-2.0
// Three pools lie inside each other, begin at the same address, and end from the inside out.
#include "check/support/acl_mstx.h"

enum { DEPTH = 3 };

int main(void) {
    mstxMemHeapHandle_t pools[DEPTH];
    mstxMemRegionHandle_t blocks[DEPTH];
    char *memory = begin_acl(65536);
    for (int i = 0; i < DEPTH; i++) {
        pools[i] = heap(globalDomain, memory, 65536 >> i);
        blocks[i] = region(globalDomain, pools[i], memory, 65536 >> (i + 1));
    }
    must(aclrtMemset(memory, 8192, 1, 8192));
    for (int i = DEPTH - 1; i >= 0; i--) {
        end_handle(globalDomain, blocks[i]);
        mstxMemHeapUnregister(globalDomain, pools[i]);
    }
    end_acl(memory);
    return 0;
}
