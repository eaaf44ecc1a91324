// SPDX-License-Identifier: Apache-2.0
// A block is freed from its inside and twice, and a variable is freed.
// EXPECT: ERROR invalid-free: 0x... given to HIAI_DFree is 64 byte(s) inside region R1; not a region start
// EXPECT:   freed by thread
// EXPECT: HIAI_DFree
// EXPECT: hiai_free_misuse.c:
// EXPECT:   allocated by thread
// EXPECT: HIAI_DMalloc
// EXPECT: ERROR double-free: region R1 [0x...) given to HIAI_DFree again
// EXPECT:   freed by thread
// EXPECT:   allocated by thread
// EXPECT:   first freed by thread
// EXPECT: ERROR invalid-free: HIAI_DFree of 0x..., which is no block that can be freed
#include <stddef.h>

#include <hiaiengine/c_api.h>

int main(void) {
    int variable = 0;
    if (HIAI_Init(0) != HIAI_OK) return 1;
    char *block = HIAI_DMalloc(4096, 1000, MEMORY_ATTR_MANUAL_FREE);
    if (block == NULL || HIAI_DFree(block + 64) == HIAI_OK || HIAI_DFree(block) != HIAI_OK ||
        HIAI_DFree(block) == HIAI_OK)
        return 1;
    return HIAI_DFree(&variable) != HIAI_OK ? 0 : 1;
}
