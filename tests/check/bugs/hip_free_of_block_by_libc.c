// SPDX-License-Identifier: Apache-2.0
// An address inside a block of a pool is given to free().
// EXPECT: ERROR invalid-free: 0x... given to free is 64 byte(s) inside region R1; not a region start
// EXPECT:     ... give_back .../hip_free_of_block_by_libc.c:

#include "check/support/hip.h"

static void give_back(void *block) { free(block); }

int main(void) {
    char *block = NULL;
    must(hipMallocAsync((void **)&block, 4096, NULL));
    give_back(block + 64);
    return 0;
}
