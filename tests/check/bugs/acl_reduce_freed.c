// SPDX-License-Identifier: Apache-2.0
// aclrtReduceAsync() reads memory that was freed. AscendCL refuses it.
// EXPECT: ERROR use-after-free: read of 64 byte(s) at 0x... by aclrtReduceAsync, in a block of device memory of 64 byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT: acl_reduce_freed.c:33
// EXPECT:   allocated by thread
// EXPECT: aclrtMalloc
// EXPECT:   freed by thread
// EXPECT: aclrtFree

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
    void *sum = NULL;
    void *part = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtMalloc(&sum, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMalloc(&part, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtFree(part));
    if (aclrtReduceAsync(sum, part, 64, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, NULL, NULL) ==
        ACL_SUCCESS)
        return 1;
    must(aclrtFree(sum));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
