// SPDX-License-Identifier: Apache-2.0
// Pinned memory is given to free(), which ends the process.
// EXPECT: ERROR wrong-family-free: free of 0x..., which is a block of pinned memory of 4096 byte(s)
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_free_by_libc.c:
// EXPECT:   allocated by thread
// EXPECT:     ... hipHostMalloc

#include "check/support/hip.h"

int main(void) {
    void *pinned = NULL;
    must(hipHostMalloc(&pinned, 4096, 0));
    free(pinned);
    return 0;
}
