// SPDX-License-Identifier: Apache-2.0
// Physical memory is freed before it is mapped.
// EXPECT: ERROR bad-handle: aclrtMapMem with 0x..., which was released
// EXPECT:     ... main .../acl_phys_released.c:
// EXPECT:   freed by thread

#include "check/support/acl.h"

enum { PAGE = 2 << 20 };

int main(void) {
    aclrtPhysicalMemProp prop = {.memAttr = ACL_HBM_MEM_HUGE,
                                 .location = {0, ACL_MEM_LOCATION_TYPE_DEVICE}};
    aclrtDrvMemHandle handle = NULL;
    void *base = NULL;
    open_device();
    must(aclrtReserveMemAddress(&base, PAGE, 0, NULL, 1));
    must(aclrtMallocPhysical(&handle, PAGE, &prop, 0));
    must(aclrtFreePhysical(handle));
    (void)aclrtMapMem(base, PAGE, 0, handle, 0);
    must(aclrtReleaseMemAddress(base));
    close_device();
    return 0;
}
