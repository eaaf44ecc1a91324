// SPDX-License-Identifier: Apache-2.0
// Blocks in pinned memory are written from their first to their last byte beside canaries.
// OPTIONS: --canary=16 --fill --host-ranges=auto
#include "check/support/acl_mstx.h"

int main(void) {
    void *pinned = NULL;
    open_device();
    must(aclrtMallocHost(&pinned, 65536));
    char *memory = pinned;
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    for (int round = 0; round < 3; round++) {
        mstxMemRegionHandle_t one = region(globalDomain, pool, memory, 100);
        mstxMemRegionHandle_t next = region(globalDomain, pool, memory + 100, 28);
        memset(memory, round, 128);
        end_handle(globalDomain, one);
        memset(memory + 100, round, 28);
        end_handle(globalDomain, next);
    }
    mstxMemHeapUnregister(globalDomain, pool);
    must(aclrtFreeHost(pinned));
    close_device();
    return 0;
}
