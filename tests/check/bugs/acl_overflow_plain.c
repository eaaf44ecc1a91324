// SPDX-License-Identifier: Apache-2.0
// A copy runs far past the end of memory of aclrtMalloc(); the room that it states is wrong too.
// EXPECT: ERROR heap-overflow: write of 65536 byte(s) at 0x..., wrong from 0x... on by aclrtMemcpy, past the end of a block of device memory of ... byte(s)
// EXPECT:   access by thread
// EXPECT: acl_overflow_plain.c:
// EXPECT:   allocated by thread
// EXPECT: aclrtMalloc

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
    static char host[65536];
    void *block = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtMalloc(&block, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    (void)aclrtMemcpy(block, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE);
    must(aclrtFree(block));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
