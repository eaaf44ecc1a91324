// SPDX-License-Identifier: Apache-2.0
// The second half of memory of aclrtMalloc() is copied, and only the first was set.
// EXPECT: ERROR uninitialised-read: 2048 of 2048 byte(s) at 0x... never written since ... by aclrtMemcpy

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

    static char out[2048];
    char *block = NULL;
    must(aclrtMalloc((void **)&block, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemset(block, 4096, 1, 2048));
    must(aclrtMemcpy(out, sizeof out, block + 2048, sizeof out, ACL_MEMCPY_DEVICE_TO_HOST));
    must(aclrtFree(block));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
