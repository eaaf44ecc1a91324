// SPDX-License-Identifier: Apache-2.0
// A matrix is uploaded with the pitch of a padded one, so that its last row ends behind its block.
// EXPECT: ERROR heap-overflow: write of 996 byte(s) at 0x..., wrong from 0x... on by aclrtMemcpy2d, past the end of a block of device memory of ... byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_rows_too_wide.c:17
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_rows_too_wide.c:16

#include "check/support/acl.h"

enum { WIDTH = 100, PITCH = 128, ROWS = 8 };

int main(void) {
    static char rows[PITCH * ROWS];
    open_device();
    char *matrix = take(WIDTH * ROWS);
    (void)aclrtMemcpy2d(matrix, PITCH, rows, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE);
    must(aclrtFree(matrix));
    close_device();
    return 0;
}
