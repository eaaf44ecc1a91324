// SPDX-License-Identifier: Apache-2.0
// A caching allocator adds 32 bytes to each request, rounds it up to 512, and registers the request. It splits
// a block and reuses the halves.
#include "check/support/acl_mstx.h"

enum { POOL = 2 << 20, COUNT = 6 };

static uint64_t rounded(uint64_t bytes) { return (bytes + 32 + 511) / 512 * 512; }

int main(void) {
    static const uint64_t requests[COUNT] = {1000, 480, 481, 512, 1, 4096};
    void *memory = NULL;
    open_device();
    must(aclrtMallocAlign32(&memory, POOL, ACL_MEM_MALLOC_HUGE_FIRST));
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, POOL);
    for (int round = 0; round < 3; round++) {
        mstxMemRegionHandle_t blocks[COUNT];
        char *at = (char *)memory;
        for (int i = 0; i < COUNT; i++) {
            uint64_t bytes = requests[(i + round) % COUNT];
            blocks[i] = region(globalDomain, pool, at, bytes);
            must(aclrtMemset(at, bytes, i, bytes));
            at += rounded(bytes);
        }
        for (int i = 0; i < COUNT; i++) end_handle(globalDomain, blocks[i]);
    }
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
