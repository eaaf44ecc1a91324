// SPDX-License-Identifier: Apache-2.0
// A tensor goes back to a caching allocator, and a copy on a stream still reads it.
// EXPECT: ERROR use-after-free: read of 1024 byte(s) at 0x... by aclrtMemcpy
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_pool_use_after_free.c:20
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pool_use_after_free.c:17
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_pool_use_after_free.c:19

#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(65536);
    static char out[1024];
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    mstxMemRegionHandle_t tensor = region(globalDomain, pool, memory + 512, 1024);
    must(aclrtMemset(memory + 512, 1024, 0, 1024));
    end_handle(globalDomain, tensor);
    must(aclrtMemcpy(out, sizeof out, memory + 512, 1024, ACL_MEMCPY_DEVICE_TO_HOST));
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
