// SPDX-License-Identifier: Apache-2.0
// In a program that runs on the device, memory of aclrtMallocHost() is device memory, which needs padding.
// EXPECT: ERROR placement-padding: the 64 byte(s) of R... [0x...,+64) need 96 (rounded up to 32, and 32 more), but the next live region begins at +64
// EXPECT:     ... main .../acl_placement_of_host.c:14
#include "check/support/acl_mstx.h"

int main(void) {
    void *memory = NULL;
    (void)setenv("TARN_ACL_MODE", "RC", 1);
    open_device();
    must(aclrtMallocHost(&memory, 4096));
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 4096);
    mstxMemRegionHandle_t second = region(globalDomain, pool, (char *)memory + 64, 64);
    mstxMemRegionHandle_t first = region(globalDomain, pool, memory, 64);
    end_handle(globalDomain, first);
    end_handle(globalDomain, second);
    mstxMemHeapUnregister(globalDomain, pool);
    must(aclrtFreeHost(memory));
    close_device();
    return 0;
}
