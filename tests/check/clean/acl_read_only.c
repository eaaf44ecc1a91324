// SPDX-License-Identifier: Apache-2.0
// A shared prefix is read-only while sequences read it, and writable again before it is extended.
#include "check/support/acl_mstx.h"

int main(void) {
    static char out[4096];
    const uint32_t reads = MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ;
    char *memory = begin_acl(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    mstxMemRegionHandle_t prefix = region(globalDomain, pool, memory, 4096);
    must(aclrtMemset(memory, 4096, 1, 4096));
    permit(globalDomain, prefix, reads);
    must(aclrtMemcpy(out, sizeof out, memory, 4096, ACL_MEMCPY_DEVICE_TO_HOST));
    permit(globalDomain, prefix, reads | MSTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE);
    must(aclrtMemset(memory + 2048, 64, 2, 64));
    end_handle(globalDomain, prefix);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
