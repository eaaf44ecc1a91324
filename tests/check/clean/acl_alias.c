// SPDX-License-Identifier: Apache-2.0
// One page is mapped at two addresses, one after the other, and used through both.

#include "check/support/acl.h"

int main(void) {
    const size_t bytes = 2 << 20;
    aclrtPhysicalMemProp prop = {0};
    aclrtDrvMemHandle page = NULL;
    void *base = NULL;
    open_device();
    aclrtStream stream = make_stream();
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    must(aclrtReserveMemAddress(&base, 2 * bytes, 0, NULL, 0));
    char *other = (char *)base + bytes;
    must(aclrtMallocPhysical(&page, bytes, &prop, 0));
    must(aclrtMapMem(base, bytes, 0, page, 0));
    must(aclrtMemsetAsync(base, bytes, 0, bytes, stream));
    must(aclrtSynchronizeStream(stream));
    must(aclrtMapMem(other, bytes, 0, page, 0));
    must(aclrtMemcpy((char *)base + 64, 64, other, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
    must(aclrtUnmapMem(base));
    must(aclrtMemset(other, bytes, 1, bytes));
    must(aclrtUnmapMem(other));
    must(aclrtFreePhysical(page));
    must(aclrtReleaseMemAddress(base));
    must(aclrtDestroyStream(stream));
    close_device();
    return 0;
}
