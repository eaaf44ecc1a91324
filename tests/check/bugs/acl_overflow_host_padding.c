// SPDX-License-Identifier: Apache-2.0
// A copy on a stream reads more of the memory of aclrtMallocHost() than was requested.
// EXPECT: ERROR heap-overflow: read of 128 byte(s) at 0x..., wrong from 0x... on by aclrtMemcpyAsync
// EXPECT:   is 0 byte(s) after region R... size 100
// EXPECT:   access by thread
// EXPECT: acl_overflow_host_padding.c:36
// EXPECT:   allocated by thread
// EXPECT: aclrtMallocHost
// EXPECT: acl_overflow_host_padding.c:33

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

    aclrtStream stream = NULL;
    void *host = NULL;
    void *block = NULL;
    must(aclrtMallocHost(&host, 100));
    must(aclrtMalloc(&block, 128, ACL_MEM_MALLOC_NORMAL_ONLY));
    must(aclrtCreateStream(&stream));
    must(
        aclrtMemcpyAsync(block, 128, memset(host, 1, 100), 128, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    must(aclrtSynchronizeStream(stream));
    must(aclrtDestroyStream(stream));
    must(aclrtFree(block));
    must(aclrtFreeHost(host));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
