// SPDX-License-Identifier: Apache-2.0
// A page moves to a second address while a stream still writes to the first one.
// EXPECT: WARN map-while-in-use: 2097152 byte(s) at 0x..., mapped at 0x... as well, where aclrtMemsetAsync on stream 0x... may still run
// EXPECT:   mapped by thread
// EXPECT:     ... main .../acl_map_while_in_use.c:24
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_map_while_in_use.c:23

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
    must(aclrtMallocPhysical(&page, bytes, &prop, 0));
    must(aclrtMapMem(base, bytes, 0, page, 0));
    must(aclrtMemsetAsync(base, bytes, 0, bytes, stream));
    must(aclrtMapMem((char *)base + bytes, bytes, 0, page, 0));
    must(aclrtSynchronizeStream(stream));
    must(aclrtUnmapMem((char *)base + bytes));
    must(aclrtUnmapMem(base));
    must(aclrtFreePhysical(page));
    must(aclrtReleaseMemAddress(base));
    must(aclrtDestroyStream(stream));
    close_device();
    return 0;
}
