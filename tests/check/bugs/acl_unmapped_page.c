// SPDX-License-Identifier: Apache-2.0
// An expandable segment gives back its only page, and a fill still uses the address.
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by aclrtMemset, in a mapping of 2097152 byte(s) at 0x... that was unmapped
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_unmapped_page.c:27
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_unmapped_page.c:23
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_unmapped_page.c:25

#include "check/support/acl.h"

int main(void) {
    const size_t bytes = 2 << 20;
    aclrtPhysicalMemProp prop = {0};
    aclrtDrvMemHandle page = NULL;
    void *base = NULL;
    open_device();
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    must(aclrtReserveMemAddress(&base, bytes, 0, NULL, 0));
    must(aclrtMallocPhysical(&page, bytes, &prop, 0));
    must(aclrtMapMem(base, bytes, 0, page, 0));
    must(aclrtMemset(base, bytes, 0, bytes));
    must(aclrtUnmapMem(base));
    must(aclrtFreePhysical(page));
    (void)aclrtMemset(base, bytes, 1, 64);
    must(aclrtReleaseMemAddress(base));
    close_device();
    return 0;
}
