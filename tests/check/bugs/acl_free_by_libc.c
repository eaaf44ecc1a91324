// SPDX-License-Identifier: Apache-2.0
// Host memory of AscendCL is given to free().
// EXPECT: ERROR wrong-family-free: free of 0x..., which is a block of pinned memory of ... byte(s)
// EXPECT:     ... main .../acl_free_by_libc.c:
// EXPECT:     ... aclrtMallocHost

#include "check/support/acl.h"

int main(void) {
    void *memory = NULL;
    open_device();
    must(aclrtMallocHost(&memory, 4096));
    free(memory);
    close_device();
    return 0;
}
