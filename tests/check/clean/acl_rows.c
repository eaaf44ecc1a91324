// SPDX-License-Identifier: Apache-2.0
// The rows of a padded matrix are copied with its own pitch, up to the end of the last row.

#include "check/support/acl.h"

enum { WIDTH = 100, PITCH = 128, ROWS = 8, BYTES = PITCH * (ROWS - 1) + WIDTH };

int main(void) {
    static char rows[PITCH * ROWS];
    open_device();
    char *matrix = take(BYTES);
    must(aclrtMemcpy2d(matrix, PITCH, rows, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE));
    must(aclrtMemcpy2d(rows, PITCH, matrix, PITCH, WIDTH, ROWS, ACL_MEMCPY_DEVICE_TO_HOST));
    must(aclrtFree(matrix));
    close_device();
    return 0;
}
