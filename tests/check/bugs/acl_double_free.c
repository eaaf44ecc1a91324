// SPDX-License-Identifier: Apache-2.0
// Memory is freed twice.
// EXPECT: ERROR double-free: aclrtFree of 0x... again, a block of device memory of 10...

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
    must(aclInit(NULL));
    must(aclrtSetDevice(0));

    void *block = NULL;
    must(aclrtMalloc(&block, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtFree(block));
    (void)aclrtFree(block);
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
