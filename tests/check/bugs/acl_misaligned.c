// SPDX-License-Identifier: Apache-2.0
// A copy comes from an address that is no multiple of what was asked for, in memory of aclrtMallocHost.
// OPTIONS: --alignment=64
// EXPECT: ERROR misaligned-access: read of 64 byte(s) at 0x... (needs 64-byte alignment), which is 0x20 inside a block of pinned memory of
// EXPECT:     ... aclrtMallocHost ...
#include <acl/acl.h>

int main(void) {
    char *host = NULL;
    void *device = NULL;
    return aclInit(NULL) != 0 || aclrtSetDevice(0) != 0 ||
           aclrtMallocHost((void **)&host, 256) != 0 ||
           aclrtMalloc(&device, 256, ACL_MEM_MALLOC_HUGE_FIRST) != 0 ||
           aclrtMemcpy(device, 256, host + 32, 64, ACL_MEMCPY_HOST_TO_DEVICE) != 0 ||
           aclrtFreeHost(host) != 0 || aclrtFree(device) != 0 || aclrtResetDevice(0) != 0 ||
           aclFinalize() != 0;
}
