// SPDX-License-Identifier: Apache-2.0
// A released reservation is read although the next one holds its memory now.
// EXPECT: ERROR use-after-free: read of 64 byte(s) at 0x... by aclrtMemcpy, in a mapping of 2097152 byte(s) at 0x... that was unmapped

#include "check/support/acl.h"

enum { PAGE = 2 << 20 };

static void *map_anew(aclrtDrvMemHandle page) {
    void *base = NULL;
    must(aclrtReserveMemAddress(&base, PAGE, 0, NULL, 0));
    must(aclrtMapMem(base, PAGE, 0, page, 0));
    return base;
}

static void end_name(void *base) {
    must(aclrtUnmapMem(base));
    must(aclrtReleaseMemAddress(base));
}

int main(void) {
    aclrtPhysicalMemProp prop = {0};
    aclrtDrvMemHandle page = NULL;
    char bytes[64];
    open_device();
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    must(aclrtMallocPhysical(&page, PAGE, &prop, 0));
    void *old = map_anew(page);
    must(aclrtMemset(old, PAGE, 1, PAGE));
    end_name(old);
    void *now = map_anew(page);
    (void)aclrtMemcpy(bytes, sizeof bytes, old, sizeof bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    end_name(now);
    must(aclrtFreePhysical(page));
    close_device();
    return 0;
}
