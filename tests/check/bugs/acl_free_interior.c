// SPDX-License-Identifier: Apache-2.0
// The view of a tensor is freed instead of the tensor.
// EXPECT: ERROR invalid-free: aclrtFree of 0x..., which is 4096 byte(s) inside a block of device memory of ... byte(s) dev 0 thread
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_free_interior.c:14
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_free_interior.c:13

#include "check/support/acl.h"

int main(void) {
    open_device();
    char *tensor = take(8192);
    (void)aclrtFree(tensor + 4096);
    must(aclrtFree(tensor));
    close_device();
    return 0;
}
