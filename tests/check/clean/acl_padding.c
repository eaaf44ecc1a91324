// SPDX-License-Identifier: Apache-2.0
// Memory of odd sizes is used to its last byte, by calls that pad it and by calls that do not.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <acl/acl.h>
#include <acl/ops/acl_dvpp.h>

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

    static char bytes[1001];
    aclrtStream stream = NULL;
    void *block[5];
    must(aclrtCreateStream(&stream));
    must(aclrtMalloc(&block[0], sizeof bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMallocAlign32(&block[1], sizeof bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
    must(acldvppMalloc(&block[2], sizeof bytes));
    must(aclrtMallocHost(&block[3], sizeof bytes));
    must(aclrtMemAllocManaged(&block[4], sizeof bytes, ACL_RT_MEM_ATTACH_GLOBAL));
    memset(block[3], 1, sizeof bytes);
    for (int i = 0; i < 3; i++) {
        must(aclrtMemset(block[i], sizeof bytes, 1, sizeof bytes));
        must(aclrtMemcpyAsync(block[i], sizeof bytes, block[3], sizeof bytes,
                              ACL_MEMCPY_HOST_TO_DEVICE, stream));
        must(aclrtSynchronizeStream(stream));
        /* two rows, of which the last one ends with the memory */
        must(aclrtMemcpy2d(bytes, 501, block[i], 512, 489, 2, ACL_MEMCPY_DEVICE_TO_HOST));
    }
    must(aclrtMemset(block[4], sizeof bytes, 1, sizeof bytes));
    must(aclrtFree(block[0]));
    must(aclrtFree(block[1]));
    must(acldvppFree(block[2]));
    must(aclrtFreeHost(block[3]));
    must(aclrtFree(block[4]));
    must(aclrtDestroyStream(stream));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
