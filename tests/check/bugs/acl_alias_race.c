// SPDX-License-Identifier: Apache-2.0
// Two sequences share a page of a KV cache, which is mapped in both. One stream extends it while the
// other reads it.
// EXPECT: ERROR copy-race: read of 512 byte(s) at 0x... by aclrtMemcpyAsync on stream 0x... is unordered with the write by aclrtMemsetAsync on stream 0x... of the same memory at 0x...
// EXPECT:     ... main .../acl_alias_race.c:26
// EXPECT:     ... main .../acl_alias_race.c:25

#include "check/support/acl.h"

int main(void) {
    const size_t bytes = 2 << 20;
    aclrtPhysicalMemProp prop = {0};
    aclrtDrvMemHandle page = NULL;
    void *base = NULL;
    open_device();
    aclrtStream one = make_stream(), other = make_stream();
    char *out = take(4096);
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    must(aclrtReserveMemAddress(&base, 2 * bytes, 0, NULL, 0));
    must(aclrtMallocPhysical(&page, bytes, &prop, 0));
    must(aclrtMapMem(base, bytes, 0, page, 0));
    must(aclrtMapMem((char *)base + bytes, bytes, 0, page, 0));
    must(aclrtMemset(base, bytes, 0, bytes));
    must(aclrtMemsetAsync((char *)base + 512, 1024, 1, 1024, one));
    must(aclrtMemcpyAsync(out, 4096, (char *)base + bytes, 1024, ACL_MEMCPY_DEVICE_TO_DEVICE,
                          other));
    must(aclrtSynchronizeDevice());
    must(aclrtUnmapMem(base));
    must(aclrtUnmapMem((char *)base + bytes));
    must(aclrtFreePhysical(page));
    must(aclrtReleaseMemAddress(base));
    must(aclrtFree(out));
    must(aclrtDestroyStream(one));
    must(aclrtDestroyStream(other));
    close_device();
    return 0;
}
