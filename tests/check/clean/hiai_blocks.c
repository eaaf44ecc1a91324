// SPDX-License-Identifier: Apache-2.0
// Blocks that are allocated and freed: HiAI keeps its pool until the process ends, and blocks freed
// last in a cache, but none of them is a leak.
#include <stdio.h>
#include <string.h>

#include <hiaiengine/c_api.h>

enum { BLOCKS = 6, BYTES = 100000 };

int main(void) {
    void *blocks[BLOCKS];
    if (HIAI_Init(0) != HIAI_OK) return 1;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < BLOCKS; i++) {
            blocks[i] = HIAI_DMalloc(BYTES, 1000, MEMORY_ATTR_MANUAL_FREE);
            if (blocks[i] == NULL) return 1;
            memset(blocks[i], i, BYTES);
        }
        for (int i = 0; i < BLOCKS; i++)
            if (HIAI_DFree(blocks[i]) != HIAI_OK) return 1;
    }
    return 0;
}
