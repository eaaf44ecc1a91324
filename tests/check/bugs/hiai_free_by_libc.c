// SPDX-License-Identifier: Apache-2.0
// A block of HIAI is given to free().
// EXPECT: ERROR wrong-family-free: free of 0x..., which is region R1 of a pool
// EXPECT:     ... main .../hiai_free_by_libc.c:
// EXPECT:     ... HIAI_DMalloc

#include "check/support/hiai.h"

int main(void) {
    begin();
    free(take(4096));
    return 0;
}
