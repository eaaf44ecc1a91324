// SPDX-License-Identifier: Apache-2.0
// Tasks of a stream write memory that is copied behind them, before they have run.

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

static void set_block(void *block) {
    static const char in[4096];
    must(aclrtMemcpy(block, 4096, in, sizeof in, ACL_MEMCPY_HOST_TO_DEVICE));
}

int main(void) {
    must(aclInit(NULL));
    must(aclrtSetDevice(0));

    static char out[4096];
    aclrtStream stream = NULL;
    char *block = NULL;
    char *host = NULL;
    must(aclrtCreateStream(&stream));
    must(aclrtMalloc((void **)&block, 8192, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMallocHost((void **)&host, 4096));
    must(aclrtValueWrite(block, 7, 0, stream));
    must(aclrtMemcpyAsync(out, 8, block, 8, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    must(aclrtSynchronizeStream(stream));
    set_block(block + 4096);
    memset(host, 1, 4096);
    must(aclrtMemcpyAsync(block, 4096, host, 4096, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    must(aclrtMemcpyAsync(out, 4096, block, 4096, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    must(aclrtSynchronizeStream(stream));
    must(aclrtMemcpy(out, 4096, block + 4096, 4096, ACL_MEMCPY_DEVICE_TO_HOST));
    must(aclrtFreeHost(host));
    must(aclrtFree(block));
    must(aclrtDestroyStream(stream));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
