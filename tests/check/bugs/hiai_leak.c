// SPDX-License-Identifier: Apache-2.0
// One of three blocks, of whole pages, is never freed.
// EXPECT: ERROR leak: 102400 byte(s) in 1 region(s)
// EXPECT: HIAI_DMalloc
// EXPECT: hiai_leak.c:16
#include <stddef.h>

#include <hiaiengine/c_api.h>

enum { BLOCKS = 3, BYTES = 100000 };

int main(void) {
    void *blocks[BLOCKS];
    if (HIAI_Init(0) != HIAI_OK) return 1;
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = HIAI_DMalloc(BYTES, 1000, MEMORY_ATTR_MANUAL_FREE);
        if (blocks[i] == NULL) return 1;
    }
    return HIAI_DFree(blocks[0]) == HIAI_OK && HIAI_DFree(blocks[2]) == HIAI_OK ? 0 : 1;
}
