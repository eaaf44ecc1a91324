// SPDX-License-Identifier: Apache-2.0
// A block of HIAI is grown by realloc().
// EXPECT: ERROR wrong-family-free: realloc of 0x..., which is region R1 of a pool
// EXPECT:     ... main .../hiai_realloc.c:

#include "check/support/hiai.h"

int main(void) {
    begin();
    void *block = realloc(take(4096), 8192);
    return block == NULL;
}
