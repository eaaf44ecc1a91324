// SPDX-License-Identifier: Apache-2.0
// A mapping, a handle and a reservation are released twice each.
// EXPECT: ERROR double-free: aclrtUnmapMem of 0x... again, a mapping of 2097152 byte(s)
// EXPECT:   allocated by thread ...
// EXPECT:     ... aclrtMapMem ...
// EXPECT:   first freed by thread ...
// EXPECT:     ... aclrtUnmapMem ...
// EXPECT: ERROR double-free: aclrtFreePhysical of 0x... again, a handle of physical memory of 2097152 byte(s)
// EXPECT:   allocated by thread ...
// EXPECT:     ... aclrtMallocPhysical ...
// EXPECT:   first freed by thread ...
// EXPECT:     ... aclrtFreePhysical ...
// EXPECT: ERROR double-free: aclrtReleaseMemAddress of 0x... again, a reservation of 4194304 byte(s)
// EXPECT:   allocated by thread ...
// EXPECT:     ... aclrtReserveMemAddress ...
// EXPECT:   first freed by thread ...
// EXPECT:     ... aclrtReleaseMemAddress ...

#include <stdio.h>
#include <stdlib.h>

#include <acl/acl.h>

#define must(call) must_be((call), #call)

static void must_be(aclError error, const char *call) {
    if (error != ACL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", call, (int)error);
        exit(2);
    }
}

int main(void) {
    const size_t bytes = 2 << 20;
    aclrtPhysicalMemProp prop = {0};
    aclrtDrvMemHandle handle = NULL;
    void *base = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    must(aclrtReserveMemAddress(&base, 2 * bytes, 0, NULL, 0));
    must(aclrtMallocPhysical(&handle, bytes, &prop, 0));
    must(aclrtMapMem(base, bytes, 0, handle, 0));

    must(aclrtUnmapMem(base));
    (void)aclrtUnmapMem(base);
    must(aclrtFreePhysical(handle));
    (void)aclrtFreePhysical(handle);
    must(aclrtReleaseMemAddress(base));
    (void)aclrtReleaseMemAddress(base);
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
