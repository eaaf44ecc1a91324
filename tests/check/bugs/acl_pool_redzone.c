// SPDX-License-Identifier: Apache-2.0
// The CPU writes one element too many to a block in pinned memory.
// OPTIONS: --canary=16 --host-ranges=auto
// EXPECT: ERROR redzone-damage: 4 byte(s) after region R2 changed before unregister: +0: 64 00 00 00 (expected fb)
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_pool_redzone.c:24
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pool_redzone.c:22
// EXPECT:   first freed by thread
// EXPECT:     ... main .../acl_pool_redzone.c:24

#include "check/support/acl_mstx.h"

enum { COUNT = 100 };

int main(void) {
    void *pinned = NULL;
    open_device();
    must(aclrtMallocHost(&pinned, 65536));
    int *values = pinned;
    mstxMemHeapHandle_t pool = heap(globalDomain, pinned, 65536);
    mstxMemRegionHandle_t block = region(globalDomain, pool, values, COUNT * sizeof *values);
    for (int i = 0; i <= COUNT; i++) values[i] = i;
    end_handle(globalDomain, block);
    mstxMemHeapUnregister(globalDomain, pool);
    must(aclrtFreeHost(pinned));
    close_device();
    return 0;
}
