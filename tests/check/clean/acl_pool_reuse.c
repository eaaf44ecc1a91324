// SPDX-License-Identifier: Apache-2.0
// A caching allocator over AscendCL gives bytes to a new tensor, which is written before it is
// read.
#include "check/support/acl_mstx.h"

enum { BLOCK = 4096 };

int main(void) {
    static char out[BLOCK];
    char *memory = begin_acl(65536);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    for (int round = 0; round < 4; round++) {
        mstxMemRegionHandle_t tensor = region(globalDomain, pool, memory, BLOCK);
        must(aclrtMemset(memory, BLOCK, round, BLOCK));
        must(aclrtMemcpy(out, BLOCK, memory, BLOCK, ACL_MEMCPY_DEVICE_TO_HOST));
        end_handle(globalDomain, tensor);
    }
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
