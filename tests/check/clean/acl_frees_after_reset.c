// SPDX-License-Identifier: Apache-2.0
// Memory outlives the device's use and AscendCL itself, and is freed at the exit. The vendor allows that.

#include "check/support/acl.h"

static void *block, *host;

static void free_all(void) {
    must(aclrtFree(block));
    must(aclrtFreeHost(host));
}

int main(void) {
    (void)atexit(free_all);
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtMalloc(&block, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMallocHost(&host, 4096));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
