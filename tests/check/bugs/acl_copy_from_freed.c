// SPDX-License-Identifier: Apache-2.0
// A copy reads memory that was freed, and a fill writes to it.
// EXPECT: ERROR use-after-free: read of 64 byte(s) at 0x... by aclrtMemcpy, in a block of device memory of ... byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT: aclrtMemcpy
// EXPECT: acl_copy_from_freed.c:
// EXPECT:   allocated by thread
// EXPECT: aclrtMalloc
// EXPECT:   freed by thread
// EXPECT: aclrtFree
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by aclrtMemset, in a block of device memory of ... byte(s) at 0x... that was freed

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
    char host[64];
    void *block = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtMalloc(&block, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemset(block, 4096, 1, 4096));
    must(aclrtFree(block));
    (void)aclrtMemcpy(host, sizeof host, block, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST);
    (void)aclrtMemset(block, 4096, 2, sizeof host);
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
