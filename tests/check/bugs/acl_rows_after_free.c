// SPDX-License-Identifier: Apache-2.0
// A matrix is downloaded row by row after it was freed.
// EXPECT: ERROR use-after-free: read of 996 byte(s) at 0x... by aclrtMemcpy2d, in a block of device memory of ... byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_rows_after_free.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_rows_after_free.c:16
// EXPECT:   freed by thread
// EXPECT:     ... main .../acl_rows_after_free.c:18

#include "check/support/acl.h"

int main(void) {
    static char rows[1024];
    open_device();
    char *matrix = take(1024);
    must(aclrtMemset(matrix, 1024, 0, 1024));
    must(aclrtFree(matrix));
    (void)aclrtMemcpy2d(rows, 128, matrix, 128, 100, 8, ACL_MEMCPY_DEVICE_TO_HOST);
    close_device();
    return 0;
}
