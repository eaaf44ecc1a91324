// SPDX-License-Identifier: Apache-2.0
// A new block has the address of a freed one, and is read as if it still had its contents.
// EXPECT: ERROR uninitialised-read: 4096 of 4096 byte(s) at 0x... never written since registration of R2, read by aclrtMemcpy
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_unwritten_after_reuse.c:18
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_unwritten_after_reuse.c:17

#include "check/support/acl.h"

int main(void) {
    static char out[4096];
    open_device();
    char *old = take(4096);
    must(aclrtMemset(old, 4096, 1, 4096));
    must(aclrtFree(old));
    char *block = take(4096);
    must(aclrtMemcpy(out, sizeof out, block, 4096, ACL_MEMCPY_DEVICE_TO_HOST));
    must(aclrtFree(block));
    close_device();
    return 0;
}
