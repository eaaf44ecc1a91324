// SPDX-License-Identifier: Apache-2.0
// The frees of host and device memory are confused, both ways.
// EXPECT: ERROR wrong-family-free: aclrtFreeHost of 0x..., which is a block of device memory of ... byte(s)
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_wrong_family.c:21
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_wrong_family.c:18
// EXPECT: ERROR wrong-family-free: aclrtFree of 0x..., which is a block of pinned memory of 4096 byte(s)
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_wrong_family.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_wrong_family.c:20

#include "check/support/acl.h"

int main(void) {
    open_device();
    char *device = take(4096);
    void *host = NULL;
    must(aclrtMallocHost(&host, 4096));
    (void)aclrtFreeHost(device);
    (void)aclrtFree(host);
    must(aclrtFree(device));
    must(aclrtFreeHost(host));
    close_device();
    return 0;
}
