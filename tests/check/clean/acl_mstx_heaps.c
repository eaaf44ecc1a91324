// SPDX-License-Identifier: Apache-2.0
// Pools over memory that exists: a complete block, a part of one, the same place after a free and an
// allocation, a pool in a block of a pool, memory of the program, pinned memory, and an unknown device.
#include "check/support/acl_mstx.h"

enum { BYTES = 65536 };

static void use_pool(uint32_t device, char *memory, size_t bytes) {
    mstxMemHeapHandle_t pool = heap_on(device, globalDomain, memory, bytes);
    mstxMemRegionHandle_t block = region_on(device, globalDomain, pool, memory, bytes / 2);
    mstxMemHeapHandle_t inner = heap_on(device, globalDomain, memory + 64, bytes / 4);
    mstxMemHeapUnregister(globalDomain, inner);
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
}

int main(void) {
    static char own[BYTES];
    char *memory = begin_acl(BYTES);
    void *pinned = NULL;
    for (int i = 0; i < 16; i++) {
        use_pool(0, memory, BYTES);
        use_pool(UINT32_MAX, memory, BYTES);
        use_pool(0, memory + 4096, BYTES / 2);
        must(aclrtFree(memory));
        void *again = NULL;
        must(aclrtMalloc(&again, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
        memory = again;
    }
    use_pool(0, own, sizeof own);
    use_pool(7, own, sizeof own);
    must(aclrtMallocHost(&pinned, BYTES));
    use_pool(0, pinned, BYTES);
    must(aclrtFreeHost(pinned));
    end_acl(memory);
    return 0;
}
