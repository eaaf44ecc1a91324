// SPDX-License-Identifier: Apache-2.0
// aclrtMemset() writes the padding behind memory of aclrtMalloc(), and succeeds.
// EXPECT: ERROR heap-overflow: write of 1024 byte(s) at 0x..., wrong from 0x... on by aclrtMemset
// EXPECT:   is 0 byte(s) after region R... size 1000
// EXPECT:   access by thread
// EXPECT: acl_overflow_padding.c:31
// EXPECT:   allocated by thread
// EXPECT: aclrtMalloc
// EXPECT: acl_overflow_padding.c:30

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
    must(aclrtMalloc(&block, 1000, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemset(block, 1024, 0, 1024));
    must(aclrtFree(block));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
