// SPDX-License-Identifier: Apache-2.0
// Memory is allocated, filled, copied and freed.

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

    static char out[1 << 20];
    aclrtStream stream = NULL;
    void *block = NULL;
    must(aclrtCreateStream(&stream));
    must(aclrtMalloc(&block, sizeof out, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemsetAsync(block, sizeof out, 1, sizeof out, stream));
    must(aclrtSynchronizeStream(stream));
    must(aclrtMemcpy(out, sizeof out, block, sizeof out, ACL_MEMCPY_DEVICE_TO_HOST));
    must(aclrtFree(block));
    must(aclrtDestroyStream(stream));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
