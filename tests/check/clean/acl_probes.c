// SPDX-License-Identifier: Apache-2.0
// Memory of the program and of the device is asked about, and wrong arguments are refused.

#include "check/support/acl.h"

int main(void) {
    int local = 0;
    void *none = NULL;
    aclrtPtrAttributes attributes;
    open_device();
    char *block = take(4096);
    must(aclrtPointerGetAttributes(block, &attributes));
    (void)aclrtPointerGetAttributes(&local, &attributes);
    (void)aclrtFree(NULL);
    (void)aclrtFreeHost(NULL);
    (void)aclrtMalloc(&none, 0, ACL_MEM_MALLOC_HUGE_FIRST);
    (void)aclrtMalloc(&none, (size_t)1 << 60, ACL_MEM_MALLOC_HUGE_FIRST);
    (void)aclrtMemset(block, 64, 0, 128);
    (void)aclrtMemcpy(block, 64, &local, 128, ACL_MEMCPY_HOST_TO_DEVICE);
    must(aclrtFree(block));
    close_device();
    return 0;
}
