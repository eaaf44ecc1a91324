// SPDX-License-Identifier: Apache-2.0
// One row of a matrix is never written, and a download reads all of them.
// EXPECT: ERROR uninitialised-read: 64 of 64 byte(s) at 0x... never written since registration of R1, read by aclrtMemcpy2d
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_unwritten_rows.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_unwritten_rows.c:16

#include "check/support/acl.h"

enum { WIDTH = 64, ROWS = 4 };

int main(void) {
    static char rows[WIDTH * ROWS];
    open_device();
    char *matrix = take(WIDTH * ROWS);
    must(aclrtMemset(matrix, WIDTH, 0, WIDTH));
    must(aclrtMemset(matrix + 2 * WIDTH, 2 * WIDTH, 0, 2 * WIDTH));
    must(aclrtMemcpy2d(rows, WIDTH, matrix, WIDTH, WIDTH, ROWS, ACL_MEMCPY_DEVICE_TO_HOST));
    must(aclrtFree(matrix));
    close_device();
    return 0;
}
