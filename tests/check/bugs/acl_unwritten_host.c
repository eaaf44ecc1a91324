// SPDX-License-Identifier: Apache-2.0
// Memory of aclrtMallocHost() is copied to the device before anything is written to it.
// EXPECT: ERROR uninitialised-read: 4096 of 4096 byte(s) at 0x... never written since ... by aclrtMemcpy

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

    void *host = NULL;
    void *block = NULL;
    must(aclrtMallocHost(&host, 4096));
    must(aclrtMalloc(&block, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemcpy(block, 4096, host, 4096, ACL_MEMCPY_HOST_TO_DEVICE));
    must(aclrtFree(block));
    must(aclrtFreeHost(host));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
