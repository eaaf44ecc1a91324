// SPDX-License-Identifier: Apache-2.0
// Keys and values of a KV cache are copied at once, since the pool placed them side by side.
// OPTIONS: --placement=0
// EXPECT: ERROR cross-region-copy: aclrtMemcpy of 8192 byte(s) at 0x... runs from R2 (size 4096) into R3 (size 4096)
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_pool_cross.c:24
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pool_cross.c:20
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pool_cross.c:21

#include "check/support/acl_mstx.h"

enum { BLOCK = 4096 };

int main(void) {
    char *memory = begin_acl(65536);
    static char out[2 * BLOCK];
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    mstxMemRegionHandle_t keys = region(globalDomain, pool, memory, BLOCK);
    mstxMemRegionHandle_t values = region(globalDomain, pool, memory + BLOCK, BLOCK);
    must(aclrtMemset(memory, BLOCK, 0, BLOCK));
    must(aclrtMemset(memory + BLOCK, BLOCK, 0, BLOCK));
    must(aclrtMemcpy(out, sizeof out, memory, 2 * BLOCK, ACL_MEMCPY_DEVICE_TO_HOST));
    end_handle(globalDomain, keys);
    end_handle(globalDomain, values);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
