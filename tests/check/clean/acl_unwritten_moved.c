// SPDX-License-Identifier: Apache-2.0
// A block is copied before all of it was written. What was written stays written in the copy, and so do
// bytes that are written there later.

#include "check/support/acl.h"

int main(void) {
    static char out[3000];
    char *from = NULL, *to = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtMalloc((void **)&from, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMalloc((void **)&to, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemset(from, 4096, 1, 2000));
    must(aclrtMemcpy(to, 4096, from, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE));
    must(aclrtMemset(to + 2000, 2096, 2, 1000));
    must(aclrtMemcpy(out, sizeof out, to, 3000, ACL_MEMCPY_DEVICE_TO_HOST));
    must(aclrtFree(from));
    must(aclrtFree(to));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
