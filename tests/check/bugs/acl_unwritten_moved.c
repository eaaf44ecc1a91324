// SPDX-License-Identifier: Apache-2.0
// Two copies carry bytes that nothing wrote from block to block. Every access to AscendCL memory is
// known, so the report counts the bytes exactly.
// EXPECT: ERROR uninitialised-read: 24 of 100 byte(s) at 0x... never written since registration
// of R1, copied to R3 unwritten, read by aclrtMemcpy

#include "check/support/acl.h"

int main(void) {
    static char out[100];
    char *block[3];
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    for (int i = 0; i < 3; i++)
        must(aclrtMalloc((void **)&block[i], 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    must(aclrtMemset(block[0], 4096, 1, 1000));
    must(aclrtMemset(block[2], 4096, 1, 4096));
    must(aclrtMemcpy(block[1], 4096, block[0], 2048, ACL_MEMCPY_DEVICE_TO_DEVICE));
    must(aclrtMemcpy(block[2], 4096, block[1] + 900, 124, ACL_MEMCPY_DEVICE_TO_DEVICE));
    must(aclrtMemcpy(out, sizeof out, block[2] + 24, sizeof out, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int i = 0; i < 3; i++) must(aclrtFree(block[i]));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    return 0;
}
