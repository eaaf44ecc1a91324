// SPDX-License-Identifier: Apache-2.0
// A prefix that sequences share is read-only, and one of them appends to it.
// EXPECT: ERROR permission-violation: write of 64 byte(s) at 0x... to R2 which is READ only
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_pool_read_only.c:19
// EXPECT:   permission assigned by thread
// EXPECT:     ... main .../acl_pool_read_only.c:18
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pool_read_only.c:16

#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    mstxMemRegionHandle_t prefix = region(globalDomain, pool, memory, 4096);
    must(aclrtMemset(memory, 4096, 1, 4096));
    permit(globalDomain, prefix, MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
    must(aclrtMemset(memory + 2048, 64, 2, 64));
    end_handle(globalDomain, prefix);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
