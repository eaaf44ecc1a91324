// SPDX-License-Identifier: Apache-2.0
// A halo exchange fills the row above the first row of a field.
// EXPECT: ERROR heap-underflow: write of 256 byte(s) at 0x... by aclrtMemset
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_pool_underflow.c:18
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pool_underflow.c:17

#include "check/support/acl_mstx.h"

enum { ROW = 256, ROWS = 8 };

int main(void) {
    char *memory = begin_acl(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    char *field = memory + 4096;
    mstxMemRegionHandle_t block = region(globalDomain, pool, field, ROW * ROWS);
    must(aclrtMemset(field - 64, ROW, 0, ROW));
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
