// SPDX-License-Identifier: Apache-2.0
// A copy on a stream reads memory that is set only after the program has waited for the copy.
// OPTIONS: --uninitialised=strict
// EXPECT: ERROR uninitialised-read: 4096 of 4096 byte(s) at 0x... never written since ... by aclrtMemcpyAsync

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
    void *from = NULL;
    void *to = NULL;
    must(aclrtCreateStream(&stream));
    must(aclrtMalloc(&from, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMalloc(&to, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemcpyAsync(to, 4096, from, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    must(aclrtSynchronizeStream(stream));
    must(aclrtMemset(from, 4096, 1, 4096));
    must(aclrtFree(from));
    must(aclrtFree(to));
    must(aclrtDestroyStream(stream));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
