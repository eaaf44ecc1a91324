// SPDX-License-Identifier: Apache-2.0
// Ascend 950 needs no padding: blocks of whole multiples of 64 lie back to back, up to the end.
#include "check/support/acl_mstx.h"

enum { COUNT = 4, BLOCK = 1024 };

int main(void) {
    mstxMemRegionHandle_t blocks[COUNT];
    (void)setenv("TARN_ACL_PADDING", "0", 1);
    char *memory = begin_acl(COUNT * BLOCK);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, COUNT * BLOCK);
    for (int i = 0; i < COUNT; i++)
        blocks[i] = region(globalDomain, pool, memory + BLOCK * i, BLOCK);
    for (int i = 0; i < COUNT; i++) end_handle(globalDomain, blocks[i]);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
